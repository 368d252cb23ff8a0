import { bodiesOf, type FixtureBody } from '../../../core/fixture/known-bodies.ts'
import { Kind } from 'graphql/language/kinds.js'
import { parse } from 'graphql/language/parser.js'
import type { Route } from '../../../core/fixture/route.ts'
import { splitOrigin } from '../../../core/http/route-url.ts'
import { isBodiless } from '../../../core/response/prepare-response.ts'
import type { FixtureResponse, ResponseFunction } from '../../../core/schema/schema.ts'
import type { FixtureSelector } from '../../../core/schema/selector-schema.ts'
import { compileSelector } from '../../../core/select/compile-selector.ts'
import type { Field } from '../../../core/select/selector.ts'
import { listSome } from '../../../core/diagnostics/text.ts'
import { attempt } from '../../../core/values/thrown.ts'
import { defined, isRecord, ownValue, setOwn, type Values } from '../../../core/values/values.ts'
import { queryOf } from './query-of.ts'
import { wantedValue } from './wanted-value.ts'

/** Request that a route would answer, and what its fixture says that the answer is. */
export interface PlannedRequest {
  route: Route
  method: string
  /** The path with its parameters: `/users/:id`. */
  path: string
  params: Readonly<Record<string, string>>
  query: readonly (readonly [name: string, value: string])[]
  headers: Readonly<Record<string, string>>
  body?: unknown
  /** `undefined` without GraphQL; empty for an operation without a name. */
  operation?: string
  /** Whether the document of the operation has the fields of the fixture, since nothing else tells them. */
  isMadeUp?: boolean
  /** Whether the backend may change something. */
  isWrite: boolean
  status: number
  /** Names of the headers that the fixture sets, in lower case. */
  headerNames: readonly string[]
  bodies: readonly FixtureBody[]
}

export interface RequestPlan {
  requests: PlannedRequest[]
  /** Routes that nothing is sent for, with the reason. */
  left: { route: Route; why: string }[]
}

export interface PlanSettings {
  graphqlPaths: readonly string[]
  /** The documents of the application, by the names of their operations. */
  documents: ReadonlyMap<string, string>
}

/** One request for each route that a backend could answer alike; of `paginate`, the first, the second and the last page. */
export function planRequests(routes: readonly Route[], settings: PlanSettings): RequestPlan {
  const plan: RequestPlan = { requests: [], left: [] }
  for (const route of routes) {
    const why = reasonToLeave(route)
    if (why !== undefined) {
      plan.left.push({ route, why })
      continue
    }
    const planned = settings.graphqlPaths.includes(route.path)
      ? planOperation(route, settings)
      : planPlain(route)
    if (typeof planned === 'string') plan.left.push({ route, why: planned })
    else plan.requests.push(...planned)
  }
  return plan
}

function reasonToLeave(route: Route): string | undefined {
  const { response, sequence, socket, collection, operation, rateLimit, isInvalid, scenarios, path } = route
  if (route.error) return 'it has an error'
  if (isInvalid) return 'it is invalid on purpose'
  if (scenarios) return 'it belongs to a scenario'
  if (splitOrigin(path).origin !== '') return 'it belongs to another origin'
  if (socket) return 'it is a WebSocket'
  if (collection || operation) return 'it is a collection'
  if (rateLimit) return 'it has a rate limit'
  const parts = sequence?.parts.map((part) => part.response) ?? [response]
  return parts.map(reasonOfResponse).find((why) => why !== undefined)
}

function reasonOfResponse(response: FixtureResponse | ResponseFunction): string | undefined {
  if (typeof response === 'function') return 'a function answers'
  if (response.fault !== undefined) return 'it is broken on purpose'
  if (response.stream !== undefined) return 'it is a stream'
  return response.from === undefined ? undefined : 'the backend answers it'
}

/** Answer of a route, as its fixture says. */
export function expected(route: Route): Pick<PlannedRequest, 'route' | 'status' | 'headerNames' | 'bodies'> {
  const first = (route.sequence?.parts[0]?.response ?? route.response) as FixtureResponse
  return {
    route,
    status: first.status ?? 200,
    headerNames: Object.keys(first.headers ?? {}).map((name) => name.toLowerCase()),
    bodies: isBodiless(first.status ?? 200) ? [] : bodiesOf(route),
  }
}

function planPlain(route: Route): PlannedRequest[] | string {
  const methods = route.method ?? ['GET']
  const method = methods.includes('GET') || methods.includes('*') ? 'GET' : methods[0]!
  const parts = readSelector(route)
  if (typeof parts === 'string') return parts
  const { params, query, headers, body } = parts
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) return `a ${method} has no body to send`
  const request: PlannedRequest = {
    ...expected(route),
    method,
    path: route.path,
    params,
    query,
    headers,
    ...(body !== undefined && { body }),
    isWrite: method !== 'GET' && method !== 'HEAD',
  }
  return route.paging ? pagesOf(request, route.paging) : [request]
}

