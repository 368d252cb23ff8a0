import { describe, expect, it } from 'vitest'
import { findLoss, type ShownAnswer } from '../../src/explore/judge/answer-loss.ts'
import { createJudge } from '../../src/explore/judge/judge.ts'
import type { Observation } from '../../src/explore/judge/observation.ts'

/** A page whose elements are `place: text`. */
function pageOf(lines: readonly string[], more: Partial<Observation> = {}): Observation {
  const parts = lines.map((line) => {
    const [, place, text] = /^(\S+?): ?(.*)$/.exec(line)!
    return { place: place!, text: text! }
  })
  const quiet = { painted: [], said: [], address: '/', hasPassword: false, timers: [] }
  return {
    ...quiet,
    parts,
    busy: [],
    pending: [],
    requests: { 'GET /users': 1 },
    errors: [],
    elapsed: 800,
    ...more,
  }
}

const header = ['h1: Users of the team', 'p: Everyone who may log in']
const rows = ['li: Ada Lovelace', 'li: Grace Hopper', 'li: Barbara Liskov', 'button: Load more']
const good = pageOf([...header, ...rows])

const ok = (value: unknown): ShownAnswer => ({ status: 200, text: JSON.stringify(value) })
const users = (...names: (string | null)[]) => ok({ data: names.map((name, id) => ({ id, name })), total: 3 })
const whole = users('Ada Lovelace', 'Grace Hopper', 'Barbara Liskov')
const failed: ShownAnswer = { status: 500, text: '{"error":{"message":"Internal Server Error"}}' }
const partial = ok({ data: { hero: null }, errors: [{ message: 'hero could not be read.' }] })
const hero = ok({ data: { hero: { name: 'Ada Lovelace', email: 'ada@example.com' } } })

const boom = { message: "TypeError: Cannot read properties of null (reading 'map')", stack: 'at Users' }
const notice = 'p.error: The users could not be loaded.'

interface Case {
  it: string
  sad: Observation
  /** The sad answer; default `failed`, and `null` for none. */
  answer?: ShownAnswer | null
  /** The good answer; default `whole`. */
  before?: ShownAnswer
  goodPages?: Observation[]
  verdict: string
  reason?: string
}

/** A page that shows a text before its data. */
const coming = (text: string, ...last: string[]) => {
  const painted = pageOf([...header, text]).parts
  return [good, pageOf([...header, ...(last.length > 0 ? last : rows)], { painted })]
}
const message = (text: string) => ({ place: 'div 1', text, isMessage: true as const })

const early: Case[] = [
  ...['p: Users are on their way', 'p: 読み込み中', 'p: Einen Augenblick'].map((text): Case => ({
    it: `${text} stays after a failure`,
    goodPages: coming(text),
    sad: pageOf([...header, text]),
    verdict: 'stuck',
  })),
  {
    it: 'no users, before the data and after a failure',
    goodPages: coming('p: No users yet'),
    sad: pageOf([...header, 'p: No users yet']),
    verdict: 'silent',
    reason: 'The request has failed, and the page says "No users yet", as if it had not.',
  },
  {
    it: 'no users, before the data and after an empty answer',
    goodPages: coming('p: No users yet'),
    sad: pageOf([...header, 'p: No users yet']),
    answer: users(),
    verdict: 'handled',
    reason: 'It says "No users yet"',
  },
  {
    it: 'a greeting that is kept',
    before: hero,
    goodPages: coming('p: Hello, guest', 'p: Hello, Ada Lovelace'),
    sad: pageOf([...header, 'p: Hello, guest']),
    verdict: 'silent',
  },
  {
    it: 'a stand-in that no page has shown',
    before: hero,
    goodPages: [pageOf([...header, 'p: Hello, Ada Lovelace']), pageOf([...header, 'p: Hello, Ada Lovelace'])],
    sad: pageOf([...header, 'p: Hello, stranger']),
    verdict: 'silent',
  },
  {
    it: 'a toast that has vanished',
    sad: pageOf(header, { painted: [message('The users are not available')] }),
    verdict: 'handled',
    reason: 'It says "The users are not available" for a moment',
  },
  { it: 'alert()', sad: pageOf(header, { said: ['No users'] }), verdict: 'handled', reason: 'It says "No users"' },
  { it: 'a redirect to a login', sad: pageOf(['h1: Welcome back'], { address: '/login' }), verdict: 'handled', reason: 'It goes to /login' },
  { it: 'a redirect to a page that asks for a password', sad: pageOf(['h1: Welcome'], { address: '/in', hasPassword: true }), verdict: 'handled' },
  { it: 'a redirect elsewhere', sad: pageOf(['h1: Welcome'], { address: '/home' }), verdict: 'silent', reason: 'It goes to /home, and nothing there says why.' },
  { it: 'null as the whole text', sad: pageOf([...header, 'li: null', ...rows.slice(1)]), answer: users(null, 'Grace Hopper', 'Barbara Liskov'), verdict: 'silent', reason: 'It shows "null"' },
] // prettier-ignore

