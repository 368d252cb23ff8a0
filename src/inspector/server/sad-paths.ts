import { breakAnswer } from '../../core/answer/force-sad-path.ts'
import { jsonIn } from '../../core/graphql/result.ts'
import type { ParsedRequest } from '../../core/request/parsed-request.ts'
import { prepareResponse, type PreparedResponse } from '../../core/response/prepare-response.ts'
import { answeredOf } from '../../core/sad-path/answered.ts'
import { matchBackend } from '../../core/sad-path/backend-endpoint.ts'
import { covers } from '../../core/sad-path/covers.ts'
import type { Answered, SadPath } from '../../core/sad-path/sad-path.ts'
import { sadPathsOf } from '../../core/sad-path/sad-paths-of.ts'
import { MockState } from '../../core/state/mock-state.ts'
import type { CompiledRoute, Endpoint } from '../../core/table/route-table.ts'
import { toJson } from '../../core/values/exact-number.ts'
import { isRecord } from '../../core/values/values.ts'
import type { SadPath as ShownSadPath } from '../api/api.ts'
import { readRequest } from '../explain.ts'
import type { JournalEntry } from '../journal.ts'
import { endpointId, positionOf, rawRequestOf } from '../show.ts'
import type { ApiHandlers, InspectedServer, Site } from './context.ts'
import { findEntry, tryRequest } from './explain-route.ts'
import { HttpError } from './json.ts'
import { readLimit } from './requests.ts'

/** More do not help to find out what a page does. */
const defaultLimit = 100

/** The part of `InspectedServer` that `check` has, too. */
type Known = Pick<InspectedServer, 'options' | 'state'> & {
  store: Pick<InspectedServer['store'], 'current'>
  journal: Pick<InspectedServer['journal'], 'after'>
}
type KnownSite = Pick<Site, 'bases' | 'rulesNow'>

/** An answer, and the route that has given it. */
interface AnsweredByRoute {
  answered: Answered
  asked?: { endpoint: Endpoint; route: CompiledRoute; request: ParsedRequest; response: PreparedResponse }
}

export function createSadPathLister(server: InspectedServer): ApiHandlers['GET /sad-paths'] {
  return async ({ query, site }) => {
    const [request, route] = [query.get('request'), query.get('route')]
    if ((request === null) === (route === null))
      throw new HttpError(
        400,
        'api-parameter-invalid',
        'Either "request" or "route" is needed.',
        'Ask for sad-paths?request=7 with the id of a request, or for sad-paths?route=… with that of a route.',
      )
    const limit = readLimit(query, defaultLimit)
    const given =
      request === null
        ? await answerOfRoute(server, route!, site)
        : answersTo(server, site, findEntry(server, request))
    const shown = await Promise.all(given.map((one) => listSadPaths(server, site, one)))
    const all = shown.flat()
    return { sadPaths: all.slice(0, limit), more: Math.max(0, all.length - limit) }
  }
}

/** @throws HttpError if its answer is not known */
export async function sadPathsOfRoute(
  server: Known,
  site: KnownSite,
  id: string,
): Promise<{ status: number; sadPaths: ShownSadPath[] }> {
  const [given] = await answerOfRoute(server, id, site)
  return { status: given!.answered.status, sadPaths: await listSadPaths(server, site, given!) }
}

/** The answer to a recorded request as a fixture has it, broken. `undefined` if it does not have the sad path. */
export function brokenAnswer(
  server: Known,
  site: KnownSite,
  entry: JournalEntry,
  id: string,
): PreparedResponse | undefined {
  for (const { answered, asked } of answersTo(server, site, entry)) {
    const change = asked && sadPathsOf(answered).find((path) => path.id === id)?.change
    if (!change) continue
    const response = breakAnswer(change, asked.response, asked)
    const body = answered.graphql && jsonIn(response)
    if (!isRecord(body) || !Array.isArray(body['errors'])) return response
    // They are computed from the query of each request.
    for (const error of body['errors'] as { path?: unknown; locations?: unknown }[])
      if (error.path) delete error.locations
    const { status, delay } = response
    return prepareResponse({ status, delay, body })
  }
  return undefined
}

async function listSadPaths(server: Known, site: KnownSite, given: AnsweredByRoute): Promise<ShownSadPath[]> {
  const others = await otherAnswers(server, site, given)
  const { answered } = given
  return sadPathsOf(answered).map((path) => {
    const { id, title, kind, request, method, path: pattern, operationName } = path
    const coveredBy = [...coveringRoutes(path, answered, others), ...clientsOf(server, path)]
    return {
      ...{ id, title, kind, request, method, path: pattern },
      ...(operationName !== undefined && { operationName }),
      ...(coveredBy.length > 0 && { coveredBy }),
    }
  })
}

type Coverage = NonNullable<ShownSadPath['coveredBy']>
interface OtherAnswer {
  route: CompiledRoute
  response: PreparedResponse
  body: unknown
}

function coveringRoutes(path: SadPath, { json }: Answered, others: readonly OtherAnswer[]): Coverage {
  return others
    .filter((other) => covers(path, other, json?.value))
    .map(({ route: { name, scenarios, source } }) => ({
      ...(scenarios ? { by: 'scenario' as const, name: scenarios[0]! } : { by: 'route' as const, name }),
      ...positionOf(source),
    }))
}

function clientsOf({ state }: Known, { id }: SadPath): Coverage {
  // Each page of `explore` is a client of its own, with a name that nobody has chosen.
  const names = (state.seenSadPaths.get(id) ?? []).map((name) => name.replace(/^explore-[\w-]+$/, 'explore'))
  return [...new Set(names)].map((name) => ({ by: 'client', name }))
}

