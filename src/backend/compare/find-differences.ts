import { isDeepStrictEqual } from 'node:util'
import { bodiesOf } from '../../core/answer/known-bodies.ts'
import type { Route } from '../../core/fixture/route.ts'
import { compareShapes, type Difference } from '../../core/shape/compare-shapes.ts'
import { mergeShapes, shapeOf, type Shape } from '../../core/shape/shape.ts'
import { addTo, groupBy } from '../../core/values/collections.ts'
import { quote } from '../../core/values/describe-value.ts'
import { isRecord, ownValue, valueAt, type KeyPath } from '../../core/values/values.ts'
import { prepareResponse } from '../../core/response/prepare-response.ts'
import { diagnoseAgainst } from './against-texts.ts'
import type { AskedRoute } from './ask-backend-routes.ts'
import { editsFor, keysAt, type KeyEdit, type KnownBody } from './key-edits.ts'
import type { PlannedRequest } from './plan-requests.ts'
import { valueOf, type RealAnswer } from './polite-client.ts'
import { relationOf, withRelated, type Relation } from './related-shapes.ts'

type AgainstDiagnostic = ReturnType<typeof diagnoseAgainst>

/** A difference, at a key of a route. Its place in a file is found by who shows it. */
export interface FoundDifference extends AgainstDiagnostic {
  route: Route
  keys: KeyPath
  /** Requests that show it: `GET /users/1`. */
  sent: readonly string[]
  /** Endpoints where it shows, too. */
  alsoIn: readonly string[]
  /** How fixtures become like the answers. */
  edits: readonly KeyEdit[]
  /** Whether nothing of it is left after the edits. */
  isCertain: boolean
}

export interface RealityReport {
  differences: FoundDifference[]
  /** Routes whose status, or whole answer, was compared. */
  compared: ReadonlySet<Route>
  /** How many places say nothing, by the reason. */
  unknown: Readonly<Record<string, number>>
}

/** A difference as a list of accepted ones names it. */
export interface NamedDifference {
  /** The key in the message, if it is about one. */
  key?: string
  code: string
  /** The endpoint: `GET /users/:id`. */
  endpoint: string
}

interface Found extends AgainstDiagnostic {
  key?: string
  endpoint: string
  route: Route
  keys: KeyPath
  sent: string[]
  /** Text that is the same wherever one cause shows. */
  cause: string
  edits?: readonly KeyEdit[]
}

/** Compares what a backend has answered with all fixtures of the same endpoint, operation and status. */
export function findDifferences(
  asked: readonly AskedRoute[],
  routes: readonly Route[],
  isAccepted: (difference: NamedDifference) => boolean = () => false,
): RealityReport {
  const found: Found[] = []
  const unknown: Record<string, number> = {}
  const compared = new Set<Route>()
  const alike: AskedRoute[] = []
  const hasSignIn = asked.filter(({ needsSignIn }) => needsSignIn).length > 1
  for (const one of asked) {
    compared.add(one.planned.route)
    const differences = headDifferences(one, hasSignIn)
    found.push(...differences)
    if (differences.every(({ code }) => code === 'against-header-gone' || code === 'against-needs-sign-in'))
      alike.push(one)
  }
  found.push(...ignoredParameters(alike))
  const known = fixturesByGroup(routes, asked)
  for (const [key, group] of groupBy(alike, ({ planned }) => groupOf(planned, planned.status))) {
    const fixtures = known.get(key) ?? []
    const values = group.flatMap(({ answer }) => valueOf(answer) ?? [])
    if (group.some(({ answer }) => answer.body === 'too long')) unknown['long'] = (unknown['long'] ?? 0) + 1
    if (fixtures.length === 0 || values.length === 0) continue
    const { planned } = group[0]!
    let ours = shapeOfFixtures(fixtures)
    for (const [relation, related] of relatedFixtures(planned, known))
      ours = withRelated(ours, shapeOfFixtures(related), relation)
    const theirs = mergeShapes(values.map(({ value }) => shapeOf(value)))
    const comparison = compareShapes(ours, theirs)
    for (const { why } of comparison.unknown) unknown[why] = (unknown[why] ?? 0) + 1
    found.push(
      ...comparison.differences.map((one) =>
        describe(
          one,
          fixtures,
          group,
          values.map(({ value }) => value),
        ),
      ),
    )
  }
  const gone = new Set(
    found.filter(({ code }) => code === 'against-endpoint-gone').map((one) => one.endpoint),
  )
  const shown = found.filter(({ code, endpoint }) => code === 'against-endpoint-gone' || !gone.has(endpoint))
  return { differences: oneForEachCause(shown.filter((one) => !isAccepted(one))), compared, unknown }
}

