import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import type { OpenAnswers } from './open-answers.ts'
import type { Next } from './request-handler.ts'
import { isGone, isHttp2Response, writeResponse } from './write-response.ts'

/** Writes a response that is delayed, or that fails. What makes connections fail is imported with the first fault. */
export function writeLater(
  { req, res, next }: { req: IncomingMessage; res: ServerResponse; next: Next },
  response: PreparedResponse,
  milliseconds: number,
  open: OpenAnswers,
): void {
  const { fault } = response
  const fail = async () => {
    const { writeFault } = await import('./write-fault.ts')
    writeFault(req, res, { ...response, fault: fault! }, open)
  }
  const write = () => (fault === undefined ? writeResponse(req, res, response) : void fail().catch(next))
  const start = () => (milliseconds > 0 ? open.later(res, milliseconds, write) : write())
  if (isGone(res)) return // there is no second event after a disconnect
  // A pipelined request gets its connection, and events, after the requests before it have been answered.
  if (isHttp2Response(res) || res.socket) start()
  else res.once('socket', start)
}
