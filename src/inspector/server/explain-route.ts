import { suggest } from '../../core/diagnostics/text.ts'
import { describeAsked } from '../../core/redact/redact.ts'
import type { Endpoint } from '../../core/table/route-table.ts'
import type { ExplainRequest, Explanation } from '../api/api.ts'
import { explainRecorded, whyUnanswered } from '../explain-recorded.ts'
import { explainWithoutRoutes } from '../explain.ts'
import { Journal, type JournalEntry } from '../journal.ts'
import { endpointId } from '../show.ts'
import { tryRequest } from '../try-request.ts'
import type { ApiRequest, InspectedServer, Site } from './context.ts'
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
  if (!tried) {
    const known = { table: server.store.current!.table, root: server.options.root }
    const summary = `No route has the method and path of ${describeAsked(method, url)}, so it is passed on.`
    return explainWithoutRoutes('passed-on', summary, whyUnanswered(known, site.bases, method, url))
  }
  const { match, decision } = tried
  if (!decision)
    return explainWithoutRoutes('plugin', 'The page of GraphiQL answers.', { endpoint: match.endpoint })
  const journal = new Journal(() => 0, 1)
  const entry = journal.add(0, method, url, headers, match)
  journal.decide(entry, { ...decision, wait: 0 }) // nobody waits for a dry run
  return explainEntry(server, entry, site, true)
}

/** @param site absent for an explanation that is kept when the fixture file has changed */
export function explainEntry(
  { options, store }: InspectedServer,
  entry: JournalEntry,
  site?: Site,
  callsPredicates = false,
): Explanation {
  const known = { table: store.current!.table, root: options.root }
  return explainRecorded(known, entry, site?.bases, callsPredicates)
}

/** @returns its id. Throws an `HttpError` for an unknown route */
export function findRouteId(server: InspectedServer, endpointName: string, idOrName: string): string {
  const { routes } = findEndpoint(server, endpointName)
  const route = routes.find(({ id }) => id === idOrName) ?? routes.find(({ name }) => name === idOrName)
  if (route) return route.id
  const names = routes.map(({ name }) => name)
  throw new HttpError(400, 'api-route-unknown', {
    message: `The endpoint ${endpointName} has no route "${idOrName}".`,
    fix: suggest(idOrName, names, 'There are'),
  })
}

/** `name` is such as `GET /items`. Throws an `HttpError` for an unknown one. */
export function findEndpoint({ store }: InspectedServer, name: string): Endpoint {
  const { endpoints } = store.current!.table
  const endpoint = endpoints.find((one) => endpointId(one) === name)
  if (endpoint) return endpoint
  const samePath = endpoints.filter(({ path }) => path === name).map((one) => `"${endpointId(one)}"`)
  throw new HttpError(400, 'api-endpoint-unknown', {
    message: `There is no endpoint "${name}".`,
    fix:
      samePath.length > 0
        ? `An endpoint is a method and a path: write ${samePath.join(' or ')}.`
        : suggest(name, endpoints.map(endpointId), 'There are'),
  })
}

/** Throws an `HttpError` for an unknown id. */
export function findEntry({ journal }: InspectedServer, id: string | number): JournalEntry {
  const entry = Number.isInteger(Number(id)) ? journal.get(Number(id)) : undefined
  if (entry) return entry
  throw new HttpError(404, 'api-request-unknown', {
    message: `No recorded request has the id ${id}.`,
    fix: `The last ${journal.capacity} requests are kept, until the server stops.`,
  })
}
