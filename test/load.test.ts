import { onTestFinished, describe, expect, it } from 'vitest'
import type { MockApiError } from '../src/core/diagnostics/format.ts'
import { createFetchHandler, type FetchHandler } from '../src/fetch.ts'
import { loadRoutes, type LoadOptions } from '../src/load.ts'
import { testContract, type ContractRequest } from './contract.ts'
import { sendThrough } from './hosts/fetch-runtimes.ts'
import { projectOfTest, serve } from './hosts/of-test.ts'
import { recorder } from './hosts/serve.ts'
import { createTestProject } from './hosts/test-project.ts'

async function load(root: string, options: LoadOptions = {}) {
  const { log, logger } = recorder()
  const routes = await loadRoutes('fixtures', { root, logger, ...options })
  onTestFinished(() => routes.close())
  return { routes, log }
}

const sendToHandler = (handler: FetchHandler) =>
  sendThrough(async (request) => (await handler(request)) ?? new Response('not ours', { status: 404 }))

const files = {
  'fixtures/orders.yaml': `
- path: /orders/:id
  when: { params: { id: 404 } }
  response: { status: 404, body: { code: gone } }
- path: /orders/:id
  when: { headers: { x-tenant: { $regex: ^a } } }
  response: [{ body: 1 }, { file: invoice.txt }]
- path: /orders
  paginate: { perPage: 2, items: { file: list.json } }
- method: POST
  path: /graphql
  when: { operationName: Mine, variables: { id: '7' } }
  response: { body: { data: null, errors: [{ message: no, path: [a] }] } }
`,
  'fixtures/invoice.txt': 'invoice: 7 €',
  'fixtures/list.json': '[1, 2, 3]',
  'fixtures/assets.json': '{ "routes": [{ "path": "/logo.svg", "response": { "file": "logo.svg" } }] }',
  'fixtures/logo.svg': '<svg/>',
  'fixtures/hello.ts': `
import { readFileSync } from 'node:fs'
const text: string = readFileSync(new URL('invoice.txt', import.meta.url), 'utf8')
export const schema = 'type Query { a: Int }'
export default [
  { path: '/hello/:name', response: ({ params }: any) => ({ body: { hello: params.name, text } }) },
  { path: '/hello/:name', when: ({ params }: any) => params.name === 'nobody', response: { status: 404 } },
]
`,
}

const requests: ContractRequest[] = [
  { url: '/orders/404' },
  { url: '/orders/7' }, // a near miss, with the place of each route
  { url: '/orders/7', headers: { 'x-tenant': 'a1' } },
  { url: '/orders/7', headers: { 'x-tenant': 'a1' } },
  { url: '/orders/7', headers: { 'x-tenant': 'a1', range: 'bytes=0-6' } },
  { url: '/orders?page=2' },
  { url: '/logo.svg' },
  { url: '/hello/you' },
  { url: '/hello/nobody' },
  ...[
    '{"operationName":"Mine","variables":{"id":"7"},"query":"query Mine { a }"}',
    '{"query":"{ b }"}',
    '{',
  ].map((body) => ({
    method: 'POST',
    url: '/graphql',
    headers: { 'content-type': 'application/json' },
    body,
  })),
]

it('answers like the dev server: data, code, files, pages, sequences, a schema and near misses', async () => {
  const { root } = projectOfTest(files)
  const served = await serve(files, { inspector: false })
  const { routes } = await load(root)
  const send = sendToHandler(createFetchHandler(routes, { logLevel: 'silent' }))
  for (const request of requests) {
    const [ours, theirs] = [await send(request), await served.send(request)]
    expect([ours.status, ours.text], JSON.stringify(request)).toEqual([theirs.status, theirs.text])
    for (const name of ['content-type', 'content-length', 'content-range', 'x-mock-route', 'etag'])
      expect(ours.headers[name], `${name} of ${JSON.stringify(request)}`).toBe(theirs.headers[name])
  }
})

describe('without a fixture file', async () => {
  const project = createTestProject()
  const routes = await loadRoutes(undefined, { root: project.root })
  project.close()
  testContract(sendToHandler(createFetchHandler(routes, { logLevel: 'silent' })))
})

it('is a list of routes as they are written, which can be changed', async () => {
  const { root } = projectOfTest({
    'fixtures/a.yaml': '- { path: /a, response: { body: 1 } }\n- { path: /b }',
  })
  const { routes } = await load(root)
  expect(JSON.parse(JSON.stringify(routes))).toEqual([{ path: '/a', response: { body: 1 } }, { path: '/b' }])
  expect(Object.keys(routes)).toEqual(['0', '1'])
  const some = routes.filter(({ path }) => path === '/a').map((route) => ({ ...route, path: '/c' }))
  const send = sendToHandler(createFetchHandler(some))
  expect([(await send({ url: '/c' })).text, (await send({ url: '/b' })).text]).toEqual(['1', 'not ours'])
})

