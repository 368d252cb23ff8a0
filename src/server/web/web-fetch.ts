import {
  findRequest,
  findSocket,
  matchSharedStream,
  matchSocketIo,
  pageVisit,
  scenarioNotices,
} from '../../core/answer/receive.ts'
import { rulesOf } from '../../core/answer/rules.ts'
import type * as CreateChecker from '../../core/graphql-schema/create-checker.ts'
import type { Report } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import type { ResolvedMiddlewareOptions, ResolvedOptions } from '../../core/options/resolve-options.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import type { MockState } from '../../core/state/mock-state.ts'
import { matchEndpoint, matchInScenarios, originsOf } from '../../core/table/match.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { describeUnanswered } from '../../core/table/similar.ts'
import type { Hub } from '../live/hub.ts'
import { SharedStreams } from '../live/shared-streams.ts'
import { readWebBody } from '../../wire/web/read-web-body.ts'
import { faultyBody, isOfConnection, streamBody, wait } from '../../wire/web/web-fault.ts'
import { addHooks, noHooks, type Feature } from '../feature.ts'
import { features } from '../features.ts'
import { createFirstUrls, isOfDevServer } from '../first-urls.ts'
import { handleRequest } from '../handle-request.ts'
import { createLimits } from '../limits.ts'
import type { Reply } from '../reply.ts'
import { createReporter } from '../report.ts'
import { askWebBackend } from './ask-web-backend.ts'
import type * as WebSockets from './web-sockets.ts'
import type { Accept } from './web-sockets.ts'

/** Facts of a request that a `Request` does not have. */
export interface RequestSender {
  /** IP address of the client. Without one, the inspector writes no files: the client may be another machine. */
  remoteAddress?: string | undefined
}

/** `undefined` leaves the request to the caller, its body unread. */
export type AnswerRequest = (
  request: Request,
  given?: RequestSender & { accept?: Accept },
) => Promise<Response | undefined>

export interface WebHost {
  /** A path as `canonicalBase` returns it: routes answer with it and without it. */
  hostBase?: string
  /** Default: the headers of the request. */
  headersOf?: (request: Request) => Promise<Record<string, string>>
  /** Sets cookies in runtimes where the header `set-cookie` has no effect. */
  setCookies?: (headers: readonly string[], request: Request) => Promise<void>
  /** Module that opens WebSockets, loaded with the first one. Default: upgrades are not answered. */
  sockets?: () => Promise<typeof WebSockets>
  /** Module that checks requests against a GraphQL schema. Bundlers look for graphql-js where it is imported. Default: no checks. */
  checker?: () => Promise<typeof CreateChecker>
  /** Sees what a page shows: each decision, and its answer. */
  features?: readonly Feature[]
  /** Whether a route that was probably meant is told. Default `false`. */
  tellsSimilar?: boolean
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
  const hooks = noHooks()
  for (const feature of [...features, pageCookie, ...(host.features ?? [])]) addHooks(hooks, feature)
  const isFirst = createFirstUrls()
  const served = { hub, sharedStreams: new SharedStreams(hub), hooks, report }

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
    const accept = given?.accept ?? sockets?.acceptOf(request)
    const findAgain = () => findSocket(rules, routes.table, url, source)
    const socket = sockets && accept ? findAgain() : undefined
    const found = socket ?? findRequest(rules, table, method, url, source)
    if (!found) {
      scenarioNotices(rules, table, method, url, source).forEach(report)
      const isCompared = host.tellsSimilar && !isOfDevServer(url) && isFirst(method, url)
      const similar = isCompared && describeUnanswered(table, method, url, bases)
      if (similar) report(similar)
      return undefined
    }
    const reply = webReply(request, url, source.headers, options, host, report)
    if (!socket) return handleRequest(found, rules, reply, served)
    const context = { findAgain, rulesOfUpgrade: () => rules, report, hub }
    return handleRequest(found, rules, sockets!.socketReply(reply, accept!, context), served)
  }
}

/** A page that is opened with `?mock-scenario=…` keeps the scenario. */
const pageCookie: Feature = {
  headers({ found, raw, rules, report }) {
    const visit = pageVisit(rules, found.table, raw.method, raw.url, raw)
    visit?.notices.forEach(report)
    return visit ? ['set-cookie', visit.cookie] : []
  },
}

function isUpgrade({ method, headers }: Request): boolean {
  return method === 'GET' && headers.get('upgrade')?.toLowerCase() === 'websocket'
}

type WebReply = Reply<Promise<Response | undefined>>

function webReply(
  request: Request,
  url: string,
  headers: Record<string, string>,
  { bodyLimit, unmatched, record }: ResolvedMiddlewareOptions,
  host: WebHost,
  report: Report,
): WebReply {
  const { method, signal } = request
  const { host: sentTo, protocol } = new URL(request.url)
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
    pass: () => Promise.resolve(undefined),
    leave: () => Promise.resolve(new Response(null, { status: 400 })),
    async send({ response, wait: delay }, added) {
      const { fault } = response
      await passTime(fault === 'silent' ? Infinity : delay)
      if (host.brokenConnection && (fault === 'reset' || fault === 'empty')) return host.brokenConnection()
      if (isOfConnection(fault)) report(diagnoseRequest('fault-not-exact', {}, { fault }))
      return toResponse(method, response, await headersFor(response, added))
    },
    async stream({ response, wait: delay }, added, open) {
      await passTime(delay)
      const sent = await headersFor(response, added)
      if (method === 'HEAD') return toResponse(method, response, sent)
      const { chunks, close } = open()
      signal.addEventListener('abort', close)
      return new Response(streamBody(chunks, close), { status: response.status, headers: sent })
    },
  }

  function passTime(milliseconds: number): Promise<void> | undefined {
    return milliseconds > 0 ? wait(milliseconds, signal) : undefined
  }

  async function headersFor(response: PreparedResponse, added: readonly string[]): Promise<Headers> {
    const sent = new Headers()
    for (const list of [added, response.headers])
      for (let i = 0; i < list.length; i += 2) sent.append(list[i]!, list[i + 1]!)
    if (host.setCookies) await host.setCookies(sent.getSetCookie(), request)
    return sent
  }
}

/** Whether a route may answer, now or in another scenario. Synchronous, for hosts that must decide at once. */
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
    matchSharedStream(table, method, target, bases) ??
    matchSocketIo(table, target, bases),
  )
}

function webBases({ base }: ResolvedOptions, { hostBase = '' }: WebHost): string[] {
  return hostBase === '' ? [base] : [`${hostBase}${base}`, base]
}

function toResponse(method: string, response: PreparedResponse, headers: Headers): Response {
  const { body, fault } = response
  // No `Response` can open a WebSocket.
  const status = response.status === 101 ? 500 : response.status
  if (fault !== undefined) return new Response(faultyBody(method, response), { status, headers })
  // An empty string would add a content type, and a status such as 204 allows no body at all.
  const sent = method === 'HEAD' || body.length === 0 ? null : (body as BodyInit)
  return new Response(sent, { status, headers })
}

/** The request target: a whole URL only for an origin that routes have. */
function targetOf(url: string, table: RouteTable): string {
  const hash = url.indexOf('#')
  const path = url.indexOf('/', url.indexOf('://') + 3)
  const start = originsOf(table, url).length > 0 ? 0 : path
  return url.slice(start, hash === -1 ? undefined : hash)
}
