import { groupBy } from '../core/values/collections.ts'
import type { AnswerLoss } from './answer-loss.ts'

/* What is wrong with a page that has got a sad path. Pure: docs/explore.md has the same rules in words. */

/** How a page takes a sad path, the worst first. */
export const verdicts = ['crashed', 'looping', 'stuck', 'blank', 'silent', 'handled'] as const
export type Verdict = (typeof verdicts)[number]

/** A visible element with its own text, without that of its children. */
interface Part {
  /** Tags and classes from the body down to it; elements that look alike have the same. */
  place: string
  /** The element's text, else its label, its alternative text or its value. */
  text: string
}

export interface PageError {
  message: string
  stack?: string
}

export interface Observation {
  /** Visible elements in the order of the document. */
  parts: readonly Part[]
  /** Signs of waiting: the places of spinners and skeletons, texts such as "Loading…". */
  busy: readonly string[]
  /** Requests without a whole answer: `GET /items`. */
  pending: readonly string[]
  /** How often each request was sent. */
  requests: Readonly<Record<string, number>>
  /** Uncaught errors, unhandled rejections, and what an error overlay shows. */
  errors: readonly PageError[]
  /** Milliseconds. */
  elapsed: number
}

export interface Thresholds {
  /** A page with less than this share of its text or of its elements is blank. Default 0.5. */
  blank: number
  /** Number of requests of a kind, beyond those of the good page, that are a loop. Default 10. */
  loop: number
}
const defaultThresholds: Thresholds = { blank: 0.5, loop: 10 }

export interface Judgement {
  verdict: Verdict
  /** One sentence: what was seen. */
  reason: string
  error?: PageError
}

export interface Judge {
  /** @param loss what the answer lacks; `undefined` if the page has not sent the request */
  judge: (sad: Observation, loss: AnswerLoss | undefined) => Judgement
  /** The text of a page, without what differs each time. Two pages with the same text look alike. */
  lookOf: (observation: Observation) => string
}

/**
 * @param good the page without a sad path, at least twice: what differs between the two is never a finding
 *
 * @example
 * const { judge } = createJudge([first, second])
 * judge(sad, loss) // { verdict: 'crashed', reason: 'TypeError: …', error: { message, stack } }
 */
