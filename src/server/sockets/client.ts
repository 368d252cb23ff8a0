import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { StreamFault } from '../../core/schema/fault-schema.ts'
import type { SocketNotes } from '../journal/request-notes.ts'
import { reset } from '../../wire/node/write-stream.ts'
import { Turns } from './turns.ts'

/** Bytes that a client may leave unread. */
const maxUnread = 4_194_304

/** A text of 126 bytes is announced, and less is sent: https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
const halfOfMessage = Buffer.from([0x81, 0x7e, 0x00, 0x7e, ...Buffer.from('{"half":"of')])
/** A frame with reserved bits. */
const unknownFrame = Buffer.from([0xff, 0x00])

const lostConnection = 1006

/** The server's end of a WebSocket. */
export interface SocketClient {
  protocol: string
  onMessage: (listener: (data: string | Uint8Array) => void) => void
  onClose: (listener: (code: number, reason: string) => void) => void
  send: (data: string | Uint8Array) => void
  close: (code: number, reason?: string) => void
  /** Breaks the connection. Later messages are not sent. */
  fail: (fault: StreamFault) => void
  /** Closes the WebSocket without waiting for the client. */
  end: (code: number) => void
}

export class NodeClient implements SocketClient {
  private fault: StreamFault | undefined
  private readonly turns = new Turns((isHeld) => {
    if (isHeld) this.ws.pause()
    else if (this.fault !== 'stalled') this.ws.resume()
  })
  private readonly closeNow: WebSocket['close']
  readonly protocol: string

  constructor(
    private readonly ws: WebSocket,
    private readonly socket: Duplex,
    private readonly record: SocketNotes | undefined,
  ) {
    this.protocol = ws.protocol
    socket.on('data', ({ length }: Buffer) => this.turns.add(length, () => {})) // also parts of messages take time
    // When the client closes, `ws` calls it: what it has sent before is answered first.
    this.closeNow = ws.close.bind(ws)
    ws.close = (code, reason) => this.turns.add(0, () => this.closeNow(code, reason))
    ws.once('close', (code) =>
      record?.end(this.fault ? 'broken' : code === lostConnection ? 'left' : 'complete'),
    )
    ws.on('error', () => {}) // what was malformed or too large; it is closed with the code for that
  }

  onMessage(listener: (data: string | Uint8Array) => void): void {
    this.ws.on('message', (bytes: Buffer, isBinary) =>
      this.turns.add(0, () => {
        if (this.turns.isOver) return
        const data = isBinary ? bytes : bytes.toString()
        this.record?.note('received', data)
        listener(data)
      }),
    )
  }

  onClose(listener: (code: number, reason: string) => void): void {
    this.ws.once('close', (code, reason) => this.turns.add(0, () => listener(code, reason.toString())))
  }

  /** A client that does not read is cut off. */
  send(data: string | Uint8Array): void {
    const { ws } = this
    if (ws.readyState !== ws.OPEN || this.fault) return
    ws.send(data)
    this.record?.note('sent', data)
    if (ws.bufferedAmount <= maxUnread) return
    this.turns.isOver = true
    ws.terminate()
  }

  /** Codes and reasons that do not fit are not sent. */
  close(code: number, reason = ''): void {
    this.turns.isOver = true
    this.closeNow(code, reason)
  }

  fail(fault: StreamFault): void {
    const { ws, socket } = this
    this.fault = fault
    this.turns.isOver = true
    if (fault === 'reset') return reset(socket as Socket)
    if (fault === 'stalled') return ws.pause()
    socket.write(fault === 'truncated' ? halfOfMessage : unknownFrame)
    if (fault === 'truncated') (socket as Socket).destroySoon()
  }

  end(code: number): void {
    this.close(code)
    this.ws.terminate()
  }
}
