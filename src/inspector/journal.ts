import type { Decision } from '../core/answer/decision.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { shortened } from '../core/diagnostics/format.ts'
import type { Headers } from '../core/http/raw-request.ts'
import type { ParsedRequest } from '../core/request/parsed-request.ts'
import type { PreparedResponse } from '../core/response/prepare-response.ts'
import type { EndpointMatch } from '../core/table/match.ts'
import type { CompiledRoute, Endpoint } from '../core/table/route-table.ts'
import type { AnsweredBy, Explanation, GraphQLFailure, RequestDetails, RequestSummary } from './api/api.ts'
import { failureIn, hasErrors } from './graphql-failure.ts'

/* The last requests and their answers: bounded in number, bytes of a body, and length of names. */

const defaultCapacity = 500
/** Bytes kept of each body. */
export const bodyCap = 2_097_152
/** Maximum bytes of all bodies over `shortCap`. Beyond it, those of the oldest requests are cut to `shortCap`. */
const maxKept = 67_108_864
export const shortCap = 65_536
/** Characters kept of the name of an operation. */
const maxName = 200

export interface JournalEntry {
  id: number
  /** Milliseconds of the journal's clock. */
  start: number
  method: string
  url: string
  headers: Headers
  /** `undefined` without an endpoint, or after its fixture file has changed: then there is an `explanation`. */
  match: EndpointMatch | undefined
  explanation?: Explanation
  /** Path without the base. `undefined` for an upgrade without an endpoint. */
  path: string | undefined
  isGraphQL: boolean
  /** Parameters of the path. They say which parts are secret. */
  params: EndpointMatch['params']
  /** Active scenarios that have routes for the request's endpoint. */
  scenarios: readonly string[]
  body?: { bytes: Uint8Array; size: number }
  /** `passed-on` until it is answered. `route` includes the routes of the templates. */
  answeredBy: AnsweredBy
  route?: CompiledRoute
  decided?: DecisionSummary
  /** Diagnostic of a refused, failed, limited or broken answer, or another one that the terminal shows about it. */
  diagnostic?: Diagnostic | undefined
  /** Result of `errorsOf`; `null` for none. Absent until somebody asks. */
  errors?: GraphQLFailure | null
  /** Whether the request was passed on, and answered by a 404 or by a page instead of data. */
  isUnanswered?: boolean
  operationName?: string | undefined
  operationType?: string | undefined
  status?: number | undefined
  /** The body is cut like that of the request. */
  response?: PreparedResponse
  responseSize: number
  /** Milliseconds before the answer, set by a fixture or an override. */
  wait: number
  /** Absent until the answer has ended. */
  duration?: number
  /** Whether the server of the application has sent it. */
  isServer?: boolean
  isAborted: boolean
  isPending: boolean
  stream?: StreamRecord
}

/** The last frames are kept. */
export interface StreamRecord {
  state: NonNullable<RequestSummary['stream']>['state']
  count: number
  /** Bytes that were sent. */
  size: number
  frames: Frame[]
}

export type Frame = NonNullable<RequestDetails['frames']>[number]

const maxFrames = 200
const maxFrameText = 1_000

/** Decision for the request. For a batch, that of the first operation that has failed, else of the first. */
export interface DecisionSummary extends Pick<Decision, 'by' | 'route' | 'choice' | 'failed' | 'step'> {
  /** Position of the operation in a batch, from 0, and the size of the batch. */
  operation?: { index: number; of: number }
}

