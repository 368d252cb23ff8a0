import type { Answered, Outcome } from '../core/answer/outcome.ts'
import type { Verdict } from '../core/answer/exchange.ts'
import type { Target } from '../core/answer/receive.ts'
import type { Headers, RawRequest } from '../core/http/raw-request.ts'
import type { PreparedResponse } from '../core/response/prepare-response.ts'
import type { EndpointMatch } from '../core/table/match.ts'
import type { CompiledRoute } from '../core/table/route-table.ts'
import type { AnsweredBy } from './api.ts'
import { bodyCap, cutResponse, keepName, KeptBody, type CutBody } from './keep-parts.ts'

/*
 * The last requests and how they were answered. Recording happens on the way of every mocked request, so it only stores
 * references; `show-request.ts` makes them readable when somebody asks. What is stored is bounded: the number of requests,
 * and the bytes of each body.
 */

/** How many requests are kept. */
const defaultCapacity = 500

const none: readonly string[] = []

/**
 * One recorded request. Its later fields are set as it is answered. It has no object of its own for what can be worked out
 * when somebody asks: an object that is kept for 500 requests survives a young collection, and that is what a journal costs.
 */
export class JournalEntry {
  id = 0
  /** Milliseconds of the journal's clock. */
  start = NaN
  method = ''
  /** Request target as received. */
  url = ''
  headers: Headers = {}
  /** The endpoint that it was for; `undefined` when there is none, or when its fixture file has changed since. */
  match: EndpointMatch | undefined
  /** Who answered it; `passed-on` until that is known. `route` includes the routes of the templates. */
  answeredBy: AnsweredBy = 'passed-on'
  route: CompiledRoute | undefined
  /** Whether an override has chosen the route. */
  isForced = false
  operationName: string | undefined
  operationType: string | undefined
  /** Its body is cut like that of the request. */
  response: PreparedResponse | undefined
  /** Bytes of the whole response body. */
  responseSize = 0
  status: number | undefined
  isAborted = false
  /** Whether its answer takes time and has not ended. */
  isPending = false
  /** The active scenarios that have routes for it. */
  scenarios = none
  /** `NaN` until it has been answered: with `undefined`, V8 would make a new object for each number. */
  private milliseconds = NaN
  /** Whether `keptBody` has one, so that a request without a body need not fetch that object from memory. */
  private hasBody = false
  private readonly keptBody = new KeptBody()

  get body(): CutBody | undefined {
    return this.hasBody ? this.keptBody.get() : undefined
  }
  setBody(bytes: Uint8Array): void {
    this.hasBody = true
    this.keptBody.set(bytes)
  }

  /** How long the answer took; `undefined` until it has been given. */
  get duration(): number | undefined {
    return Number.isNaN(this.milliseconds) ? undefined : this.milliseconds
  }
  setDuration(milliseconds: number): void {
    this.milliseconds = milliseconds
  }

  /** Makes it the entry of another request, of which nothing is known but its head. */
  reset(
    id: number,
    start: number,
    method: string,
    url: string,
    headers: Headers,
    match?: EndpointMatch,
  ): void {
    this.id = id
    this.start = start
    this.method = method
    this.url = url
    this.headers = { ...headers } // the next middleware may change its own
    this.match = match
    this.answeredBy = 'passed-on'
    this.route = undefined
    this.isForced = false
    this.operationName = undefined
    this.operationType = undefined
    this.response = undefined
    this.responseSize = 0
    this.status = undefined
    this.isAborted = false
    this.isPending = false
    this.scenarios = match?.endpoint.active?.scenarios ?? none
    this.milliseconds = NaN
    if (this.hasBody) {
      this.hasBody = false
      this.keptBody.clear()
    }
  }
}

/** Is told of each request: when it is recorded, and when it is answered. */
export type JournalListener = (entry: JournalEntry) => void

