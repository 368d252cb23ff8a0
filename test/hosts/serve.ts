import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A logger that keeps its messages. */
export function recorder() {
  const log: string[] = []
  const write = (message: string) => void log.push(message)
  return { log, logger: { info: write, warn: write, error: write } }
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** A port that no connection, and no server that takes any port, is given: theirs are above. */
export const portForServer = (): number => 11_000 + Math.floor(Math.random() * 20_000)

/** A port that is free now, for a server that is told its port. */
export async function freePort(): Promise<string> {
  const server = createServer()
  const port = portForServer()
  const isFree = await new Promise((resolve) => {
    server.on('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  await closeServer(server)
  return String(port)
}

/** Answers requests that were passed on with their own body. */
export function echo(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('x-passed-on', req.method ?? '')
  req.pipe(res)
}
