import { afterEach, expect, it } from 'vitest'
import type { Overrides } from '../../../src/inspector/api/api.ts'
import { apiServerOnce } from './api-server.ts'

const fixture = `
- { name: first, path: /a, response: { body: first } }
- { name: second, path: /a, when: { query: { page: 2 } }, response: { body: second } }
- { name: down, path: /b, scenario: payment-down, response: { status: 503 } }
- { name: pay, path: /pay, then: { scenario: { add: payment-down } }, response: {} }
- { path: /c, when: { query: { x: 1 } }, response: {} }
- { path: /graphql, response: { body: { data: { a: 1 } } } }
`

const server = apiServerOnce({ 'fixtures/a.yaml': fixture })
afterEach(() => server.call('POST', 'reset', {}))

const put = (overrides: Overrides) => server.call<Overrides>('PUT', 'overrides', overrides)
const last = () => server.last()

it('forces a route, whatever its selector', async () => {
  await put({ routes: { 'GET /a': 'second' } })
  expect(await (await server.send('/a')).text()).toBe('second')
  expect(await last()).toMatchObject({ answeredBy: 'route', route: { id: 'GET /a #second' } })
  const { id } = await last()
  const summary = 'An override forces "second" (fixtures/a.yaml:3:3), whatever its selector.'
  expect((await server.call('GET', `requests/${id}`)).body['decision']).toMatchObject({ summary })
  expect((await server.call('POST', 'explain', { url: '/a' })).body).toMatchObject({ summary })
  await put({})
  expect((await server.call('GET', `requests/${id}`)).body['decision']).toMatchObject({ summary })
  expect(await (await server.send('/a')).text()).toBe('first')
})

it('says which answer has changed a scenario, and a switch takes its place', async () => {
  const scenario = async (client = '') =>
    (await server.call('GET', 'scenario', undefined, { ...(client && { 'x-mock-client': client }) })).body
  await server.send('/pay')
  const changed = [{ name: 'payment-down', isActive: true, by: 'GET /pay #pay' }]
  expect(await scenario()).toMatchObject({ scenario: ['payment-down'], changed })
  expect(await scenario('other')).not.toHaveProperty('changed')
  expect((await server.call('POST', 'explain', { url: '/b' })).body).toMatchObject({ answeredBy: 'route' })
  await server.call('PUT', 'scenario', { scenario: [] })
  expect(await scenario()).toEqual({ scenario: [], known: expect.any(Array) as unknown })
  await server.call('POST', 'explain', { url: '/pay' })
  expect(await scenario()).toMatchObject({ scenario: [] })
})

it('forces the only route of an endpoint, without its scenario', async () => {
  expect((await server.send('/b')).status).toBe(404)
  expect((await put({ routes: { 'GET /b': 'down' } })).body).toEqual({ routes: { 'GET /b': 'GET /b #down' } })
  expect((await server.send('/b')).status).toBe(503)
  const { body } = await server.call('POST', 'explain', { url: '/b' })
  expect(body['summary']).toBe('An override forces "down" (fixtures/a.yaml:4:3), whatever its selector.')
})

it('answers the next request of an endpoint as it was edited, once, and no other', async () => {
  const nextAnswer = { endpoint: 'GET /a', status: 201, headers: { 'x-mine': '1' }, body: { edited: true } }
  expect((await put({ nextAnswer })).body).toEqual({ nextAnswer })
  expect((await server.call('POST', 'explain', { url: '/a' })).body).toMatchObject({ answeredBy: 'override' })
  expect((await server.send('/b')).status).toBe(404)
  const edited = await server.send('/a')
  expect([edited.status, edited.headers.get('x-mine'), await edited.json()]).toEqual([
    201,
    '1',
    { edited: true },
  ])
  expect(await last()).toMatchObject({ answeredBy: 'override', status: 201 })
  expect(await (await server.send('/a')).text()).toBe('first')
  expect((await server.call('GET', 'overrides')).body).toEqual({})
  expect((await put({ nextAnswer: { endpoint: 'GET /d' } })).status).toBe(400)
})

it('answers the next request for a GraphQL operation, also where no route does', async () => {
  await put({ nextAnswer: { endpoint: 'POST /graphql', operationName: 'B', body: { data: { b: 2 } } } })
  const ask = async (operationName: string) =>
    (
      await server.post('/graphql', { operationName, query: `query ${operationName} { a }` })
    ).json() as Promise<unknown>
  expect([await ask('A'), await ask('B'), await ask('B')]).toEqual([
    { data: { a: 1 } },
    { data: { b: 2 } },
    { data: { a: 1 } },
  ])
  await put({ nextAnswer: { endpoint: 'GET /c', body: 'mine' } })
  expect(await (await server.send('/c')).text()).toBe('mine')
})

it('forces the same route after an edit, and none that is gone', async () => {
  const routes = { 'GET /a': 'GET /a #second' }
  await put({ routes: { 'GET /a': 'second' } })
  const forced = async () => (await server.call<Overrides>('GET', 'overrides')).body.routes
  const body = async () => (await server.send('/a')).text()
  const added = '- { name: third, path: /a, when: { query: { x: 1 } }, response: { body: third } }'
  server.project.write('fixtures/a.yaml', `${added}${fixture}`)
  await expect.poll(async () => (await server.send('/a?x=1')).status).toBe(200)
  expect([await body(), await forced()]).toEqual(['second', routes])
  server.project.write('fixtures/a.yaml', fixture.replace('name: second', 'name: 2nd'))
  await expect.poll(body).toBe('first')
  expect(await forced()).toBeUndefined()
  server.project.write('fixtures/a.yaml', fixture)
  await expect.poll(body).toBe('second')
  expect(await forced()).toEqual(routes)
})

