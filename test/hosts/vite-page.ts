import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { sendTo } from '../http.ts'

/** A message of Vite to its client in a page. */
export interface Payload {
  type: string
  err?: object
  updates?: unknown[]
}

/** Connects to a Vite dev server as the client in a page does. (Node 20 has no `WebSocket` of its own.) */
export async function connectPage(origin: string): Promise<{ payloads: Payload[]; close: () => void }> {
  const client = (await sendTo(origin)({ url: '/@vite/client' })).text
  const token = /const wsToken = "([^"]+)"/.exec(client)?.[1] ?? ''
  const payloads: Payload[] = []
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'sec-websocket-version': '13',
    'sec-websocket-protocol': 'vite-hmr',
  }
  const socket = await new Promise<Socket>((resolve, reject) => {
    const sent = request(`${origin}/?token=${token}`, { headers })
    sent.on('upgrade', (_response, socket: Socket, head: Buffer) => {
      readFrames(socket, head, (text) => payloads.push(JSON.parse(text) as Payload))
      resolve(socket)
    })
    sent.on('response', ({ statusCode }) => reject(new Error(`no upgrade, but status ${statusCode}`)))
    sent.on('error', reject).end()
  })
  return { payloads, close: () => socket.destroy() }
}

/** Reads the texts that a server sends: frames without a mask (RFC 6455, section 5.2), none of them fragmented. */
function readFrames(socket: Socket, head: Buffer, onText: (text: string) => void): void {
  let buffered = head
  const read = () => {
    while (buffered.length >= 2) {
      const short = buffered[1]! & 0x7f
      const start = short < 126 ? 2 : short === 126 ? 4 : 10
      if (buffered.length < start) return
      const length =
        short < 126 ? short : short === 126 ? buffered.readUInt16BE(2) : Number(buffered.readBigUInt64BE(2))
      if (buffered.length < start + length) return
      if ((buffered[0]! & 0x0f) === 1) onText(buffered.toString('utf8', start, start + length))
      buffered = buffered.subarray(start + length)
    }
  }
  read()
  socket.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk])
    read()
  })
  socket.on('error', () => {}) // the server is closed first in some tests
}
