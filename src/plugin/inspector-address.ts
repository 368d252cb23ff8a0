import type { AddressInfo } from 'node:net'
import { inspectorFolder } from '../inspector/inspector-folder.ts'
import type { PluginInstance } from './plugin-instance.ts'

/** What is used of a `node:http`, `node:https` or `node:http2` server. */
export interface ListeningServer {
  address: () => AddressInfo | string | null
  once: (event: 'listening', listener: () => void) => unknown
}

/**
 * The address of the inspector, as this machine reaches it; `undefined` for a server that does not listen on a port.
 *
 * @param base the host's base path: with or without a slash at its end
 */
export function inspectorAddress(
  server: ListeningServer | null | undefined,
  base: string,
): string | undefined {
  const address = server?.address()
  if (!server || !address || typeof address === 'string') return undefined
  // Only servers with TLS have this method.
  const protocol = 'setSecureContext' in server ? 'https' : 'http'
  const host = `${protocol}://${hostName(address.address)}:${address.port}`
  return new URL(`${inspectorFolder}/`, `${host}${asFolder(base)}`).href
}

/** The host name to reach an address: `localhost` for a server that listens on all of them. */
function hostName(address: string): string {
  if (/^(?:0\.0\.0\.0|::|::1)$/.test(address)) return 'localhost'
  return address.includes(':') ? `[${address}]` : address
}

function asFolder(base: string): string {
  return `/${base}/`.replace(/\/+/g, '/')
}

/**
 * Prints what answers, and where the inspector is as soon as the server listens.
 *
 * @param base the host's base path, for the instance whose inspector is served; of several, that is the first
 */
export function announceWhenListening(
  instance: PluginInstance,
  server: ListeningServer | null | undefined,
  base: string | undefined,
): void {
  const hasInspector = base !== undefined && instance.options.inspector.dev
  const announce = () => void instance.announce(hasInspector ? inspectorAddress(server, base) : undefined)
  if (server) server.once('listening', announce)
  else announce()
}
