import { WebSocket, type ClientOptions } from 'ws'

interface Dialogue extends ClientOptions {
  protocols?: string[]
  /** Sent when it has opened. */
  say?: (string | Uint8Array)[]
  /** Sends the second message and what follows when the first one was answered. */
  waits?: boolean
}

/**
 * What a client sees, until it has seen so many: `open` with the subprotocol, messages (bytes in Base64), `close` with code and
 * reason, and `refused` with the status.
 */
export async function talk(
  origin: string,
  path: string,
  { protocols = [], say = [], waits = false, ...options }: Dialogue,
  count: number,
): Promise<string[]> {
  const client = new WebSocket(origin.replace('http', 'ws') + path, protocols, {
    rejectUnauthorized: false,
    ...options,
  })
  const seen: string[] = []
  await new Promise<void>((resolve) => {
    const see = (event: string) => {
      seen.push(event)
      if (seen.length >= count) resolve()
    }
    client.on('open', () => {
      see(`open ${client.protocol}`.trim())
      const first = waits ? say.slice(0, 1) : say
      for (const message of first) client.send(message)
      if (waits) client.once('message', () => say.slice(1).forEach((message) => client.send(message)))
    })
    client.on('message', (data: Buffer, isBinary) =>
      see(isBinary ? `bytes ${data.toString('base64')}` : data.toString()),
    )
    client.on('unexpected-response', (_request, { statusCode }) => {
      see(`refused ${statusCode}`)
      resolve()
    })
    client.on('close', (code, reason) => {
      see(`close ${code} ${reason.toString()}`.trim())
      resolve()
    })
    client.on('error', () => {}) // `close` follows
  })
  client.terminate()
  return seen.slice(0, count)
}

/* Messages of graphql-transport-ws. */
export const init = '{"type":"connection_init"}'
export const ack = '{"type":"connection_ack"}'
export const subscribe = (query: string, id = '1', more = {}) =>
  JSON.stringify({ id, type: 'subscribe', payload: { query, ...more } })
