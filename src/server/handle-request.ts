import { decide } from '../core/answer/decide.ts'
import type { AskBackend, Asked, Decision } from '../core/answer/decision.ts'
import { type FoundRequest, receive, scenarioNotices } from '../core/answer/receive.ts'
import { type Limits, type Rules, takeToken, TimeLimitError } from '../core/answer/rules.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { ClientLeft, type ReceivedBody } from '../core/http/body.ts'
import type { Connection } from '../core/http/origin.ts'
import { type Headers, type Inspected, isNavigation, type RawRequest } from '../core/http/raw-request.ts'
import type { PreparedResponse } from '../core/response/prepare-response.ts'
import type { Hub } from './live/hub.ts'
import { inTime } from '../wire/in-time.ts'
import type { MockState } from '../core/state/mock-state.ts'
import { describeCaught, isCatchAll } from '../core/table/similar.ts'

export interface RequestPort<T> extends Inspected {
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
  hub: Hub
  /** Also records the answer if there is an inspector. */
  write: (decision: Decided, corsHeaders: readonly string[]) => T
  pass: (decision: Decision) => T
  showGraphiQL: () => T | Promise<T>
  /** Only of what takes upgrades. */
  openOperations?: (raw: RawRequest, found: FoundRequest) => T
  serveSharedStream: (raw: RawRequest, corsHeaders: readonly string[]) => T
  /** Called if the client disconnects before there is an answer. */
  leave: () => T
}

export type Decided = Decision & { response: PreparedResponse }

/** The life of a request on every host, synchronous without a body to read, a function and the backend. */
export async function handleRequest<T>(
  found: FoundRequest,
  rules: Rules,
  port: RequestPort<T>,
  report: (diagnostic: Diagnostic) => void,
): Promise<T> {
  const { kind, match, table } = found
  const { method, url, headers, connection } = port
  const { path, search, params } = match
  const { isSecure, host } = connection
  const raw: RawRequest = { method, url, path, search, headers, isSecure, host, params, inspected: port }
  try {
    const received = receive(rules, found, raw, connection)
    let { decision } = received
    if (!decision && kind === 'graphiql') return await port.showGraphiQL()
    if (!decision && kind === 'shared-stream') return port.serveSharedStream(raw, received.corsHeaders)
    if (!decision && kind === 'operations') return port.openOperations!(raw, found)
    if (!decision) {
      scenarioNotices(rules, table, method, url, raw).forEach(report)
      const body = match.endpoint.needsBody ? await port.readBody() : undefined
      const { askBackend, waitFor } = port
      const decided = decide({ match, table, raw, rules, askBackend, waitFor }, body)
      decision = decided instanceof Promise ? await decided : decided
    }
    if (decision.diagnostic) report(decision.diagnostic)
    noticeCaught(found, decision, rules, report)
    if (!decision.response) return port.pass(decision)
    const written = port.write(decision as Decided, received.corsHeaders)
    tellHub(port.hub, decision)
    return written
  } catch (error) {
    if (error instanceof ClientLeft) return port.leave()
    throw error
  }
}

/** When the answer is due. */
function tellHub(hub: Hub, decision: Decision): void {
  if (!hub.isHeard()) return
  const tell = () => hub.emitAnswer(decision)
  if (decision.wait === 0) return tell()
  const timer: ReturnType<typeof setTimeout> & { unref?: () => void } = setTimeout(tell, decision.wait)
  timer.unref?.()
}

/** A route for every path does not hide a mistyped path, unless the route asks the backend, which has more paths. */
function noticeCaught(
  { table, match }: FoundRequest,
  { by, raw, route }: Decision,
  { state }: Rules,
  report: (diagnostic: Diagnostic) => void,
): void {
  if (by !== 'route' || !isCatchAll(match.endpoint) || isNavigation(raw.method, raw)) return
  if (route?.response.kind === 'backend' || !state.isFirstNotice(`caught ${raw.method} ${match.path}`)) return
  const similar = describeCaught(table, match, raw)
  if (similar) report(similar)
}

/**
 * Web standards only, so that every host can use it.
 * @param functionTimeout milliseconds; 0 for no limit
 * @param state has the counts of rate limits, so that a reset ends them
 * @param fixed the time of every answer, in milliseconds since 1970
 */
export function createLimits(functionTimeout: number, state: MockState, fixed?: number): Limits {
  return {
    now: () => fixed ?? Date.now(),
    countRequest({ source }, limit, isDryRun) {
      const { window, wait } = takeToken(limit, state.rateWindows.get(source), Date.now())
      if (!isDryRun) state.rateWindows.set(source, window)
      return wait
    },
    async inTime(work) {
      if (functionTimeout === 0) return work
      const error = () => new TimeLimitError(functionTimeout)
      return inTime(work, { milliseconds: functionTimeout, error, mayExit: true })
    },
  }
}
