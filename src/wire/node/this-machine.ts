import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { hostIn } from '../../core/http/raw-request.ts'

/** The address of another machine; `undefined` for this one. What a tunnel or a proxy on this machine passes on is this machine's. */
export function otherMachine({ remoteAddress = '', localAddress, destroyed }: Socket): string | undefined {
  if (/^(?:::ffff:)?127\.|^::1$/.test(remoteAddress) || remoteAddress === localAddress) return undefined
  if (remoteAddress !== '') return remoteAddress
  return destroyed ? 'a closed connection' : undefined // pipes have no address
}

/** Whether a request was sent over TLS. */
export function isSecure({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true
}

export function schemeOf(req: Pick<IncomingMessage, 'socket'>): 'http' | 'https' {
  return isSecure(req) ? 'https' : 'http'
}

/** The server's own origin, as the client of a request names it. */
export function ownOriginOf(req: Pick<IncomingMessage, 'socket' | 'headers'>): string | undefined {
  const host = hostIn(req.headers)
  return host && `${schemeOf(req)}://${host}`
}
