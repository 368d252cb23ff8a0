import { MockApiError } from '../../core/diagnostics/format.ts'
import { describeUnknown, type MockState, type SavedState } from '../../core/state/mock-state.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import type { ServedRoutes } from './serve-routes.ts'
import type { RequestSender } from './web-fetch.ts'

/** Selects a client. */
export interface ClientName {
  /**
   * The client: requests with this name in the header `x-mock-client` or the cookie `mock-client`. Default: everyone.
   */
  client?: string | undefined
}

/** Which streams an event reaches, and its type. */
export interface PushTarget extends ClientName {
  /** The type of a server-sent event. Default: the type of the trigger. */
  event?: string | undefined
}

/**
 * Answers a request, or resolves to `undefined` and leaves the request, with its body unread, to the caller. Its
 * functions switch the answers. They have the same names as in `unplugin-mock-api/client`.
 */
export interface FetchHandler {
  (request: Request, sender?: RequestSender): Promise<Response | undefined>
  /**
   * Activates scenarios, by name; an empty list deactivates all.
   *
   * @throws MockApiError when no route has a scenario of that name
   *
   * @example
   * handler.setScenario('payment-down')
   * handler.setScenario(['payment-down', 'no-stock'], { client: 'test-1' })
   */
  setScenario: (names: string | readonly string[], who?: ClientName) => void
  /**
   * Sends an event to the open streams and WebSockets with `on: { push: channel }`: those of a client, or all.
   *
   * @returns how many it has reached
   *
   * @example
   * handler.push('orders', { id: 7, state: 'paid' })
   */
  push: (channel: string, data: unknown, target?: PushTarget) => number
  /** Resets scenarios, sequences and rate limits: of a client, or of all clients. */
  reset: (who?: ClientName) => void
  /**
   * The state that requests have changed, as JSON, for hosts whose instances can end at any time: items, sequences
   * and scenarios, but not rate limits. `undefined` if nothing has changed since the last call.
   *
   * @example
   * const saved = handler.save()
   * if (saved) await storage.put('mock-api', saved)
   */
  save: () => SavedState | undefined
  /** Restores the result of `save`, before the first request. Items of other fixture files are ignored. */
  restore: (saved: SavedState) => void
  /**
   * Calls a listener when scenarios change, also between requests: by an event of a stream, or by a message of a WebSocket.
   *
   * @returns a function that stops it
   *
   * @example
   * handler.onChange(() => void storage.put('mock-api', handler.save()))
   */
  onChange: (listener: () => void) => () => void
}

export function createSwitchedHandler({ answer, current, state, hub }: ServedRoutes): FetchHandler {
  const handler = (request: Request, sender?: RequestSender) => answer(request, sender)
  return Object.assign(handler, {
    setScenario(names: string | readonly string[], { client }: ClientName = {}) {
      setScenarios(state, current.table, names, client)
    },
    push: (channel: string, data: unknown, { client = '', event }: PushTarget = {}) =>
      hub.push({ channel, data, ...(event !== undefined && { event }) }, client),
    reset: ({ client }: ClientName = {}) => state.reset(client),
    save: () => state.save(),
    restore: (saved: SavedState) => state.restore(saved),
    onChange: (listener: () => void) => state.onChange(listener),
  })
}

/** @throws MockApiError when no route has a scenario of that name, and it is not active already */
function setScenarios(
  state: MockState,
  { scenarios }: RouteTable,
  given: string | readonly string[],
  client?: string,
): void {
  const names = [given].flat()
  const active = state.scenariosOf(client ?? '')
  const unknown = names.filter((name) => !scenarios?.findIn(name) && !active.includes(name))
  if (unknown.length > 0)
    throw new MockApiError(
      unknown.map((name) => describeUnknown(name, 'call of setScenario', scenarios?.names)),
    )
  state.setScenarios(names, client)
}