/** The first, the second and the last page: a backend may answer the last one, or one with a parameter, otherwise. */
function pagesOf(request: PlannedRequest, paging: NonNullable<Route['paging']>): PlannedRequest[] {
  const { style, perPage, parameters, firstPage, items } = paging
  if ((style !== 'page' && style !== 'offset') || !Array.isArray(items)) return [request]
  const name = parameters[style] ?? style
  const last = Math.max(Math.ceil(items.length / perPage) - 1, 0)
  const indexes = [...new Set([0, Math.min(1, last), last])]
  const valueOf = (index: number) => String(style === 'page' ? index + firstPage : index * perPage)
  return indexes.map((index) =>
    index === 0 ? request : { ...request, query: [...request.query, [name, valueOf(index)] as const] },
  )
}

function planOperation(route: Route, { documents }: PlanSettings): PlannedRequest[] | string {
  const parts = readSelector(route)
  if (typeof parts === 'string') return parts
  const { variables, operationName, headers, document } = parts
  const known = operationName === undefined ? undefined : documents.get(operationName)
  const rest = expected(route)
  const [body] = rest.bodies
  const given = document ?? known
  const text = given ?? queryOf(operationName, ownValue(body?.value, 'data'))
  if (text === undefined)
    return 'nothing says which fields its operation has: name the documents with --documents'
  const isSelected = route.selector?.equalities.some(({ field }) => field.source === 'variables')
  if (isSelected && given === undefined)
    return 'nothing says where its variables belong: name the documents with --documents'
  const missing = missingVariables(text, variables)
  if (missing.length > 0) return `nothing says which value ${listSome(missing)} has: write it into "example"`
  if (/^\s*subscription\b/.test(text)) return 'it is a subscription'
  const name = operationName ?? /^\s*(?:query|mutation)\s+(\w+)/.exec(text)?.[1]
  return [
    {
      ...rest,
      method: 'POST',
      path: route.path,
      params: {},
      query: [],
      headers,
      body: defined({ query: text, operationName: name, variables }),
      operation: name ?? '',
      isMadeUp: given === undefined,
      isWrite: /^\s*mutation\b/m.test(text),
    },
  ]
}

/** Variables without which a server refuses the operation. */
function missingVariables(text: string, variables: Readonly<Record<string, unknown>> = {}): string[] {
  const nodes = attempt(() => parse(text))?.definitions ?? []
  return nodes
    .flatMap((node) => ('variableDefinitions' in node ? (node.variableDefinitions ?? []) : []))
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
    .flatMap(({ variable }) =>
      Object.hasOwn(variables, variable.name.value) ? [] : `$${variable.name.value}`,
    )
}

interface SelectedParts {
  params: Record<string, string>
  query: [string, string][]
  headers: Record<string, string>
  body?: unknown
  variables?: Values
  operationName?: string
  document?: string
}

/** A request that the selector selects, as far as it names values. @returns why there is none */
function readSelector({ selector, example }: Route): SelectedParts | string {
  const parts: SelectedParts = { params: {}, query: [], headers: {} }
  const cookies: string[] = []
  const selectors = [
    example && compileSelector(example as FixtureSelector, () => ({ file: '' })).selector,
    selector,
  ]
  const conditions: { field?: Field; written?: unknown }[] = selectors.flatMap((one) => [
    ...(one?.equalities ?? []).map(({ field, value }) => ({ field, written: value })),
    ...(one?.tests ?? []),
  ])
  for (const { field, written } of conditions) {
    if (!field) return 'a function selects its requests'
    const wanted = wantedValue(written)
    if (wanted === 'none') continue
    if (wanted === 'unknown') return `nothing says which value of "${field.id}" it is for`
    const { value } = wanted
    const { source, path } = field
    const [name = ''] = path
    if (source === 'query') {
      const others = parts.query.filter(([own]) => own !== name) // without that of the example
      parts.query = [...others, ...[value].flat().map((one): [string, string] => [name, textOf(one)])]
    } else if (source === 'cookies') cookies.push(`${name}=${encodeURIComponent(textOf(value))}`)
    else if (source === 'body') parts.body = putInto(parts.body, path, value)
    else if (source === 'variables') parts.variables = putInto(parts.variables, path, value) as Values
    else if (source === 'params' || source === 'headers') setOwn(parts[source], name, textOf(value))
    else if (source === 'operationName' || source === 'document') parts[source] = textOf(value)
  }
  if (cookies.length > 0) parts.headers['cookie'] = cookies.join('; ')
  return parts
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function putInto(whole: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const made = isRecord(whole) ? whole : {}
  setOwn(made, key, putInto(made[key], rest, value))
  return made
}