function relatedFixtures(
  { method, path, operation, status }: PlannedRequest,
  known: ReadonlyMap<string, KnownBody[]>,
): [Relation, KnownBody[]][] {
  if (operation !== undefined) return []
  return [...known].flatMap(([key, bodies]): [Relation, KnownBody[]][] => {
    const [otherMethod, otherPath, , otherStatus] = JSON.parse(key) as [string, string, unknown, number]
    const relation = relationOf(path, otherPath)
    return relation && otherMethod === method && otherStatus === status ? [[relation, bodies]] : []
  })
}

function shapeOfFixtures(fixtures: readonly KnownBody[]): Shape {
  return mergeShapes(fixtures.map(({ body }) => shapeOf(body.value, body.isOpen)))
}

function groupOf({ method, path, operation }: PlannedRequest, status: number): string {
  return JSON.stringify([method, path, operation, status])
}

/** Bodies of all fixtures, also of scenarios, by the endpoint that was asked and the status. */
function fixturesByGroup(routes: readonly Route[], asked: readonly AskedRoute[]): Map<string, KnownBody[]> {
  const groups = new Map<string, KnownBody[]>()
  const plans = new Map(asked.map(({ planned }) => [planned.route, planned]))
  for (const route of routes) {
    if (route.isInvalid) continue
    const own = plans.get(route)
    const planned = own ?? asked.find(({ planned: one }) => isSameEndpoint(route, one))?.planned
    if (planned)
      for (const body of bodiesOf(route)) addTo(groups, groupOf(planned, body.status), { route, body })
  }
  return groups
}

function isSameEndpoint(route: Route, { path, method, operation }: PlannedRequest): boolean {
  if (route.path !== path || !(route.method ?? [method]).some((one) => one === method || one === '*'))
    return false
  if (operation === undefined) return true
  const wanted = route.selector?.equalities.find(({ field }) => field.source === 'operationName')
  return wanted?.value === operation
}

/** Differences in front of the body. With some, the body is another one, and is not compared. */
function headDifferences(
  { planned, sent, answer, needsSignIn, isGuess }: AskedRoute,
  hasSignIn: boolean,
): Found[] {
  const endpoint = endpointOf(planned)
  const { route, status, operation } = planned
  const at = (keys: KeyPath, made: AgainstDiagnostic, cause = made.message): Found => ({
    ...made,
    ...{ route, keys, sent: [sent], endpoint, cause: `${made.code} ${cause}` },
  })
  const found: Found[] = []
  if (needsSignIn)
    found.push(at([], diagnoseAgainst('against-needs-sign-in', {}, { endpoint, hasSignIn }), ''))
  const key = ['response', 'status']
  if (operation !== undefined) return [...found, ...graphqlDifferences(planned, answer, at)]
  if (answer.status !== status) {
    // A 404 in JSON is about the id. A framework's own page or text knows no such path.
    const isGone = answer.status === 405 || (answer.status === 404 && !(isGuess && valueOf(answer)))
    const allow = answer.headers.get('allow')
    if (isGone && status < 400)
      found.push(
        at(
          ['path'],
          diagnoseAgainst('against-endpoint-gone', {}, { endpoint, status: answer.status, allow }),
        ),
      )
    else
      found.push(
        at(
          key,
          diagnoseAgainst(
            'against-status',
            {},
            { endpoint, ours: status, theirs: answer.status, isBare: isBare(planned) },
          ),
        ),
      )
    return found
  }
  const own = ownHeaders(route).get('content-type')?.split(';', 1)[0]!.trim().toLowerCase()
  const real = contentOf(answer)
  if (own !== undefined && planned.bodies.length > 0 && real !== undefined && own !== real) {
    found.push(
      at(['response'], diagnoseAgainst('against-content-type', {}, { endpoint, ours: own, theirs: real })),
    )
    if (own.includes('json') !== (valueOf(answer) !== undefined)) return found
  }
  for (const name of planned.headerNames.filter((one) => !unimportant.test(one) && !answer.headers.has(one)))
    found.push(at(['response', 'headers'], diagnoseAgainst('against-header-gone', {}, { name })))
  return found
}

