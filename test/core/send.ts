import { loadPatterns } from '../../src/core/select/pattern.ts'
import type { RouteTable } from '../../src/core/table/route-table.ts'
import { defaultGraphQL, type GraphQLSettings } from '../../src/core/graphql/settings.ts'
import type { Diagnostic } from '../../src/core/diagnostics/diagnostic.ts'
import type { BackendAnswer } from '../../src/core/answer/backend-answer.ts'
import type { Outcome } from '../../src/core/answer/outcome.ts'
import { noLimits } from '../../src/core/answer/limits.ts'
import type { ReceiveRules } from '../../src/core/answer/receive-rules.ts'
import type { Running } from '../../src/core/answer/running.ts'
import { MockState } from '../../src/core/state/mock-state.ts'
import { matchEndpoint } from '../../src/core/table/match.ts'
import type { FixtureFile, Route } from '../../src/core/fixture/route.ts'
import { ParsedRequest } from '../../src/core/request/parsed-request.ts'
import { bodyAsText, type PreparedResponse } from '../../src/core/response/prepare-response.ts'
import type { Delay, Fault } from '../../src/core/schema/fault-schema.ts'
import type { Fixture, Navigation } from '../../src/core/schema/schema.ts'
import { createLaterPart } from '../../src/core/answer/later-part.ts'
import { handle } from '../../src/core/answer/handle.ts'
import { parseFixture } from '../../src/core/fixture/parse-fixture.ts'
import { RawRequest } from '../../src/core/http/raw-request.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'

await loadPatterns()

export const file: FixtureFile = {
  file: 'fixtures/a.ts',
  locate: () => ({ line: 1, column: 1 }),
  wasFixture: true,
}

type RawParts = Partial<Omit<RawRequest, 'body' | 'accepts'>> & { body?: string | Uint8Array | undefined }

/** A request as a host hands it over. */
export function rawRequest({ body, ...parts }: RawParts = {}): RawRequest {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const { path = '/', search = '' } = parts
  const url = `${path}${search && `?${search}`}`
  return new RawRequest({ method: 'GET', path, search, url, headers: {}, ...parts, body: bytes })
}

/** A parsed request, for what looks at requests but does not parse them. */
export function parsedRequest(
  parts: RawParts = {},
  body?: unknown,
  params: Record<string, string> = {},
): ParsedRequest {
  return new ParsedRequest(rawRequest(parts), params, body)
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
  kind: Outcome['kind'] | 'passthrough'
  status: number
  headers: Record<string, string>
  /** The JSON value where the body is JSON, else its text. */
  body: unknown
  delay: Delay
  fault?: Fault | undefined
  diagnostic: Diagnostic | undefined
}

const graphql = createLaterPart(() => import('../../src/core/answer/handle-graphql.ts'))
const explanations = createLaterPart(() => import('../../src/core/answer/explanations.ts'))
const overlays = createLaterPart(() => import('../../src/core/answer/apply-overlay.ts'))
await Promise.all([graphql.load(), explanations.load(), overlays.load()])

/** What a host gives the core. */
export const runningOf = (given: Partial<Running> = {}): Running => ({
  limits: noLimits,
  graphql,
  explanations,
  overlays,
  state: new MockState(),
  ...given,
})

/** The rules of a host without pages and origins of its own. */
export const receiveRulesOf = (given: Partial<ReceiveRules> = {}): ReceiveRules => ({
  bases: [''],
  origins: undefined,
  unmatched: 'error',
  navigation: 'answer',
  hasPages: false,
  routeHeader: true,
  graphiql: false,
  ...runningOf(),
  ...given,
})

interface SendOptions extends Partial<Running> {
  body?: string | Uint8Array | undefined
  headers?: RawRequest['headers']
  bases?: readonly string[]
  /** The answer of the backend, which gets the body that is sent to it. */
  backend?: (sent: string) => BackendAnswer
}

/** One request through the whole core: match, select, respond. */
export async function send(
  table: RouteTable,
  target: string,
  { body, headers = {}, bases = [''], backend, ...running }: SendOptions = {},
): Promise<Sent> {
  const [method, url] = target.split(' ') as [string, string]
  const own = runningOf(running)
  const match = matchEndpoint(table, method, url, bases, own.state, { headers })
  if (!match) return passedOn
  const { path, search } = match
  const outcome = await handle(match, rawRequest({ method, path, search, url, headers, body }), own)
  if (outcome.kind !== 'backend' || !backend) return readLate(outcome)
  const sent = new TextDecoder().decode(outcome.body ?? rawRequest({ body }).body)
  return readLate(await outcome.finish(backend(sent)))
}

const passedOn: Sent = {
  kind: 'passthrough',
  status: 0,
  headers: {},
  body: undefined,
  delay: 0,
  diagnostic: undefined,
}

/** Reads an outcome whose explanation may have to wait: a part that is imported with it, or the answers of a batch. */
export async function readLate(outcome: Outcome): Promise<Sent> {
  if (outcome.kind !== 'unmatched') return read(outcome)
  const explained = await outcome.explain()
  return read({ ...outcome, explain: () => explained })
}

/** Reads an outcome that can be explained at once. */
export function read(outcome: Outcome): Sent {
  if (outcome.kind === 'passthrough') return passedOn
  if (outcome.kind === 'backend') return { ...passedOn, kind: 'backend' }
  const explained = outcome.kind === 'answered' ? outcome : outcome.explain()
  if (explained instanceof Promise) throw new Error('its explanation is not there yet')
  return { kind: outcome.kind, diagnostic: explained.diagnostic, ...readResponse(explained.response) }
}

export function readResponse({ status, headers: list, body, delay, fault }: PreparedResponse) {
  const headers: Record<string, string> = {}
  for (let i = 0; i < list.length; i += 2) headers[list[i]!] = list[i + 1]!
  const text = bodyAsText(body)
  const value: unknown = headers['content-type']?.includes('json') && text !== '' ? JSON.parse(text) : text
  return { status, headers, body: value, delay, fault }
}
