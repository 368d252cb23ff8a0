import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import { createClient, type MockClient } from './client.ts'
import { isOutside } from './core/http/host-name.ts'
import { redactUrl } from './core/redact/redact.ts'
import { describeUnmatched } from './intercept/test-layer.ts'

export { expect } from '@playwright/test'
export { sadPaths, type SadPathOptions, type SadPathTest } from './explore/sad-path-tests.ts'
export type { MockClient } from './client.ts'

/** The fixtures of each test, besides Playwright's own. */
export interface MockFixtures {
  /**
   * The scenarios that are active in a test, by name, separated by commas. Set it with `test.use`, or for a project in
   * `playwright.config.ts`, with `defineConfig<MockFixtures>`. Default: the scenarios of the dev server.
   */
  mockScenario: string
  /**
   * With `fail`, a test fails when one of its requests matches no route, or when its pages, or the dev server for
   * them, send a request to another machine. Such requests are not sent. Set it in `playwright.config.ts`:
   * `defineConfig<MockFixtures>({ use: { mockUnmatched: 'fail' } })`. Default `error`: a 404 says why no route matched,
   * and requests to other origins are sent.
   */
  mockUnmatched: 'error' | 'fail'
  /**
   * The control API of the dev server, for this test alone: the scenarios, overrides, sequences and requests of its
   * pages and its `request`. It is reset when the test ends.
   */
  mock: MockClient
}

/**
 * Playwright's `test`. Each test is its own client of the mock server, so any number of workers can share one dev
 * server. `use.baseURL` is its address.
 *
 * Pages of contexts that a test creates with `browser.newContext()` do not belong to that client.
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
  mockUnmatched: ['error', { option: true }],

  mock: async ({ baseURL, mockScenario, mockUnmatched }, use, testInfo) => {
    const origin = originOf(baseURL)
    const client = clientOf(testInfo)
    const mock = createClient(origin, { client })
    const scenarios = mockScenario.split(',').map((name) => name.trim())
    if (mockScenario.trim() !== '') await mock.setScenario(scenarios)
    await use(mock)
    const unmatched = mockUnmatched === 'fail' ? await describeUnmatched({ ask: fetch, origin }, client) : []
    await mock.reset()
    if (unmatched.length > 0) throw new Error(unmatched.join('\n'))
  },

  context: async ({ context, baseURL, mock, mockUnmatched }, use, testInfo) => {
    void mock // it has set the scenario
    const url = originOf(baseURL)
    await context.addCookies([{ name: 'mock-client', value: clientOf(testInfo), url }])
    if (mockUnmatched !== 'fail') return use(context)
    await context.addCookies([{ name: 'mock-unmatched', value: 'fail', url }])
    const refused: string[] = []
    const isElsewhere = (asked: URL) => isOutside(asked) && asked.host !== new URL(url).host
    await context.route(isElsewhere, (route, request) => {
      refused.push(`${request.method()} ${redactUrl(request.url())}`)
      return route.abort()
    })
    await context.routeWebSocket(isElsewhere, (socket) => {
      refused.push(`A WebSocket to ${redactUrl(socket.url())}`)
      return socket.close()
    })
    await use(context)
    const texts = refused.map((what) => `${what} was not sent: no route answers it.`)
    if (texts.length > 0) throw new Error(texts.join('\n'))
  },

  request: async ({ playwright, extraHTTPHeaders, mock, mockUnmatched }, use, testInfo) => {
    void mock // it has set the scenario
    // The other options of `use` are the defaults of a context.
    const headers = {
      ...extraHTTPHeaders,
      'x-mock-client': clientOf(testInfo),
      ...(mockUnmatched === 'fail' && { 'x-mock-unmatched': mockUnmatched }),
    }
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

/** A retry starts fresh, even if the previous attempt ended without a reset. */
function clientOf({ testId, retry }: { testId: string; retry: number }): string {
  return `${testId}-${retry}`
}
