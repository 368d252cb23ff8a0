import type { AskBackend, Asked, Decision } from '../core/answer/decision.ts'
import type { ReceivedBody } from '../core/http/body.ts'
import type { Connection } from '../core/http/origin.ts'
import type { Headers, Inspected } from '../core/http/raw-request.ts'
import type { PreparedResponse } from '../core/response/prepare-response.ts'
import type { StreamEvent } from '../core/stream/frames.ts'
import type { ServedStream } from './live/chunks.ts'

export type Decided = Decision & { response: PreparedResponse }

/**
 * Opens a stream when its head is due.
 *
 * @param note is called with each event that is sent
 * @param request its id, as the inspector counts
 */
export type StreamOpener = (note?: (event: StreamEvent) => void, request?: number) => ServedStream

/** Answers one request, on Node or with web standards. `headers` are added to those of the response. */
export interface Reply<T> extends Inspected {
  method: string
  /** Request target as received, with `base` and the query. */
  url: string
  headers: Headers
  connection: Connection
  /** Called only if a route needs the body; `undefined` without one. Throws `ClientLeft`. */
  readBody: () => Promise<ReceivedBody | undefined>
  /** Throws `ClientLeft`. */
  askBackend: AskBackend
  waitFor: Asked['waitFor']
  send: (decision: Decided, headers: readonly string[]) => T | Promise<T>
  stream: (decision: Decided, headers: readonly string[], open: StreamOpener) => T | Promise<T>
  /** Only where an upgrade is answered. */
  openSocket?: (decision: Decided, headers: readonly string[]) => T | Promise<T>
  /** Only where `rules` has the page. */
  graphiql?: () => PreparedResponse
  pass: (decision: Decision) => T
  /** Called if the client disconnects before there is an answer. */
  leave: () => T
}
