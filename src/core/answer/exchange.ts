import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { RawRequest } from '../http/raw-request.ts'
import { waitOf } from '../response/delay.ts'
import { withoutHeader, type PreparedResponse } from '../response/prepare-response.ts'
import type { EndpointMatch } from '../table/match.ts'
import { handle } from './handle.ts'
import type { BackendAnswer } from './backend-answer.ts'
import { withPart } from './later-part.ts'
import type { AsksBackend, Explanation, Outcome } from './outcome.ts'
import { failOrAnswer, takeOverride } from './override.ts'
import type { Forced } from '../state/overrides.ts'
import type { ReceiveRules } from './receive-rules.ts'
import type { UnreadableBody } from './refuse-body.ts'

/** The body that a host has read: its decoded bytes, or why there are none. */
export type ReceivedBody = { kind: 'complete'; bytes: Uint8Array | undefined } | UnreadableBody

/** What a host has to do, and what it has to log. */
export type Verdict =
  | {
      kind: 'respond'
      response: PreparedResponse
      /** Headers in addition to those of the response, as alternating names and values. */
      corsHeaders: readonly string[]
      /** Milliseconds to wait before the answer. */
      wait: number
      diagnostic?: Diagnostic | undefined
      /** What the core decided; `undefined` for a request that was refused before. */
      outcome?: Exclude<Outcome, AsksBackend>
    }
  /** The host asks the backend, with `body` instead of the request's own if there is one, and goes on with its answer. */
  | {
      kind: 'backend'
      body: Uint8Array | undefined
      finish: (answer: BackendAnswer) => Verdict | Promise<Verdict>
    }
  /** The next handler gets the request, with its body. */
  | { kind: 'pass'; diagnostic?: Diagnostic | undefined }
  | { kind: 'graphiql' }

const none: readonly never[] = []

/** A request with a target, whose head has been received. */
export class Exchange {
  /** The verdict, if the request's head alone decides it. */
  settled: Verdict | Promise<Verdict> | undefined
  corsHeaders: readonly string[] = none
  /** What to log besides the verdict. */
  notices: readonly Diagnostic[] = none

  constructor(
    readonly rules: ReceiveRules,
    readonly match: EndpointMatch,
    readonly raw: RawRequest,
  ) {}

  /** Whether `decide` needs the request's body. */
  get needsBody(): boolean {
    return this.settled === undefined && this.match.endpoint.needsBody
  }

  /** The verdict. A promise only if a function of a fixture, or an upload, needs one, or a part that is not imported yet. */
  decide(body?: ReceivedBody): Verdict | Promise<Verdict> {
    if (this.settled) return this.settled
    const { match, raw, rules } = this
    if (body && body.kind !== 'complete') return this.refuseUnreadable(body)
    raw.body = body?.bytes
    const forced = takeOverride(rules.state, match.endpoint, raw)
    const outcome = forced ? this.force(forced) : handle(match, raw, rules)
    const delay = forced?.delay ?? 0
    if (outcome instanceof Promise) return this.decideLater(outcome, delay)
    return this.toVerdict(outcome, delay)
  }

  /* Functions of their own, since a function with a closure allocates memory for it even when it takes another branch. */

  private force(forced: Forced): Outcome | Promise<Outcome> {
    const { match, raw, rules } = this
    return failOrAnswer(forced, match.endpoint, raw, rules, () => handle(match, raw, rules))
  }

  private async decideLater(outcome: Promise<Outcome>, delay: number): Promise<Verdict> {
    return this.toVerdict(await outcome, delay)
  }

  private askBackend({ body, finish }: AsksBackend, delay: number): Verdict {
    const toVerdict = (outcome: Outcome) => this.toVerdict(outcome, delay)
    return {
      kind: 'backend',
      body,
      finish(answer) {
        const outcome = finish(answer)
        return outcome instanceof Promise ? outcome.then(toVerdict) : toVerdict(outcome)
      },
    }
  }

  private refuseUnreadable(body: UnreadableBody): Verdict | Promise<Verdict> {
    const { match, raw, rules } = this
    return withPart(rules.explanations, ({ refuseUnreadable }) =>
      this.toVerdict(refuseUnreadable(match.endpoint, raw, body)),
    )
  }

  /** @param delay milliseconds to wait in addition to the response's own delay */
  toVerdict(outcome: Outcome, delay = 0): Verdict | Promise<Verdict> {
    const { raw } = this
    const { unmatched, navigation } = this.rules
    if (outcome.kind === 'passthrough') return { kind: 'pass' }
    if (outcome.kind === 'backend') return this.askBackend(outcome, delay)
    if (outcome.kind === 'unmatched') {
      if (unmatched === 'passthrough' || (navigation === 'passthrough' && raw.isNavigation))
        return { kind: 'pass' }
    }
    if (outcome.kind === 'answered') return this.respond(outcome, outcome, delay)
    const explained = outcome.explain()
    return explained instanceof Promise
      ? explained.then((late) => this.respond(outcome, late, delay))
      : this.respond(outcome, explained, delay)
  }

  private respond(
    outcome: Exclude<Outcome, AsksBackend>,
    { response, diagnostic }: Explanation,
    delay: number,
  ): Verdict {
    const { raw, corsHeaders } = this
    return {
      kind: 'respond',
      response: this.rules.routeHeader ? response : withoutHeader(response, 'x-mock-route'),
      corsHeaders,
      wait: response.delay === 0 ? delay : waitOf(response.delay, raw) + delay,
      diagnostic,
      outcome,
    }
  }
}