export class Journal {
  keepsPassed = false
  /** The id of the last request; 0 before the first one. */
  lastId = 0
  #tell: (entry: JournalEntry) => void = () => {}
  #ring: (JournalEntry | undefined)[] = []
  /** Hits by the source of a route, made when its file is read, and by its id: a collection has several routes. */
  #hits = new WeakMap<object, Map<string, number>>()

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    readonly now: () => number,
    readonly capacity = defaultCapacity,
  ) {}

  /** Replaces the oldest request if the journal is full. */
  add(start: number, method: string, url: string, headers: Headers, match?: EndpointMatch): JournalEntry {
    const entry: JournalEntry = {
      id: ++this.lastId,
      start,
      method,
      url,
      headers,
      match,
      path: match?.path,
      isGraphQL: match?.endpoint.graphql !== undefined,
      params: match?.params ?? {},
      scenarios: match?.endpoint.active?.scenarios ?? [],
      answeredBy: 'passed-on',
      responseSize: 0,
      wait: 0,
      isAborted: false,
      isPending: false,
    }
    this.#ring[entry.id % this.capacity] = entry
    return entry
  }

  /** A streamed answer: its status is known before it ends. */
  openStream(entry: JournalEntry, response: PreparedResponse): StreamRecord {
    entry.status = response.status
    entry.response = response
    const record: StreamRecord = { state: 'open', count: 0, size: 0, frames: [] }
    entry.stream = record
    this.wait(entry)
    return record
  }

  /** Does not notify the listener; `wait` does. */
  addFrame(entry: JournalEntry, direction: Frame['direction'], text: string, event?: string): void {
    const record = entry.stream!
    record.count++
    const size = utf8.encode(text).length
    if (direction === 'sent') record.size += size
    if (this.get(entry.id) !== entry) {
      record.frames = [] // no one can ask for them
      return
    }
    const time = this.now() - entry.start
    const kept = text.length > maxFrameText ? cutText(text, maxFrameText) : text
    record.frames.push({ direction, time, size, ...(event !== undefined && { event }), text: kept })
    if (record.frames.length > maxFrames) record.frames.shift()
  }

  wait(entry: JournalEntry): void {
    entry.isPending = true
    this.#tell(entry)
  }

  decide(entry: JournalEntry, decision: Decision): void {
    const { raw, request, batch } = decision
    const { body } = raw
    entry.answeredBy =
      decision.by !== 'route' || decision.response?.fault === undefined ? decision.by : 'fault'
    const { decided, diagnostic } = operationToShow(decision)
    entry.decided = decided
    entry.diagnostic = keepDiagnostic(diagnostic)
    entry.wait = decision.wait
    if (body !== undefined) this.#keep(entry, body)
    const requests = batch?.map((one) => one.request) ?? (request?.graphql ? [request] : [])
    if (requests.length > 0) this.nameOperations(entry, requests)
    for (const one of batch ?? [decision]) this.#count(entry, one)
  }

  /** More than one is a batch. */
  nameOperations(entry: JournalEntry, requests: readonly (ParsedRequest | undefined)[]): void {
    const names = requests.flatMap((request) => request?.operationName ?? [])
    entry.isGraphQL = true
    entry.operationName = names.length > 0 ? cutText(names.join(', '), maxName) : undefined
    if (requests.length === 1) entry.operationType = requests[0]?.operationType
  }

  /** A body that no route needs may arrive after the answer was sent. */
  keepBody(entry: JournalEntry, bytes: Uint8Array): void {
    this.#keep(entry, bytes)
    this.#tell(entry)
  }

  #keep(entry: JournalEntry, bytes: Uint8Array): void {
    entry.body = { bytes: cut(bytes, bodyCap), size: bytes.length }
    if (bytes.length > shortCap) this.#shorten()
  }

  #shorten(): void {
    let kept = 0
    for (const entry of [...this.after(0)].reverse()) {
      const { body, response } = entry
      const long = [body?.bytes, response?.body].filter((bytes) => (bytes?.length ?? 0) > shortCap)
      kept += long.reduce((sum, bytes) => sum + bytes!.length, 0)
      if (kept <= maxKept || long.length === 0) continue
      if (body) body.bytes = cut(body.bytes, shortCap)
      errorsOf(entry)
      if (response) entry.response = cutResponse(response, shortCap)
    }
  }

  #count(entry: JournalEntry, { route }: Decision): void {
    if (!route) return
    entry.route ??= route
    const { source, id } = route
    if (!this.#hits.has(source)) this.#hits.set(source, new Map())
    this.#hits.get(source)!.set(id, this.hitsOf(route) + 1)
  }

  /** An answer sent at once, without reading its request, is not timed: reading the clock costs more. */
  end(entry: JournalEntry, status: number | undefined, response?: PreparedResponse): void {
    const isTimed = entry.isPending || entry.match?.endpoint.needsBody
    entry.duration = isTimed ? this.now() - entry.start : 0
    entry.isPending = false
    entry.status = status
    if (response) {
      entry.response = cutResponse(response, bodyCap)
      entry.responseSize = response.body.length
      if (entry.responseSize > shortCap) this.#shorten()
    }
    this.#tell(entry)
  }

  /** Hits since the last reset. */
  hitsOf({ source, id }: CompiledRoute): number {
    return this.#hits.get(source)?.get(id) ?? 0
  }

  resetHits(): void {
    this.#hits = new WeakMap()
  }

  get(id: number): JournalEntry | undefined {
    const entry = this.#ring[id % this.capacity]
    return entry?.id === id ? entry : undefined
  }

  *after(id: number): Generator<JournalEntry> {
    const first = Math.max(id + 1, 1, this.lastId - this.capacity + 1)
    for (let next = first; next <= this.lastId; next++) {
      const entry = this.get(next)
      if (entry) yield entry
    }
  }

  /** Ids are not used again. */
  forget(isForgotten: (entry: JournalEntry) => boolean = () => true): void {
    this.#ring = this.#ring.map((entry) => (entry && isForgotten(entry) ? undefined : entry))
  }

  hasOld(isKept: (endpoint: Endpoint) => boolean): boolean {
    return this.#ring.some((entry) => entry?.match && !isKept(entry.match.endpoint))
  }

  /** Lets old route tables go; what they explain is kept. */
  release(isKept: (endpoint: Endpoint) => boolean, explain: (entry: JournalEntry) => Explanation): void {
    for (const entry of this.#ring) {
      if (!entry?.match || isKept(entry.match.endpoint)) continue
      entry.explanation = explain(entry)
      entry.match = undefined
    }
  }

  /** The listener is told of each request twice: when it is recorded, and when it is answered. */
  listen(listener: (entry: JournalEntry) => void): void {
    this.#tell = listener
  }
}