export class Journal {
  /** Whether requests that are passed on are recorded. */
  recordsPassed = false
  /** The id of the last request; 0 before the first one. */
  lastId = 0
  readonly #listeners = new Set<JournalListener>()
  #ring: (JournalEntry | undefined)[] = []
  /** By the source of the route, an object that is made when its file is read. */
  #hits = new WeakMap<object, number>()

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    readonly now: () => number,
    readonly capacity = defaultCapacity,
  ) {}

  /**
   * Adds a request, in the place of the oldest one: its entry is used again, unless its answer has not ended.
   *
   * @param start when it arrived, by `now`
   */
  add(start: number, method: string, url: string, headers: Headers, match?: EndpointMatch): JournalEntry {
    const id = ++this.lastId
    const index = id % this.capacity
    let entry = this.#ring[index]
    if (!entry || entry.isPending) entry = this.#ring[index] = new JournalEntry()
    entry.reset(id, start, method, url, headers, match)
    return entry
  }

  /** Tells the listeners of a request whose answer takes time, so that it is seen while it waits. */
  wait(entry: JournalEntry): void {
    entry.isPending = true
    this.#tell(entry)
  }

  /** Notes what was decided for a request. */
  decide(entry: JournalEntry, kind: Target['kind'], raw: RawRequest, verdict: Responding): void {
    const { body } = raw
    const { outcome } = verdict
    const request = outcome && 'request' in outcome ? outcome.request : undefined
    entry.answeredBy = answeredBy(kind, verdict)
    if (body !== undefined) entry.setBody(body)
    if (outcome === undefined || outcome.kind === 'passthrough') return
    if (request?.graphql) {
      // The name in the document, which is parsed once, rather than the same one in this request's body.
      const name = request.graphql.operation?.name?.value ?? request.operationName
      entry.operationName = keepName(name, body)
      entry.operationType = request.operationType
    }
    if (outcome.kind !== 'answered') return
    if (outcome.batch) {
      entry.operationName = keepName(namesOf(outcome.batch), body)
      for (const one of outcome.batch) if (one.kind === 'answered') this.#count(entry, one)
    } else this.#count(entry, outcome)
  }

  /** Notes a body that no route needs, which may arrive after the answer was sent. */
  keepBody(entry: JournalEntry, bytes: Uint8Array): void {
    entry.setBody(bytes)
    this.#tell(entry)
  }

  #count(entry: JournalEntry, { route, isForced = false }: Answered): void {
    if (!route) return
    if (!entry.route) {
      entry.route = route
      entry.isForced = isForced
    }
    this.#hits.set(route.source, this.hitsOf(route) + 1)
  }

  /**
   * Notes the answer, once it has been sent or can't be sent any more. An answer that was sent at once is not timed, unless
   * its request had to be read first: reading a clock takes longer than some of the rest.
   */
  end(entry: JournalEntry, status: number | undefined, response?: PreparedResponse): void {
    const isTimed = entry.isPending || entry.match?.endpoint.needsBody
    entry.setDuration(isTimed ? this.now() - entry.start : 0)
    entry.isPending = false
    entry.status = status
    if (response) {
      entry.response = response.body.length <= bodyCap ? response : cutResponse(response)
      entry.responseSize = response.body.length
    }
    this.#tell(entry)
  }

  /** How many requests a route has answered since the last reset. */
  hitsOf({ source }: CompiledRoute): number {
    return this.#hits.get(source) ?? 0
  }

  resetHits(): void {
    this.#hits = new WeakMap()
  }

  get(id: number): JournalEntry | undefined {
    const entry = this.#ring[id % this.capacity]
    return entry?.id === id ? entry : undefined
  }

  /** The kept requests after an id, oldest first. */
  *after(id: number): Generator<JournalEntry> {
    const first = Math.max(id + 1, 1, this.lastId - this.capacity + 1)
    for (let next = first; next <= this.lastId; next++) {
      const entry = this.get(next)
      if (entry) yield entry
    }
  }

  /** Forgets the requests that a condition holds for. Their ids are not used again. */
  forget(isForgotten: (entry: JournalEntry) => boolean = () => true): void {
    this.#ring = this.#ring.map((entry) => (entry && isForgotten(entry) ? undefined : entry))
  }

  /**
   * Lets go of endpoints that no longer answer, so that old route tables are not kept. The endpoints of the last table
   * stay: a request is often looked at right after the fixture file was changed.
   *
   * @param isKept whether an endpoint is in the current table, or was in the one before
   */
  release(isKept: (match: EndpointMatch) => boolean): void {
    for (const entry of this.#ring) {
      if (entry?.match && !isKept(entry.match)) entry.match = undefined
    }
  }

  /** @returns a function that removes the listener */
  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #tell(entry: JournalEntry): void {
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener(entry)
  }
}

type Responding = Extract<Verdict, { kind: 'respond' }>

function answeredBy(kind: Target['kind'], { outcome, response }: Responding): AnsweredBy {
  if (outcome === undefined || outcome.kind === 'passthrough') return 'refused'
  if (kind === 'preflight') return 'plugin'
  if (outcome.kind === 'unmatched') return outcome.request ? 'nothing' : 'refused'
  if (outcome.isOverridden) return 'override'
  if (response.fault !== undefined) return 'fault'
  if (outcome.route || outcome.batch) return 'route'
  return response.status >= 400 ? 'refused' : 'plugin'
}

function namesOf(batch: readonly Outcome[]): string | undefined {
  const names = batch.flatMap((outcome) =>
    outcome.kind === 'passthrough' ? [] : (outcome.request?.operationName ?? []),
  )
  return names.length === 0 ? undefined : names.join(', ')
}
