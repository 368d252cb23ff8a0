import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { splitForDribble } from '../../core/response/delay.ts'
import { withoutHeader, type PreparedResponse } from '../../core/response/prepare-response.ts'
import type { Fault, StreamFault } from '../../core/schema/fault-schema.ts'
import type { OpenAnswers } from './open-answers.ts'
import { isGone, isHttp2Response, setHeaders, toBuffer, writeResponse } from './write-response.ts'

type FaultyResponse = PreparedResponse & { fault: Fault }

export function writeLater(
  req: IncomingMessage,
  res: ServerResponse,
  response: PreparedResponse,
  milliseconds: number,
  open: OpenAnswers,
): void {
  const { fault } = response
  const write = () =>
    fault === undefined
      ? writeResponse(req, res, response)
      : writeFault(req, res, { ...response, fault }, open)
  const start = () => (milliseconds > 0 ? open.later(res, milliseconds, write) : write())
  if (isGone(res)) return // there is no second event after a disconnect
  // A pipelined request gets its connection, and events, after the requests before it have been answered.
  if (isHttp2Response(res) || res.socket) start()
  else res.once('socket', start)
}

/** Unread bytes would turn every other fault into a reset, so the request is read first. */
function writeFault(
  req: IncomingMessage,
  res: ServerResponse,
  response: FaultyResponse,
  open: OpenAnswers,
): void {
  if (res.headersSent || isGone(res) || !open.hold(res)) return
  const fail = () => {
    if (isHttp2Response(res) || res.socket) breakAnswer(req, res, response, open)
  }
  req.on('error', ignore) // resetting an HTTP/2 stream emits an error on its request
  req.resume()
  if (req.readableEnded) fail()
  else req.once('end', fail)
}

function breakAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  response: FaultyResponse,
  open: OpenAnswers,
): void {
  const { fault } = response
  if (typeof fault === 'object') return dribble(req, res, response, fault.dribble, open)
  if (fault === 'silent') return
  if (fault === 'reset') return breakOff(res, 'reset')
  if (fault === 'empty') return breakOff(res, 'truncated')
  if (hasBody(req, response)) {
    const wire = wireOf(res)
    wire.start(fault === 'malformed' && !isHttp2Response(res) ? chunked(response) : response)
    wire.write(half(response), () => breakOff(res, fault))
  } else if (isHttp2Response(res)) breakOff(res, fault)
  else {
    res.socket!.write(headOf(response, fault))
    if (fault !== 'stalled') res.socket!.destroySoon()
  }
}

/** HTTP/2 sends several answers over one connection, so only the stream of this one fails. */
export function breakOff(res: ServerResponse, fault: StreamFault): void {
  if (isHttp2Response(res)) {
    if (fault !== 'stalled') res.stream.close(fault === 'malformed' ? protocolError : internalError)
    return
  }
  const { socket } = res
  if (!socket || fault === 'stalled') return
  if (fault === 'reset') return reset(socket)
  if (fault === 'malformed') socket.write('this is no chunk\r\n')
  socket.destroySoon()
}

/** @see https://www.rfc-editor.org/rfc/rfc9113#section-7 */
const protocolError = 1
const internalError = 2

function dribble(
  req: IncomingMessage,
  res: ServerResponse,
  response: FaultyResponse,
  milliseconds: number,
  open: OpenAnswers,
): void {
  if (!hasBody(req, response)) return open.later(res, milliseconds, () => writeResponse(req, res, response))
  const wire = wireOf(res)
  const chunks = splitForDribble(bytesOf(response), milliseconds)
  let sent = 0
  wire.start(response)
  const timer = setInterval(sendChunk, milliseconds / chunks.length)
  res.once('close', () => clearInterval(timer))

  function sendChunk(): void {
    const chunk = chunks[sent++]!
    if (sent < chunks.length) return void wire.write(chunk)
    clearInterval(timer)
    wire.end(chunk)
  }
}

/** The original methods: middlewares replace them, and compression buffers what is written. */
export function wireOf(res: ServerResponse) {
  const own = Object.getPrototypeOf(res) as ServerResponse
  return {
    start({ status, headers }: PreparedResponse): void {
      setHeaders(res, status, headers)
      own.writeHead.call(res, status)
      own.flushHeaders.call(res)
    },
    /** Whether more may be written at once. */
    write: (bytes: Uint8Array, done?: () => void): boolean =>
      own.write.call(res, bytes, 'latin1', () => done?.()),
    end: (bytes: Uint8Array): void => void own.end.call(res, bytes, 'latin1'),
  }
}

/** Without a body that can fail, the head fails. */
function hasBody(req: IncomingMessage, { body }: PreparedResponse): boolean {
  return body.length > 0 && req.method !== 'HEAD'
}

function bytesOf({ body }: PreparedResponse): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : toBuffer(body)
}

function half(response: PreparedResponse): Uint8Array {
  const bytes = bytesOf(response)
  return bytes.subarray(0, Math.floor(bytes.length / 2))
}

function chunked(response: PreparedResponse): PreparedResponse {
  const { headers } = withoutHeader(response, 'content-length')
  return { ...response, headers: [...headers, 'transfer-encoding', 'chunked'] }
}

function headOf({ status }: PreparedResponse, fault: Fault): string {
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  return fault === 'malformed' ? `${statusLine}this is no header\r\n\r\n` : `${statusLine}cache-con`
}

/** TLS has no reset of its own, and hides the underlying connection. */
export function reset(socket: Socket & { _parent?: Socket }): void {
  try {
    const below = socket._parent ?? socket
    below.resetAndDestroy()
  } catch {
    socket.destroy() // not TCP: a pipe of the operating system
  }
}

function ignore(): void {}
