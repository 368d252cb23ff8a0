import { type Headers, headerText } from './raw-request.ts'

/** @see https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverWebSocket.md */
export const graphqlTransport = 'graphql-transport-ws'
/** Of `subscriptions-transport-ws`, which is no longer maintained. */
const legacyTransport = 'graphql-ws'

export function namesProtocol(headers: Headers, name: string): boolean {
  return offeredProtocols(headers).includes(name)
}

/** Whether a client of GraphQL opens a WebSocket, also an old one, which is refused. */
export function namesGraphQL(headers: Headers): boolean {
  return offeredProtocols(headers).some((name) => name === graphqlTransport || name === legacyTransport)
}

/** @param protocols preferred first; `undefined` takes the first that the client names */
export function chooseProtocol(
  named: readonly string[],
  protocols: readonly string[] | undefined,
): string | undefined {
  return protocols ? protocols.find((one) => named.includes(one)) : named[0]
}

export function offeredProtocols(headers: Headers): string[] {
  return (headerText(headers, 'sec-websocket-protocol') ?? '').split(',').flatMap((name) => name.trim() || [])
}
