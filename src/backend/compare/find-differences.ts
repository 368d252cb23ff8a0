import { bodiesOf } from '../../core/fixture/known-bodies.ts'
import type { Route } from '../../core/fixture/route.ts'
import { compareShapes, type Difference } from '../../core/shape/compare-shapes.ts'
import { mergeShapes, shapeOf, type Shape } from '../../core/shape/shape.ts'
import { addTo, groupBy } from '../../core/values/collections.ts'
import { valueAt, type KeyPath } from '../../core/values/values.ts'
import { diagnoseAgainst } from './against-texts.ts'
import { shapeIn } from './answer-shape.ts'
import type { AskedRoute } from './ask-backend-routes.ts'
import { endpointOf, groupOf, type AgainstDiagnostic, type Found } from './found.ts'
import { headDifferences } from './head-differences.ts'
import { ignoredParameters } from './ignored-parameters.ts'
import { editsFor, keysAt, type KeyEdit, type KnownBody } from './key-edits.ts'
import type { PlannedRequest } from './plan-requests.ts'
import { relationOf, withRelated, type Relation } from './related-shapes.ts'

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
    const shapes = group.flatMap(({ answer }) => shapeIn(answer) ?? [])
    if (group.some(({ answer }) => answer.body === 'too long')) unknown['long'] = (unknown['long'] ?? 0) + 1
    if (fixtures.length === 0 || shapes.length === 0) continue
    const { planned } = group[0]!
    let ours = shapeOfFixtures(fixtures)
    for (const [relation, related] of relatedFixtures(planned, known))
      ours = withRelated(ours, shapeOfFixtures(related), relation)
    const theirs = mergeShapes(shapes)
    const comparison = compareShapes(ours, theirs)
    for (const { why } of comparison.unknown) unknown[why] = (unknown[why] ?? 0) + 1
    found.push(...comparison.differences.map((one) => describe(one, fixtures, group)))
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

/** The message, and the key of the fixture that it is about. */
function describe(
  difference: Difference,
  fixtures: readonly KnownBody[],
  group: readonly AskedRoute[],
): Found {
  const { path, kind, ...details } = difference
  const answers = group.flatMap(({ json }) => (json ? [json.value] : []))
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
