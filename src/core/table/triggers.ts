import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import type { NamedTrigger, Route } from '../fixture/route.ts'
import { nearestName } from '../values/spelling.ts'
import { isOfKind } from './compile-endpoint.ts'
import type { CompiledRoute, Endpoint } from './route-table.ts'

/** The triggers of all routes, and which of them name a route or a mutation that is not there. */
export function checkTriggers(
  routes: readonly Route[],
  endpoints: readonly Endpoint[],
): { channels: readonly string[]; diagnostics: Diagnostic[] } {
  const triggers = routes.flatMap((route) => (route.operation ? [] : (route.triggers ?? [])))
  if (triggers.length === 0) return { channels: [], diagnostics: [] }
  const named = (by: NamedTrigger['by']) => triggers.filter((trigger) => trigger.by === by)
  const unknown = (
    by: 'mutation' | 'route',
    known: readonly string[],
    isUnknown: (name: string) => boolean = () => true,
  ) =>
    named(by).flatMap(({ name, source }) =>
      known.includes(name) || !isUnknown(name)
        ? []
        : diagnoseFixture('trigger-unknown', source, { by, name, known }),
    )
  const names =
    named('route').length > 0 ? endpoints.flatMap((one) => one.routes.map(({ name }) => name)) : []
  const mutations = endpoints.flatMap(({ graphql, routes }) => (graphql ? routes.map(mutationOf) : []))
  const known = mutations.filter((name) => typeof name === 'string')
  // A route for every mutation answers those with names of their own, too.
  const isTypo = (name: string) => nearestName(name, known) !== undefined
  return {
    channels: [...new Set(named('push').map(({ name }) => name))],
    diagnostics: [
      ...unknown('route', names),
      ...unknown('mutation', known, mutations.includes(true) ? isTypo : undefined),
    ],
  }
}

/** The name of the mutation that a route answers; `true` for one that may answer several. */
function mutationOf({ selector, response }: CompiledRoute): string | boolean {
  const of = (source: string) => selector?.equalities.find(({ field }) => field.source === source)?.value
  const type = of('operationType')
  if (isOfKind('stream', response) || (type !== undefined && type !== 'mutation')) return false
  const name = of('operationName')
  return typeof name === 'string' ? name : true
}
