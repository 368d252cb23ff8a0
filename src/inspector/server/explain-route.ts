import { forcedRoute, routeWithId } from '../../core/answer/override.ts'
import { clientOf } from '../../core/http/client.ts'
import { RawRequest } from '../../core/http/raw-request.ts'
import { suggest } from '../../core/diagnostics/text.ts'
import { checkHead, checkOperation } from '../../core/graphql/check-operation.ts'
import type { ParsedRequest } from '../../core/request/parsed-request.ts'
import { matchEndpoint, selectRoute, type EndpointMatch } from '../../core/table/match.ts'
import { PredicateError } from '../../core/table/route-index.ts'
import type { CompiledRoute, Endpoint } from '../../core/table/route-table.ts'
import { findSimilar } from '../../core/table/similar.ts'
import type { AnsweredBy, ExplainRequest, Explanation } from '../api.ts'
import { explainDecision, explainWithoutRoutes, readRequest } from '../explain.ts'
import type { JournalEntry } from '../journal.ts'
import { endpointId, routeId } from '../show.ts'
import { createRouteIds, isTemplateOf, type ApiRequest, type InspectedServer } from './context.ts'
import { Problem } from './json.ts'

/** Explains how a request would be answered, without answering it: nothing is counted, and no turn is taken. */
export function explain(
  server: InspectedServer,
  { body: asked, site }: ApiRequest<ExplainRequest>,
): Explanation {
  const { store } = server
  const { url } = asked
  const method = asked.method?.toUpperCase() ?? 'GET'
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(asked.headers ?? {})) headers[name.toLowerCase()] = value
  const text = typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body)
  if (text !== undefined && typeof asked.body !== 'string') headers['content-type'] ??= 'application/json'
  const match = matchEndpoint(store.current!.table, method, url, site.bases, server.state, { headers })
  if (!match) return notOurs(server, method, url)
  const { path, search, params } = match
  const bytes = text === undefined ? undefined : new TextEncoder().encode(text)
  const raw = new RawRequest({ method, url, path, search, headers, params, body: bytes })
  return explainMatch(server, match, raw)
}

function notOurs({ store }: InspectedServer, method: string, url: string): Explanation {
  const similar = findSimilar(store.current!.table, method, url.split('?', 1)[0]!)
  const none = `No route has the method and path of ${method} ${url.split('?', 1)[0]}, so it is passed on.`
  return explainWithoutRoutes('passed-on', similar?.message ?? none)
}

function explainMatch(server: InspectedServer, match: EndpointMatch, raw: RawRequest): Explanation {
  const { endpoint } = match
  const { graphql } = endpoint
  const scenarios = server.state.activeFor(raw.method, raw.url, raw)
  const refused = (summary: string) => explainWithoutRoutes('refused', summary, scenarios, endpoint)
  if (graphql?.schemaError) return refused(graphql.schemaError.message)
  const wrongHead = graphql && checkHead(graphql, raw)
  if (wrongHead) return refused(wrongHead.errors.map(({ message }) => message).join(' '))
  const read = readRequest(match, raw)
  if ('refused' in read) return refused(`The body can't be read: ${read.refused}.`)
  const { request } = read
  const wrong = graphql && checkOperation(graphql, raw, request.graphql!)
  if (wrong && !wrong.isUnserved) return refused(wrong.errors.map(({ message }) => message).join(' '))
  const forced = forcedRoute(server.state, endpoint, raw)
  const selected = forced ?? select(match, request)
  const { offline, failNext } = server.state.overrides.get(clientOf(raw.headers))
  const fails = offline || (failNext && (failNext.endpoint ?? endpointId(endpoint)) === endpointId(endpoint))
  const answeredBy = fails ? 'override' : whoAnswers(server, selected)
  return explainDecision(match, request, {
    answeredBy,
    selected,
    isForced: forced !== undefined,
    scenarios,
    idOf: createRouteIds(server),
    callsPredicates: true,
  })
}

function select({ endpoint }: EndpointMatch, request: ParsedRequest) {
  try {
    return selectRoute(endpoint, request)
  } catch (error) {
    if (error instanceof PredicateError) return error.route
    throw error
  }
}

function whoAnswers(server: InspectedServer, route: CompiledRoute | undefined): AnsweredBy {
  if (!route) return 'nothing'
  if (route.response.kind === 'static' && route.response.prepared.fault !== undefined) return 'fault'
  return isTemplateOf(server)(route.source.file) ? 'template' : 'route'
}

/** How a recorded request was decided. Predicates are not called again. */
export function explainEntry(
  server: InspectedServer,
  idOf: (route: CompiledRoute) => string,
  entry: JournalEntry,
  raw: RawRequest,
): Explanation {
  const { match, route, isForced, body, scenarios } = entry
  const answeredBy =
    entry.answeredBy === 'route' && route && isTemplateOf(server)(route.source.file)
      ? 'template'
      : entry.answeredBy
  const without = (summary: string) => explainWithoutRoutes(answeredBy, summary, scenarios, match?.endpoint)
  if (!match) {
    return answeredBy === 'passed-on' || answeredBy === 'nothing'
      ? without('No route has the method and path of this request.')
      : without(
          'The fixture file has changed since, so the routes of that time can not be shown. Send the request again.',
        )
  }
  if (entry.isAborted && answeredBy === 'passed-on')
    return without('The client disconnected before its request was read.')
  if (body && body.size > body.bytes.length)
    return without(
      `The body has ${body.size} bytes and is not kept as a whole, so the routes can not be compared.`,
    )
  const read = readRequest(match, raw)
  if ('refused' in read) return without(`The body could not be read: ${read.refused}.`)
  return explainDecision(match, read.request, {
    answeredBy,
    selected: route,
    isForced,
    scenarios,
    idOf,
    callsPredicates: false,
  })
}

/** Throws a `Problem` when there is no route with an id. */
export function checkRouteId(server: InspectedServer, endpointName: string, id: string): void {
  const endpoint = findEndpoint(server, endpointName)
  if (routeWithId(endpoint, id)) return
  const known = endpoint.routes.slice(0, 20).map((_, index) => routeId(endpoint, index))
  throw new Problem(
    400,
    'api-route-unknown',
    `The endpoint ${endpointName} has no route "${id}".`,
    `There are: ${known.join(', ')}.`,
  )
}

/** The endpoint with a name such as `GET /items`. Throws a `Problem` when there is none. */
export function findEndpoint({ store }: InspectedServer, name: string): Endpoint {
  const { endpoints } = store.current!.table
  const endpoint = endpoints.find((one) => endpointId(one) === name)
  if (endpoint) return endpoint
  const samePath = endpoints.filter(({ path }) => path === name).map((one) => `"${endpointId(one)}"`)
  throw new Problem(
    400,
    'api-endpoint-unknown',
    `There is no endpoint "${name}".`,
    samePath.length > 0
      ? `An endpoint is a method and a path: write ${samePath.join(' or ')}.`
      : suggest(name, endpoints.map(endpointId), 'There are'),
  )
}
