import { createClient, type MockClient } from '../client.ts'
import type { MiddlewareOptions } from '../core/options/options.ts'
import { asJson } from '../core/values/json-value.ts'
import type { RequestDetails } from '../inspector/api/api.ts'
import { createApiClient } from '../inspector/client/api-client.ts'

/** The options of `setupMockApi`: those of the plugin, and those of `createMiddleware`. */
export interface VitestOptions extends Omit<
  MiddlewareOptions,
  'unmatched' | 'watch' | 'inspector' | 'record' | 'outgoing'
> {
  /**
   * What happens when a request is for a mock endpoint but matches none of its routes. `error` (the default) answers with a
   * JSON 404 that says why; `fail` also makes the test fail with this text; `passthrough` leaves the request to the `fetch`
   * that was there before.
   */
  unmatched?: 'error' | 'fail' | 'passthrough' | undefined
}

export interface TestLayer {
  start: () => Promise<void>
  /** The test's requests are those of a client with its id. */
  within: <T>(test: string, run: () => Promise<T>) => Promise<T>
  /** Outside of tests, it is everyone. */
  client: () => MockClient
  ask: typeof fetch
  origin: string
  failsUnmatched: () => boolean
}

/** `''` is the client of everyone. */
export function clientsOf(origin: string, ask: typeof fetch): (test: string) => MockClient {
  const clients = new Map<string, MockClient>()
  return (test) => {
    const known = clients.get(test) ?? createClient(origin, { fetch: ask, ...(test && { client: test }) })
    clients.set(test, known)
    return known
  }
}

/** The text of each 404 for a request that matched no route of its endpoint. */
export async function describeUnmatched(
  { ask, origin }: Pick<TestLayer, 'ask' | 'origin'>,
  client: string,
): Promise<string[]> {
  const api = createApiClient({ base: `${origin}/__mock-api/api/`, fetch: ask })
  const { requests } = await api.call('GET /requests', { query: `client=${encodeURIComponent(client)}` })
  const unmatched = requests.filter(({ answeredBy }) => answeredBy === 'nothing').reverse()
  return Promise.all(
    unmatched.map(async ({ id }) => describeAnswer(await api.call('GET /requests/{id}', { id }))),
  )
}

interface DescribedError {
  message: string
  fix?: string
  routes?: { route: string; place?: string }[]
  extensions?: Omit<DescribedError, 'message'>
}

function describeAnswer({ method, url, response }: RequestDetails): string {
  const body = (asJson(response?.body.text ?? '')?.value ?? {}) as {
    error?: DescribedError
    errors?: DescribedError[]
  }
  const error = body.error ?? body.errors?.[0]
  if (!error) return `No route matched ${method} ${url}.`
  const fix = error.fix ?? error.extensions?.fix
  return fix === undefined ? error.message : `${error.message}\n  Fix: ${fix}`
}
