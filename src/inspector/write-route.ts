import { writeYaml } from '../writer/write-yaml.ts'
import { isSecret, namesSecret } from '../core/request/redact.ts'
import type { UnmetCondition } from '../core/select/failed-conditions.ts'
import type { CompiledRoute, Endpoint } from '../core/table/route-table.ts'
import type { Json } from './api.ts'
import { setField, writeSelector } from './write-selector.ts'

/** Longest value of a request that is written into a selector. */
const maxValue = 500

/** Stands for a value that can't be shown. */
export const anyValue = { $exists: true }

/**
 * YAML of a route like another one, but whose `when` a request matches: what the request has replaces the conditions that
 * failed. `undefined` where a predicate decides.
 */
export function writeMatchingRoute(
  { method, path, graphql }: Endpoint,
  { name, scenarios, selector }: CompiledRoute,
  unmet: readonly UnmetCondition[],
): string | undefined {
  if (!selector || unmet.some(({ field }) => !field)) return undefined
  const failed = new Set(unmet.map(({ field }) => field!.id))
  const isMet = ({ field }: { field?: { id: string } }) => !failed.has(field?.id ?? '')
  const met = { equalities: selector.equalities.filter(isMet), tests: selector.tests.filter(isMet) }
  const when = writeSelector({
    equalities: met.equalities,
    tests: met.tests.filter(({ field }) => !isSecret(field!)), // they can be left out, but not be shown
  }) as { [key: string]: Json }
  for (const { field } of met.equalities) if (isSecret(field)) setField(when, field, anyValue)
  for (const { field, received } of unmet) {
    if (received === undefined) continue // the request does not have it, so it can't be a condition
    if (isSecret(field!) || namesSecret(received) || JSON.stringify(received).length > maxValue)
      setField(when, field!, anyValue)
    else setField(when, field!, received as Json)
  }
  return writeRoute({
    ...(!name.startsWith(`${method} ${path} #`) && { name }), // unless it is the default name
    ...(method !== (graphql ? 'POST' : 'GET') && { method }),
    path,
    ...(scenarios && { scenario: scenarios.length === 1 ? scenarios[0] : scenarios }),
    ...(Object.keys(when).length > 0 && { when }),
  })
}

/** One route as an entry of a fixture file. */
export function writeRoute(route: object): string {
  return writeYaml([route])
}
