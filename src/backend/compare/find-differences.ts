import { bodiesOf } from '../../core/fixture/known-bodies.ts'
import type { Route } from '../../core/fixture/route.ts'
import { compareShapes } from '../../core/shape/compare-shapes.ts'
import { mergeShapes, shapeOf, type Shape } from '../../core/shape/shape.ts'
import { ownValue } from '../../core/values/values.ts'
import { addTo, groupBy } from '../../core/values/collections.ts'
import { shapeIn } from './answer-shape.ts'
import type { AskedRoute } from './ask/ask-backend-routes.ts'
import { describeDifference, oneForEachCause } from './describe-difference.ts'
import {
  endpointOf,
  groupOf,
  type RouteDifference,
  type FoundDifference,
  type NamedDifference,
} from './found.ts'
import { headDifferences } from './head-differences.ts'
import { ignoredParameters } from './ignored-parameters.ts'
import type { KnownBody } from './key-edits.ts'
import { expected, type PlannedRequest } from './ask/plan-requests.ts'
import { relationOf, withRelated, type PathRelation } from './related-shapes.ts'

export interface RealityReport {
  differences: FoundDifference[]
  /** Routes whose status, or whole answer, was compared. */
  compared: ReadonlySet<Route>
  /** How many places say nothing, by the reason. */
  unknown: Readonly<Record<string, number>>
}

/** Whether a difference says nothing about the body. One kind of JSON is as good as another. */
function isBesideBody({ code, severity }: RouteDifference): boolean {
  const isJson = code === 'against-content-type' && severity === 'warning'
  return isJson || code === 'against-header-gone' || code === 'against-needs-sign-in'
}

/** Compares what a backend has answered with all fixtures of the same endpoint, operation and status. */
export function findDifferences(
  asked: readonly AskedRoute[],
  routes: readonly Route[],
  isAccepted: (difference: NamedDifference) => boolean = () => false,
): RealityReport {
  const found: RouteDifference[] = []
  const unknown: Record<string, number> = {}
  const compared = new Set<Route>()
  const alike: AskedRoute[] = []
  const needSignIn = asked.filter(({ needsSignIn, planned }) => needsSignIn && !has401(planned, routes))
  const answering = new Set(
    asked.flatMap(({ planned, answer }) => (answer.status < 400 ? endpointOf(planned) : [])),
  )
  for (const one of asked) {
    const { planned, answer, isGuess } = one
    // Where others of the endpoint are answered, only the id is not there.
    const isOfMock = answer.status === 404 && planned.status < 400 && answering.has(endpointOf(planned))
    if (isOfMock && (isGuess || !shapeIn(answer))) continue
    compared.add(planned.route)
    const needsSignIn = needSignIn.includes(one)
    const differences = headDifferences({ ...one, needsSignIn }, needSignIn.length > 1)
    found.push(...differences)
    if (differences.every(isBesideBody)) alike.push(one)
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
    const comparison = compareShapes(ours, theirs, (key) => isAsked(key, planned))
    for (const { why } of comparison.unknown) unknown[why] = (unknown[why] ?? 0) + 1
    const where = {
      fixtures,
      endpoint: endpointOf(planned),
      status: planned.status,
      sent: group.map(({ sent }) => sent),
      answers: group.flatMap(({ json }) => (json ? [json.value] : [])),
    }
    found.push(...comparison.differences.map((one) => describeDifference(one, where)))
  }
  const gone = new Set(
    found.filter(({ code }) => code === 'against-endpoint-gone').map((one) => one.endpoint),
  )
  const shown = found.filter(({ code, endpoint }) => code === 'against-endpoint-gone' || !gone.has(endpoint))
  return { differences: oneForEachCause(shown.filter((one) => !isAccepted(one))), compared, unknown }
}

/** Whether the query has the key: a page of a list has fields that nobody may ask for. */
function isAsked(key: string, { body, isMadeUp }: PlannedRequest): boolean {
  const query = ownValue(body, 'query')
  if (typeof query !== 'string' || isMadeUp) return true
  return new RegExp(`\\b${key.replace(/\W/g, '')}\\b`).test(query)
}

/** Whether a fixture of the endpoint, such as one of a scenario, answers without sign-in. */
function has401(planned: PlannedRequest, routes: readonly Route[]): boolean {
  return routes.some(
    (route) =>
      isSameEndpoint(route, planned) &&
      typeof route.response !== 'function' &&
      expected(route).status === 401,
  )
}

function relatedFixtures(
  { method, path, operation, status }: PlannedRequest,
  known: ReadonlyMap<string, KnownBody[]>,
): [PathRelation, KnownBody[]][] {
  if (operation !== undefined) return []
  return [...known].flatMap(([key, bodies]): [PathRelation, KnownBody[]][] => {
    const [otherMethod, otherPath, , otherStatus] = JSON.parse(key) as [string, string, unknown, number]
    const relation = relationOf(path, otherPath)
    return relation && otherMethod === method && otherStatus === status ? [[relation, bodies]] : []
  })
}

export function shapeOfFixtures(fixtures: readonly KnownBody[]): Shape {
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
    // One that was not asked may be the list of one that was.
    const { method, path, operation } = planned ?? { method: route.method?.[0] ?? 'GET', path: route.path }
    for (const body of bodiesOf(route))
      addTo(groups, groupOf({ method, path, operation }, body.status), { route, body })
  }
  return groups
}

/** Whether a route is for what was asked, whatever else it selects. */
export function isSameEndpoint(
  route: Route,
  { path, method, operation }: Pick<PlannedRequest, 'path' | 'method' | 'operation'>,
): boolean {
  if (route.path !== path || !(route.method ?? [method]).some((one) => one === method || one === '*'))
    return false
  if (operation === undefined) return true
  const wanted = route.selector?.equalities.find(({ field }) => field.source === 'operationName')
  return wanted?.value === operation
}