const cases: Case[] = [
  // crashed
  { it: 'an uncaught error', sad: pageOf([], { errors: [boom] }), verdict: 'crashed', reason: boom.message },
  { it: 'an uncaught error of a page that says something', sad: pageOf([...header, notice], { errors: [boom] }), verdict: 'crashed' },
  {
    it: 'an uncaught error, and what the framework says about it',
    sad: pageOf([...header, notice], { errors: [{ message: '[Vue warn]: Unhandled error\n  at <App>' }, boom] }),
    verdict: 'crashed',
    reason: boom.message,
  },
  {
    it: 'an error that the good page has too',
    goodPages: [pageOf([...header, ...rows], { errors: [boom] }), good],
    sad: pageOf([...header, notice], { errors: [boom] }),
    verdict: 'handled',
  },
  // looping
  {
    it: 'the same request again and again',
    sad: pageOf([...header, notice], { requests: { 'GET /users': 40 }, elapsed: 900 }),
    verdict: 'looping',
    reason: 'It has sent GET /users 40 times.',
  },
  { it: 'three more attempts', sad: pageOf([...header, notice], { requests: { 'GET /users': 4 }, elapsed: 8000 }), verdict: 'handled' },
  {
    it: 'a page that asks every 100 ms when all is well',
    goodPages: [good, pageOf([...header, ...rows], { requests: { 'GET /users': 10 }, elapsed: 1000 })],
    sad: pageOf([...header, notice], { requests: { 'GET /users': 80 }, elapsed: 8000 }),
    verdict: 'handled',
  },
  // stuck
  { it: 'a spinner', sad: pageOf([...header, 'i.spinner:'], { busy: ['<i.spinner>'] }), verdict: 'stuck', reason: 'It still shows <i.spinner>' },
  {
    it: 'a request without an answer, although the page says something',
    sad: pageOf([...header, notice], { pending: ['GET /users'] }),
    answer: { status: 0, text: '', fault: 'silent' },
    verdict: 'stuck',
    reason: 'It still waits for GET /users.',
  },
  {
    it: 'a spinner and a request that the good page has too',
    goodPages: [good, pageOf([...header, ...rows], { busy: ['<i.spinner>'], pending: ['GET /events'] })],
    sad: pageOf([...header, notice], { busy: ['<i.spinner>'], pending: ['GET /events'] }),
    verdict: 'handled',
  },
  // blank
  { it: 'an empty page', sad: pageOf([]), verdict: 'blank' },
  { it: 'only the title', sad: pageOf(['h1: Users of the team']), verdict: 'blank' },
  { it: 'an empty list without a word', sad: pageOf(['h1: Users of the team']), answer: users(), verdict: 'blank' },
  {
    it: 'an empty list that says so',
    sad: pageOf(['h1: Users of the team', 'p: No users yet']),
    answer: users(),
    verdict: 'handled',
    reason: 'It says "No users yet"',
  },
  {
    it: 'one item of many: little text, but all there is',
    sad: pageOf(['h1: Users of the team', 'li: Ada Lovelace']),
    answer: users('Ada Lovelace'),
    verdict: 'handled',
    reason: 'It shows the rest: 1 of 3 fields of the answer are on the page.',
  },
  // silent
  { it: 'a failure that looks like success', sad: good, verdict: 'silent', reason: 'The request has failed, and the page looks as if it had not.' },
  {
    it: 'a failure without a word, on a page that keeps most of its text',
    sad: pageOf([...header, ...rows.slice(0, 2)]),
    verdict: 'silent',
    reason: 'The request has failed, and nothing on the page says so.',
  },
  {
    it: 'GraphQL errors without data and without a word',
    before: hero,
    sad: pageOf([...header, 'button: Load more', 'li: 1', 'li: 2', 'p:']),
    answer: ok({ data: null, errors: [{ message: 'No.' }] }),
    verdict: 'silent',
  },
  {
    it: 'what is missing is still shown',
    sad: good,
    answer: users('Ada Lovelace', null, 'Barbara Liskov'),
    verdict: 'silent',
    reason: 'It still shows "Grace Hopper", which is missing.',
  },
  {
    it: 'undefined',
    sad: pageOf([...header, 'li: undefined', ...rows.slice(1)]),
    answer: users(null, 'Grace Hopper', 'Barbara Liskov'),
    verdict: 'silent',
    reason: 'It shows "undefined"',
  },
  {
    it: 'Invalid Date in a sentence',
    sad: pageOf([...header, ...rows, 'p: Since Invalid Date']),
    answer: users(null, 'Grace Hopper', 'Barbara Liskov'),
    verdict: 'silent',
  },
  {
    it: 'the same answer, later, and something else on the page',
    sad: pageOf([...header, ...rows.slice(1)]),
    answer: whole,
    verdict: 'silent',
    reason: 'It does not show "Ada Lovelace", which it has got.',
  },
  {
    it: 'another number is no notice',
    goodPages: [pageOf([...header, ...rows, 'p: 3 users']), pageOf([...header, ...rows, 'p: 3 users'])],
    sad: pageOf([...header, ...rows.slice(0, 2), 'p: 0 users']),
    verdict: 'silent',
    reason: 'The request has failed, and nothing on the page says so.',
  },
  // handled
  { it: 'a notice', sad: pageOf([...header, notice]), verdict: 'handled', reason: 'It says "The users could not be loaded."' },
  {
    it: 'a notice that names null, with the text of the error',
    before: hero,
    sad: pageOf([...header, 'p: Cannot return null for hero.name.']),
    answer: partial,
    verdict: 'handled',
  },
  {
    it: 'a field that the page does not show',
    before: hero,
    sad: good,
    answer: ok({ data: { hero: { name: 'Ada Lovelace', email: null } }, errors: [{ message: 'No.' }] }),
    verdict: 'handled',
    reason: 'It is as usual: the page never shows "email".',
  },
  {
    it: 'a row without its name',
    sad: pageOf([...header, 'li:', ...rows.slice(1)]),
    answer: users(null, 'Grace Hopper', 'Barbara Liskov'),
    verdict: 'handled',
    reason: 'It shows the rest: 2 of 3 fields of the answer are on the page.',
  },
  { it: 'the same answer, later', sad: good, answer: whole, verdict: 'handled' },
  {
    it: 'a text of the data is not a notice',
    sad: pageOf([...header, 'li: A very long text']),
    answer: { ...failed, status: 200, text: '"A very long text without an end"' },
    before: ok('Ada Lovelace'),
    verdict: 'handled',
    reason: 'It shows none of the fields of the answer.',
  },
  {
    it: 'what is left of a text with values is not a notice',
    goodPages: [pageOf([...header, 'p: Ada Lovelace, Grace Hopper']), pageOf([...header, 'p: Ada Lovelace, Grace Hopper'])],
    sad: pageOf([...header, 'p: Ada Lovelace,']),
    answer: users('Ada Lovelace', null),
    verdict: 'handled',
    reason: 'It shows the rest: 1 of 2 fields of the answer are on the page.',
  },
  { it: 'a request that was not sent', sad: good, answer: null, verdict: 'unreached', reason: 'The request was not sent this time, or another route has answered it.' },
  // what the page has shown before its data came, and messages elsewhere than in its text
  ...early,
  { it: 'an answer that was cut', sad: good, answer: { ...whole, isCut: true }, verdict: 'handled' },
  {
    it: 'a clock in a place that has a notice, too',
    goodPages: [pageOf([...header, ...rows, 'p: 12:01']), pageOf([...header, ...rows, 'p: 12:02'])],
    sad: pageOf([...header, 'p: 12:03', 'p: They could not be loaded.']),
    verdict: 'handled',
    reason: 'It says "They could not be loaded."',
  },
  {
    it: 'texts in another order',
    goodPages: [pageOf([...header, 'p: First of all', 'p: And then']), pageOf([...header, 'p: And then', 'p: First of all'])],
    sad: pageOf([...header, 'p: And then', 'p: They could not be loaded.']),
    verdict: 'handled',
    reason: 'It says "They could not be loaded."',
  },
  {
    it: 'a clock',
    goodPages: [pageOf([...header, ...rows, 'p: 12:01']), pageOf([...header, ...rows, 'p: 12:02'])],
    sad: pageOf([...header, ...rows, 'p: 12:03']),
    verdict: 'silent',
  },
  {
    it: 'what differs each time is no notice',
    goodPages: [pageOf([...header, ...rows, 'q: Be quick']), pageOf([...header, ...rows, 'q: Be kind'])],
    sad: pageOf([...header, ...rows, 'q: Be careful']),
    verdict: 'silent',
    reason: 'The request has failed, and the page looks as if it had not.',
  },
] // prettier-ignore