/** The errors of a GraphQL answer, which its status may not tell. */
export function errorsOf(entry: JournalEntry): GraphQLFailure | undefined {
  const { isGraphQL, response, diagnostic } = entry
  if (isGraphQL && response) entry.errors ??= failureIn(response, diagnostic) ?? null
  return entry.errors ?? undefined
}

const utf8 = new TextEncoder()
const decoder = new TextDecoder()

/** A copy of the part, which would keep the whole in memory. */
function cut(bytes: Uint8Array, cap: number): Uint8Array {
  return bytes.length > cap ? new Uint8Array(bytes.subarray(0, cap)) : bytes
}

function cutResponse(response: PreparedResponse, cap: number): PreparedResponse {
  const { body } = response
  if (body.length <= cap) return response
  return { ...response, body: typeof body === 'string' ? utf8.encode(body.slice(0, cap)) : cut(body, cap) }
}

export function operationToShow(decision: Decision) {
  const { batch } = decision
  const index = Math.max(batch?.findIndex(isWrong) ?? 0, 0)
  const shown = batch?.[index] ?? decision
  const { by, route, choice, failed, step } = shown
  const decided: DecisionSummary = { by, route, choice, failed, step }
  if (batch) decided.operation = { index, of: batch.length }
  const diagnostic = shown.diagnostic ?? shown.reason ?? decision.diagnostic ?? decision.reason
  return { decided, diagnostic }
}

function isWrong({ by, response }: Decision): boolean {
  return by === 'nothing' || by === 'refused' || (response !== undefined && hasErrors(response))
}

/** Copies: a part of a long text would keep the whole in memory. */
function keepDiagnostic(diagnostic: Diagnostic | undefined): Diagnostic | undefined {
  return diagnostic && (JSON.parse(JSON.stringify(shortened(diagnostic))) as Diagnostic)
}

/** A string of its own: a part of a document would keep the whole text in memory. */
function cutText(text: string, most: number): string {
  return decoder.decode(utf8.encode(text.length > most ? `${text.slice(0, most)}…` : text))
}
