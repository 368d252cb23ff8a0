import { decide } from '../core/answer/decide.ts'
import type { AskBackend, Asked, Decision } from '../core/answer/decision.ts'
import { receive, scenarioNotices, type FoundRequest } from '../core/answer/receive.ts'
import type { Rules } from '../core/answer/rules.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { ClientLeft, type ReceivedBody } from '../core/http/body.ts'
import type { Connection } from '../core/http/origin.ts'
import { RawRequest, type Headers } from '../core/http/raw-request.ts'
import type { PreparedResponse } from '../core/response/prepare-response.ts'

/** A request, and what a host does with it. `T` is what the host's handler returns. */
export interface RequestPort<T> {
  method: string
  /** Request target as received, with `base` and the query. */
  url: string
  headers: Headers
  connection: Connection
  /** Only for a request whose body a route needs; `undefined` if it has none. Throws `ClientLeft`. */
  readBody: () => Promise<ReceivedBody | undefined>
  /** Throws `ClientLeft`. */
  askBackend: AskBackend
  /** Waits for a function of a fixture. */
  waitFor: Asked['waitFor']
  /** Writes the answer, and records it where there is an inspector. */
  write: (decision: Decided, corsHeaders: readonly string[]) => T
  /** Passes the request on to the next handler. */
  pass: (decision: Decision) => T
  /** Answers with the page of GraphiQL. */
  showGraphiQL: () => T | Promise<T>
  /** The client has disconnected before there was an answer. */
  leave: () => T
}

/** A decision to answer. */
export type Decided = Decision & { response: PreparedResponse }

/**
 * The life of a request for a mock endpoint, on every host: `findRequest` has found which endpoint it is for.
 *
 * A request whose route needs neither its body, nor a function, nor the backend is decided before this returns.
 */
export async function handleRequest<T>(
  found: FoundRequest,
  rules: Rules,
  port: RequestPort<T>,
  report: (diagnostic: Diagnostic) => void,
): Promise<T> {
  const { kind, match, table } = found
  const { method, url, headers, connection } = port
  const { path, search, params } = match
  const raw = new RawRequest({ method, url, path, search, headers, params, hasPages: rules.hasPages })
  try {
    const received = receive(rules, found, raw, connection)
    let { decision } = received
    if (!decision && kind === 'graphiql') return await port.showGraphiQL()
    if (!decision) {
      scenarioNotices(rules, table, method, url, raw).forEach(report)
      const body = match.endpoint.needsBody ? await port.readBody() : undefined
      const { askBackend, waitFor } = port
      const decided = decide({ match, raw, rules, askBackend, waitFor }, body)
      decision = decided instanceof Promise ? await decided : decided
    }
    if (decision.diagnostic) report(decision.diagnostic)
    return decision.response ? port.write(decision as Decided, received.corsHeaders) : port.pass(decision)
  } catch (error) {
    if (error instanceof ClientLeft) return port.leave()
    throw error
  }
}
