import { afterEach, beforeEach } from 'node:test'
import { createTests, openNodeLayer, runByHooks } from './intercept/tests.ts'

export type * from './intercept/exported-types.ts'

/* Imported before each test file: node --import unplugin-mock-api/node-test --test */

const tests = createTests((given) => openNodeLayer(given, { entry: 'unplugin-mock-api/node-test' }))
runByHooks(tests, { beforeEach, afterEach })

/**
 * Sets the options of the mock server in tests, in a setup file of the project.
 *
 * @example
 * // test/setup.js, with node --import ./test/setup.js --test
 * import { setupMockApi } from 'unplugin-mock-api/node-test'
 *
 * setupMockApi({ fixtures: 'mocks', unmatched: 'fail' })
 */
export const setupMockApi = tests.setupMockApi

/**
 * The mock server of the current test. Each test starts with its own scenarios, overrides, sequences and requests.
 * Tests that run at the same time share them. Outside of tests, settings apply to all tests of the file.
 *
 * @example
 * import { mockApi } from 'unplugin-mock-api/node-test'
 *
 * it('the payment is down', async () => {
 *   await mockApi.setScenario('payment-down')
 *   assert.equal((await fetch('/orders', { method: 'POST' })).status, 503)
 * })
 */
export const mockApi = tests.mockApi

/**
 * Calls a function that loads data, first with the usual answers and then once for each sad path of its requests. The
 * function must settle, and throw only the errors that it declares. Slow answers take 3 s each: `kinds` can
 * leave them out.
 *
 * @throws Error that lists the sad paths in which the function threw another error or did not settle
 *
 * @example
 * import { forEachSadPath } from 'unplugin-mock-api/node-test'
 *
 * it('takes every sad path', () => forEachSadPath(() => loadHero(), { errors: [HeroError] }))
 */
export const forEachSadPath = tests.forEachSadPath