/** Whether the fixture does not say which parameters the application sends. */
function isBare({ route, query, body, status }: PlannedRequest): boolean {
  return status < 400 && query.length === 0 && body === undefined && !route.selector
}

/** The type of the content, or what is wrong with it; `undefined` where the fixture may say anything. */
function contentOf({ headers, body }: RealAnswer): string | undefined {
  if (body === 'no body' || body === 'broken JSON') return body
  const type = headers.get('content-type')?.split(';', 1)[0]!.trim().toLowerCase()
  return type ?? (body === 'no JSON' ? body : undefined)
}

/** Headers that a fixture sets for itself, or that belong to a connection or a moment. */
const unimportant =
  /^(?:content-(?:type|length|encoding)|date|etag|connection|keep-alive|transfer-encoding|vary|set-cookie|last-modified|age|server)$/

function ownHeaders({ response, sequence, textType }: Route): ReadonlyMap<string, string> {
  const first = sequence?.parts[0]?.response ?? response
  if (typeof first === 'function') return new Map()
  const { headers } = prepareResponse(first, undefined, textType)
  return new Map(
    headers.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1]!] as const] : [],
    ),
  )
}

type At = (keys: KeyPath, made: AgainstDiagnostic, cause?: string) => Found

function graphqlDifferences({ operation, bodies }: PlannedRequest, answer: RealAnswer, at: At): Found[] {
  const name = operation === '' ? 'anonymous' : operation!
  const value = valueOf(answer)?.value
  const errors = ownValue(value, 'errors')
  const data = ownValue(value, 'data')
  if (!isRecord(value) || (Array.isArray(errors) && !isRecord(data))) {
    const [first] = Array.isArray(errors) ? (errors as unknown[]) : []
    const message = ownValue(first, 'message')
    const reason = typeof message === 'string' ? message : `the backend answers ${answer.status}.`
    const isResult = bodies.some((body) => isRecord(ownValue(body.value, 'data')))
    return isResult
      ? [at([], diagnoseAgainst('against-operation-refused', {}, { operation: name, reason }))]
      : []
  }
  const hasErrors = bodies.some((body) => Array.isArray(ownValue(body.value, 'errors')))
  if (!Array.isArray(errors) || hasErrors) return []
  const paths = errors.flatMap((one) => {
    const path = ownValue(one, 'path')
    return Array.isArray(path)
      ? [path.map((key: unknown) => (typeof key === 'number' ? '*' : key)).join('.')]
      : []
  })
  const places = paths.length > 0 ? ` at ${[...new Set(paths)].map(quote).join(', ')}` : ''
  return [at([], diagnoseAgainst('against-graphql-error', {}, { operation: name, paths: places }))]
}

/** Two routes that only one parameter tells apart have other answers. The backend gives the same to both. */
function ignoredParameters(asked: readonly AskedRoute[]): Found[] {
  const found: Found[] = []
  for (const group of groupBy(asked, ({ planned }) => groupOf(planned, planned.status)).values()) {
    const seen = new Set<string>()
    for (const [index, one] of group.entries())
      for (const other of group.slice(0, index)) {
        const name = onlyParameter(other, one)
        if (name === undefined || seen.has(name)) continue
        const [first, second] = [other, one].map(({ answer }) => valueOf(answer)?.value)
        if (isEmpty(first) || !isDeepStrictEqual(first, second) || sameFixture(other, one)) continue
        seen.add(name)
        const values = [other, one].map(({ planned }) => valueFor(planned, name)).join(' and ')
        found.push({
          ...diagnoseAgainst('against-parameter-ignored', {}, { name, values }),
          ...{
            route: one.planned.route,
            keys: one.planned.route.paging ? ['paginate'] : ['when', 'query', name],
          },
          ...{
            sent: [other.sent, one.sent],
            endpoint: endpointOf(one.planned),
            cause: `against-parameter-ignored ${name}`,
          },
        })
      }
  }
  return found
}

