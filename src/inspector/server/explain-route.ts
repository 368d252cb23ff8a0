import { suggest } from '../../core/diagnostics/text.ts'
import type { RawRequest } from '../../core/http/raw-request.ts'
import { describeAsked } from '../../core/redact/redact.ts'
import { matchInScenarios, type EndpointMatch } from '../../core/table/match.ts'
import type { Endpoint } from '../../core/table/route-table.ts'
import { describeCaught, describeUnanswered, isCatchAll } from '../../core/table/similar.ts'
import { formatDuration, formatSize } from '../../core/values/describe-value.ts'
import type { AnsweredBy, ExplainRequest, Explanation } from '../api/api.ts'
import {
  explainDecision,
  explainWithoutRoutes,
  readRequest,
  showDiagnostic,
  summariseRefusal,
} from '../explain.ts'
import { errorsOf, Journal, type JournalEntry } from '../journal.ts'
import { endpointId, rawRequestOf, showAnsweredBy } from '../show.ts'
import { tryRequest } from '../try-request.ts'
import { createIsTemplate, type ApiRequest, type InspectedServer, type Site } from './context.ts'
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
  const body = text === undefined ? undefined : new TextEncoder().encode(text)
  const tried = await tryRequest(server, site, { method, url, headers, body })
  if (!tried) return notOurs(server, site, method, url)
  const { match, decision } = tried
  if (!decision)
    return explainWithoutRoutes('plugin', 'The page of GraphiQL answers.', { endpoint: match.endpoint })
  const journal = new Journal(() => 0, 1)
  const entry = journal.add(0, method, url, headers, match)
  journal.decide(entry, { ...decision, wait: 0 }) // nobody waits for a dry run
  return explainEntry(server, entry, site, true)
}

/** Whether a route would answer a recorded request, as the fixture files and the scenarios are now. */
export async function isAnsweredNow(
  server: InspectedServer,
  { method, url, headers, body }: JournalEntry,
  site: Site,
): Promise<boolean> {
  if (body && body.bytes.length < body.size) return false
  const asked = { method, url, headers, body: body?.bytes }
  return (await tryRequest(server, site, asked))?.decision?.by === 'route'
}

function notOurs(server: InspectedServer, site: Site, method: string, url: string): Explanation {
  const summary = `No route has the method and path of ${describeAsked(method, url)}, so it is passed on.`
  return explainWithoutRoutes('passed-on', summary, whyUnanswered(server, site, method, url))
}

function whyUnanswered({ store, options }: InspectedServer, { bases }: Site, method: string, url: string) {
  const { table } = store.current!
  const hint = describeUnanswered(table, method, url, bases)
  const isInactive = hint?.code === 'scenario-inactive'
  const inactive = isInactive ? matchInScenarios(table, method, url, bases)?.endpoint : undefined
  return { reason: hint && showDiagnostic(hint, options.root), inactive }
}

/** Which path was probably meant, where only a route for every path has answered. */
function caught({ store }: InspectedServer, match: EndpointMatch, raw: RawRequest, by: AnsweredBy) {
  if (by === 'passed-on' || !isCatchAll(match.endpoint)) return undefined
  return describeCaught(store.current!.table, match, raw)
}

/** Bytes of a body that is read again when a fixture file has changed, which happens for hundreds of requests at once. */
const maxExplained = 65_536

/**
 * Predicates that were called are not called again.
 *
 * @param site absent for an explanation that is kept when the fixture file has changed
 */
export function explainEntry(
  server: InspectedServer,
  entry: JournalEntry,
  site?: Site,
  callsPredicates = false,
): Explanation {
  const { match, body, scenarios, decided, method, url } = entry
  if (entry.explanation) return entry.explanation
  const answeredBy = showAnsweredBy(entry, createIsTemplate(server.options))
  const raw = rawRequestOf(entry)
  const diagnostic = entry.diagnostic ?? (match && caught(server, match, raw, answeredBy))
  const reason = diagnostic && showDiagnostic(diagnostic, server.options.root)
  if (!match) {
    const isOpen = !reason && entry.isUnanswered && site
    const why = isOpen ? whyUnanswered(server, site, method, url) : { reason }
    return explainWithoutRoutes(answeredBy, 'No route has the method and path of this request.', {
      scenarios,
      ...why,
    })
  }
  const without = (summary: string) =>
    explainWithoutRoutes(answeredBy, summary, { scenarios, endpoint: match.endpoint, reason })
  if (entry.isAborted && answeredBy === 'passed-on')
    return without('The client disconnected before its request was read.')
  if (decided?.by === 'refused' && !decided.operation) return without(summariseRefusal(raw, reason))
  if (body && (body.size > body.bytes.length || (!site && body.size > maxExplained)))
    return without(`The body has ${formatSize(body.size)}, too much to compare the routes with it again.`)
  const read = readRequest(match, raw, decided?.operation?.index)
  if ('refused' in read) return without(`The body could not be read: ${read.refused}.`)
  const explained = explainDecision(match, read.request, {
    answeredBy,
    decided: decided ?? { by: 'passed-on' },
    reason,
    errors: errorsOf(entry),
    scenarios,
    callsPredicates,
  })
  const delay = entry.wait > 0 ? ` Its answer is delayed by ${formatDuration(entry.wait)}.` : ''
  return { ...explained, summary: explained.summary + delay }
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

/** Throws an `HttpError` for an unknown id. */
export function findEntry({ journal }: InspectedServer, id: string | number): JournalEntry {
  const entry = Number.isInteger(Number(id)) ? journal.get(Number(id)) : undefined
  if (entry) return entry
  throw new HttpError(
    404,
    'api-request-unknown',
    `No recorded request has the id ${id}.`,
    `The last ${journal.capacity} requests are kept, until the server stops.`,
  )
}
