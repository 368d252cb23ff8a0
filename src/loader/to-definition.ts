import type { Route } from '../core/fixture/route.ts'
import { withSource } from '../core/fixture/route-source.ts'
import type { FixtureResponse, FixtureRoute, ResponseFunction } from '../core/schema/schema.ts'

/**
 * A route as a fixture file lists it, with the contents of the files that it names, so that it can be used without them. It
 * carries its position.
 *
 * @param route has its definition
 */
export function toDefinition({ definition, path, response, sequence, paging, source }: Route): FixtureRoute {
  const made: FixtureRoute = { ...definition!, path }
  if (sequence) made.response = sequence.parts.map((part) => withoutFile(part.response))
  else if (definition!.response !== undefined) made.response = withoutFile(response)
  if (paging) made.paginate = { ...definition!.paginate!, items: paging.items as unknown[] }
  const { file, line, column } = source
  return withSource(made, {
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  })
}

function withoutFile(response: FixtureResponse | ResponseFunction): FixtureResponse | ResponseFunction {
  if (typeof response === 'function') return response
  const own = { ...response }
  delete own.file
  return own
}
