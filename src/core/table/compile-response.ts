import { diagnose } from '../diagnostics/diagnostic.ts'
import type { Route } from '../fixture/route.ts'
import type { GraphQLEndpoint } from '../graphql/endpoint.ts'
import { isResult, dependsOnOperation, resultIn } from '../graphql/result.ts'
import { createPagedList } from '../paginate/paginate.ts'
import { prepareResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { reasonOf } from '../values/thrown.ts'
import type { RouteResponse } from './route-table.ts'

/** The response of a route. Everything that does not depend on the request is serialised here. */
export function compileResponse(
  route: Route,
  name: string,
  path: string,
  graphql: GraphQLEndpoint | undefined,
): RouteResponse {
  const { response, paging, shape, error, source } = route
  if (error) return { kind: 'broken', diagnostic: error }
  const broken = (reason: string): RouteResponse => ({
    kind: 'broken',
    diagnostic: diagnose('body-not-json', source, { reason }),
  })
  if (paging) {
    const { items } = paging
    if (typeof items === 'function') return broken('its "items" is a function that was not called.')
    if ('file' in items) return broken(`this host can't read the file "${items.file}".`)
    return { kind: 'paged', list: createPagedList({ ...paging, items }, name, response as FixtureResponse) }
  }
  if (typeof response === 'function') return { kind: 'function', respond: response }
  try {
    const prepared = prepareResponse(response, name, path)
    const body = graphql && (isResult(response.body) ? response.body : resultIn(prepared))
    if (body && dependsOnOperation(graphql, shape ?? graphql.shape, body)) {
      return { kind: 'result', definition: { ...response, body } }
    }
    return { kind: 'static', prepared }
  } catch (error) {
    return broken(`${reasonOf(error).replace(/\.$/, '')}.`)
  }
}
