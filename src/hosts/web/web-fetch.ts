import type { Verdict } from '../../core/answer/exchange.ts'
import { findTarget, pageVisit, receive } from '../../core/answer/receive.ts'
import { receiveRules } from '../../core/answer/receive-rules.ts'
import type { ResolvedOptions } from '../../core/options/options.ts'
import type { MockState } from '../../core/state/mock-state.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { createLimits } from '../limits.ts'
import { createReporter } from '../report.ts'
import { readWebBody } from './read-web-body.ts'
import { faultyBody, wait } from './web-fault.ts'

/** Answers a request, or resolves to `undefined` and leaves it to the caller, its body unread. */
export type AnswerRequest = (request: Request) => Promise<Response | undefined>

/**
 * Makes the function that answers requests. It uses only web standards, so that it runs wherever these exist.
 *
 * @param routes has the current route table, which may be replaced at any time
 * @param state scenarios, and the counts of sequences and rate limits
 */
export function createWebHandler(
  routes: { readonly table: RouteTable },
  options: ResolvedOptions,
  state: MockState,
): AnswerRequest {
  const { base, bodyLimit, unmatched, functionTimeout, origins } = options
  const running = { limits: createLimits(functionTimeout, state), state }
  const rules = receiveRules(options, running, { bases: [base], origins, graphiql: false, hasPages: false })
  const report = createReporter(options)

  return async function mockApiHandler(request) {
    const { method } = request
    const { table } = routes
    const url = targetOf(request.url)
    let copied: Record<string, string> | undefined
    const source = {
      /** Copied only when they are needed. */
      get headers() {
        return (copied ??= Object.fromEntries(request.headers))
      },
    }
    const target = findTarget(rules, table, method, url, source)
    if (!target) return undefined
    const visit = pageVisit(rules, table, method, url, source)
    const { headers } = source
    const { host, protocol } = new URL(request.url)
    const exchange = receive(rules, target, { method, url, headers, host, isSecure: protocol === 'https:' })
    for (const notice of [...(visit?.notices ?? []), ...exchange.notices]) report(notice)
    const body = exchange.needsBody
      ? await readWebBody(request, headers, bodyLimit, unmatched === 'passthrough')
      : undefined
    if (body?.kind === 'aborted') return new Response(null, { status: 400 }) // the client has disconnected
    const verdict = await exchange.decide(body)
    if (verdict.kind === 'graphiql') return undefined
    if (verdict.diagnostic) report(verdict.diagnostic)
    if (verdict.kind === 'pass') return undefined
    const delay = verdict.response.fault === 'silent' ? Infinity : verdict.wait
    if (delay > 0) await wait(delay, request.signal)
    return toResponse(method, verdict, visit?.cookie)
  }
}

function toResponse(
  method: string,
  { response, corsHeaders }: Extract<Verdict, { kind: 'respond' }>,
  cookie: string | undefined,
): Response {
  const { status, headers: own, body, fault } = response
  const headers = new Headers()
  for (const list of [corsHeaders, own]) {
    for (let i = 0; i < list.length; i += 2) headers.append(list[i]!, list[i + 1]!)
  }
  if (cookie !== undefined) headers.append('set-cookie', cookie)
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
