import type { AddressInfo } from 'node:net'

export interface ListeningServer {
  address: () => AddressInfo | string | null
  once: (event: 'listening', listener: () => void) => unknown
}

/**
 * `undefined` for a server that does not listen on a port.
 *
 * @param host the name of the application, since cookies of another one are not those of its pages
 */
export function originOf(server: ListeningServer | null | undefined, host?: string): string | undefined {
  const listening = server?.address()
  if (!server || !listening || typeof listening === 'string') return undefined
  const { address, port } = listening
  // Only servers with TLS have this method.
  const protocol = 'setSecureContext' in server ? 'https' : 'http'
  const everyOrLoopback = /^(?:0\.0\.0\.0|::|::1)$/
  const shown = host === undefined || everyOrLoopback.test(host) ? address : host
  const name = everyOrLoopback.test(shown) ? 'localhost' : shown.includes(':') ? `[${shown}]` : shown
  return `${protocol}://${name}:${port}`
}
