import type { Decision } from '../../core/answer/decision.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { bodyAsText, prepareResponse, type PreparedResponse } from '../../core/response/prepare-response.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import { socketMethod } from '../../core/schema/schema.ts'
import { opened } from '../../core/stream/compile-socket.ts'
import { separator, sessionOf } from '../../core/stream/socket-framing.ts'
import type { RequestContext } from '../feature.ts'
import type { Reply } from '../reply.ts'
import type { SocketClient } from './client.ts'
import type { RouteContext } from './route-session.ts'
import { Session, sessionsIn } from './socket-io-session.ts'

/* Socket.IO: which session a request belongs to. */

const version = '4'
const maxSessions = 1000

/** A WebSocket: that of a new session, or one that takes the place of polling. */
export function serveSession(client: SocketClient, context: RouteContext): void {
  const sid = sessionOf(context.request.raw.search)
  const session = sid === undefined ? undefined : sessionsIn(context.hub).get(sid)
  if (session) return session.upgrade(client)
  new Session(context).attach(client, true)
}

/** A request of a client that polls, or the handshake of a WebSocket that takes the place of polling. */
export async function answerSession(
  { found: { match }, raw, rules, hub, report }: RequestContext,
  reply: Reply<unknown>,
  decideHandshake: () => Decision | Promise<Decision>,
): Promise<Decision> {
  const byPlugin = { by: 'plugin', match, raw, wait: 0 } as const
  const sid = sessionOf(raw.search)
  if (new URLSearchParams(raw.search).get('EIO') !== version) {
    report(diagnoseRequest('socket-io', {}, { why: 'version' }))
    return { ...byPlugin, response: refusal(5, 'Unsupported protocol version') }
  }
  if (sid === undefined) {
    const decision = await decideHandshake()
    const { route, request, response } = decision
    const isOpened = response?.status === opened && !response.fault && reply.method !== socketMethod
    if (route?.response.kind !== 'websocket' || !request || !isOpened) return decision
    if (sessionsIn(hub).size >= maxSessions) return { ...byPlugin, response: refusal(4, 'Too many sessions') }
    const { socket } = route.response
    const session = new Session({ match, route, socket, request, rules, report, hub })
    return { ...decision, response: textResponse(session.handshake()) }
  }
  const session = sessionsIn(hub).get(sid)
  if (!session) return { ...byPlugin, response: refusal(1, 'Session ID unknown') }
  const { route } = session.context
  const request = new ParsedRequest(raw, match.params, undefined)
  if (reply.method === socketMethod)
    return { ...byPlugin, route, request, response: prepareResponse({ status: opened }) }
  if (reply.method !== 'POST')
    return { ...byPlugin, response: textResponse(await reply.waitFor(session.poll())) }
  const body = await reply.readBody()
  if (body?.kind !== 'complete') return { ...byPlugin, response: refusal(3, 'Bad request') }
  for (const one of bodyAsText(body.bytes ?? '').split(separator)) session.receive(one)
  return { ...byPlugin, response: textResponse('ok') }
}

/** @see https://socket.io/docs/v4/troubleshooting-connection-issues/#in-case-the-connection-is-indeed-not-established */
function refusal(code: number, message: string): PreparedResponse {
  return prepareResponse({ status: 400, body: { code, message } })
}

function textResponse(body: string): PreparedResponse {
  return prepareResponse({ body })
}
