import { isDeepStrictEqual } from 'node:util'
import { groupBy } from '../../core/values/collections.ts'
import { quote } from '../../core/values/describe-value.ts'
import type { Shape } from '../../core/shape/shape.ts'
import type { AskedRoute } from './ask/ask-backend-routes.ts'
import { endpointOf, foundAt, groupOf, type RouteDifference } from './found.ts'
import type { PlannedRequest } from './ask/plan-requests.ts'
import { shapeIn } from './answer-shape.ts'

/** Two routes that only one parameter tells apart have other answers. The backend gives the same to both. */
export function ignoredParameters(asked: readonly AskedRoute[]): RouteDifference[] {
  const found: RouteDifference[] = []
  for (const group of groupBy(asked, ({ planned }) => groupOf(planned, planned.status)).values()) {
    const seen = new Set<string>()
    for (const [index, one] of group.entries())
      for (const other of group.slice(0, index)) {
        const name = onlyParameter(other, one)
        const isSame = one.answer.digest === other.answer.digest && !isEmpty(shapeIn(one.answer))
        if (name === undefined || seen.has(name) || !isSame || sameFixture(other, one)) continue
        seen.add(name)
        const values = [other, one].map(({ planned }) => valueFor(planned, name)).join(' and ')
        const { route } = one.planned
        const keys = route.paging ? ['paginate'] : ['when', 'query', name]
        const place = { route, keys, sent: [other.sent, one.sent], endpoint: endpointOf(one.planned) }
        const made = foundAt(place, 'against-parameter-ignored', { name, values })
        found.push({ ...made, cause: `${made.code} ${name}` })
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
function isEmpty(shape: Shape | undefined): boolean {
  return (
    !shape || [shape, ...Object.values(shape.object?.keys ?? {})].some(({ list }) => list?.items.count === 0)
  )
}
