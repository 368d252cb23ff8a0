import {
  findRequest,
  findSocket,
  matchSharedStream,
  pageVisit,
  scenarioNotices,
} from '../../core/answer/receive.ts'
import { rulesOf } from '../../core/answer/rules.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import type { ResolvedMiddlewareOptions, ResolvedOptions } from '../../core/options/resolve-options.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import type { MockState } from '../../core/state/mock-state.ts'
import { matchEndpoint, matchInScenarios, originsOf } from '../../core/table/match.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { clientOf } from '../../core/http/client.ts'
import { streamToken } from '../../core/http/protocols.ts'
import { chunksOf } from '../live/chunks.ts'
import type { Hub } from '../live/hub.ts'
import { SharedStreams } from '../live/shared-streams.ts'
import { readWebBody } from '../../wire/web/read-web-body.ts'
import { faultyBody, isOfConnection, streamBody, wait } from '../../wire/web/web-fault.ts'
import { createLimits, handleRequest, type RequestPort } from '../handle-request.ts'
import { createReporter } from '../report.ts'
import { askWebBackend } from './ask-web-backend.ts'
import type * as WebSockets from './web-sockets.ts'
import type { Accept } from './web-sockets.ts'

/** `undefined` leaves the request to the caller, its body unread. */
export type AnswerRequest = (request: Request, accept?: Accept) => Promise<Response | undefined>

export interface WebHost {
  /** A path as `canonicalBase` returns it: routes answer with it and without it. */
  hostBase?: string
  /** Default: the headers of the request. */
  headersOf?: (request: Request) => Promise<Record<string, string>>
  /** For runtimes where the header `set-cookie` has no effect. */
  setCookies?: (headers: readonly string[], request: Request) => Promise<void>
  /** What opens WebSockets, loaded with the first one. Default: upgrades are not answered. */
  sockets?: () => Promise<typeof WebSockets>
  /** The answer to a request whose connection breaks before the head. Default: an answer whose body fails. */
  brokenConnection?: () => Response
}

/** Uses web standards only, so it runs wherever these exist. The table of `routes` may be replaced at any time. */
export function createWebHandler(
  routes: { readonly table: RouteTable },
  options: ResolvedMiddlewareOptions,
  { state, hub }: { state: MockState; hub: Hub },
  host: WebHost = {},
): AnswerRequest {
  const { functionTimeout, origins } = options
  const bases = webBases(options, host)
  const running = { limits: createLimits(functionTimeout, state, options.values.now), state }
  const rules = rulesOf(options, running, { bases, origins, graphiql: false, hasPages: false })
  const report = createReporter(options)
  const served = { options, host, report, hub, sharedStreams: new SharedStreams(hub) }

  return async function mockApiHandler(request, given) {
    const { method } = request
    const { table } = routes
    const url = targetOf(request.url, table)
    let copied = host.headersOf ? await host.headersOf(request) : undefined
    const source = {
      get headers() {
        return (copied ??= Object.fromEntries(request.headers))
      },
    }
    const sockets = isUpgrade(request) ? await host.sockets?.() : undefined
    const accept = given ?? sockets?.acceptOf(request)
    const findAgain = () => findSocket(rules, routes.table, url, source)
    const socket = sockets && accept ? findAgain() : undefined
    if (sockets && accept && socket) {
      const context = { findAgain, rulesOfUpgrade: () => rules, report, hub }
      const port = webPort(request, url, source.headers, { ...served, cookie: undefined })
      return handleRequest(socket, rules, sockets.socketPort(port, accept, context), report)
    }
    const found = findRequest(rules, table, method, url, source)
    if (!found) {
      scenarioNotices(rules, table, method, url, source).forEach(report)
      return undefined
    }
    const visit = pageVisit(rules, table, method, url, source)
    visit?.notices.forEach(report)
    const port = webPort(request, url, source.headers, { ...served, cookie: visit?.cookie })
    return handleRequest(found, rules, port, report)
  }
}

function isUpgrade({ method, headers }: Request): boolean {
  return method === 'GET' && headers.get('upgrade')?.toLowerCase() === 'websocket'
}