export function createJudge(good: readonly Observation[], given: Partial<Thresholds> = {}): Judge {
  const { blank, loop } = { ...defaultThresholds, ...given }
  const steady = createFilter(good.map(({ parts }) => parts))
  const lookOf = ({ parts }: Observation) =>
    steady(parts)
      .map(({ place, text }) => `${place} ${text}`)
      .sort() // answers arrive in another order each time
      .join('\n')
  const last = good.at(-1)!
  const goodTexts = textsOf(steady(last.parts))
  const goodWords = new Set(goodTexts.map(withoutNumbers))
  const goodLook = lookOf(last)
  const inAll = <Item>(of: (one: Observation) => readonly Item[]) => new Set(good.flatMap(of))
  const known = {
    busy: inAll(({ busy }) => busy),
    pending: inAll(({ pending }) => pending),
    errors: inAll(({ errors }) => errors.map(({ message }) => message)),
  }

  function findLoop(sad: Observation): string | undefined {
    return Object.keys(sad.requests).find((name) => {
      // A page that asks once does not ask more often the longer it is open.
      const usual = good.map(({ requests: { [name]: count = 0 }, elapsed }) =>
        count > 1 ? (count * Math.max(sad.elapsed, 1000)) / Math.max(elapsed, 1000) : count,
      )
      return sad.requests[name]! > loop + Math.max(...usual)
    })
  }

  function isBlank(texts: readonly string[], parts: readonly Part[], loss: AnswerLoss | undefined): boolean {
    const before = steady(last.parts)
    const length = (all: readonly string[]) => all.join('').length
    const isLess = length(texts) < blank * length(goodTexts) || parts.length < blank * before.length
    // One item of fifty is little text, and yet all there is.
    return isLess && !loss?.given.some((value) => isShown(value, texts))
  }

  /** Texts that are new on the page, and come from the page, not from data. */
  function newTexts(texts: readonly string[], loss: AnswerLoss | undefined): string[] {
    const values = loss?.given.filter((value) => value.length > 2) ?? []
    const isCut = (text: string) => values.some((value) => value.includes(text.replace(/…$|\.{3}$/, '')))
    const isData = (text: string) =>
      isCut(text) || !hasWords(values.reduce((left, value) => left.replaceAll(value, ''), text))
    return texts.filter((text) => !goodWords.has(withoutNumbers(text)) && !isData(text))
  }

  function judge(sad: Observation, loss: AnswerLoss | undefined): Judgement {
    const errors = sad.errors.filter(({ message }) => !known.errors.has(message))
    // What a framework has written about an error has no stack.
    const error = errors.find(({ stack }) => stack !== undefined) ?? errors[0]
    if (error) return { verdict: 'crashed', reason: error.message.split('\n', 1)[0]!.trim(), error }
    const looping = findLoop(sad)
    if (looping !== undefined)
      return { verdict: 'looping', reason: `It has sent ${looping} ${sad.requests[looping]} times.` }
    const busy = sad.busy.find((one) => !known.busy.has(one))
    if (busy !== undefined) return { verdict: 'stuck', reason: `It still shows ${busy}` }
    const pending = sad.pending.find((one) => !known.pending.has(one))
    if (pending !== undefined) return { verdict: 'stuck', reason: `It still waits for ${pending}.` }

    const parts = steady(sad.parts)
    const texts = textsOf(parts)
    const fresh = newTexts(texts, loss)
    const broken = fresh.find((text) => isBroken(text) && !loss?.text.includes(text))
    const [message] = fresh.filter((text) => text !== broken).toSorted((a, b) => b.length - a.length)
    if (message === undefined && isBlank(texts, parts, loss))
      return { verdict: 'blank', reason: 'Most of the page is gone, and nothing says why.' }
    if (broken !== undefined) return { verdict: 'silent', reason: `It shows ${JSON.stringify(broken)}` }
    if (!loss) return { verdict: 'handled', reason: 'It has not sent the request this time.' }
    if (lookOf(sad) === goodLook) return judgeSameLook(loss)
    if (message !== undefined)
      return { verdict: 'handled', reason: `It says ${JSON.stringify(message.slice(0, 120))}` }
    if (loss.failed)
      return { verdict: 'silent', reason: 'The request has failed, and nothing on the page says so.' }
    const gone = loss.isSame ? goodTexts.find((text) => !texts.includes(text)) : undefined
    if (gone !== undefined)
      return { verdict: 'silent', reason: `It does not show ${JSON.stringify(gone)}, which it has got.` }
    return { verdict: 'handled', reason: 'It shows what there is.' }
  }

  function judgeSameLook({ failed, lost }: AnswerLoss): Judgement {
    if (failed)
      return { verdict: 'silent', reason: 'The request has failed, and the page looks as if it had not.' }
    const shown = lost.find((value) => isShown(value, goodTexts))
    if (shown === undefined) return { verdict: 'handled', reason: 'It does not show what is missing.' }
    return { verdict: 'silent', reason: `It still shows ${JSON.stringify(shown)}, which is missing.` }
  }

  return { judge, lookOf }
}

/** Leaves out what is not the same each time: numbers, as those of a clock, or else texts that not all the pages have. */
function createFilter(looks: readonly (readonly Part[])[]): (parts: readonly Part[]) => Part[] {
  const all = looks.map((parts) => groupBy(parts, ({ place }) => place))
  const places = [...new Set(all.flatMap((byPlace) => [...byPlace.keys()]))]
  const textsAt = (byPlace: (typeof all)[number], place: string) =>
    (byPlace.get(place) ?? []).map(({ text }) => text)
  const findVarying = (written: (text: string) => string) => {
    const isVarying = (place: string) =>
      new Set(all.map((byPlace) => textsAt(byPlace, place).map(written).sort().join('\n'))).size > 1
    return new Set(places.filter(isVarying))
  }
  const inNumbers = findVarying((text) => text)
  const inWords = findVarying(withoutNumbers)
  const isInAll = ({ place, text }: Part) => all.every((byPlace) => textsAt(byPlace, place).includes(text))
  return (parts) =>
    parts
      .filter((part) => !inWords.has(part.place) || isInAll(part))
      .map((part) => (inNumbers.has(part.place) ? { ...part, text: withoutNumbers(part.text) } : part))
}

function textsOf(parts: readonly Part[]): string[] {
  return parts.map(({ text }) => text).filter((text) => text !== '')
}

function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text)
}

/** "0 results" says no more than "8 results". */
function withoutNumbers(text: string): string {
  return text.replace(/\d+(?:[.,:]\d+)*/g, '0')
}

/** Short values, such as ids, are found everywhere. */
function isShown(value: string, texts: readonly string[]): boolean {
  return value.length > 2 && texts.some((text) => text.includes(value))
}

/** A value that the code did not expect: "undefined copies left". Sentences about an error name such values, too. */
function isBroken(text: string): boolean {
  const hasValue = /(?<![\w-])(?:undefined|null|NaN|\[object Object\]|Invalid Date)(?![\w-])/.test(text)
  return hasValue && !/\b(?:cannot|can't|could not|error|failed|is not)\b/i.test(text)
}