it('keeps what is set of an endpoint that is gone, when something else is switched', async () => {
  const set = { routes: { 'GET /a': 'GET /a #second' }, delay: { 'GET /a': 5 } }
  await put(set)
  server.project.write('fixtures/a.yaml', '- { name: other, path: /b, response: { body: b } }')
  await expect.poll(async () => (await server.send('/b')).status).toBe(200)
  const changed = { ...set, routes: { ...set.routes, 'GET /b': 'other' } }
  expect(await put(changed)).toMatchObject({ status: 200, body: { routes: { 'GET /b': 'GET /b #other' } } })
  expect(await put({ delay: { 'GET /d': 5 } })).toMatchObject({ status: 400 })
  server.project.write('fixtures/a.yaml', fixture)
  await expect.poll(async () => (await server.send('/a')).text()).toBe('second')
})

it('takes a text as the option does', async () => {
  const { body } = await server.call('PUT', 'scenario', { scenario: ' payment-down, ' })
  expect(body).toMatchObject({ scenario: ['payment-down'] })
  expect((await server.call('PUT', 'scenario', { scenario: '' })).body).toMatchObject({ scenario: [] })
})

it('refuses a scenario that no route has, unless it is active already', async () => {
  const setScenario = (...scenario: string[]) => server.call('PUT', 'scenario', { scenario })
  expect(await setScenario('payment-dwn')).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'api-scenario-unknown',
        message: 'No route has the scenario "payment-dwn".',
        fix: 'Did you mean "payment-down"? Scenarios: payment-down.',
      },
    },
  })
  expect((await server.call('GET', 'scenario')).body).toMatchObject({ scenario: [] })
  expect((await setScenario('payment-down')).status).toBe(200)
  const isKnown = (known: unknown[]) =>
    expect.poll(async () => (await server.call('GET', 'scenario')).body).toMatchObject({ known })
  server.project.write('fixtures/a.yaml', fixture.replaceAll('payment-down', 'sold-out'))
  await isKnown([{ name: 'sold-out' }])
  expect((await setScenario('payment-down', 'sold-out')).status).toBe(200)
  server.project.write('fixtures/a.yaml', fixture)
  await isKnown([{ name: 'payment-down' }])
})

it('fails the next requests with a status, in the shape of the endpoint', async () => {
  await put({ failNext: { count: 2, status: 503 } })
  const failed = await server.send('/a')
  expect([failed.status, await failed.json()]).toEqual([
    503,
    { error: expect.objectContaining({ code: 'override-failed' }) as object },
  ])
  expect(await last()).toMatchObject({ answeredBy: 'override', status: 503 })
  const graphql = await server.send('/graphql', { method: 'POST', body: '{"query":"{ a }"}' })
  expect([graphql.status, await graphql.json()]).toEqual([
    503,
    {
      errors: [
        expect.objectContaining({
          extensions: expect.objectContaining({ code: 'override-failed' }) as object,
        }),
      ],
    },
  ])
  expect((await server.send('/a')).status).toBe(200)
  expect((await server.call('GET', 'overrides')).body).toEqual({})
})

it.each(['reset', 'empty', 'truncated', 'malformed'] as const)(
  'fails the next request with the fault %s',
  async (fault) => {
    await put({ failNext: { count: 1, fault, endpoint: 'GET /a' } })
    await expect(server.send('/a').then((response) => response.text())).rejects.toThrow()
    await expect.poll(last).toMatchObject({ answeredBy: 'override', duration: expect.any(Number) as number })
    expect(await (await server.send('/a')).text()).toBe('first')
  },
)

it('is offline until it is switched off, and only for mocked requests', async () => {
  await put({ offline: true })
  for (let times = 0; times < 2; times++) await expect(server.send('/a')).rejects.toThrow()
  expect((await server.send('/elsewhere')).status).toBe(404)
  await put({ offline: false })
  expect((await server.send('/a')).status).toBe(200)
})

it('chaos fails a share of all answers, the same for each client, until a reset', async () => {
  await put({ chaos: 0.5 })
  const ask = async (client: string) => {
    const seen: number[] = []
    for (let i = 0; i < 20; i++) seen.push((await server.send('/a', { headers: { 'x-mock-client': client } })).status)
    return seen
  }
  const seen = await ask('one')
  expect(new Set(seen.filter((status) => status !== 200)).size).toBeGreaterThan(1)
  expect(seen).toContain(200)
  expect(await ask('two')).toEqual(seen)
  expect((await server.send('/a')).headers.get('x-mock-seed')).toBe('0; call=1')
  expect((await server.call('PUT', 'overrides', { chaos: 10 })).status).toBe(400)
  await put({ chaos: 1 })
  expect(await (await server.send('/a')).text()).toContain('Switch it off in the inspector')
  await server.call('POST', 'reset')
  expect(await ask('one')).toEqual(Array.from({ length: 20 }, () => 200))
}) // prettier-ignore

it('delays answers', async () => {
  await put({ delay: { 'GET /a': 30 } })
  await server.send('/a')
  await expect.poll(async () => (await last()).duration).toBeGreaterThanOrEqual(29)
})

it('an explanation says that an override answers, and counts nothing', async () => {
  await put({ failNext: { count: 1 } })
  for (let times = 0; times < 2; times++)
    expect((await server.call('POST', 'explain', { url: '/a' })).body).toMatchObject({
      answeredBy: 'override',
    })
  expect((await server.send('/a')).status).toBe(500)
})
