import { breakAnswer } from '../core/answer/force-sad-path.ts'
import { jsonIn } from '../core/graphql/result.ts'
import type { RawRequest } from '../core/http/raw-request.ts'
import type { ParsedRequest } from '../core/request/parsed-request.ts'
import { prepareResponse, type PreparedResponse } from '../core/response/prepare-response.ts'
import { answeredOf } from '../core/sad-path/answered.ts'
import { matchBackend } from '../core/sad-path/backend-endpoint.ts'
import { covers } from '../core/sad-path/covers.ts'
import type { Answered, SadPath } from '../core/sad-path/sad-path.ts'
import { sadPathsOf } from '../core/sad-path/sad-paths-of.ts'
import { MockState } from '../core/state/mock-state.ts'
import type { CompiledRoute, Endpoint } from '../core/table/route-table.ts'
import { toJson } from '../core/values/exact-number.ts'
import { isRecord } from '../core/values/values.ts'
import type { SadPath as ShownSadPath } from './api/api.ts'
import { readRequest } from './explain.ts'
import type { Journal, JournalEntry } from './journal.ts'
import { endpointId, shownPosition, rawRequestOf } from './show.ts'
import { tryRequest, type AnsweringServer, type RulesNow } from './try-request.ts'

/** An answer, and the route that has given it. */
interface AnsweredByRoute {
  answered: Answered
  asked?: { endpoint: Endpoint; route: CompiledRoute; request: ParsedRequest; response: PreparedResponse }
}

interface OtherAnswer {
  route: CompiledRoute
  response: PreparedResponse
  body: unknown
}

type Coverage = NonNullable<ShownSadPath['coveredBy']>

/** Routes that are asked what they would answer. */
const maxOthers = 50

/** Sad paths of the answers of a server, or of the routes that `check` has read. */
export class SadPaths {
  constructor(
    readonly server: AnsweringServer & { state: MockState; journal: Pick<Journal, 'after'> },
    readonly site: RulesNow,
  ) {}

