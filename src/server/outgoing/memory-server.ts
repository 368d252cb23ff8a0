import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { failsUnmatched } from '../../core/http/whose-state.ts'
import type { RequestHandler } from '../../wire/node/request-handler.ts'
import { MemorySocket } from './memory-connection.ts'
import { passedOn } from './taps.ts'

export interface SealingHandler extends RequestHandler {
  /** Answers a request that no route answers, and that must not leave this machine. */
  refuse: (req: IncomingMessage, res: ServerResponse) => void
}

interface Sender {
  /** Headers that the request does not have itself. */
  headers?: Record<string, string>
  /** The origin that is asked, if it is another one than the server's own. */
  origin?: string | undefined
  /** Whether the application's own server has sent the request. */
  isServer?: boolean
  /** Whether no route has the address, and it must not be asked: then the handler does not see the request. */
  isRefused?: boolean
  /** Address of the client. Default: this machine. */
  remoteAddress?: string
}

/** @returns opens a connection to the handler */
export function createMemoryServer(handle: SealingHandler): (sender?: Sender) => MemorySocket {
  const http = createServer((req, res) => {
    const { headers = {}, origin, isRefused } = senderOf(req) ?? {}
    for (const [name, value] of Object.entries(headers)) req.headers[name] ??= value
    if (origin !== undefined && req.url?.startsWith('/')) req.url = `${origin}${req.url}`
    const isSealed = origin !== undefined && failsUnmatched(req.headers)
    const pass = () => (isSealed ? handle.refuse(req, res) : answerPassedOn(req, res))
    if (isRefused) pass()
    else handle(req, res, pass)
  })
  http.keepAliveTimeout = 1
  return (sender) => {
    const [ours, theirs] = MemorySocket.connect()
    const { remoteAddress = theirs.remoteAddress } = sender ?? {}
    http.emit('connection', Object.assign(theirs, { sender, remoteAddress }))
    return ours
  }
}

function senderOf({ socket }: IncomingMessage): Sender | undefined {
  return (socket as Socket & { sender?: Sender }).sender
}

/** Tells another server that server code asks. No page can send a header whose name begins like this. */
export const serverHeader = 'sec-mock-server'

export function isOfServer(req: IncomingMessage): boolean {
  return senderOf(req)?.isServer ?? req.headers[serverHeader] !== undefined
}

/** @param status what features see of the answer, which is given elsewhere */
export function answerPassedOn(req: IncomingMessage, res: ServerResponse, status = 404): void {
  req.resume()
  res.writeHead(status, { [passedOn]: '1', 'content-type': 'text/plain' })
  res.end('No route of the mock server answers this request.')
}
