import * as vitest from 'vitest'
import type { MockClient } from './client.ts'
import type { ModuleWorld } from './core/options/module-world.ts'
import { createBrowserLayer } from './intercept/browser/test-layer.ts'
import type { createNodeLayer as CreateNodeLayer } from './intercept/node/test-layer.ts'
import { forEachSadPath as forEach, type LoaderOptions } from './intercept/for-each-sad-path.ts'
import { describeUnmatched, type TestLayer, type VitestOptions } from './intercept/test-layer.ts'

export type { RequestFilter, WaitOptions } from './client.ts'
export type { Logger, LogLevel } from './core/options/options.ts'
export type { LoaderOptions } from './intercept/for-each-sad-path.ts'
export type { VitestOptions } from './intercept/test-layer.ts'

/*
 * The setup file. Vitest runs it before each test file, so lasting state is in other modules. In a browser, it is the same file,
 * since Vitest resolves setup files in Node.
 */

/** The functions of the client, without recording, which is for dev servers. */
export type TestClient = Omit<MockClient, 'record'>

interface Provided {
  root: string
  options: VitestOptions
  world: ModuleWorld
}

/** The options of the plugin in Vitest's config, if it is there. */
const provided = vitest.inject('unplugin-mock-api' as never) as Provided | undefined
let given: VitestOptions = {}

const layer = createLayer()

function createLayer(): TestLayer {
  const optionsOf = () => ({ ...provided?.options, ...given })
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  if (!process?.versions?.node || !process.getBuiltinModule) return createBrowserLayer(optionsOf)
  // Not a static import, since a browser must not load it. Synchronous, so requests are answered right after this file.
  const load = process.getBuiltinModule('node:module').createRequire(import.meta.url)
  const { createNodeLayer } = load('./vitest-node.js') as { createNodeLayer: typeof CreateNodeLayer }
  const { config } =
    (globalThis as { __vitest_worker__?: { config?: { root?: string } } }).__vitest_worker__ ?? {}
  const node = createNodeLayer(optionsOf, provided?.root ?? config?.root ?? process.cwd!(), provided?.world)
  void node.start()
  return node
}

async function runTest(id: string, run: () => Promise<void>): Promise<void> {
  await layer.within(id, run)
  if (!layer.failsUnmatched()) return
  const unmatched = await describeUnmatched(layer, id)
  if (unmatched.length > 0) throw new Error(unmatched.join('\n'))
}

vitest.beforeAll(() => layer.start())
vitest.aroundEach((run, { task }) => runTest(task.id, run))

/**
 * Sets the options of the mock server in tests, in a setup file of the project. Without it, the options of the plugin
 * in Vitest's config apply.
 *
 * @example
 * // vitest.setup.ts, with test: { setupFiles: ['./vitest.setup.ts'] }
 * import { setupMockApi } from 'unplugin-mock-api/vitest'
 *
 * setupMockApi({ fixtures: 'mocks', unmatched: 'fail' })
 */
export function setupMockApi(options: VitestOptions): void {
  given = options
}

/**
 * The mock server of the current test. Each test starts with its own scenarios, overrides, sequences and requests.
 * Outside of tests, settings apply to all tests of the file.
 *
 * @example
 * import { mockApi } from 'unplugin-mock-api/vitest'
 *
 * it('the payment is down', async () => {
 *   await mockApi.setScenario('payment-down')
 *   expect((await fetch('/orders', { method: 'POST' })).status).toBe(503)
 * })
 */
export const mockApi: TestClient = {
  setScenario: (...names) => layer.client().setScenario(...names),
  requests: (filter) => layer.client().requests(filter),
  waitForRequest: (filter, options) => layer.client().waitForRequest(filter, options),
  explain: (request) => layer.client().explain(request),
  override: (overrides) => layer.client().override(overrides),
  sadPaths: (filter) => layer.client().sadPaths(filter),
  force: (path) => layer.client().force(path),
  push: (...event) => layer.client().push(...event),
  reset: () => layer.client().reset(),
}

/**
 * Calls a function that loads data, first with the usual answers and then once for each sad path of its requests. The
 * function must settle, and throw only the errors that it declares. Slow answers take 3 s each: give the test time,
 * or choose `kinds`.
 *
 * @throws Error that lists the sad paths in which the function threw another error or did not settle
 *
 * @example
 * import { forEachSadPath } from 'unplugin-mock-api/vitest'
 *
 * it('takes every sad path', () => forEachSadPath(() => loadHero(), { errors: [HeroError] }), 60_000)
 */
export const forEachSadPath = (load: () => unknown, options?: LoaderOptions): Promise<void> =>
  forEach(mockApi, load, options)
