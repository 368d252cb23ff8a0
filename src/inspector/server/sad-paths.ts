import { decide } from '../../core/answer/decide.ts'
import { findRequest } from '../../core/answer/receive.ts'
import type { Rules } from '../../core/answer/rules.ts'
import { RawRequest } from '../../core/http/raw-request.ts'
import type { ParsedRequest } from '../../core/request/parsed-request.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import { answeredOf } from '../../core/sad-path/answered.ts'
import type { Answered, SadPath } from '../../core/sad-path/sad-path.ts'
import { sadPathsOf } from '../../core/sad-path/sad-paths-of.ts'
import { MockState } from '../../core/state/mock-state.ts'
import type { CompiledRoute, Endpoint } from '../../core/table/route-table.ts'
import type { SadPath as ShownSadPath } from '../api.ts'
import { readRequest } from '../explain.ts'
import type { JournalEntry } from '../journal.ts'
import { endpointId, rawRequestOf } from '../show.ts'
import type { ApiHandlers, InspectedServer, Site } from './context.ts'
import { HttpError } from './json.ts'
import { findEntry, readLimit } from './requests.ts'

/** More do not help to find out what a page does. */
const defaultLimit = 100

export function createSadPathHandlers(server: InspectedServer): Pick<ApiHandlers, 'GET /sad-paths'> {
  return {
    'GET /sad-paths': async ({ query, site }) => {
      const [request, route] = [query.get('request'), query.get('route')]
      if ((request === null) === (route === null))
        throw new HttpError(
          400,
          'api-parameter-invalid',
          'Either "request" or "route" is needed.',
          'Ask for sad-paths?request=7 with the id of a request, or for sad-paths?route=… with that of a route.',
        )
      const limit = readLimit(query, defaultLimit)
      const answered =
        request === null
          ? await answerOfRoute(server, route!, site)
          : answerTo(server, findEntry(server, request))
      const all = sadPathsOf(answered)
      return { sadPaths: all.slice(0, limit).map(show), more: Math.max(0, all.length - limit) }
    },
  }
}

function show({ id, title, kind, request, method, path, operationName }: SadPath): ShownSadPath {
  return { id, title, kind, request, method, path, ...(operationName !== undefined && { operationName }) }
}

/** An answer that an override has broken already says nothing: the last one before is meant. */
function answerTo(server: InspectedServer, asked: JournalEntry): Answered {
  const { journal } = server
  const isSame = ({ method, match, operationName }: JournalEntry) =>
    method === asked.method &&
    match?.endpoint.path === asked.match?.endpoint.path &&
    operationName === asked.operationName
  const entry =
    asked.answeredBy === 'override'
      ? [...journal.after(0)].findLast((one) => one.answeredBy === 'route' && isSame(one))
      : asked
  return (entry && answeredIn(server, entry)) ?? unknownAnswer(asked)
}

/** `undefined` where the journal does not have the request as a whole. */
function answeredIn({ store }: InspectedServer, entry: JournalEntry): Answered | undefined {
  const { match, response, responseSize } = entry
  if (!match || !response) return undefined
  const read = readRequest(match, rawRequestOf(entry))
  if ('refused' in read) return undefined
  const answered = answeredOf(match.endpoint, read.request, response, store.current!.table)
  const { body } = response
  return body.length < responseSize ? { ...answered, json: undefined } : answered
}

/** Only what can go wrong with every answer. */
function unknownAnswer({ method, url, match, operationName, status = 200 }: JournalEntry): Answered {
  const path = match?.endpoint.path ?? url.split('?', 1)[0]!
  return {
    subject: { method, path, ...(operationName !== undefined && { operationName }) },
    status,
    isLaterPage: false,
    errorBody: () => undefined,
  }
}

/** That to the last request that it has answered, else that to one without parameters. */
async function answerOfRoute(server: InspectedServer, id: string, site: Site): Promise<Answered> {
  const { store, journal } = server
  const { table } = store.current!
  const endpoint = table.endpoints.find(({ routes }) => routes.some((route) => route.id === id))
  const route = endpoint?.routes.find((one) => one.id === id)
  if (!endpoint || !route)
    throw new HttpError(404, 'api-route-unknown', `No route has the id "${id}".`, 'GET routes lists the ids.')
  const last = [...journal.after(0)].findLast((one) => one.route?.id === id && one.answeredBy === 'route')
  const answered = last && answeredIn(server, last)
  if (answered) return answered
  const made = await dryRun(server, endpoint, route, site)
  if (made) return answeredOf(endpoint, made.request, made.response, table)
  throw new HttpError(
    409,
    'api-answer-unknown',
    `What "${route.name}" answers is not known yet.`,
    'Send a request that it answers, and ask again.',
  )
}

/** `undefined` if a function or the backend would answer. */
async function dryRun(
  { store }: InspectedServer,
  endpoint: Endpoint,
  { id, selector }: CompiledRoute,
  site: Site,
): Promise<{ request: ParsedRequest; response: PreparedResponse } | undefined> {
  const { table } = store.current!
  const state = new MockState()
  state.setOverrides({ routes: { [endpointId(endpoint)]: id } })
  const rules: Rules = { ...site.rulesNow(), state, isDryRun: true }
  const method = endpoint.method === '*' ? 'GET' : endpoint.method
  const url = `${site.bases[0]}${endpoint.path}`
  const headers = { 'content-type': 'application/json' }
  const found = findRequest(rules, table, method, url, { headers })
  if (!found) return undefined
  const { match } = found
  const raw = new RawRequest({
    method,
    url,
    headers,
    path: match.path,
    search: match.search,
    params: match.params,
  })
  const operationName = selector?.equalities.find(({ field }) => field.source === 'operationName')?.value
  const bytes = endpoint.graphql && new TextEncoder().encode(JSON.stringify({ operationName }))
  const never = () => Promise.reject(new Error('a dry run has asked'))
  const asked = { match, table, raw, rules, askBackend: never, waitFor: never }
  const { request, response } = await decide(asked, { kind: 'complete', bytes })
  return request && response && { request, response }
}
