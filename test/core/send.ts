import { loadGraphQL } from '../../src/core/graphql/later.ts'
import { loadPatterns } from '../../src/core/select/pattern.ts'
import { describeUnmet, findUnmet, type FailedCondition } from '../../src/core/select/failed-conditions.ts'
import type { Selector } from '../../src/core/select/selector.ts'
import type { RouteTable } from '../../src/core/table/route-table.ts'
import { defaultGraphQL, type GraphQLSettings } from '../../src/core/graphql/settings.ts'
import type { Diagnostic } from '../../src/core/diagnostics/diagnostic.ts'
import type { Asked, BackendAnswer, Decision } from '../../src/core/answer/decision.ts'
import { findRequest } from '../../src/core/answer/receive.ts'
import { addHooks, noHooks } from '../../src/server/feature.ts'
import { features } from '../../src/server/features.ts'
import { handleRequest } from '../../src/server/handle-request.ts'
import type { Reply } from '../../src/server/reply.ts'
import { decide } from '../../src/core/answer/decide.ts'
import { noLimits, type Rules } from '../../src/core/answer/rules.ts'
import type { ReceivedBody } from '../../src/core/http/body.ts'
import { MockState } from '../../src/core/state/mock-state.ts'
import { matchEndpoint } from '../../src/core/table/match.ts'
import type { FixtureFile, Route } from '../../src/core/fixture/route.ts'
import { ParsedRequest } from '../../src/core/request/parsed-request.ts'
import {
  bodyAsText,
  prepareResponse,
  type PreparedResponse,
} from '../../src/core/response/prepare-response.ts'
import type { Delay, Fault } from '../../src/core/schema/fault-schema.ts'
import type { Fixture, Navigation } from '../../src/core/schema/schema.ts'
import { parseFixture } from '../../src/core/fixture/parse-fixture.ts'
import { createHub } from '../../src/server/live/hub.ts'
import { SharedStreams } from '../../src/server/live/shared-streams.ts'
import type { RawRequest } from '../../src/core/http/raw-request.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'

await Promise.all([loadPatterns(), loadGraphQL()])

export const file: FixtureFile = {
  file: 'fixtures/a.ts',
  locate: () => ({ line: 1, column: 1 }),
  wasFixture: true,
}

type RawParts = Partial<Omit<RawRequest, 'body'>> & { body?: string | Uint8Array | undefined }

/** A request as a host hands it over. */
export function rawRequest({ body, ...parts }: RawParts = {}): RawRequest {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const { path = '/', search = '' } = parts
  const url = `${path}${search && `?${search}`}`
  return { method: 'GET', path, search, url, headers: {}, ...parts, body: bytes }
}

/** A parsed request, for what looks at requests but does not parse them. */
export function parsedRequest(
  parts: RawParts = {},
  body?: unknown,
  params: Record<string, string> = {},
): ParsedRequest {
  return new ParsedRequest(rawRequest(parts), params, body)
}

/** The conditions of a selector that a request does not meet, in words. */
export function failedConditions(selector: Selector, request: ParsedRequest): FailedCondition[] {
  return findUnmet(selector, request).map(describeUnmet)
}

/** The routes of a fixture that is meant to be right. */
export function routesOf(fixture: unknown): Route[] {
  const { routes, diagnostics } = parseFixture(fixture, file)
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics))
  return routes
}

export function tableOf(
  fixture: Fixture,
  graphql: Partial<GraphQLSettings> = {},
  navigation?: Navigation,
): RouteTable {
  const { table, diagnostics } = compileRoutes(routesOf(fixture), {
    graphql: { ...defaultGraphQL, ...graphql },
    navigation,
  })
  const unexpected = diagnostics.filter(({ code }) => code !== 'selector-body-of-get')
  if (unexpected.length > 0) throw new Error(JSON.stringify(unexpected))
  return table
}

export interface Sent {
  by: Decision['by']
  /** Whether it is answered by a route or by the package itself, or only explained or passed on since no route answers. */
  kind: 'answered' | 'unmatched' | 'passthrough'
  status: number
  headers: Record<string, string>
  /** The JSON value where the body is JSON, else its text. */
  body: unknown
  delay: Delay
  fault?: Fault | undefined
  diagnostic: Diagnostic | undefined
}

/** The rules of a host without pages and origins of its own. */
export const rulesOf = (given: Partial<Rules> = {}): Rules => ({
  bases: [''],
  origins: undefined,
  unmatched: 'error',
  navigation: 'answer',
  hasPages: false,
  routeHeader: true,
  graphiql: false,
  seed: '0',
  limits: noLimits,
  state: new MockState(),
  ...given,
})

