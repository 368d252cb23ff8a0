import { splitLogin } from './core/values/url-user.ts'
import type {
  AnsweredBy,
  ExplainRequest,
  Explanation,
  Json,
  Overrides,
  RecordState,
  RequestDetails,
  RequestSummary,
  SadPath,
} from './inspector/api/api.ts'
import { createApiClient } from './inspector/client/api-client.ts'

export type {
  AnsweredBy,
  Candidate,
  ExplainRequest,
  Explanation,
  FailedCondition,
  Json,
  Overrides,
  Omission,
  Position,
  RecordState,
  RequestDetails,
  RequestSummary,
  SadPath,
  ShownBody,
} from './inspector/api/api.ts'
export { ControlApiError } from './inspector/client/api-client.ts'

/** The options of `createClient`. */
export interface ClientOptions {
  /**
   * The client whose scenarios, overrides, sequences and requests this concerns: requests with this name in the
   * header `x-mock-client` or the cookie `mock-client`. Default: everyone. Tests that run at the same time each need
   * their own name.
   */
  client?: string
  /** Default: the global `fetch`. */
  fetch?: typeof fetch
}

/** Selects requests that have all of these properties. */
export interface RequestFilter {
  /** Case-insensitive. */
  method?: string
  /** The path without the query, with or without the option `base`, or a pattern for it. */
  path?: string | RegExp
  /** GraphQL: the name of the operation. */
  operationName?: string
  /** The HTTP status of the answer. */
  status?: number
  /** How the request was answered, such as `route` or `passed-on`. */
  answeredBy?: AnsweredBy
  /** The name or the id of the route that answered. */
  route?: string
}

/** The options of `waitForRequest`. */
export interface WaitOptions {
  /** Milliseconds to wait. Default 5000. */
  timeout?: number
}

/** A client of the control API of a mock server. */
export interface MockClient {
  /** Activates scenarios, by name; none deactivates all. */
  setScenario: (...names: (string | readonly string[])[]) => Promise<void>
  /**
   * The recorded requests, newest first.
   *
   * @throws TypeError when the filter has an unknown key
   */
  requests: (filter?: RequestFilter) => Promise<RequestSummary[]>
  /**
   * Waits until a request has been answered, and returns it with its body and its answer. A request that has already
   * arrived counts too, unless this client has returned it before or `reset` was called since.
   *
   * @throws Error when none arrives in time; it lists the requests that have arrived. TypeError when the filter has
   * an unknown key
   *
   * @example
   * const order = client.waitForRequest({ method: 'POST', path: '/orders' })
   * await page.getByRole('button', { name: 'Buy' }).click()
   * expect(JSON.parse((await order).body!.text!)).toEqual({ id: 7 })
   */
  waitForRequest: (filter?: RequestFilter, options?: WaitOptions) => Promise<RequestDetails>
  /** How a request would be answered, without answering it. */
  explain: (request: ExplainRequest) => Promise<Explanation>
  /**
   * Replaces what is switched on; an empty object switches everything off.
   *
   * @example
   * await client.override({ failNext: { count: 2, status: 503, endpoint: 'POST /orders' } })
   */
  override: (overrides: Overrides) => Promise<Overrides>
  /**
   * The ways in which the answers to the recorded requests can go wrong.
   *
   * @param filter selects the requests; default: all. Of similar requests, the last is used
   * @throws TypeError when the filter has an unknown key
   *
   * @example
   * for (const path of await client.sadPaths({ operationName: 'Hero' })) console.log(path.title)
   * // hero.friends[1].name is null, with an error
   */
  sadPaths: (filter?: RequestFilter) => Promise<SadPath[]>
  /**
   * Makes the answers of a sad path go wrong in that way, until `force()` ends it. Other overrides stay.
   *
   * @param path one of `sadPaths`, or its id
   *
   * @example
   * await client.force('GET /orders #status 503')
   */
  force: (path?: SadPath | string) => Promise<void>
  /**
   * Starts or ends a recording of the real backend. When it ends, its routes start to answer.
   *
   * @param target where requests are sent; default: the option `record.target`, else the proxy of the dev server
   */
  record: (recording: boolean, target?: string) => Promise<RecordState>
  /**
   * Sends an event to the streams with `on: { push: channel }`. A client with a name reaches its own streams, a
   * client without a name reaches all.
   *
   * @param event the type of a server-sent event; default: that of the trigger
   * @returns how many streams the event has reached
   *
   * @example
   * await client.push('orders', { id: 7, state: 'paid' })
   */
  push: (channel: string, data: unknown, event?: string) => Promise<number>
  /** Resets scenarios, overrides, sequences and recorded requests. */
  reset: () => Promise<void>
}