it.each<[name: string, files: Record<string, string>, places: string[]]>([
  ['a key that is unknown', { 'fixtures/a.yaml': '- path: /a\n  respnse: {}' }, ['fixtures/a.yaml:2:3']],
  ['no JSON', { 'fixtures/a.json': '[\n{]' }, ['fixtures/a.json:2:2']],
  [
    'code that throws',
    { 'fixtures/a.ts': 'export default [{ path: "/a", response: x }]' },
    ['fixtures/a.ts:1 '],
  ],
  [
    'two default routes, in two files',
    { 'fixtures/a.yaml': '- path: /a', 'fixtures/b.yaml': '\n- path: /a' },
    ['fixtures/b.yaml:2:3'],
  ],
  [
    'no such body file',
    { 'fixtures/a.yaml': '- { path: /a, response: { file: no.txt } }' },
    ['fixtures/a.yaml:1:'],
  ],
])('throws for %s, with its place', async (_, broken, places) => {
  const { root } = projectOfTest(broken)
  const { log, logger } = recorder()
  for (const watch of [false, true]) {
    const error = await loadRoutes('fixtures', { root, logger, watch }).catch((thrown: unknown) => thrown)
    const { name, diagnostics } = error as MockApiError
    expect([name, diagnostics.length]).toEqual(['MockApiError', places.length])
    places.forEach((place) => expect(String(error)).toContain(place))
  }
  expect(log).toEqual([])
})

it('throws for an invalid option', async () => {
  const options = { base: '/api' } as LoadOptions
  await expect(loadRoutes('fixtures', options)).rejects.toThrow('Unknown option "base"')
})

it('watched, handlers follow the list, and keep the last good routes', async () => {
  const project = projectOfTest({ 'fixtures/a.yaml': '- { path: /a, response: { body: 1 } }' })
  const { routes, log } = await load(project.root, { watch: true })
  const handler = createFetchHandler(routes, { logLevel: 'silent' })
  const send = sendToHandler(handler)
  const textOf = async (url: string) => (await send({ url })).text
  expect(await textOf('/a')).toBe('1')

  project.write(
    'fixtures/a.yaml',
    '- { path: /a, response: { body: 2 } }\n- { path: /a, scenario: new, response: {} }',
  )
  await expect.poll(() => textOf('/a')).toBe('2')
  expect(routes).toHaveLength(2)
  handler.setScenario('new')
  expect(await textOf('/a')).toBe('')
  handler.reset()

  project.write(
    'fixtures/b.ts',
    'export const schema = "type Query { a: Int }"\nexport default [{ path: "/b", response: { body: "b" } }]',
  )
  await expect.poll(() => textOf('/b')).toBe('b')
  const filled = { method: 'POST', url: '/graphql', body: '{"query":"{ a }"}' }
  expect(JSON.parse((await send(filled)).text)).toEqual({ data: { a: expect.any(Number) as number } })

  project.write('fixtures/a.yaml', '- { path: /a, response: { body: 3 }')
  await expect.poll(() => log.join('\n')).toContain('fixtures/a.yaml:1')
  expect([await textOf('/a'), routes.length]).toEqual(['2', 3])

  project.write('fixtures/a.yaml', '- { path: /a, response: { body: 4 } }')
  await expect.poll(() => textOf('/a')).toBe('4')
  await routes.close()
})

it('a warning about a file is told once, by the loader', async () => {
  const list = '- { path: /a, when: { query: { a: 1 } } }\n- { path: /a, when: { query: { a: 1, b: 1 } } }\n'
  const project = createTestProject({ 'fixtures/a.yaml': list })
  onTestFinished(() => project.close())
  const { routes, log } = await load(project.root)
  const told = recorder()
  createFetchHandler(routes, { logger: told.logger })
  expect([...log, ...told.log].filter((line) => line.includes('selector-shadowed'))).toHaveLength(1)
})

it('with the inspector, a handler has what servers of Node have', async () => {
  const project = projectOfTest({ 'fixtures/own.yaml': '- path: /own\n' })
  const { routes, log } = await load(project.root, { watch: true })
  const handler = createFetchHandler(routes, { inspector: true, base: '/api' })
  const ask = (path: string, init?: RequestInit, remoteAddress?: string) =>
    handler(new Request(`http://localhost:3000${path}`, init), { remoteAddress })
  const json = async (...parameters: Parameters<typeof ask>) =>
    (await ask(...parameters))!.json() as Promise<unknown>
  expect([(await ask('/api/own'))!.status, await ask('/other'), await ask('/api/other')]).toEqual([
    ...[200, undefined, undefined],
  ])
  const missed = new Request('http://localhost/api/ownn', { method: 'POST', body: 'unread' })
  expect([await handler(missed), await missed.text()]).toEqual([undefined, 'unread'])
  expect(await (await ask('/__mock-api/'))!.text()).toMatch(/^<!doctype html>/i)
  const { requests } = (await json('/__mock-api/api/requests')) as { requests: object[] }
  expect(requests).toMatchObject([
    { method: 'POST', url: '/api/ownn', answeredBy: 'passed-on' },
    { url: '/api/own', answeredBy: 'route' },
  ])
  const body = JSON.stringify({ file: 'fixtures/new.yaml', text: '- path: /new\n', version: '' })
  const edit = { method: 'PUT', headers: { 'x-mock-api': '1', 'content-type': 'application/json' }, body }
  expect(await json('/__mock-api/api/edit', edit)).toMatchObject({ error: { code: 'api-machine-refused' } })
  expect(await json('/__mock-api/api/edit', edit, '127.0.0.1')).toEqual({
    file: 'fixtures/new.yaml',
    line: 1,
  })
  expect((await ask('/api/new'))!.status).toBe(200)
  handler.setScenario([])
  await routes.close()
  expect(log).toEqual([
    '[mock-api] 1 route from fixtures/own.yaml, below /api',
    '[mock-api] inspector: http://localhost:3000/api/__mock-api/',
    expect.stringContaining('[mock-api] No route answers POST /api/ownn. Did you mean GET /api/own'),
    '[mock-api] reloaded: fixtures/new.yaml: 1 route added (2 routes)',
  ])
})
