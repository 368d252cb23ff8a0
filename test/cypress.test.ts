/* The tasks for Cypress, called as Cypress calls them. Cypress itself downloads a program, and is not run. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mockApi, type MockApiTasks } from '../src/cypress.ts'
import { startApiServer, type ApiServer } from './inspector/server/api-server.ts'

const fixtures = {
  'fixtures/shop.yaml': `
- { path: /orders/:id, response: { body: { id: 7 } } }
- { path: /orders/:id, scenario: down, response: { status: 503 } }
`,
}

let server: ApiServer
let tasks: MockApiTasks
beforeAll(async () => {
  server = await startApiServer(fixtures)
  mockApi((_, given) => (tasks = given), { baseUrl: `${server.origin}/app` })
})
afterAll(() => server.close())

const statuses = async (count: number) => {
  const got: number[] = []
  for (let i = 0; i < count; i++) got.push((await server.send('/orders/7')).status)
  return got
}

it.each<[run: () => Promise<unknown>, expected: number[]]>([
  [() => tasks['mockApi:scenario']('down'), [503, 503]],
  [() => tasks['mockApi:scenario']([]), [200, 200]],
  [() => tasks['mockApi:failNext'](), [500, 200]],
  [() => tasks['mockApi:failNext']({ status: 418, count: 2 }), [418, 418]],
  [() => tasks['mockApi:override']({ failNext: { count: 1, status: 502 } }), [502, 200]],
  [() => tasks['mockApi:force']('GET /orders/:id #status 404'), [404, 404]],
  [() => tasks['mockApi:force'](null), [200, 200]],
])('%s switches the answers, and returns null', async (run, expected) => {
  expect(await run()).toBeNull()
  expect(await statuses(2)).toEqual(expected)
  expect(await tasks['mockApi:reset']()).toBeNull()
  expect(await tasks['mockApi:requests']()).toEqual([])
})

it('finds requests, and waits for them', async () => {
  const awaited = tasks['mockApi:waitForRequest']({ path: '/orders/7', timeout: 2000 })
  await statuses(2)
  expect((await awaited).response?.status).toBe(200)
  expect(await tasks['mockApi:requests']({ status: 503 })).toEqual([])
  expect(await tasks['mockApi:requests'](null)).toHaveLength(2)
  await expect(tasks['mockApi:waitForRequest']({ status: 503, timeout: 1 })).rejects.toThrow('Waited 1 ms')
})

it('needs the address of the dev server', () => {
  expect(() => mockApi(() => {}, { baseUrl: null })).toThrow("e2e: { baseUrl: 'http://localhost:5173' }")
})