/** Routes that are asked what they would answer. */
const maxOthers = 50

async function otherAnswers(
  server: Known,
  site: KnownSite,
  { asked }: AnsweredByRoute,
): Promise<OtherAnswer[]> {
  if (!asked) return []
  const { endpoint, request } = asked
  const isFor = ({ selector }: CompiledRoute) =>
    selector?.equalities.every(
      ({ field, value }) => field.source !== 'operationName' || value === request.operationName,
    ) ?? true
  const others = endpoint.routes
    .filter((route) => route.id !== asked.route.id && isFor(route))
    .slice(0, maxOthers)
  const answers = others.map(async (route) => {
    const response = (await tryRoute(server, site, endpoint, route, request))?.response
    return response ? [{ route, response, body: jsonIn(response) }] : []
  })
  return (await Promise.all(answers)).flat()
}

/** A request as the route would get it. @returns no response if a function or the backend would answer */
async function tryRoute(
  server: Known,
  site: KnownSite,
  endpoint: Endpoint,
  { id }: CompiledRoute,
  { raw, graphql }: Pick<ParsedRequest, 'graphql'> & { raw: Parameters<typeof tryRequest>[2] },
) {
  const state = new MockState()
  state.overrides.set({ routes: { [endpointId(endpoint)]: id } })
  const { method, url, headers } = raw
  const body = graphql ? new TextEncoder().encode(toJson(graphql.exactPayload)) : raw.body
  return (await tryRequest(server, site, { method, url, headers, body }, { state }))?.decision
}

/** Answers to the request. If an override has broken one, the last one before counts. */
function answersTo(server: Known, site: KnownSite, asked: JournalEntry): AnsweredByRoute[] {
  const isGood = (one: JournalEntry) =>
    one.answeredBy !== 'override' && one.operationName === asked.operationName && keyOf(one) === keyOf(asked)
  const entry = asked.answeredBy === 'override' ? [...server.journal.after(0)].findLast(isGood) : asked
  const given = entry ? answersIn(server, site, entry) : []
  return given.length > 0 ? given : [{ answered: unknownAnswer(asked) }]
}

function keyOf({ method, match, url }: JournalEntry): string {
  return `${method} ${match?.endpoint.path ?? url.split('?', 1)[0]}`
}

/** An answer for each operation of a batch; none where the journal does not have the whole request. */
function answersIn({ store, options }: Known, { bases }: KnownSite, entry: JournalEntry): AnsweredByRoute[] {
  const { response, responseSize } = entry
  if (!response || (!entry.match && entry.answeredBy !== 'passed-on')) return []
  const backend = matchBackend({ graphql: options.graphql, bases }, entry.method, entry.url)
  const match = entry.match ?? backend
  const { endpoint } = match
  const route = entry.route ?? backend.endpoint.routes[0]!
  const read = readRequest(match, rawRequestOf(entry))
  if (!('all' in read)) return []
  const isCut = response.body.length < responseSize
  const list = read.all.length > 1 && !isCut ? jsonIn(response) : undefined
  return read.all.map((request, index) => {
    const own = Array.isArray(list) ? prepareResponse({ body: (list[index] as unknown) ?? null }) : response
    const answered = answeredOf(endpoint, request, own, store.current!.table)
    return {
      answered: isCut ? { ...answered, json: undefined } : answered,
      asked: { endpoint, route, request, response: own },
    }
  })
}

/** An answer without content, which has only the sad paths of every answer. */
function unknownAnswer({ operationName, status = 200, ...entry }: JournalEntry): Answered {
  const [method, path] = keyOf(entry).split(' ') as [string, string]
  return {
    subject: { method, path, ...(operationName !== undefined && { operationName }) },
    status,
    isLaterPage: false,
    errorBody: () => undefined,
  }
}

/** Answer to the last request that the route has answered, else to one without parameters. */
async function answerOfRoute(server: Known, id: string, site: KnownSite): Promise<AnsweredByRoute[]> {
  const { store, journal } = server
  const { table } = store.current!
  const endpoint = table.endpoints.find(({ routes }) => routes.some((one) => one.id === id))
  const route = endpoint?.routes.find((one) => one.id === id)
  if (!endpoint || !route)
    throw new HttpError(404, 'api-route-unknown', `No route has the id "${id}".`, 'GET routes lists the ids.')
  const last = [...journal.after(0)].findLast((one) => one.route?.id === id && one.answeredBy === 'route')
  const given = last ? answersIn(server, site, last) : []
  if (given.length > 0) return given
  const operationName = route.selector?.equalities.find(
    ({ field }) => field.source === 'operationName',
  )?.value
  const method = endpoint.method === '*' ? 'GET' : endpoint.method
  const headers = { 'content-type': 'application/json' }
  const body = endpoint.graphql && new TextEncoder().encode(JSON.stringify({ operationName }))
  const raw = { method, url: `${site.bases[0]}${endpoint.path}`, headers, body }
  const { request, response } = (await tryRoute(server, site, endpoint, route, { raw })) ?? {}
  if (request && response)
    return [
      {
        answered: answeredOf(endpoint, request, response, table),
        asked: { endpoint, route, request, response },
      },
    ]
  throw new HttpError(
    409,
    'api-answer-unknown',
    `What "${route.name}" answers is not known yet.`,
    'Send a request that it answers, and ask again.',
  )
}
