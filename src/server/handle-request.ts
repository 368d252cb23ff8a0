import { decide } from '../core/answer/decide.ts'
import type { Decision } from '../core/answer/decision.ts'
import { type FoundRequest, receive } from '../core/answer/receive.ts'
import type { Rules } from '../core/answer/rules.ts'
import type { Report } from '../core/diagnostics/diagnostic.ts'
import { ClientLeft } from '../core/http/body.ts'
import { clientOf } from '../core/http/whose-state.ts'
import { streamToken } from '../core/http/protocols.ts'
import type { RawRequest } from '../core/http/raw-request.ts'
import { prepareResponse, type PreparedResponse } from '../core/response/prepare-response.ts'
import { opened } from '../core/stream/compile-socket.ts'
import type { RequestContext, Feature, FeatureHooks } from './feature.ts'
import { chunksOf } from './live/chunks.ts'
import type { Hub } from './live/hub.ts'
import type { SharedStreams } from './live/shared-streams.ts'
import type { Decided, Reply } from './reply.ts'

export interface AnsweringHost {
  hub: Hub
  sharedStreams: SharedStreams
  hooks: FeatureHooks<Feature>
  report: Report
}

/** The life of a request on every host, synchronous without a body to read, a function and the backend. */
export async function handleRequest<T>(
  found: FoundRequest,
  rules: Rules,
  reply: Reply<T>,
  host: AnsweringHost,
): Promise<T> {
  const { method, url, headers, connection } = reply
  const { path, search, params } = found.match
  const { isSecure, host: name } = connection
  const raw: RawRequest = {
    method,
    url,
    path,
    search,
    headers,
    isSecure,
    host: name,
    params,
    inspected: reply,
  }
  const { hub, hooks, report, sharedStreams } = host
  const exchange: RequestContext = { found, raw, rules, reply, hub, report }
  try {
    const received = receive(rules, found, raw, connection)
    let { decision } = received
    const shared = !decision && found.kind === 'shared-stream' ? sharedStreams.serve(raw) : undefined
    if (!decision) {
      const decided = shared ? byPlugin(exchange, shared.response) : decideByKind(exchange, reply, hooks)
      decision = decided instanceof Promise ? await decided : decided
    }
    for (const sees of hooks.decided) sees(exchange, decision)
    if (!decision.response) return reply.pass(decision)
    const answer = decision as Decided
    const added = hooks.headers.flatMap((headersFor) => headersFor(exchange, answer))
    const headers = [...received.corsHeaders, ...added]
    const sent = shared?.stream
      ? reply.stream(answer, headers, () => shared.stream!)
      : write(exchange, answer, headers, reply, host)
    for (const sees of hooks.written) sees(exchange, answer)
    return sent
  } catch (error) {
    if (error instanceof ClientLeft) return reply.leave()
    throw error
  }
}

function decideByKind<T>(exchange: RequestContext, reply: Reply<T>, hooks: FeatureHooks<Feature>) {
  const { found, raw, rules } = exchange
  const { kind, match, table } = found
  if (kind === 'graphiql') return byPlugin(exchange, reply.graphiql!())
  if (kind === 'operations') return byPlugin(exchange, prepareResponse({ status: opened }))
  for (const sees of hooks.received) sees(exchange)
  const { askBackend, waitFor } = reply
  const asked = { match, table, raw, rules, askBackend, waitFor }
  if (kind === 'socket.io')
    return import('./sockets/socket-io.ts').then(({ answerSession }) =>
      answerSession(exchange, reply, () => decide(asked)),
    )
  return match.endpoint.needsBody ? reply.readBody().then((body) => decide(asked, body)) : decide(asked)
}

function byPlugin({ found: { match }, raw }: RequestContext, response: PreparedResponse): Decision {
  return { by: 'plugin', match, raw, response, wait: 0 }
}

function write<T>(
  { found, raw }: RequestContext,
  decision: Decided,
  headers: readonly string[],
  reply: Reply<T>,
  { hub, sharedStreams }: AnsweringHost,
): T | Promise<T> {
  const { response, stream, route } = decision
  const isWhole = response.fault === undefined
  if (response.status === opened && isWhole && reply.openSocket) return reply.openSocket(decision, headers)
  const isOperation = found.kind === 'endpoint' && found.match.endpoint.graphql
  const token = isOperation ? streamToken(raw) : undefined
  if (token !== undefined) {
    const accepted = sharedStreams.accept(token, decision)
    return reply.send({ ...decision, response: accepted, wait: 0 }, headers)
  }
  if (!stream || !route || !isWhole) return reply.send(decision, headers)
  return reply.stream(decision, headers, (note, request) => {
    const open = hub.open({ stream, route, client: clientOf(raw.headers), request })
    return { chunks: chunksOf(open, stream.framing, note), signal: open.signal, close: open.close }
  })
}
