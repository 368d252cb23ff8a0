import type { Socket } from 'node:net'

/** The address of another machine; `undefined` for this one. What a tunnel or a proxy on this machine passes on is this machine's. */
export function otherMachine({ remoteAddress = '', localAddress, destroyed }: Socket): string | undefined {
  if (/^(?:::ffff:)?127\.|^::1$/.test(remoteAddress) || remoteAddress === localAddress) return undefined
  if (remoteAddress !== '') return remoteAddress
  return destroyed ? 'a closed connection' : undefined // pipes have no address
}
