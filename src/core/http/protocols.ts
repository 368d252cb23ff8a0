import { type Headers, headerText } from './raw-request.ts'

/** @see https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverWebSocket.md */
export const graphqlTransport = 'graphql-transport-ws'
/** Of `subscriptions-transport-ws`, which is no longer maintained. */
const legacyTransport = 'graphql-ws'
export const graphqlProtocols = [graphqlTransport, legacyTransport]

export function namesProtocol(headers: Headers, name: string): boolean {
  return offeredProtocols(headers).includes(name)
}

function offeredProtocols(headers: Headers): string[] {
  return (headerText(headers, 'sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
}
