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

interface Worker {
  config: { root?: string; pool?: string }
  current?: { file: object }
}
const worker = () => (globalThis as { __vitest_worker__?: Worker }).__vitest_worker__

const tests = createTests((given) => {
  const optionsOf = () => ({ ...provided?.options, ...given() })
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  if (!process?.versions?.node || !process.getBuiltinModule) return createBrowserLayer(optionsOf)
  const { root: own, pool } = worker()?.config ?? {}
  if (pool === 'vmThreads' || pool === 'vmForks') throw new Error(unsupported(pool, own))
  const { root = own, world } = provided ?? {}
  return openNodeLayer(optionsOf, { entry: 'unplugin-mock-api/vitest', root, world })
})

let begun: object | undefined

/** Once for each test file: without isolation, a setup file runs again, and finds this module as it is. */
function begin(): void {
  begun = worker()?.current?.file
  vitest.beforeAll(() => tests.start())
  vitest.aroundEach((run, { task }) => tests.run(task.id, run))
}
begin()

function unsupported(pool: string, root = '.'): string {
  return `Vitest's pool "${pool}" is not supported: each test file has global objects of its own there, and a request of some would fail no test.
  Fix: Set "pool" to "threads" or "forks" in the config of Vitest in ${root}, or on the command line. (unplugin-mock-api/vitest)`
}

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
export function setupMockApi(options: TestOptions): void {
  if (worker()?.current?.file !== begun) {
    tests.renew()
    begin()
  }
  tests.setupMockApi(options)
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
