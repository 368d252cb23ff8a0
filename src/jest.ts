import { afterEach, beforeEach } from '@jest/globals' // made by Jest itself, and by Bun
import { createTests, openNodeLayer, runByHooks } from './intercept/tests.ts'

export type * from './intercept/exported-types.ts'

/* The setup file for Jest, which runs it before each test file, with global objects of that file. CommonJS, also where it is imported. */

const tests = createTests((given) =>
  openNodeLayer(given, { entry: 'unplugin-mock-api/jest', scope: globalThis, isFresh: true }),
)
runByHooks(tests, { beforeEach, afterEach })

/**
 * Sets the options of the mock server in tests, in a setup file of the project.
 *
 * @example
 * // jest.setup.js, with setupFilesAfterEnv: ['./jest.setup.js']
 * const { setupMockApi } = require('unplugin-mock-api/jest')
 *
 * setupMockApi({ fixtures: 'mocks', unmatched: 'fail' })
 */
export const setupMockApi = tests.setupMockApi

/**
 * The mock server of the current test. Each test starts with its own scenarios, overrides, sequences and requests.
 * Outside of tests, settings apply to all tests of the file.
 *
 * @example
 * import { mockApi } from 'unplugin-mock-api/jest'
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
 * import { forEachSadPath } from 'unplugin-mock-api/jest'
 *
 * it('takes every sad path', () => forEachSadPath(() => loadHero(), { errors: [HeroError] }), 60_000)
 */
export const forEachSadPath = tests.forEachSadPath
