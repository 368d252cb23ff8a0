/* What tests import: the client of the control API, and the entries for Vitest, Playwright and Storybook. */
import type { TestType } from '@playwright/test'
import {
  ControlApiError,
  createClient,
  type Explanation,
  type MockClient,
  type RequestDetails,
  type RequestSummary,
} from 'unplugin-mock-api/client'
import { mockApi as cypressMock } from 'unplugin-mock-api/cypress'
import { expect, test } from 'unplugin-mock-api/playwright'
import { mockApi as storyMock, withMockApi, type MockApiParameters } from 'unplugin-mock-api/storybook'
import { mockApi, setupMockApi, type TestClient } from 'unplugin-mock-api/vitest'
import { expectTypeOf } from 'vitest'

const client = createClient('http://localhost:5173', { client: 'test-1', fetch })
expectTypeOf(client).toEqualTypeOf<MockClient>()
expectTypeOf(client.setScenario('a', ['b', 'c'])).toEqualTypeOf<Promise<void>>()
expectTypeOf(client.requests({ method: 'POST', path: /^\/a/, status: 200 })).resolves.toEqualTypeOf<
  RequestSummary[]
>()
expectTypeOf(client.waitForRequest({}, { timeout: 1 })).resolves.toEqualTypeOf<RequestDetails>()
expectTypeOf(client.explain({ url: '/a', body: { a: [1] } })).resolves.toEqualTypeOf<Explanation>()
expectTypeOf(client.reset()).toEqualTypeOf<Promise<void>>()
void client.override({ failNext: { count: 2, status: 503, endpoint: 'POST /orders' } })
// @ts-expect-error -- the address is missing
createClient()
// @ts-expect-error -- an unknown option
createClient('http://localhost', { clint: 'test-1' })
// @ts-expect-error -- an unknown key of a filter
void client.requests({ mehtod: 'POST' })
// @ts-expect-error -- a status is a number
void client.requests({ status: '200' })
// @ts-expect-error -- nobody who answers
void client.requests({ answeredBy: 'nobody' })
// @ts-expect-error -- what is not JSON cannot be sent
void client.explain({ url: '/a', body: () => 1 })
// @ts-expect-error -- the URL is missing
void client.explain({ method: 'GET' })
// @ts-expect-error -- an unknown override
void client.override({ fialNext: { count: 1 } })
// @ts-expect-error -- milliseconds
void client.waitForRequest({}, { timeout: '1s' })
expectTypeOf<ControlApiError['status']>().toBeNumber()

setupMockApi({ fixtures: 'mocks', unmatched: 'fail', allowedHosts: ['api.example.com'] })
expectTypeOf(mockApi).toEqualTypeOf<TestClient>()
expectTypeOf(mockApi.setScenario('a')).toEqualTypeOf<Promise<void>>()
// @ts-expect-error -- nothing is recorded in tests
void mockApi.record(true)
// @ts-expect-error -- an unknown option
setupMockApi({ fixture: 'mocks' })
// @ts-expect-error -- "error", "fail" or "passthrough"
setupMockApi({ unmatched: 'throw' })

expectTypeOf(test).toExtend<TestType<{ mock: MockClient; mockScenario: string }, object>>()
test.use({ mockScenario: 'payment-down' })
// @ts-expect-error -- text
test.use({ mockScenario: 1 })
// @ts-expect-error -- an unknown option
test.use({ mockScenarios: 'payment-down' })
test('a test has the fixtures of Playwright and ours', async ({ page, request, mock }) => {
  expectTypeOf(mock).toEqualTypeOf<MockClient>()
  await page.goto('/')
  expect((await request.get('/items')).status()).toBe(200)
  // @ts-expect-error -- no function of the client
  await mock.setScenarios('payment-down')
})

expectTypeOf(withMockApi).returns.toEqualTypeOf<Promise<() => void>>()
/** As Storybook's renderers have it, with more than is needed. */
interface Context {
  id: string
  name: string
  parameters: Record<string, unknown>
  globals: Record<string, unknown>
  canvasElement: HTMLElement
  viewMode: 'story' | 'docs'
  abortSignal: AbortSignal
}
export const preview: { beforeEach: (context: Context) => Promise<() => void> } = { beforeEach: withMockApi }
expectTypeOf(storyMock).returns.toEqualTypeOf<MockClient>()
const answers: MockApiParameters = {
  scenario: ['a', 'b'],
  sadPath: 'GET /a #status 500',
  routes: [{ path: '/a/:id', response: ({ params }) => ({ body: params['id'] }) }],
  options: { base: '/api' },
}
void answers
// @ts-expect-error -- no key of a route
void ({ routes: [{ path: '/a', respond: {} }] } satisfies MockApiParameters)
// @ts-expect-error -- the context of a story
void withMockApi('payment-down')

declare const cy: Cypress.Chainable
expectTypeOf(cy.task('mockApi:requests', { path: '/a' })).toEqualTypeOf<Cypress.Chainable<RequestSummary[]>>()
cy.task('mockApi:scenario', ['a'], { log: false })
cy.task('mockApi:reset')
// @ts-expect-error -- a pattern can't be sent
cy.task('mockApi:requests', { path: /a/ })
expectTypeOf<Parameters<typeof cypressMock>[0]>()
  .parameter(1)
  .toExtend<Record<string, (value: never) => unknown>>()
