import { jsonIn } from '../graphql/result.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { headerOf, type PreparedResponse } from '../response/prepare-response.ts'
import type { Endpoint, RouteTable } from '../table/route-table.ts'
import { isRecord } from '../values/values.ts'
import type { Answered, Subject } from './sad-path.ts'

export function subjectOf({ method, path, graphql }: Endpoint, request: ParsedRequest): Subject {
  const { operationName } = request
  // An endpoint may be for every method.
  return {
    method: method === '*' ? request.method : method,
    path,
    ...(graphql && operationName !== undefined && { operationName }),
  }
}

export function answeredOf(
  endpoint: Endpoint,
  request: ParsedRequest,
  response: PreparedResponse,
  { endpoints }: Pick<RouteTable, 'endpoints'>,
): Answered {
  const value = jsonIn(response)
  return {
    subject: subjectOf(endpoint, request),
    status: response.status,
    ...(value !== undefined && { json: { value } }),
    ...(endpoint.graphql &&
      request.graphql && { graphql: { params: request.graphql, checker: endpoint.graphql.checker } }),
    isLaterPage: isForLaterPage(request),
    errorBody: (status) => errorLike(status, endpoint, endpoints),
  }
}

const startNames = /^_?(?:p|page|page_?(?:no|num|number)|offset|skip|start|cursor|after|before|page_?token)$/i

/** Whether a parameter, a variable or a field of the body asks for a page that is not the first. */
function isForLaterPage({ query, variables, body, graphql }: ParsedRequest): boolean {
  const isLater = ([name, value]: [string, unknown]) =>
    startNames.test(name) &&
    (typeof value === 'string' || typeof value === 'number') &&
    !['', '0', /^_?p/i.test(name) ? '1' : ''].includes(String(value))
  const given = [query, graphql ? variables : body].flatMap((one) =>
    isRecord(one) ? Object.entries(one) : [],
  )
  return given.some(isLater)
}

/** The body of an error in the fixtures: with this status, of this endpoint, or of any. */
function errorLike(status: number, own: Endpoint, endpoints: readonly Endpoint[]): unknown {
  let best: PreparedResponse | undefined
  let bestRank = -1
  for (const { method, path, graphql, routes } of endpoints) {
    if (Boolean(graphql) !== Boolean(own.graphql)) continue
    const isOwn = path === own.path && method === own.method
    for (const { response } of routes) {
      if (response.kind !== 'static' || response.prepared.status < 400) continue
      const { prepared } = response
      const rank = (prepared.status === status ? 2 : 0) + (isOwn ? 1 : 0)
      if (rank <= bestRank || !headerOf(prepared, 'content-type')?.includes('json')) continue
      best = prepared
      bestRank = rank
    }
  }
  return best && jsonIn(best)
}