/** What a host without a backend hands over. */
export const askedOf = (
  match: Asked['match'],
  raw: RawRequest,
  rules: Partial<Rules> = {},
  askBackend: Asked['askBackend'] = () => Promise.reject(new Error('there is no backend')),
  table: Asked['table'] = { endpoints: [match.endpoint], collections: new Map() },
): Asked => ({
  match,
  table,
  raw,
  rules: rulesOf(rules),
  askBackend,
  waitFor: (work) => work,
})

interface SendOptions extends Partial<Rules> {
  body?: string | Uint8Array | undefined
  headers?: RawRequest['headers']
  /** Why its body can't be read. */
  unreadable?: ReceivedBody
  /** The answer of the backend, which gets the body that is sent to it. */
  backend?: (sent: string) => BackendAnswer
}

/** The decision about one request through the whole core: match, select, respond. `undefined` when no route has its path. */
export async function decideAbout(
  table: RouteTable,
  target: string,
  { body, headers = {}, unreadable, backend, ...given }: SendOptions = {},
): Promise<Decision | undefined> {
  const [method, url] = target.split(' ') as [string, string]
  const rules = rulesOf(given)
  const match = matchEndpoint(table, method, url, rules.bases, rules.state, { headers })
  if (!match) return undefined
  const { path, search, params } = match
  const { body: bytes } = rawRequest({ body })
  const raw = rawRequest({ method, path, search, url, headers, params })
  const askBackend = (sent: Uint8Array | undefined) =>
    backend
      ? Promise.resolve(backend(new TextDecoder().decode(sent ?? bytes)))
      : Promise.reject(new Error('there is no backend'))
  return decide(askedOf(match, raw, rules, askBackend, table), unreadable ?? { kind: 'complete', bytes })
}

/** One request through the whole core, as it is answered. */
export async function send(table: RouteTable, target: string, options?: SendOptions): Promise<Sent> {
  return read(await decideAbout(table, target, options))
}

/** One request as a host handles it, from its head on. */
export async function receiveAndDecide(
  rules: Rules,
  table: RouteTable,
  target: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: ReceivedBody } = {},
) {
  const [method, url] = target.split(' ') as [string, string]
  const found = findRequest(rules, table, method, url, { headers })
  const notices: Diagnostic[] = []
  const report = (notice: Diagnostic) => void notices.push(notice)
  const hub = createHub(report)
  const hooks = noHooks()
  for (const feature of features) addHooks(hooks, feature)
  let hasReadBody = false
  const reply: Reply<{ kind: string; decision?: Decision; corsHeaders?: readonly string[] }> = {
    method,
    url,
    headers,
    connection: { isSecure: false },
    readBody: () => {
      hasReadBody = true
      return Promise.resolve(body)
    },
    askBackend: () => Promise.reject(new Error('there is no backend')),
    waitFor: (work) => work,
    send: (decision, corsHeaders) => ({ kind: 'respond', decision, corsHeaders }),
    stream: (decision, corsHeaders) => ({ kind: 'respond', decision, corsHeaders }),
    graphiql: () => prepareResponse({ status: 200 }),
    pass: (decision) => ({ kind: 'pass', decision }),
    leave: () => ({ kind: 'left' }),
  }
  const result = found
    ? await handleRequest(found, rules, reply, { hub, sharedStreams: new SharedStreams(hub), hooks, report })
    : { kind: 'not ours' }
  return { decision: undefined, corsHeaders: undefined, ...result, notices, hasReadBody }
}

export function read(decision: Decision | undefined): Sent {
  const none = { status: 0, headers: {}, body: undefined, delay: 0 }
  const { by = 'passed-on', diagnostic, response } = decision ?? {}
  const kind = by === 'passed-on' ? 'passthrough' : decision!.explain ? 'unmatched' : 'answered'
  return { by, kind, diagnostic, ...(response ? readResponse(response) : none) }
}

export function readResponse({ status, headers: list, body, delay, fault }: PreparedResponse) {
  const headers: Record<string, string> = {}
  for (let i = 0; i < list.length; i += 2) headers[list[i]!] = list[i + 1]!
  const text = bodyAsText(body)
  const value: unknown = headers['content-type']?.includes('json') && text !== '' ? JSON.parse(text) : text
  return { status, headers, body: value, delay, fault }
}