  /** Sad paths of the answer to a recorded request. */
  async ofRequest(entry: JournalEntry): Promise<ShownSadPath[]> {
    const lists = await Promise.all(this.#answersTo(entry).map((one) => this.#list(one)))
    return lists.flat()
  }

  /** Sad paths of a route, and the status that it sends. `undefined` while its answer is not known. */
  async ofRoute(
    endpoint: Endpoint,
    route: CompiledRoute,
  ): Promise<{ status: number; sadPaths: ShownSadPath[] } | undefined> {
    const given = await this.#answersOfRoute(endpoint, route)
    if (given.length === 0) return undefined
    const lists = await Promise.all(given.map((one) => this.#list(one)))
    return { status: given[0]!.answered.status, sadPaths: lists.flat() }
  }

  /** The answer to a recorded request as a fixture has it, broken. `undefined` if it does not have the sad path. */
  brokenAnswer(entry: JournalEntry, id: string): PreparedResponse | undefined {
    for (const { answered, asked } of this.#answersTo(entry)) {
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

  async #list(given: AnsweredByRoute): Promise<ShownSadPath[]> {
    const others = await this.#otherAnswers(given)
    return sadPathsOf(given.answered).map((path) => {
      const { id, title, kind, request, method, path: pattern, operationName } = path
      const coveredBy = [...coveringRoutes(path, given.answered, others), ...this.#clientsOf(path)]
      return {
        id,
        title,
        kind,
        request,
        method,
        path: pattern,
        ...(operationName !== undefined && { operationName }),
        ...(coveredBy.length > 0 && { coveredBy }),
      }
    })
  }

  #clientsOf({ id }: SadPath): Coverage {
    const names = this.server.state.seenSadPaths.get(id) ?? []
    // Each page of `explore` is a client of its own, with a name that nobody has chosen.
    const shown = new Set(names.map((name) => name.replace(/^explore-[\w-]+$/, 'explore')))
    return [...shown].map((name) => ({ by: 'client', name }))
  }

  async #otherAnswers({ asked }: AnsweredByRoute): Promise<OtherAnswer[]> {
    if (!asked) return []
    const { endpoint, request } = asked
    const isFor = ({ selector }: CompiledRoute) =>
      selector?.equalities.every(
        ({ field, value }) => field.source !== 'operationName' || value === request.operationName,
      ) ?? true
    const others = endpoint.routes.filter((route) => route.id !== asked.route.id && isFor(route))
    const answers = others.slice(0, maxOthers).map(async (route) => {
      const response = (await this.#tryRoute(endpoint, route, request))?.response
      return response ? [{ route, response, body: jsonIn(response) }] : []
    })
    return (await Promise.all(answers)).flat()
  }

  /** A request as the route would get it. @returns no response if a function or the backend would answer */
  async #tryRoute(
    endpoint: Endpoint,
    { id }: CompiledRoute,
    { raw, graphql }: Pick<ParsedRequest, 'graphql'> & { raw: Omit<RawRequest, 'path' | 'search'> },
  ) {
    const state = new MockState()
    state.overrides.set({ routes: { [endpointId(endpoint)]: id } })
    const body = graphql ? new TextEncoder().encode(toJson(graphql.exactPayload)) : raw.body
    return (await tryRequest(this.server, this.site, { ...raw, body }, { state }))?.decision
  }

  /** Answers to the request. If an override has broken one, the last one before counts. */
  #answersTo(asked: JournalEntry): AnsweredByRoute[] {
    const isGood = (one: JournalEntry) =>
      one.answeredBy !== 'override' &&
      one.operationName === asked.operationName &&
      endpointOf(one) === endpointOf(asked)
    const isBroken = asked.answeredBy === 'override'
    const entry = isBroken ? [...this.server.journal.after(0)].findLast(isGood) : asked
    const given = entry ? this.#answersIn(entry) : []
    return given.length > 0 ? given : [{ answered: unknownAnswer(asked) }]
  }

  /** An answer for each operation of a batch; none where the journal does not have the whole request. */
  #answersIn(entry: JournalEntry): AnsweredByRoute[] {
    const { store, options } = this.server
    const { response, responseSize, method, url } = entry
    if (!response || (!entry.match && entry.answeredBy !== 'passed-on')) return []
    const backend = matchBackend({ graphql: options.graphql, bases: this.site.bases }, method, url)
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

  /** Answer to the last request that the route has answered, else to one without parameters. */
  async #answersOfRoute(endpoint: Endpoint, route: CompiledRoute): Promise<AnsweredByRoute[]> {
    const isLast = (one: JournalEntry) => one.route?.id === route.id && one.answeredBy === 'route'
    const last = [...this.server.journal.after(0)].findLast(isLast)
    const given = last ? this.#answersIn(last) : []
    if (given.length > 0) return given
    const operationName = route.selector?.equalities.find(
      ({ field }) => field.source === 'operationName',
    )?.value
    const method = endpoint.method === '*' ? 'GET' : endpoint.method
    const headers = { 'content-type': 'application/json' }
    const body = endpoint.graphql && new TextEncoder().encode(JSON.stringify({ operationName }))
    const raw = { method, url: `${this.site.bases[0]}${endpoint.path}`, headers, body }
    const { request, response } = (await this.#tryRoute(endpoint, route, { raw })) ?? {}
    if (!request || !response) return []
    const answered = answeredOf(endpoint, request, response, this.server.store.current!.table)
    return [{ answered, asked: { endpoint, route, request, response } }]
  }
}

function coveringRoutes(path: SadPath, { json }: Answered, others: readonly OtherAnswer[]): Coverage {
  return others
    .filter((other) => covers(path, other, json?.value))
    .map(({ route: { name, scenarios, source } }) => ({
      ...(scenarios ? { by: 'scenario' as const, name: scenarios[0]! } : { by: 'route' as const, name }),
      ...shownPosition(source),
    }))
}

function endpointOf({ method, match, url }: JournalEntry): string {
  return `${method} ${match?.endpoint.path ?? url.split('?', 1)[0]}`
}

/** An answer without content, which has only the sad paths of every answer. */
function unknownAnswer({ operationName, status = 200, ...entry }: JournalEntry): Answered {
  const [method, path] = endpointOf(entry).split(' ') as [string, string]
  return {
    subject: { method, path, ...(operationName !== undefined && { operationName }) },
    status,
    isLaterPage: false,
    errorBody: () => undefined,
  }
}
