import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import { withoutHeader, type PreparedResponse } from '../../core/response/prepare-response.ts'
import type { Fault } from '../../core/schema/fault-schema.ts'
import type { OpenAnswers } from './open-answers.ts'
import { brokenChunks } from '../web/web-fault.ts'
import { isGone, isHttp2Response, writeResponse } from './write-response.ts'
import { breakOff, writeStream } from './write-stream.ts'

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
function writeFault(req: IncomingMessage, res: ServerResponse, response: FaultyResponse, open: OpenAnswers) {
  if (res.headersSent || isGone(res) || !open.hold(res)) return
  const fail = () => {
    if (isHttp2Response(res) || res.socket) breakAnswer(req, res, response, open)
  }
  req.on('error', () => {}) // resetting an HTTP/2 stream emits an error on its request
  req.resume()
  if (req.readableEnded) fail()
  else req.once('end', fail)
}

function breakAnswer(req: IncomingMessage, res: ServerResponse, response: FaultyResponse, open: OpenAnswers) {
  const { fault } = response
  if (fault === 'silent') return
  if (fault === 'reset' || fault === 'empty') return breakOff(res, fault)
  if (hasBody(req, response)) {
    const head = fault === 'malformed' && !isHttp2Response(res) ? chunked(response) : response
    const left = new AbortController()
    res.once('close', () => left.abort())
    writeStream(req, res, head, brokenChunks(response, left.signal), left.signal).catch(() => res.destroy())
  } else if (typeof fault === 'object')
    open.later(res, fault.dribble, () => writeResponse(req, res, response))
  else if (isHttp2Response(res)) breakOff(res, fault)
  else {
    res.socket!.write(headOf(response, fault))
    if (fault !== 'stalled') res.socket!.destroySoon()
  }
}

/** Without a body that can fail, the head fails. */
function hasBody(req: IncomingMessage, { body }: PreparedResponse): boolean {
  return body.length > 0 && req.method !== 'HEAD'
}

function chunked(response: PreparedResponse): PreparedResponse {
  const { headers } = withoutHeader(response, 'content-length')
  return { ...response, headers: [...headers, 'transfer-encoding', 'chunked'] }
}

function headOf({ status }: PreparedResponse, fault: Fault): string {
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  return fault === 'malformed' ? `${statusLine}this is no header\r\n\r\n` : `${statusLine}cache-con`
}