function onlyParameter({ planned: a }: AskedRoute, { planned: b }: AskedRoute): string | undefined {
  if (!isDeepStrictEqual([a.params, a.headers, a.body], [b.params, b.headers, b.body])) return undefined
  const names = [...new Set([...a.query, ...b.query].map(([name]) => name))]
  const differing = names.filter((name) => valueFor(a, name) !== valueFor(b, name))
  return differing.length === 1 ? differing[0] : undefined
}

function valueFor({ query }: PlannedRequest, name: string): string {
  const values = query.filter(([own]) => own === name).map(([, value]) => value)
  return values.length === 0 ? 'none' : quote(values.join(','))
}

function sameFixture({ planned: a }: AskedRoute, { planned: b }: AskedRoute): boolean {
  return (
    a.route !== b.route &&
    isDeepStrictEqual(
      a.bodies.map(({ value }) => value),
      b.bodies.map(({ value }) => value),
    )
  )
}

/** An answer without items, which is the same for every page. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return (
    value === undefined ||
    (isRecord(value) && Object.values(value).some((one) => Array.isArray(one) && one.length === 0))
  )
}

/** The message, and the key of the fixture that it is about. */
function describe(
  difference: Difference,
  fixtures: readonly KnownBody[],
  group: readonly AskedRoute[],
  answers: readonly unknown[],
): Found {
  const { path, kind, ...details } = difference
  const isNew = kind === 'key-new'
  const { route, keys } = placeOf(isNew ? path.slice(0, -1) : path, fixtures)
  const start = path.findLastIndex((key, index) => typeof key === 'number' && index < path.length - 1) + 1
  const key = path
    .slice(start)
    .map((one) => (typeof one === 'number' ? '*' : one))
    .join('.')
  const made = diagnoseAgainst(`against-${kind}`, {}, { key, ...details })
  return {
    ...made,
    ...{ route, keys, sent: group.map(({ sent }) => sent), endpoint: endpointOf(group[0]!.planned) },
    ...{ key, edits: editsFor(difference, fixtures, answers) },
    // An error format that has changed everywhere is one cause in each file.
    cause: group[0]!.planned.status < 400 ? `${made.code} ${made.message}` : `errors of ${route.source.file}`,
  }
}

/** The first fixture that has the path; else the one that has most of it. */
function placeOf(path: KeyPath, fixtures: readonly KnownBody[]): { route: Route; keys: KeyPath } {
  const [first] = fixtures
  let best = { route: first!.route, keys: first!.body.keyOf([]), length: -1 }
  for (const { route, body } of fixtures) {
    const concrete = longestWay(body.value, path)
    if (concrete.length > best.length) best = { route, keys: body.keyOf(concrete), length: concrete.length }
    if (best.length === path.length) break
  }
  return best
}

/** The keys of a path in a value, with the number of an item, or the key of a map, that has the most of it. */
function longestWay(value: unknown, [key, ...rest]: KeyPath): KeyPath {
  let best: KeyPath = []
  for (const one of key === undefined ? [] : keysAt(value, key)) {
    const way = [one, ...longestWay(valueAt(value, [one]), rest)]
    if (way.length > best.length) best = way
    if (best.length > rest.length) break
  }
  return best
}

/** An API that has renamed a field has done so in all its answers. */
function oneForEachCause(found: readonly Found[]): FoundDifference[] {
  return [...groupBy(found, ({ cause }) => cause).values()].map((all) => {
    const group = all.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
    const { route, keys, endpoint, code, severity, message, fix } = group[0]!
    const endpoints = new Set(group.map((one) => one.endpoint))
    endpoints.delete(endpoint)
    const sent = group.filter((one) => one.endpoint === endpoint).flatMap((one) => one.sent)
    const edits = group.flatMap((one) => one.edits ?? [])
    const isCertain = group.every((one) => one.edits && one.edits.length > 0)
    const asked = { sent: [...new Set(sent)], alsoIn: [...endpoints] }
    return { code, severity, message, fix, route, keys, ...asked, edits, isCertain }
  })
}

export function endpointOf({ method, path, operation }: PlannedRequest): string {
  return operation ? `the operation ${operation}` : `${method} ${path}`
}
