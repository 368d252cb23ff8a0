import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import { createClient, type MockClient } from './client.ts'

export { expect } from '@playwright/test'
export { sadPaths, type SadPathOptions, type SadPathTest } from './explore/sad-path-tests.ts'
export type { MockClient } from './client.ts'

/** What each test has besides Playwright's own fixtures. */
export interface MockFixtures {
  /**
   * The scenarios that are active in a test, by name, separated by commas. Set it with `test.use`, or for a project in
   * `playwright.config.ts`. Default: the scenarios of the dev server.
   */
  mockScenario: string
  /**
   * The control API of the dev server for this test alone: scenarios, overrides, sequences and requests of its pages and of
   * its `request`. It is reset when the test ends.
   */
  mock: MockClient
}

/**
 * Playwright's `test`, whose tests each are a client of the mock server, so that any number of workers can share one dev
 * server. `use.baseURL` says where it is.
 *
 * Pages of contexts that a test makes itself, with `browser.newContext()`, are not part of that client.
 *
 * @throws Error when a test has no `baseURL`; ControlApiError when the dev server there does not have the plugin
 *
 * @example
 * import { expect, test } from 'unplugin-mock-api/playwright'
 *
 * test.describe('while the payment is down', () => {
 *   test.use({ mockScenario: 'payment-down' })
 *
 *   test('the page says so', async ({ page }) => {
 *     await page.goto('/')
 *     await page.getByRole('button', { name: 'Buy' }).click()
 *     await expect(page.getByText('Try again later')).toBeVisible()
 *   })
 * })
 *
 * @see https://playwright.dev/docs/test-fixtures
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MockFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<MockFixtures>({
  mockScenario: ['', { option: true }],

  mock: async ({ baseURL, mockScenario }, use, testInfo) => {
    const mock = createClient(originOf(baseURL), { client: clientOf(testInfo) })
    const scenarios = mockScenario.split(',').map((name) => name.trim())
    if (mockScenario.trim() !== '') await mock.setScenario(scenarios)
    await use(mock)
    await mock.reset()
  },

  context: async ({ context, baseURL, mock }, use, testInfo) => {
    void mock // it has set the scenario
    await context.addCookies([{ name: 'mock-client', value: clientOf(testInfo), url: originOf(baseURL) }])
    await use(context)
  },

  request: async ({ playwright, extraHTTPHeaders, mock }, use, testInfo) => {
    void mock // it has set the scenario
    // The other options of `use` are the defaults of a context.
    const headers = { ...extraHTTPHeaders, 'x-mock-client': clientOf(testInfo) }
    const request = await playwright.request.newContext({ extraHTTPHeaders: headers })
    await use(request)
    await request.dispose()
  },
})

/** The control API is also below the base of a host, but a `baseURL` may be any folder of the application. */
function originOf(baseURL: string | undefined): string {
  if (baseURL !== undefined) return new URL(baseURL).origin
  throw new Error(
    "A test of unplugin-mock-api/playwright needs the address of the dev server. Add it to playwright.config.ts: use: { baseURL: 'http://localhost:5173' }",
  )
}

/** A retry starts anew, also if the attempt before it has ended without a reset. */
function clientOf({ testId, retry }: { testId: string; retry: number }): string {
  return `${testId}-${retry}`
}
