import { isDeepStrictEqual } from 'node:util'
import { groupBy } from '../../core/values/collections.ts'
import { quote } from '../../core/values/describe-value.ts'
import { isRecord } from '../../core/values/values.ts'
import { diagnoseAgainst } from './against-texts.ts'
import type { AskedRoute } from './ask-backend-routes.ts'
import { endpointOf, groupOf, type Found } from './found.ts'
import type { PlannedRequest } from './plan-requests.ts'
import { valueOf } from './polite-client.ts'

/** Two routes that only one parameter tells apart have other answers. The backend gives the same to both. */
export function ignoredParameters(asked: readonly AskedRoute[]): Found[] {
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