function webPort(
  request: Request,
  url: string,
  headers: Record<string, string>,
  {
    options,
    host,
    report,
    hub,
    sharedStreams,
    cookie,
  }: {
    options: ResolvedMiddlewareOptions
    host: WebHost
    report: (diagnostic: Diagnostic) => void
    hub: Hub
    sharedStreams: SharedStreams
    cookie: string | undefined
  },
): RequestPort<Promise<Response | undefined>> {
  const { bodyLimit, unmatched, record } = options
  const { method, signal } = request
  const { host: sentTo, protocol } = new URL(request.url)
  const passOn = () => Promise.resolve(undefined)
  let body: ReceivedBody | undefined
  return {
    method,
    url,
    headers,
    connection: { host: sentTo, isSecure: protocol === 'https:' },
    readBody: async () =>
      (body = await readWebBody(request, headers, bodyLimit, unmatched === 'passthrough')),
    askBackend: (instead) => {
      // Firefox calls an empty body used, too.
      const sent = instead ?? (body?.kind === 'complete' ? (body.bytes ?? new Uint8Array()) : undefined)
      return askWebBackend(request, sent, record, host.hostBase ?? '')
    },
    waitFor: (work) => work,
    hub,
    pass: passOn,
    serveSharedStream(raw, corsHeaders) {
      const { response, stream } = sharedStreams.serve(raw)
      const sent = headersOf(response, corsHeaders, undefined)
      if (!stream) return Promise.resolve(toResponse(method, response, sent))
      signal.addEventListener('abort', stream.close)
      return Promise.resolve(new Response(streamBody(stream.chunks, stream.close), { headers: sent }))
    },
    showGraphiQL: passOn, // `rules` has none
    leave: () => Promise.resolve(new Response(null, { status: 400 })),
    async write(decision, corsHeaders) {
      const token = decision.match.endpoint.graphql && streamToken(decision.raw)
      if (token !== undefined) {
        const accepted = sharedStreams.accept(token, decision)
        return toResponse(method, accepted, headersOf(accepted, corsHeaders, cookie))
      }
      const { response } = decision
      const { fault } = response
      const delay = fault === 'silent' ? Infinity : decision.wait
      if (delay > 0) await wait(delay, signal)
      if (host.brokenConnection && (fault === 'reset' || fault === 'empty')) return host.brokenConnection()
      if (isOfConnection(fault)) report(diagnoseRequest('fault-not-exact', {}, { fault }))
      const sent = headersOf(response, corsHeaders, cookie)
      if (host.setCookies) await host.setCookies(sent.getSetCookie(), request)
      const { stream, route } = decision
      if (!stream || !route || fault !== undefined || method === 'HEAD')
        return toResponse(method, response, sent)
      const open = hub.open({ stream, route, client: clientOf(headers) })
      signal.addEventListener('abort', () => open.close())
      const body = streamBody(
        chunksOf(open, stream.framing, () => {}),
        open.close,
      )
      return new Response(body, { status: response.status, headers: sent })
    },
  }
}

/** Now or in another scenario. Synchronous, for hosts that must decide at once whether they take a request. */
export function mayAnswer(
  table: RouteTable,
  options: ResolvedOptions,
  host: WebHost,
  { method, url }: Pick<Request, 'method' | 'url'>,
): boolean {
  const bases = webBases(options, host)
  const target = targetOf(url, table)
  return Boolean(
    matchEndpoint(table, method, target, bases) ??
    matchInScenarios(table, method, target, bases) ??
    matchSharedStream(table, method, target, bases),
  )
}

function webBases({ base }: ResolvedOptions, { hostBase = '' }: WebHost): string[] {
  return hostBase === '' ? [base] : [`${hostBase}${base}`, base]
}

function headersOf(
  response: PreparedResponse,
  corsHeaders: readonly string[],
  cookie: string | undefined,
): Headers {
  const headers = new Headers()
  for (const list of [corsHeaders, response.headers]) {
    for (let i = 0; i < list.length; i += 2) headers.append(list[i]!, list[i + 1]!)
  }
  if (cookie !== undefined) headers.append('set-cookie', cookie)
  return headers
}

function toResponse(method: string, response: PreparedResponse, headers: Headers): Response {
  const { status, body, fault } = response
  if (fault !== undefined) return new Response(faultyBody(method, response), { status, headers })
  // An empty string would add a content type, and a status such as 204 allows no body at all.
  const sent = method === 'HEAD' || body.length === 0 ? null : (body as BodyInit)
  return new Response(sent, { status, headers })
}

/** A whole URL only for an origin that routes have. */
function targetOf(url: string, table: RouteTable): string {
  const hash = url.indexOf('#')
  const path = url.indexOf('/', url.indexOf('://') + 3)
  const start = originsOf(table, url).length > 0 ? 0 : path
  return url.slice(start, hash === -1 ? undefined : hash)
}
