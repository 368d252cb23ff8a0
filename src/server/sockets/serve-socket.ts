import type { Decided } from '../reply.ts'
import type { SocketClient } from './client.ts'
import type { OperationContext, serveOperations } from './operations.ts'
import { serveRoute } from './route-session.ts'
import { serveSession } from './socket-io.ts'

export type SocketContext = Omit<OperationContext, 'id'>

/** Preferred first; `undefined` takes the first that the client names. */
export function protocolsOf({ route }: Decided): readonly string[] | undefined {
  return route?.response.kind === 'websocket' ? route.response.socket.protocols : undefined
}

/**
 * A route's own messages, or the operations of GraphQL.
 *
 * @param operations not needed for a route: it loads graphql-js
 * @param id the request, as the inspector counts
 */
export function serveSocket(
  client: SocketClient,
  { route, match, request, raw }: Decided,
  context: SocketContext,
  operations?: typeof serveOperations,
  id?: number,
): void {
  if (route?.response.kind !== 'websocket') return operations!(client, raw, { ...context, id })
  const { rulesOfUpgrade, report, hub } = context
  const { socket } = route.response
  const serve = socket.framing === 'socket.io' ? serveSession : serveRoute
  serve(client, { match, route, socket, request: request!, rules: rulesOfUpgrade(), report, hub, id })
}
