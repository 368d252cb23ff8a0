/* What people ask a coding agent for, as a script for an agent that reads no source: at most eight calls each. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { ScenarioState, WrittenFixture } from '../../../../src/inspector/api/api.ts'
import type { RequestSummary } from '../../../../src/inspector/api/api.ts'
import { apiServer, type ApiServer } from '../api-server.ts'
import { connectAgent, type Agent } from './agent.ts'

const files = {
  'fixtures/shop.yaml': `
- name: checkout
  method: POST
  path: /checkout
  when: { body: { total: { $gt: 0 } } }
  response: { status: 201, body: { id: 8 } }
- name: payment down
  method: POST
  path: /checkout
  scenario: payment-down
  response: { status: 503 }
- name: cart
  path: /cart
  response: { body: { items: 1 }, fault: silent }
- name: order
  path: /orders/:id
  response: { body: { id: 7, state: open } }
- name: ticker
  path: /events
  response: { stream: [{ data: first }] }
- name: rename
  path: /graphql
  when: { operationName: RenameOrder }
  response: { body: { data: { renameOrder: { id: 7 } } } }
`,
}

interface Explained {
  decision: {
    answeredBy: string
    summary: string
    candidates: { file: string; line: number; unmet: object[] }[]
  }
  actions: { tool: string; arguments: object }[]
  received?: { fault?: string }
  proposal?: { yaml: string }
  sadPaths: { id: string }[]
}
type Listed = { requests: RequestSummary[]; missed: number }
type Written = WrittenFixture & {
  isWritten: boolean
  diff: string
  scenario?: string
  error?: { code: string }
}
type Checked = { diagnostics: object[] }
type App = ApiServer
const statusOf = async (asked: Promise<Response>) => (await asked).status

const tasks: [task: string, solve: (agent: Agent, app: App) => Promise<void>][] = [
  ['The checkout fails. Why? Make it work.', async (agent, app) => {
    expect(await statusOf(app.post('/checkout', { total: 0 }))).toBe(404)
    const { requests, missed } = await agent.call<Listed>('list_requests')
    expect([requests[0]?.url, missed]).toEqual(['/checkout', 1])
    const { decision, actions } = await agent.call<Explained>('explain_request', { request: requests[0]!.id })
    expect(decision.candidates[0]).toMatchObject({ file: 'fixtures/shop.yaml', line: 2, unmet: [{ field: 'body.total' }] })
    const [{ tool, arguments: args }] = actions as [Explained['actions'][0]]
    expect((await agent.call<Written>(tool, args)).diff).toContain('+  when: { body: { total: { $gte: 0 } } }')
    expect(await statusOf(app.post('/checkout', { total: 0 }))).toBe(201)
  }],
  ['The cart shows a spinner forever; find out why and write the fixture.', async (agent, app) => {
    const leaving = new AbortController()
    const asked = app.send('/cart', { signal: leaving.signal }).catch(() => {})
    await vi.waitFor(async () => expect(await app.requests()).toHaveLength(1), 30_000)
    const { requests } = await agent.call<Listed>('list_requests')
    expect(requests[0]?.answeredBy).toBe('fault')
    const { decision } = await agent.call<Explained>('explain_request', { request: requests[0]!.id })
    expect(decision).toMatchObject({ route: 'GET /cart #cart', candidates: [{ file: 'fixtures/shop.yaml', line: 12 }] })
    leaving.abort()
    await asked
    const routes = '- name: cart\n  path: /cart\n  response: { body: { items: 1 } }\n'
    await agent.call('write_fixture', { file: 'fixtures/shop.yaml', routes, replace: true })
    expect(await (await app.send('/cart')).json()).toEqual({ items: 1 })
  }],
  ['The page of a user is not found. Add the missing route.', async (agent, app) => {
    await app.send('/users/3')
    const { requests } = await agent.call<Listed>('list_requests')
    const { proposal, actions } = await agent.call<Explained>('explain_request', { request: requests[0]!.id })
    expect(proposal?.yaml).toContain('path: /users/3')
    const { tool, arguments: args } = actions.at(-1)!
    expect(await agent.call<Written>(tool, args)).toMatchObject({ isWritten: true, file: 'fixtures/users.yaml' })
    expect(await statusOf(app.send('/users/3'))).toBe(200)
  }],
  ['I edited a fixture file, and it does not work.', async (agent, app) => {
    const path = join(app.project.root, 'fixtures/shop.yaml')
    writeFileSync(path, '- path: /a\n  respnse: { body: 1 }\n')
    const own = async () => (await app.call<Checked>('GET', 'diagnostics')).body.diagnostics
    await vi.waitFor(async () => expect(await own()).toHaveLength(1), 30_000)
    const { diagnostics } = await agent.call<Checked>('check_fixtures')
    expect(diagnostics[0]).toMatchObject({ code: 'fixture-unknown-key', line: 2, column: 3, fix: expect.stringContaining('"response"') as string })
    expect(await agent.read('mock-api://diagnostics/fixture-unknown-key')).toContain('fixture-unknown-key')
    writeFileSync(path, '- path: /a\n  response: { body: 1 }\n')
    await vi.waitFor(async () => expect((await app.send('/a')).status).toBe(200), 30_000)
    expect((await agent.call<Checked>('check_fixtures')).diagnostics).toEqual([])
  }],
  ['Show me the checkout while the payment is down.', async (agent, app) => {
    expect((await agent.call<{ routes: { scenarios: string[] }[] }>('list_routes', { search: 'payment' })).routes[0]?.scenarios).toEqual(['payment-down'])
    const { scenario } = await agent.call<ScenarioState>('set_scenario', { scenario: ['payment-down'] })
    expect(scenario).toEqual(['payment-down'])
    expect(await statusOf(app.post('/checkout', { total: 1 }))).toBe(503)
    await agent.call('reset')
    expect(await statusOf(app.post('/checkout', { total: 1 }))).toBe(201)
  }],
  ['Let the connection break once when an order is loaded.', async (agent, app) => {
    await agent.call('force_answer', { failNext: { count: 1, fault: 'reset', endpoint: 'GET /orders/:id' } })
    await expect(app.send('/orders/7')).rejects.toThrow()
    expect(await statusOf(app.send('/orders/7'))).toBe(200)
  }],
  ['What does the page do when the state of an order is null? Keep it as a scenario.', async (agent, app) => {
    await app.send('/orders/7')
    const { requests } = await agent.call<Listed>('list_requests', { search: '/orders' })
    const request = requests[0]!.id
    const { sadPaths } = await agent.call<Explained>('explain_request', { request, sadPaths: 50 })
    const sadPath = sadPaths.find(({ id }) => id.endsWith('#null state'))!.id
    await agent.call('force_answer', { sadPath })
    expect(await (await app.send('/orders/7')).json()).toEqual({ id: 7, state: null })
    await agent.call('force_answer')
    const { scenario, isWritten } = await agent.call<Written>('write_fixture', { request, sadPath })
    expect(isWritten).toBe(true)
    await agent.call('set_scenario', { scenario: [scenario!] })
    expect(await (await app.send('/orders/7')).json()).toEqual({ id: 7, state: null })
  }],
  ['Renaming an order should fail with an error of GraphQL for ID 9.', async (agent, app) => {
    expect(await agent.read('mock-api://docs/graphql')).toContain('operationName')
    const routes = `- name: the name is taken\n  path: /graphql\n  when: { operationName: RenameOrder, variables: { id: 9 } }\n  response: { body: { data: { renameOrder: null }, errors: [{ message: Taken., path: [renameOrder] }] } }\n`
    expect((await agent.call<Written>('write_fixture', { file: 'fixtures/graphql.yaml', routes })).isWritten).toBe(true)
    const query = 'mutation RenameOrder($id: ID!) { renameOrder(id: $id) { id } }'
    const ask = async (id: number) => (await app.post('/graphql', { query, variables: { id } })).json() as Promise<object>
    expect(await ask(9)).toMatchObject({ errors: [{ message: 'Taken.', path: ['renameOrder'] }] })
    expect(await ask(7)).toEqual({ data: { renameOrder: { id: 7 } } })
  }],
  ['The ticker shows nothing new. Send it the event "sold".', async (agent, app) => {
    const leaving = new AbortController()
    const stream = await app.send('/events', { signal: leaving.signal }) // its body ends when nobody has it any more
    const { requests } = await agent.call<Listed>('list_requests', { search: '/events' })
    const request = requests[0]!.id
    expect(await agent.call('push_event', { route: 'ticker', event: 'sold', data: { id: 7 } })).toEqual({ streams: 1 })
    let text = ''
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) if ((text += chunk).includes('{"id":7}')) break
    expect(text).toContain('event: sold')
    expect(await agent.call('explain_request', { request })).toMatchObject({ frames: [{ text: 'first' }, { text: '{"id":7}' }] })
    leaving.abort()
  }],
  ['The checkout should answer 202.', async (agent, app) => {
    const file = 'fixtures/shop.yaml'
    const routes = '- name: checkout\n  method: POST\n  path: /checkout\n  response: { status: 202 }\n'
    expect((await agent.call<Written>('write_fixture', { file, routes })).error?.code).toBe('api-route-exists')
    expect(await statusOf(app.post('/checkout', {}))).toBe(404)
    const { diff } = await agent.call<Written>('write_fixture', { file, routes, replace: true })
    expect(diff).toContain('+  response: { status: 202 }')
    expect(await statusOf(app.post('/checkout', {}))).toBe(202)
    expect(app.read(file).match(/name:/g)).toHaveLength(6)
  }],
  ['Answer a list of products in pages. Which keys does that need?', async (agent, app) => {
    const { resources } = await agent.client.listResources()
    const page = resources.find(({ title }) => /pagina/i.test(title ?? ''))
    expect(await agent.read(page!.uri)).toContain('perPage')
    const wrong = '- { path: /products, paginate: { perpage: 1, items: [{ id: 1 }, { id: 2 }] } }\n'
    const { error } = await agent.call<{ error: { fix: string } }>('write_fixture', { file: 'fixtures/products.yaml', routes: wrong })
    expect(error.fix).toContain('"perPage"')
    await agent.call('write_fixture', { file: 'fixtures/products.yaml', routes: wrong.replace('perpage', 'perPage') })
    expect(await (await app.send('/products?page=2')).json()).toMatchObject({ data: [{ id: 2 }], has_more: false })
  }],
] // prettier-ignore

it('a page in place of an answer is a miss, as with a dev server; one of a scenario has the call that switches it on', async () => {
  const fixture = '- { name: late, path: /late, scenario: [slow, dark], response: { body: late } }\n'
  const app = await apiServer({ 'fixtures/a.yaml': fixture }, {}, (_, res) =>
    res.setHeader('content-type', 'text/html').end('<!doctype html>'),
  )
  const agent = await connectAgent(app)
  for (const url of ['/late', '/none']) await app.send(url)
  const { requests, missed } = await agent.call<Listed>('list_requests')
  expect([missed, requests[0]?.status]).toEqual([2, 200])
  const [none, late] = await Promise.all(
    requests.map(({ id }) => agent.call<Explained>('explain_request', { request: id })),
  )
  expect(none!.proposal?.yaml).toContain('path: /none')
  const { tool, arguments: args } = late!.actions[0]!
  expect([tool, args]).toEqual(['set_scenario', { scenario: 'slow' }])
  await agent.call(tool, args)
  expect(await (await app.send('/late')).text()).toBe('late')
  await agent.client.close()
})

it.each(tasks)('%s', async (_, solve) => {
  const app = await apiServer(files)
  const agent = await connectAgent(app)
  await solve(agent, app)
  expect(agent.counted.calls).toBeLessThanOrEqual(8)
  await agent.client.close()
})
