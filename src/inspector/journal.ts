import type { Decision } from '../core/answer/decision.ts'
import type { Headers } from '../core/http/raw-request.ts'
import type { PreparedResponse } from '../core/response/prepare-response.ts'
import type { EndpointMatch } from '../core/table/match.ts'
import type { CompiledRoute, Endpoint } from '../core/table/route-table.ts'
import type { AnsweredBy } from './api.ts'

/*
 * The last requests and how they were answered: references, which `show.ts` makes readable when somebody asks. What is kept
 * is bounded: the number of requests, the bytes of each body, and the names that clients choose.
 */

/** How many requests are kept. */
const defaultCapacity = 500
/** Bytes that are kept of each body. */
export const bodyCap = 65_536
/** Characters that are kept of the name of an operation. */
const maxName = 200

/** One recorded request. Its later fields are set as it is answered. */
export interface JournalEntry {
  id: number
  /** Milliseconds of the journal's clock. */
  start: number
  method: string
  /** Request target as received. */
  url: string
  headers: Headers
  /** The endpoint that it was for; `undefined` when there is none, or when its fixture file has changed since. */
  match: EndpointMatch | undefined
  /** Of its path. They say which parts are secret. */
  params: EndpointMatch['params']
  /** The active scenarios that have routes for it. */
  scenarios: readonly string[]
  /** Its first bytes, and the size of the whole. */
  body?: { bytes: Uint8Array; size: number }
  /** Who answered it; `passed-on` until that is known. `route` includes the routes of the templates. */
  answeredBy: AnsweredBy
  route?: CompiledRoute
  /** Why that route. */
  choice?: Decision['choice']
  /** Why it was refused. */
  reason?: string | undefined
  operationName?: string | undefined
  operationType?: string | undefined
  status?: number | undefined
  /** Its body is cut like that of the request. */
  response?: PreparedResponse
  /** Bytes of the whole response body. */
  responseSize: number
  /** How long the answer took, once it has been given. */
  duration?: number
  isAborted: boolean
  /** Whether its answer takes time and has not ended. */
  isPending: boolean
}

export class Journal {
  /** Whether requests that are passed on are recorded. */
  recordsPassed = false
  /** The id of the last request; 0 before the first one. */
  lastId = 0
  #tell: (entry: JournalEntry) => void = () => {}
  #ring: (JournalEntry | undefined)[] = []
  /** By the source of the route, an object that is made when its file is read. */
  #hits = new WeakMap<object, number>()

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    readonly now: () => number,
    readonly capacity = defaultCapacity,
  ) {}

  /**
   * Adds a request, in the place of the oldest one.
   *
   * @param start when it arrived, by `now`
   */
  add(start: number, method: string, url: string, headers: Headers, match?: EndpointMatch): JournalEntry {
    const entry: JournalEntry = {
      id: ++this.lastId,
      start,
      method,
      url,
      headers: { ...headers }, // the next middleware may change its own
      match,
      params: match?.params ?? {},
      scenarios: match?.endpoint.active?.scenarios ?? [],
      answeredBy: 'passed-on',
      responseSize: 0,
      isAborted: false,
      isPending: false,
    }
    this.#ring[entry.id % this.capacity] = entry
    return entry
  }

  /** Tells the listeners of a request whose answer takes time, so that it is seen while it waits. */
  wait(entry: JournalEntry): void {
    entry.isPending = true
    this.#tell(entry)
  }

  /** Notes what was decided about a request. */
  decide(entry: JournalEntry, decision: Decision): void {
    const { raw, request, batch, choice, diagnostic } = decision
    const { body } = raw
    entry.answeredBy =
      decision.by !== 'route' || decision.response?.fault === undefined ? decision.by : 'fault'
    entry.choice = choice
    if (decision.by === 'refused') entry.reason = diagnostic?.message
    if (body !== undefined) entry.body = cutBody(body)
    if (request?.graphql) {
      entry.operationName = cutName(request.operationName)
      entry.operationType = request.operationType
    }
    if (batch) entry.operationName = cutName(namesOf(batch))
    for (const one of batch ?? [decision]) this.#count(entry, one)
  }

  /** Notes a body that no route needs, which may arrive after the answer was sent. */
  keepBody(entry: JournalEntry, bytes: Uint8Array): void {
    entry.body = cutBody(bytes)
    this.#tell(entry)
  }

  #count(entry: JournalEntry, { route, choice }: Decision): void {
    if (!route) return
    if (!entry.route) {
      entry.route = route
      entry.choice = choice
    }
    this.#hits.set(route.source, this.hitsOf(route) + 1)
  }

  /**
   * Notes the answer, once it has been sent or can't be sent any more. An answer that was sent at once is not timed, unless
   * its request had to be read first: reading a clock takes longer than some of the rest.
   */
  end(entry: JournalEntry, status: number | undefined, response?: PreparedResponse): void {
    const isTimed = entry.isPending || entry.match?.endpoint.needsBody
    entry.duration = isTimed ? this.now() - entry.start : 0
    entry.isPending = false
    entry.status = status
    if (response) {
      entry.response = cutResponse(response)
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
  release(isKept: (endpoint: Endpoint) => boolean): void {
    for (const entry of this.#ring) if (entry?.match && !isKept(entry.match.endpoint)) entry.match = undefined
  }

  /** Sets who is told of each request: when it is recorded, and when it is answered. */
  listen(listener: (entry: JournalEntry) => void): void {
    this.#tell = listener
  }
}

/** The bytes are copied, since a part of a body would keep the whole in memory. */
function cutBody(bytes: Uint8Array): NonNullable<JournalEntry['body']> {
  return { bytes: new Uint8Array(bytes.subarray(0, bodyCap)), size: bytes.length }
}

const utf8 = new TextEncoder()
const decoder = new TextDecoder()

function cutResponse(response: PreparedResponse): PreparedResponse {
  if (response.body.length <= bodyCap) return response
  const first = response.body.slice(0, bodyCap)
  return { ...response, body: typeof first === 'string' ? utf8.encode(first) : new Uint8Array(first) }
}

/** The beginning of a name, as a string of its own: a slice keeps the whole document in memory. */
function cutName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const cut = name.length > maxName ? `${name.slice(0, maxName)}…` : name
  return decoder.decode(utf8.encode(cut))
}

function namesOf(batch: readonly Decision[]): string | undefined {
  const names = batch.flatMap(({ request }) => request?.operationName ?? [])
  return names.length === 0 ? undefined : names.join(', ')
}
