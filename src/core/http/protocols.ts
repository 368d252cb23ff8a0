import { type Headers, firstValues, headerText, type RawRequest } from './raw-request.ts'

/** @see https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverWebSocket.md */
export const graphqlTransport = 'graphql-transport-ws'
/** The protocol of `subscriptions-transport-ws`, which is no longer maintained. */
const legacyTransport = 'graphql-ws'

/** Whether a client of GraphQL opens a WebSocket, also an old one, which is refused. */
export function namesGraphQL(headers: Headers): boolean {
  return offeredProtocols(headers).some((name) => name === graphqlTransport || name === legacyTransport)
}

/** @param protocols preferred first; `undefined` takes the first that the client names */
export function chooseProtocol(named: readonly string[], protocols: readonly string[] | undefined) {
  return protocols ? protocols.find((one) => named.includes(one)) : named[0]
}

export function offeredProtocols(headers: Headers): string[] {
  return (headerText(headers, 'sec-websocket-protocol') ?? '').split(',').flatMap((name) => name.trim() || [])
}

/**
 * Names the stream of a client that has one for all of its operations.
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#making-reservations
 */
export function streamToken({ method, headers, search }: Pick<RawRequest, 'method' | 'headers' | 'search'>) {
  const named = headerText(headers, 'x-graphql-event-stream-token')
  // The query of a POST may have a token of its own, such as one that signs in.
  return named ?? (method === 'POST' ? undefined : firstValues(search)['token'])
}