describe('a page is judged by rules', () => {
  it.each(cases)('$verdict: $it', ({ sad, answer = failed, before = whole, goodPages = [good, good], verdict, reason }) => {
    const loss = answer ? findLoss(before, answer) : undefined
    const judgement = createJudge(goodPages).judge(sad, loss)
    expect(judgement.verdict).toBe(verdict)
    if (reason !== undefined) expect(judgement.reason).toBe(reason)
    expect(judgement.error).toEqual(verdict === 'crashed' ? boom : undefined)
  }) // prettier-ignore

  it.each([
    ['blank', 0.2, 'silent'],
    ['blank', 0.9, 'blank'],
    ['loop', 100, 'silent'],
    ['loop', 5, 'looping'],
  ])('with the threshold %s %d: %s', (name, value, verdict) => {
    const sad = pageOf(['h1: Users of the team', 'li: Ada Lovelace', 'li: Grace Hopper'], { requests: { 'GET /users': 9 } })
    const { judge } = createJudge([good, good], { blank: 0.2, [name]: value })
    expect(judge(sad, findLoss(whole, failed)).verdict).toBe(verdict)
  }) // prettier-ignore
})

it.each<
  [what: string, good: ShownAnswer, sad: ShownAnswer, failed: boolean, lost: string[], given: string[]]
