import type { AnswerLoss } from './answer-loss.ts'
import { createGoodPages, isShown, textsOf } from './good-pages.ts'
import type { Observation, PageError, VisibleElement } from './observation.ts'
import { hasWords, isBroken, isLoginOrError, saysFailure, saysNone, saysWaiting } from './words.ts'

/* What is wrong with a page that has got a sad path. Pure: docs/explore.md has the same rules in words. */

/** How a page takes a sad path, the worst first. */
export const verdicts = ['crashed', 'looping', 'stuck', 'blank', 'silent', 'unreached', 'handled'] as const
export type Verdict = (typeof verdicts)[number]

/** Whether the page takes the sad path badly. One that was not reached says nothing about the page. */
export function isProblem(verdict: Verdict): boolean {
  return verdict !== 'handled' && verdict !== 'unreached'
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

export type Judge = ReturnType<typeof createJudge>

/**
 * @param good the page without a sad path, at least twice: what differs between the two is never a finding
 *
 * @example
 * const { judge } = createJudge([first, second])
 * judge(sad, loss) // { verdict: 'crashed', reason: 'TypeError: …', error: { message, stack } }
 */
export function createJudge(good: readonly Observation[], given: Partial<Thresholds> = {}) {
  const { blank, loop } = { ...defaultThresholds, ...given }
  const page = createGoodPages(good)
  const { steady, lookOf } = page
  const goodLook = lookOf(good.at(-1)!)
  const inAll = <Item>(of: (one: Observation) => readonly Item[]) => new Set(good.flatMap(of))
  const known = {
    busy: inAll(({ busy }) => busy),
    pending: inAll(({ pending }) => pending),
    errors: inAll(({ errors }) => errors.map(({ message }) => message)),
    addresses: inAll(({ address }) => [address]),
    said: inAll(({ said }) => said),
    timers: inAll(({ timers }) => timers),
  }
  const standIns = new Set<string>()

  function findLoop(sad: Observation): string | undefined {
    return Object.keys(sad.requests).find((name) => {
      // A page that asks once does not ask more often the longer it is open.
      const usual = good.map(({ requests: { [name]: count = 0 }, elapsed }) =>
        count > 1 ? (count * Math.max(sad.elapsed, 1000)) / Math.max(elapsed, 1000) : count,
      )
      return sad.requests[name]! > loop + Math.max(...usual)
    })
  }

  function isBlank(sad: readonly VisibleElement[], loss: AnswerLoss | undefined): boolean {
    const [before, parts] = [page.parts, sad].map((all) => all.filter(({ place }) => place !== 'title'))
    const length = (all: readonly VisibleElement[] = []) => textsOf(all).join('').length
    const isLess = length(parts) < blank * length(before) || parts!.length < blank * before!.length
    // One item of fifty is little text, and yet all there is.
    return isLess && !loss?.given.some((value) => isShown(value, textsOf(sad)))
  }

  /** Parts that no good page has ever shown, and that come from the page, not from data. */
  function findFresh(parts: readonly VisibleElement[], loss: AnswerLoss | undefined): VisibleElement[] {
    const values = loss?.given.filter((value) => value.length > 2) ?? []
    const isCut = (text: string) => values.some((value) => value.includes(text.replace(/…$|\.{3}$/, '')))
    const isData = (text: string) =>
      isCut(text) ||
      page.isRest(text, loss?.lost ?? []) ||
      !hasWords(values.reduce((left, value) => left.replaceAll(value, ''), text))
    return parts.filter(({ text }) => text !== '' && !page.hasShown(text) && !isData(text))
  }

  /** Texts that say what has happened, the most telling first, and those that only stand where data would. */
  function findMessages(sad: Observation, loss: AnswerLoss | undefined) {
    const now = findFresh(steady(sad.parts), loss)
    const gone = findFresh(steady(sad.painted.filter(({ isMessage }) => isMessage)), loss)
    const alerts = sad.said.filter((text) => !known.said.has(text))
    const all: VisibleElement[] = [
      ...alerts.map((text) => ({ place: '', text, isMessage: true as const })),
      ...now,
      ...gone,
    ]
    const sure = ({ text, isMessage }: VisibleElement) =>
      Number(saysFailure(text)) + Number(isMessage === true)
    const hasMoved = !known.addresses.has(sad.address)
    const isMeant = (part: VisibleElement) => {
      if (saysFailure(part.text)) return true
      if (hasMoved && !part.isMessage) return false
      if (!loss?.failed) return true
      if (standIns.has(part.text)) return false
      return part.isMessage || !page.isStandIn(part.text, loss.lost)
    }
    const isOdd = ({ text }: VisibleElement) =>
      isBroken(text) && !(/\s/.test(text) && loss?.text.includes(text)) && !loss?.given.includes(text)
    const told = all.filter((part) => !isOdd(part) && isMeant(part))
    return {
      broken: now.find(isOdd)?.text,
      messages: told.toSorted((a, b) => sure(b) - sure(a) || b.text.length - a.text.length),
      standIn: all.find((part) => !isMeant(part))?.text,
    }
  }

  /** Judges what the page shows before its data comes, and shows still, although it has got an answer without any. */
  function judgeEarly(parts: readonly VisibleElement[], loss: AnswerLoss | undefined): Judgement | undefined {
    if (!loss || (!loss.failed && loss.given.some(hasWords))) return undefined
    const early = parts.filter(page.isEarly)
    const [one] = [...early.filter(({ text }) => hasWords(text)), ...early.filter(({ text }) => text === '')]
    if (!one) return undefined
    const shown = one.text === '' ? `<${one.place.split(' ', 1)[0]!}>` : JSON.stringify(one.text)
    if (!saysNone(one.text) && !page.isStandIn(one.text, loss.lost))
      return { verdict: 'stuck', reason: `It still shows ${shown}, as before the answer.` }
    return loss.failed
      ? { verdict: 'silent', reason: `The request has failed, and the page says ${shown}, as if it had not.` }
      : { verdict: 'handled', reason: `It says ${shown}` }
  }

  /** @param loss what the answer lacks; `undefined` if the page has not sent the request */
  function judge(sad: Observation, loss: AnswerLoss | undefined): Judgement {
    const errors = sad.errors.filter(({ message }) => !known.errors.has(message))
    // What a framework has written about an error has no stack.
    const error = errors.find(({ stack }) => stack !== undefined) ?? errors[0]
    if (error) return { verdict: 'crashed', reason: error.message.split('\n', 1)[0]!.trim(), error }
    const looping = findLoop(sad)
    if (looping !== undefined)
      return { verdict: 'looping', reason: `It has sent ${looping} ${sad.requests[looping]} times.` }
    const parts = steady(sad.parts)
    const fresh = findFresh(sad.parts, loss)
    const isComing = ({ text }: VisibleElement) => saysWaiting(text) && !page.hasInTheEnd(text)
    const coming = [...fresh, ...parts.filter(page.isEarly)].find(isComing)
    const busy = sad.busy.find((one) => !known.busy.has(one)) ?? (coming && JSON.stringify(coming.text))
    if (busy !== undefined) return { verdict: 'stuck', reason: `It still shows ${busy}` }
    const pending = sad.pending.find((one) => !known.pending.has(one))
    if (pending !== undefined) return { verdict: 'stuck', reason: `It still waits for ${pending}.` }

    const texts = textsOf(parts)
    const hasMoved = !known.addresses.has(sad.address)
    if (hasMoved && texts.length > 0 && (sad.hasPassword || isLoginOrError(sad.address)))
      return { verdict: 'handled', reason: `It goes to ${sad.address}` }
    const { broken, messages, standIn } = findMessages(sad, loss)
    const [message] = messages
    if (message === undefined) {
      if (hasMoved && texts.length > 0)
        return { verdict: 'silent', reason: `It goes to ${sad.address}, and nothing there says why.` }
      const early = judgeEarly(parts, loss)
      if (early) return early
      if (standIn === undefined && isBlank(parts, loss))
        return { verdict: 'blank', reason: 'Most of the page is gone, and nothing says why.' }
    }
    if (broken !== undefined) return { verdict: 'silent', reason: `It shows ${JSON.stringify(broken)}` }
    if (!loss)
      return {
        verdict: 'unreached',
        reason: 'The request was not sent this time, or another route has answered it.',
      }
    if (message !== undefined) {
      const moment = texts.includes(message.text) || message.place === '' ? '' : ' for a moment'
      return { verdict: 'handled', reason: `It says ${JSON.stringify(message.text.slice(0, 120))}${moment}` }
    }
    return judgeData(sad, texts, loss, standIn)
  }

  function judgeData(
    sad: Observation,
    texts: readonly string[],
    loss: AnswerLoss,
    standIn: string | undefined,
  ): Judgement {
    const { failed, isSame, lost, whole, field } = loss
    const isAsUsual = lookOf(sad) === goodLook
    const silent = (reason: string): Judgement => ({ verdict: 'silent', reason })
    if (failed) {
      const usual = isAsUsual ? 'the page looks as if it had not' : 'nothing on the page says so'
      const said = `the page says ${JSON.stringify(standIn?.slice(0, 120))}, as if it had not`
      return silent(`The request has failed, and ${standIn === undefined ? usual : said}.`)
    }
    if (isAsUsual) {
      const shown = lost.find((value) => isShown(value, page.texts))
      if (shown !== undefined) return silent(`It still shows ${JSON.stringify(shown)}, which is missing.`)
      const why = isSame || field === undefined ? '' : `: the page never shows ${JSON.stringify(field)}`
      return { verdict: 'handled', reason: `It is as usual${why}.` }
    }
    const gone = isSame ? page.texts.find((text) => !texts.includes(text)) : undefined
    if (gone !== undefined) return silent(`It does not show ${JSON.stringify(gone)}, which it has got.`)
    const before = whole.filter((value) => isShown(value, page.texts))
    const still = before.filter((value) => isShown(value, texts))
    const count = `${still.length} of ${before.length} fields of the answer are on the page`
    const rest = still.length > 0 ? `the rest: ${count}` : 'none of the fields of the answer'
    return { verdict: 'handled', reason: `It shows ${before.length === 0 ? 'what there is' : rest}.` }
  }

  /** Whether most texts are there that have nothing of what is missing. */
  function keepsRest(texts: readonly string[], { lost }: AnswerLoss): boolean {
    const rest = page.texts.filter((text) => !lost.some((value) => isShown(value, [text])))
    return rest.filter((text) => texts.includes(text)).length >= rest.length / 2
  }

  /** Learns what the page says when an answer is fine and has nothing: said of a failure, that is no message. */
  function learn(sad: Observation, loss: AnswerLoss | undefined): void {
    const isPartial = loss && !loss.failed && !loss.isSame && loss.lost.length > 0
    const texts = textsOf(sad.parts)
    if (isPartial && (loss.given.some((value) => isShown(value, texts)) || keepsRest(texts, loss)))
      for (const { text } of findFresh(steady(sad.parts), loss)) standIns.add(text)
  }

  /** Whether it waits for an answer, other than the page without a sad path. */
  const isWaiting = ({ pending }: Observation) => pending.some((one) => !known.pending.has(one))
  /** Whether it has a timer that the page without a sad path does not leave running. */
  const isTimed = ({ timers }: Observation) => timers.some((one) => !known.timers.has(one))
  return { judge, learn, isWaiting, isTimed, lookOf }
}
