import type { CompiledRoute } from '../table/route-table.ts'
import { diagnose, type Diagnostic } from '../diagnostics/diagnostic.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import type { Completed, GraphQLResult, MissingField } from '../graphql/checker.ts'
import { locate, needsLocations, withLocations } from '../graphql/locations.ts'
import type { GraphQLParams } from '../graphql/params.ts'
import { conditionsKey } from '../graphql/shape/plan.ts'
import type { ResultResponse } from '../graphql/result.ts'
import type { GraphQLEndpoint } from '../graphql/endpoint.ts'
import { shapeResult } from '../graphql/shape/shape.ts'

export interface CompletedResponse {
  response: PreparedResponse
  diagnostic?: Diagnostic | undefined
}

/** The completed response of a route, from memory where the same request got it before. */
export function completeKept(
  graphql: GraphQLEndpoint,
  route: CompiledRoute,
  response: ResultResponse,
  request: ParsedRequest,
): CompletedResponse {
  const key = answerKey(graphql, route, request.graphql!)
  const known = graphql.answers.get(key)
  if (known) return { response: known }
  const completed = complete(graphql, route, response, request)
  graphql.answers.set(key, completed.response)
  return completed
}

/**
 * All that the answer of a route with a fixed body depends on. Without a schema, variables only matter where `@skip` and
 * `@include` ask for them.
 */
function answerKey({ checker }: GraphQLEndpoint, { order }: CompiledRoute, params: GraphQLParams): string {
  const { query = '', operationName, variables } = params
  const values = checker?.hasSchema ? variables : conditionsOf(params)
  // The text comes last: JSON tells by itself where it ends.
  return `${JSON.stringify([order, operationName, values])}${query}`
}

function conditionsOf(params: GraphQLParams): string {
  const { operation } = params
  return operation && params.document!.isConditional
    ? conditionsKey(params.document!, operation, params.variables)
    : ''
}

export function complete(
  graphql: GraphQLEndpoint,
  route: CompiledRoute,
  response: ResultResponse,
  request: ParsedRequest,
): CompletedResponse {
  const { result, missing } = completeResult(
    graphql,
    route.shape ?? graphql.shape,
    response.body,
    request.graphql!,
  )
  const diagnostic = missing.length > 0 ? describeMissing(route, missing) : undefined
  return { response: prepareResponse({ ...response, body: result }, route.name), diagnostic }
}

function completeResult(
  { checker }: GraphQLEndpoint,
  shape: boolean,
  body: GraphQLResult,
  params: GraphQLParams,
): Completed {
  const { document, operation, variables } = params
  if (operation && checker?.hasSchema) return checker.execute(document!.ast!, operation, variables, body)
  if (operation && shape) return shapeResult(body, document!, operation, variables)
  const result = needsLocations(body) ? withLocations(body, (path) => locate(params, path)) : body
  return { result: result as GraphQLResult, missing: [] }
}

/** So many missing fields say what is to be said. */
const maxListed = 10

function describeMissing(route: CompiledRoute, missing: readonly MissingField[]): Diagnostic {
  const fields = missing
    .slice(0, maxListed)
    .map(({ path, near }) => (near === undefined ? path : `${path} (did you mean "${near}"?)`))
  if (missing.length > maxListed) fields.push(`and ${missing.length - maxListed} more`)
  return diagnose('graphql-field-missing', route.source, {
    name: route.name,
    fields,
  })
}