>([
  ['a status', hero, failed, true, ['Ada Lovelace', 'ada@example.com'], []],
  ['a fault', hero, { ...hero, fault: 'truncated' }, true, ['Ada Lovelace', 'ada@example.com'], []],
  ['no JSON', hero, { status: 200, text: '<h1>Welcome</h1>' }, true, ['Ada Lovelace', 'ada@example.com'], []],
  ['no body', hero, { status: 204, text: '' }, true, ['Ada Lovelace', 'ada@example.com'], []],
  ['no body where none was', { status: 204, text: '' }, { status: 204, text: '' }, false, [], []],
  ['partial data', hero, partial, false, ['Ada Lovelace', 'ada@example.com'], []],
  ['an empty list', ok(['a', 7]), ok([]), false, ['a', '7'], []],
  ['one item', ok(['a', 7]), ok([7]), false, ['a'], ['7']],
  ['null', ok(['a']), ok(null), true, ['a'], []],
])('what %s loses', (_, before, sad, failed, lost, given) => {
  expect(findLoss(before, sad)).toMatchObject({ failed, lost, given })
})

it('what another answer or a longer text has is not lost', () => {
  const others = [ok({ owner: 'Ada Lovelace' })]
  expect(findLoss(hero, partial, others).lost).toEqual(['ada@example.com'])
  expect(findLoss(ok(['Ada']), ok(['Ada and more'])).lost).toEqual([])
})

it('a timer that the good page leaves running says nothing of what comes', () => {
  const { isTimed } = createJudge([good, { ...good, timers: ['10000 devtools'] }])
  expect(isTimed({ ...good, timers: ['10000 devtools'] })).toBe(false)
  expect(isTimed({ ...good, timers: ['10000 devtools', '1000 retry'] })).toBe(true)
})

it('what is said of an empty list is no message of a failure, where the list was most of the page', () => {
  const { judge, learn } = createJudge([good, good])
  const empty = pageOf([...header, 'p: チームはまだいません'])
  expect(judge(empty, findLoss(whole, failed)).verdict).toBe('handled')
  learn(empty, findLoss(whole, users()))
  expect(judge(empty, findLoss(whole, failed))).toMatchObject({
    verdict: 'silent',
    reason: expect.stringContaining('チームはまだいません') as string,
  })
  expect(judge(empty, findLoss(whole, users())).verdict).toBe('handled')
})