/**
 * Creates a client for the control API of a running mock server, for tests. It has no dependencies, and runs in Node
 * and in browsers (on pages of the dev server itself).
 *
 * @param origin where the dev server is, with the base of the host if it has one: `http://localhost:5173`
 *
 * @example
 * import { createClient } from 'unplugin-mock-api/client'
 *
 * const client = createClient('http://localhost:5173', { client: 'test-1' })
 * await client.setScenario('payment-down')
 */
export function createClient(
  origin: string,
  { client, fetch: send = fetch }: ClientOptions = {},
): MockClient {
  const { url, headers } = splitLogin(origin)
  const base = `${url.replace(/\/+$/, '')}/__mock-api/api/`
  const api = createApiClient({
    base,
    client,
    headers,
    fetch: send,
    explain: (status) => (status === 0 ? noServer(url) : noControlApi(base, status)),
  })
  const query = client === undefined ? '' : `client=${encodeURIComponent(client)}`
  /** The requests that `waitForRequest` does not return again: those up to an id, and those that it has returned. */
  let start = 0
  const returned = new Set<number>()

  /** Follows the stream until a request fits. */
  async function findRequest(
    filter: RequestFilter,
    others: Map<number, RequestSummary>,
    signal: AbortSignal,
  ): Promise<RequestSummary> {
    for (;;) {
      const headers = { 'last-event-id': String(Math.max(start, ...others.keys())) }
      for await (const { event, data } of api.stream({ query, headers, signal })) {
        if (event !== 'request' || returned.has(data.id)) continue
        const isAnswered = data.duration !== undefined || data.stream !== undefined
        if (isAnswered && fits(filter, data)) {
          returned.add(data.id)
          return data
        }
        others.set(data.id, data)
      }
      // The server has closed the stream, to restart perhaps.
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  return {
    async setScenario(...names) {
      await api.call('PUT /scenario', { body: { scenario: names.flat() } })
    },

    async requests(filter = {}) {
      checkFilter(filter)
      const { requests } = await api.call('GET /requests', { query })
      return requests.filter((request) => fits(filter, request))
    },

    async waitForRequest(filter = {}, { timeout = 5000 } = {}) {
      checkFilter(filter)
      const others = new Map<number, RequestSummary>()
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort(), timeout)
      try {
        const { id } = await findRequest(filter, others, stop.signal)
        return await api.call('GET /requests/{id}', { id })
      } catch (error) {
        if (!stop.signal.aborted) throw error
        throw new Error(timeoutMessage(filter, timeout, [...others.values()]), { cause: error })
      } finally {
        clearTimeout(timer)
        stop.abort()
      }
    },

    explain: (request) => api.call('POST /explain', { body: request }),
    override: (overrides) => api.call('PUT /overrides', { body: overrides }),

    async sadPaths(filter = {}) {
      checkFilter(filter)
      const { requests } = await api.call('GET /requests', { query })
      const asked = requests.filter((request) => request.duration !== undefined && fits(filter, request))
      const last = new Map<string, RequestSummary>()
      for (const request of asked.reverse()) last.set(describeAsked(request), request)
      const lists = await Promise.all(
        [...last.values()].map(({ id }) => api.call('GET /sad-paths', { query: `request=${id}` })),
      )
      const paths = lists.flatMap(({ sadPaths }) => sadPaths)
      return [...new Map(paths.map((path) => [path.id, path])).values()]
    },

    async force(path) {
      const overrides = await api.call('GET /overrides')
      delete overrides.sadPath
      const id = typeof path === 'object' ? path.id : path
      await api.call('PUT /overrides', { body: { ...overrides, ...(id !== undefined && { sadPath: id }) } })
    },

    record: (recording, target) =>
      api.call('PUT /record', { body: { recording, ...(target !== undefined && { target }) } }),

    async push(channel, data, event) {
      const body = { channel, data: data as Json, ...(event !== undefined && { event }) }
      return (await api.call('POST /push', { body })).streams
    },

    async reset() {
      start = (await api.call('POST /reset', { body: { requests: true } })).lastRequest
      returned.clear()
    },
  }
}

function noServer(origin: string): string {
  return `No server answers at ${JSON.stringify(origin)}. Start the dev server, and give createClient its origin, such as "http://localhost:5173".`
}

function noControlApi(base: string, status: number): string {
  return `There is no control API at ${base}: the answer has the status ${status} and is not JSON. Check that the origin is that of a dev server with the plugin, and that the option "inspector" is not false; a preview server needs "inspector: { preview: true }".`
}

const maxListed = 10

function timeoutMessage(filter: RequestFilter, timeout: number, others: readonly RequestSummary[]): string {
  const head = `Waited ${timeout} ms for ${describeFilter(filter)}.`
  if (others.length === 0) return `${head} No request has arrived.`
  const more = others.length > maxListed ? `\n  … and ${others.length - maxListed} before` : ''
  const listed = others.slice(-maxListed).map((request) => `\n  ${describeSummary(request)}`)
  return `${head} These have arrived:${listed.join('')}${more}`
}

const keys = Object.keys({
  method: true,
  path: true,
  operationName: true,
  status: true,
  answeredBy: true,
  route: true,
} satisfies Record<keyof RequestFilter, true>)

/** Throws a `TypeError` for a filter with an unknown key, which plain JavaScript does not notice. */
function checkFilter(filter: RequestFilter): void {
  const unknown = Object.keys(filter).find((key) => !keys.includes(key))
  if (unknown === undefined) return
  const fix =
    unknown === 'timeout'
      ? 'It goes into the second argument: waitForRequest({ path: "/orders" }, { timeout: 1000 }).'
      : `Known keys: ${keys.join(', ')}.`
  throw new TypeError(`Unknown key ${JSON.stringify(unknown)} in the filter of a request. ${fix}`)
}

function fits(filter: RequestFilter, request: RequestSummary): boolean {
  const { method, path, operationName, status, answeredBy, route } = filter
  const [asked = ''] = request.url.split('?', 1)
  const paths = [asked, request.path ?? asked]
  return (
    (method === undefined || method.toUpperCase() === request.method) &&
    (path === undefined ||
      paths.some((one) => (typeof path === 'string' ? path === one : one.search(path) !== -1))) &&
    (operationName === undefined || operationName === request.operationName) &&
    (status === undefined || status === request.status) &&
    (answeredBy === undefined || answeredBy === request.answeredBy) &&
    (route === undefined || route === request.route?.name || route === request.route?.id)
  )
}

/** A request as messages name it: `POST /graphql Checkout → 200 by "paid"`. */
function describeSummary({ method, url, operationName, status, answeredBy, route }: RequestSummary): string {
  const operation = operationName === undefined ? '' : ` ${operationName}`
  const answer = status === undefined ? '' : ` → ${status}`
  return `${method} ${url}${operation}${answer} by ${route ? `"${route.name}"` : answeredBy}`
}

/** The method, the path, and the operation. */
function describeAsked({ method, url, operationName = '' }: RequestSummary): string {
  return `${method} ${url.split('?', 1)[0]} ${operationName}`
}

/** A filter as messages name it. */
function describeFilter(filter: RequestFilter): string {
  const parts = Object.entries(filter).map(
    ([name, value]) => `${name} ${value instanceof RegExp ? String(value) : JSON.stringify(value)}`,
  )
  return parts.length === 0 ? 'a request' : `a request with ${parts.join(' and ')}`
}
