import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { StreamFault } from '../../core/schema/fault-schema.ts'
import type { CompiledRoute } from '../../core/table/route-table.ts'
import type { SocketRecord } from '../node/recorder.ts'
import { reset } from '../../wire/node/write-later.ts'

/** Bytes that a client may leave unread. */
const maxUnread = 4_194_304

/** A text of 126 bytes is announced, and less is sent: https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
const halfOfMessage = Buffer.from([0x81, 0x7e, 0x00, 0x7e, ...Buffer.from('{"half":"of')])
/** With reserved bits. */
const unknownFrame = Buffer.from([0xff, 0x00])

const goingAway = 1001
const lostConnection = 1006

export class Client {
  private hasFailed = false
  /** Of a WebSocket that a route answers. */
  route: CompiledRoute | undefined

  constructor(
    readonly ws: WebSocket,
    readonly socket: Duplex,
    private readonly record: SocketRecord | undefined,
  ) {
    ws.on('message', (data: Buffer, isBinary) => record?.note('received', isBinary ? data : data.toString()))
    ws.once('close', (code) => record?.end(code !== lostConnection))
    ws.on('error', () => {}) // what was malformed or too large; it is closed with the code for that
  }

  /** A client that does not read is cut off. */
  send(data: string | Uint8Array): void {
    const { ws } = this
    if (ws.readyState !== ws.OPEN || this.hasFailed) return
    ws.send(data)
    this.record?.note('sent', data)
    if (ws.bufferedAmount > maxUnread) ws.terminate()
  }

  /** Codes and reasons that do not fit are not sent. */
  close(code: number, reason = ''): void {
    this.ws.close(code, reason)
  }

  /** What follows is not sent. */
  fail(fault: StreamFault): void {
    const { ws, socket } = this
    this.hasFailed = true
    if (fault === 'reset') return reset(socket as Socket)
    if (fault === 'stalled') return ws.pause()
    socket.write(fault === 'truncated' ? halfOfMessage : unknownFrame)
    if (fault === 'truncated') (socket as Socket).destroySoon()
  }

  /** The server closes, or the route of the WebSocket is gone. */
  end(code = goingAway): void {
    this.ws.close(code)
    this.ws.terminate()
  }
}
