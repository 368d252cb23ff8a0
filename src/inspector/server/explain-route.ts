import { decide } from '../../core/answer/decide.ts'
import type { Decision } from '../../core/answer/decision.ts'
import { findRequest, receive } from '../../core/answer/receive.ts'
import type { Rules } from '../../core/answer/rules.ts'
import { suggest } from '../../core/diagnostics/text.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import { RawRequest } from '../../core/http/raw-request.ts'
import type { Endpoint } from '../../core/table/route-table.ts'
import { findSimilar } from '../../core/table/similar.ts'
import type { ExplainRequest, Explanation } from '../api.ts'
import { explainDecision, explainWithoutRoutes, readRequest } from '../explain.ts'
import type { JournalEntry } from '../journal.ts'
import { endpointId, rawRequestOf, showAnsweredBy, type IsTemplate } from '../show.ts'
import { createIsTemplate, type ApiRequest, type InspectedServer } from './context.ts'
import { HttpError } from './json.ts'

/** A dry run: nothing is counted, and no turn is taken. */
export async function explain(
  server: InspectedServer,
  { body: asked, site }: ApiRequest<ExplainRequest>,
): Promise<Explanation> {
  const { url } = asked
  const method = asked.method?.toUpperCase() ?? 'GET'
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(asked.headers ?? {})) headers[name.toLowerCase()] = value
  const text = typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body)
  if (text !== undefined && typeof asked.body !== 'string') headers['content-type'] ??= 'application/json'
  const { table } = server.store.current!
  const rules: Rules = { ...site.rulesNow(), isDryRun: true }
  const found = findRequest(rules, table, method, url, { headers })
  if (!found) return notOurs(server, method, url)
  const { match } = found
  const { path, search, params } = match
  const raw = new RawRequest({ method, url, path, search, headers, params, hasPages: rules.hasPages })
  const { decision } = receive(rules, found, raw, { isSecure: false })
  if (!decision && found.kind === 'graphiql')
    return explainWithoutRoutes('plugin', 'The page of GraphiQL answers.', [], match.endpoint)
  const bytes = text === undefined ? undefined : new TextEncoder().encode(text)
  return show(
    server,
    decision ??
      (await decide(
        { match, table, raw, rules, askBackend: never, waitFor: never },
        readBody(server, bytes),
      )),
  )
}

/** A dry run neither asks the backend nor waits for functions. */
function never(): never {
  throw new Error('a dry run has asked')
}

function readBody({ options }: InspectedServer, bytes: Uint8Array | undefined): ReceivedBody {
  const limit = options.bodyLimit
  return bytes && bytes.length > limit ? { kind: 'too-large', limit } : { kind: 'complete', bytes }
}

function notOurs({ store }: InspectedServer, method: string, url: string): Explanation {
  const similar = findSimilar(store.current!.table, method, url.split('?', 1)[0]!)
  const none = `No route has the method and path of ${method} ${url.split('?', 1)[0]}, so it is passed on.`
  return explainWithoutRoutes('passed-on', similar?.message ?? none)
}

/** Of a batch, the first operation is shown. */
function show(server: InspectedServer, decision: Decision): Explanation {
  const { match, raw, by, diagnostic } = decision
  const { request, route, choice, failed } = decision.batch?.[0] ?? decision
  const scenarios = server.state.activeFor(raw.method, raw.url, raw)
  if (!request || by === 'refused') {
    const summary = by === 'override' ? 'An override of the control API answers it.' : diagnostic?.message
    return explainWithoutRoutes(by, summary ?? 'The package itself answers.', scenarios, match.endpoint)
  }
  const isBroken = by === 'route' && decision.response?.fault !== undefined
  const answeredBy = isBroken
    ? 'fault'
    : showAnsweredBy({ answeredBy: by, route }, createIsTemplate(server.options))
  const decided = { answeredBy, route, choice, failed, scenarios, callsPredicates: true }
  return explainDecision(match, request, decided)
}

/** Predicates are not called again. */
export function explainEntry(isTemplate: IsTemplate, entry: JournalEntry): Explanation {
  const { match, route, choice, body, scenarios } = entry
  const answeredBy = showAnsweredBy(entry, isTemplate)
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
  if (entry.reason !== undefined) return without(entry.reason)
  const read = readRequest(match, rawRequestOf(entry))
  if ('refused' in read) return without(`The body could not be read: ${read.refused}.`)
  const decided = { answeredBy, route, choice, scenarios, callsPredicates: false }
  return explainDecision(match, read.request, decided)
}

/** @returns its id. Throws an `HttpError` for an unknown route */
export function findRouteId(server: InspectedServer, endpointName: string, idOrName: string): string {
  const { routes } = findEndpoint(server, endpointName)
  const route = routes.find(({ id }) => id === idOrName) ?? routes.find(({ name }) => name === idOrName)
  if (route) return route.id
  throw new HttpError(
    400,
    'api-route-unknown',
    `The endpoint ${endpointName} has no route "${idOrName}".`,
    suggest(
      idOrName,
      routes.map(({ name }) => name),
      'There are',
    ),
  )
}

/** `name` is such as `GET /items`. Throws an `HttpError` for an unknown one. */
export function findEndpoint({ store }: InspectedServer, name: string): Endpoint {
  const { endpoints } = store.current!.table
  const endpoint = endpoints.find((one) => endpointId(one) === name)
  if (endpoint) return endpoint
  const samePath = endpoints.filter(({ path }) => path === name).map((one) => `"${endpointId(one)}"`)
  throw new HttpError(
    400,
    'api-endpoint-unknown',
    `There is no endpoint "${name}".`,
    samePath.length > 0
      ? `An endpoint is a method and a path: write ${samePath.join(' or ')}.`
      : suggest(name, endpoints.map(endpointId), 'There are'),
  )
}
