import type { MiddlewareOptions } from '../core/options/options.ts'
import type { ModuleWorld } from '../core/options/module-world.ts'
import { asJson } from '../core/values/json-value.ts'
import type { RequestDetails } from '../inspector/api/api.ts'
import { createApiClient } from '../inspector/client/api-client.ts'

/** The options of `setupMockApi`: those of the plugin, and those of `createMiddleware`. */
export interface TestOptions extends Omit<
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
  /** The id of the current test; `''` outside of tests. */
  test: () => string
  ask: typeof fetch
  origin: string
  failsUnmatched: () => boolean
  /** Texts for requests of the test, and of nobody since the last test, that no route matches. Each once. */
  takeMisses: (test: string) => Promise<readonly string[]>
}

/** How a test runner starts what answers in its process. */
export interface NodeLayerOptions {
  /** The entry of the package, for messages. */
  entry: string
  /** Where relative paths start. Default: the working directory. */
  root?: string | undefined
  world?: ModuleWorld | undefined
  /** Where `fetch` is replaced. Default: Node's own global object. */
  scope?: typeof globalThis
  /** Whether fixture files are read anew, since the process outlives the test file. */
  isFresh?: boolean
}

/** The text of each 404 for a request that matched no route of its endpoint. */
export async function describeUnmatched(
  { ask, origin }: Pick<TestLayer, 'ask' | 'origin'>,
  client: string,
  told = new Set<number>(),
): Promise<string[]> {
  const api = createApiClient({ base: `${origin}/__mock-api/api/`, fetch: ask })
  const { requests } = await api.call('GET /requests', { query: `client=${encodeURIComponent(client)}` })
  const unmatched = requests
    .filter(({ id, answeredBy }) => answeredBy === 'nothing' && !told.has(id))
    .reverse()
  for (const { id } of unmatched) told.add(id)
  return Promise.all(
    unmatched.map(async ({ id }) => describeAnswer(await api.call('GET /requests/{id}', { id }))),
  )
}

interface DescribedError {
  message: string
  fix?: string
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
