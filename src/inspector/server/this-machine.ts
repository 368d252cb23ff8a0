import type { IncomingMessage } from 'node:http'
import { Problem } from './problem.ts'

/**
 * Only this machine may touch its files. A dev server that is open to the network shows its inspector to others, and lets
 * them switch scenarios; it does not let them write.
 *
 * @throws Problem
 */
export function checkThisMachine({ socket }: IncomingMessage, what: string): void {
  const { remoteAddress = '', localAddress } = socket
  const isLocal = /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress) || remoteAddress === localAddress
  // A pipe of the operating system has no address, and neither has a connection that was closed.
  if (isLocal || (remoteAddress === '' && !socket.destroyed)) return
  throw new Problem(
    403,
    'api-machine-refused',
    `Only the machine of the dev server may ${what}, and this request comes from ${remoteAddress || 'a closed connection'}.`,
    'Open the inspector on that machine, or copy the text.',
  )
}
