import type { OperationDefinitionNode } from 'graphql'
import type { CompiledRoute } from '../table/route-table.ts'
import { diagnose, type Diagnostic } from '../diagnostics/diagnostic.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import type { Completed, GraphQLResult, MissingField } from '../graphql/checker.ts'
import { operationOf } from '../graphql/document.ts'
import { locate, needsLocations, withLocations } from '../graphql/locations.ts'
import type { GraphQLParams } from '../graphql/payload.ts'
import { conditionsKey } from '../graphql/shape/plan.ts'
import type { ResultResponse } from '../graphql/result.ts'
import type { GraphQLEndpoint } from '../graphql/endpoint.ts'
import { shapeResult } from '../graphql/shape/shape.ts'

export interface CompletedResponse {
  response: PreparedResponse
  diagnostic?: Diagnostic | undefined
  isByVariables?: boolean | undefined
}

const serials = new WeakMap<OperationDefinitionNode, number>()

let lastSerial = 0

/** The completed response of a route, from memory where the same operation got it before. */
export function completeKept(
  graphql: GraphQLEndpoint,
  route: CompiledRoute,
  response: ResultResponse,
  request: ParsedRequest,
): CompletedResponse {
  const params = request.graphql!
  const operation = operationOf(params)
  let serial = 0
  if (operation) {
    serial = serials.get(operation) ?? ++lastSerial
    serials.set(operation, serial)
  }
  const conditions =
    operation && params.document!.isConditional
      ? conditionsKey(params.document!, operation, params.variables)
      : ''
  const key = `${route.order} ${serial} ${conditions}`
  const variables = graphql.checker?.hasSchema ? params.variables : undefined
  const keyByVariables = () => `${key} ${JSON.stringify(variables)}`
  // With a schema, `null` may be an error where every other value of a variable is the same.
  const hasNull = variables !== undefined && Object.values(variables).includes(null)
  let known = hasNull ? undefined : graphql.answers.get(key)
  if (!known && variables) known = graphql.answers.get(keyByVariables())
  if (known) return { response: known }
  const { isByVariables, ...completed } = complete(graphql, route, response, request)
  graphql.answers.set(hasNull || isByVariables ? keyByVariables() : key, completed.response)
  return completed
}

export function complete(
  graphql: GraphQLEndpoint,
  route: CompiledRoute,
  response: ResultResponse,
  request: ParsedRequest,
): CompletedResponse {
  if (isUnknownPersistedQuery(graphql, route, request)) {
    return { response: prepareResponse({ body: { errors: [persistedQueryNotFound] } }, route.name) }
  }
  const { result, missing, isByVariables } = completeResult(
    graphql,
    route.shape ?? graphql.shape,
    response.body,
    request.graphql!,
  )
  const diagnostic = missing.length > 0 ? describeMissing(route, missing) : undefined
  return { response: prepareResponse({ ...response, body: result }, route.name), diagnostic, isByVariables }
}

/** What clients of automatic persisted queries wait for, to send the text of the query. */
const persistedQueryNotFound = {
  message: 'PersistedQueryNotFound',
  extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
}

/** Without the document there is nothing to shape an answer by; a route that selects the hash knows what it sends. */
function isUnknownPersistedQuery(
  { shape, checker }: GraphQLEndpoint,
  route: CompiledRoute,
  { graphql: params }: ParsedRequest,
): boolean {
  if (params!.document || !params!.extensions?.['persistedQuery'] || route.selector) return false
  return (route.shape ?? shape) || checker?.hasSchema === true
}

function completeResult(
  { checker }: GraphQLEndpoint,
  shape: boolean,
  body: GraphQLResult,
  params: GraphQLParams,
): Completed {
  const { document, variables } = params
  const operation = operationOf(params)
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
