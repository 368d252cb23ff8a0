import * as vitest from 'vitest'
import type { ModuleWorld } from './core/options/module-world.ts'
import { createBrowserLayer } from './intercept/browser/test-layer.ts'
import type { TestOptions } from './intercept/test-layer.ts'
import { createTests, openNodeLayer } from './intercept/tests.ts'

export type * from './intercept/exported-types.ts'

/*
 * The setup file. Vitest runs it before each test file, so lasting state is in other modules. In a browser, it is the same file,
 * since Vitest resolves setup files in Node.
 */

interface Provided {
  root: string
  options: TestOptions
  world: ModuleWorld
}

/** The options of the plugin in Vitest's config, if it is there. */
const provided = vitest.inject('unplugin-mock-api' as never) as Provided | undefined

const tests = createTests((given) => {
  const optionsOf = () => ({ ...provided?.options, ...given() })
  const { process, __vitest_worker__: worker } = globalThis as {
    process?: Partial<NodeJS.Process>
    __vitest_worker__?: { config?: { root?: string } }
  }
  if (!process?.versions?.node || !process.getBuiltinModule) return createBrowserLayer(optionsOf)
  const { root = worker?.config?.root, world } = provided ?? {}
  return openNodeLayer(optionsOf, { entry: 'unplugin-mock-api/vitest', root, world })
})

vitest.beforeAll(() => tests.start())
vitest.aroundEach((run, { task }) => tests.run(task.id, run))

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
export const setupMockApi = tests.setupMockApi

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
export const mockApi = tests.mockApi

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
export const forEachSadPath = tests.forEachSadPath
