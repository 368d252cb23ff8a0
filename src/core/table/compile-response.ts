import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { Route } from '../fixture/route.ts'
import type { GraphQLEndpoint } from '../graphql/endpoint.ts'
import { resultToFit } from '../graphql/result.ts'
import { createPagedList } from '../paginate/paginate.ts'
import { toOverlay } from '../response/overlay.ts'
import { prepareResponse } from '../response/prepare-response.ts'
import type { FixtureResponse, ResponseFunction } from '../schema/schema.ts'
import { reasonOf } from '../values/thrown.ts'
import type { RouteResponse, SingleResponse } from './route-table.ts'

/** The response of a route. Everything that does not depend on the request is serialised here. */
export function compileResponse(
  route: Route,
  name: string,
  graphql: GraphQLEndpoint | undefined,
): RouteResponse {
  const { response, textType, sequence, paging, shape, error, source } = route
  if (error) return { kind: 'broken', diagnostic: error }
  const broken = (reason: string): RouteResponse => ({
    kind: 'broken',
    diagnostic: diagnoseRequest('body-not-json', source, { reason }),
  })
  if (paging) {
    const { items } = paging
    if (typeof items === 'function') return broken('its "items" is a function that was not called.')
    if ('file' in items) return broken(`this host can't read the file "${items.file}".`)
    return { kind: 'paged', list: createPagedList({ ...paging, items }, name, response as FixtureResponse) }
  }
  try {
    if (!sequence) return compileSingle(response, 0)
    const parts = sequence.parts.map((part, index) => compileSingle(part.response, index))
    return { kind: 'sequence', parts, repeats: sequence.repeats }
  } catch (error) {
    return broken(`${reasonOf(error).replace(/\.$/, '')}.`)
  }

  function compileSingle(one: FixtureResponse | ResponseFunction, part: number): SingleResponse {
    if (typeof one === 'function') return { kind: 'function', respond: one }
    if (one.from === 'backend') return { kind: 'backend', overlay: toOverlay(one) }
    const prepared = prepareResponse(one, name, textType)
    const body = resultToFit(graphql, shape, one.body, prepared)
    return body ? { kind: 'result', definition: { ...one, body }, part } : { kind: 'static', prepared }
  }
}
