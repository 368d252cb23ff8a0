import type { Verdict } from '../../core/answer/exchange.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { createLaterPart } from '../../core/answer/later-part.ts'
import { findTarget, pageVisit, passedNotices, receive } from '../../core/answer/receive.ts'
import { receiveRules } from '../../core/answer/receive-rules.ts'
import type { ResolvedMiddlewareOptions, ResolvedOptions } from '../../core/options/options.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import type { MockState } from '../../core/state/mock-state.ts'
import { matchEndpoint, matchInScenarios } from '../../core/table/match.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { createLimits } from '../limits.ts'
import { createReporter } from '../report.ts'
import { askWebBackend } from './ask-web-backend.ts'
import { readWebBody } from '../../wire/web/read-web-body.ts'
import { faultyBody, isOfConnection, wait } from '../../wire/web/web-fault.ts'

/** Answers a request, or resolves to `undefined` and leaves it to the caller, its body unread. */
export type AnswerRequest = (request: Request) => Promise<Response | undefined>

/** What a runtime knows or does that its requests and responses do not show. */
export interface WebHost {
  /** Path below which it serves everything, as `canonicalBase` returns it: routes answer with it and without it. */
  hostBase?: string
  /** The headers of a request. Default: those that the request shows. */
  headersOf?: (request: Request) => Promise<Record<string, string>>
  /** Sets the cookies of an answer, for runtimes where the header `set-cookie` has no effect. */
  setCookies?: (headers: readonly string[], request: Request) => Promise<void>
  /** The answer to a request whose connection breaks before the head. Default: an answer whose body fails. */
  brokenConnection?: () => Response
}

/**
 * Makes the function that answers requests. It uses only web standards, so that it runs wherever these exist.
 *
 * @param routes has the current route table, which may be replaced at any time
 * @param state scenarios, and the counts of sequences and rate limits
 */
export function createWebHandler(
  routes: { readonly table: RouteTable },
  options: ResolvedMiddlewareOptions,
  state: MockState,
  host: WebHost = {},
): AnswerRequest {
  const { bodyLimit, unmatched, functionTimeout, origins } = options
  const graphql = createLaterPart(() => import('../../core/answer/handle-graphql.ts'))
  const overlays = createLaterPart(() => import('../../core/answer/apply-overlay.ts'))
  const explanations = createLaterPart(() => import('../../core/answer/explanations.ts'))
  const running = { limits: createLimits(functionTimeout, state), state, graphql, overlays, explanations }
  const bases = webBases(options, host)
  const rules = receiveRules(options, running, { bases, origins, graphiql: false, hasPages: false })
  const report = createReporter(options)

  return async function mockApiHandler(request) {
    const { method } = request
    const { table } = routes
    const url = targetOf(request.url)
    let copied = host.headersOf ? await host.headersOf(request) : undefined
    const source = {
      /** Copied only when they are needed. */
      get headers() {
        return (copied ??= Object.fromEntries(request.headers))
      },
    }
    const target = findTarget(rules, table, method, url, source)
    if (!target) {
      passedNotices(rules, table, method, url, source).forEach(report)
      return undefined
    }
    const visit = pageVisit(rules, table, method, url, source)
    const { host: sentTo, protocol } = new URL(request.url)
    const isSecure = protocol === 'https:'
    const exchange = receive(rules, target, {
      method,
      url,
      headers: source.headers,
      host: sentTo,
      isSecure,
    })
    for (const notice of [...(visit?.notices ?? []), ...exchange.notices]) report(notice)
    const body = exchange.needsBody
      ? await readWebBody(request, source.headers, bodyLimit, unmatched === 'passthrough')
      : undefined
    if (body?.kind === 'aborted') return new Response(null, { status: 400 }) // the client has disconnected
    let verdict = await exchange.decide(body)
    if (verdict.kind === 'backend') {
      const sent = verdict.body ?? (body?.kind === 'complete' ? body.bytes : undefined)
      verdict = await verdict.finish(await askWebBackend(request, sent, options.record))
    }
    if (verdict.kind === 'graphiql' || verdict.kind === 'backend') return undefined
    if (verdict.diagnostic) report(verdict.diagnostic)
    if (verdict.kind === 'pass') return undefined
    const delay = verdict.response.fault === 'silent' ? Infinity : verdict.wait
    if (delay > 0) await wait(delay, request.signal)
    const { fault } = verdict.response
    if (host.brokenConnection && (fault === 'reset' || fault === 'empty')) return host.brokenConnection()
    if (isOfConnection(fault)) report(diagnoseRequest('fault-not-exact', {}, { fault }))
    const headers = headersOf(verdict, visit?.cookie)
    if (host.setCookies) await host.setCookies(headers.getSetCookie(), request)
    return toResponse(method, verdict.response, headers)
  }
}

/**
 * Whether a route may answer a request, now or in another scenario. Synchronous, for hosts that must decide at once whether
 * they take it.
 */
export function mayAnswer(
  table: RouteTable,
  options: ResolvedOptions,
  host: WebHost,
  { method, url }: Pick<Request, 'method' | 'url'>,
): boolean {
  const bases = webBases(options, host)
  const target = targetOf(url)
  return Boolean(
    matchEndpoint(table, method, target, bases) ?? matchInScenarios(table, method, target, bases),
  )
}

function webBases({ base }: ResolvedOptions, { hostBase = '' }: WebHost): string[] {
  return hostBase === '' ? [base] : [`${hostBase}${base}`, base]
}

function headersOf(
  { response, corsHeaders }: Extract<Verdict, { kind: 'respond' }>,
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

/** Path and query of an absolute URL, as in an HTTP request. */
function targetOf(url: string): string {
  const hash = url.indexOf('#')
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return url.slice(path, hash === -1 ? undefined : hash)
}
