/* The list of differences in the inspector: beside a backend that has changed, and against one that is away. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RealityState } from '../../../src/inspector/api/api.ts'
import { createShop, serveShop, shopFixtures } from '../../backend/compare/shop.ts'
import { startApiServer, type ApiServer } from './api-server.ts'

let server: ApiServer
let asked: string[]
let log: string[]
const shop = createShop()

async function start(record: object, files = shopFixtures, more: object = {}): Promise<void> {
  log = []
  const note = (text: string) => void log.push(text)
  const logger = { info: note, warn: note, error: note }
  server = await startApiServer(files, { record, logger, logLevel: 'info', ...more })
}

beforeEach(async () => {
  Object.assign(shop, createShop())
  const users = shop.routes['GET /users/:id']!
  shop.routes['GET /users/:id'] = (one) => {
    const answer = users(one)
    const { address, ...rest } = answer.body as { address?: { city: string; zip: string } }
    const moved = address && { address: { city: address.city, postalCode: address.zip } }
    return { ...answer, body: { ...rest, ...moved } }
  }
  const backend = await serveShop(shop)
  asked = backend.asked
  await start({ target: backend.origin, enabled: false })
})
afterEach(() => server.close())

const reality = async (method = 'GET', path = 'reality', body?: object) => {
  const answer = await server.call(method, path, body)
  return { status: answer.status, body: answer.body as RealityState & { error?: { code: string } } }
}

it('asks when told, and takes what the backend has answered', async () => {
  expect((await reality()).body).toMatchObject({ compare: false, compared: 0, differences: [] })
  expect(asked).toEqual([])
  const { body } = await reality('POST')
  expect(body.differences).toMatchObject([
    {
      id: 'GET /users/:id key-gone address.zip',
      severity: 'error',
      message: '"address.zip" is gone. "postalCode" is new.',
      file: 'fixtures/users.yaml',
      endpoint: 'GET /users/:id',
      canTake: true,
      ours: expect.stringContaining('zip') as string,
      theirs: expect.stringContaining('postalCode') as string,
    },
  ])
  expect(asked.filter((one) => /^(?:POST \/(?!graphql)|PUT|PATCH|DELETE)/.test(one))).toEqual([])
  const [{ id }] = body.differences as [RealityState['differences'][number]]
  const before = readFileSync(join(server.project.root, 'fixtures/users.yaml'), 'utf8')
  await reality('POST', 'reality/take', { ids: [id] })
  await expect.poll(async () => (await reality()).body.differences).toEqual([])
  const after = readFileSync(join(server.project.root, 'fixtures/users.yaml'), 'utf8')
  expect(after.split('\n').filter((line, index) => line !== before.split('\n')[index])).toHaveLength(1)
})

it('accepts a difference with a reason, beside those of before', async () => {
  const [{ id }] = (await reality('POST')).body.differences as [RealityState['differences'][number]]
  expect(await reality('POST', 'reality/accept', { id, reason: '' })).toMatchObject({ status: 400 })
  const { body } = await reality('POST', 'reality/accept', { id, reason: 'The page reads both: soon' })
  expect(body).toMatchObject({ accepted: 1, differences: [] })
  expect(readFileSync(join(server.project.root, 'mock-api-accepted.yaml'), 'utf8')).toBe(
    '- against: key-gone address.zip\n  request: GET /users/:id\n  reason: "The page reads both: soon"\n',
  )
})

it.each([
  ['PUT', 'reality', { compare: 1 }, 400, 'api-body-invalid'],
  ['POST', 'reality/take', { ids: ['GET /x gone'] }, 404, 'api-difference-unknown'],
  ['POST', 'reality/accept', { id: '__proto__', reason: 'x' }, 404, 'api-difference-unknown'],
])('%s %s %j is refused', async (method, path, given, status, code) => {
  expect(await reality(method, path, given)).toMatchObject({ status, body: { error: { code } } })
})

it('while it is on, what a fixture has answered is compared once, with the headers of the page', async () => {
  let cookie: string | undefined
  const users = shop.routes['GET /users/:id']!
  shop.routes['GET /users/:id'] = (one) => ((cookie = one.req.headers.cookie), users(one))
  await reality('PUT', 'reality', { compare: true })
  for (const path of ['/users/1', '/users/1', '/users/1'])
    await server.send(path, { headers: { cookie: 'session=7' } })
  await server.send('/users', { method: 'POST', body: '{}' })
  await expect
    .poll(async () => (await reality()).body.differences.map(({ id }) => id))
    .toEqual(['GET /users/:id key-gone address.zip'])
  expect([asked, cookie]).toEqual([['GET /users/1'], 'session=7'])
  await reality('PUT', 'reality', { compare: false })
  await server.send('/orders')
  expect(asked).toEqual(['GET /users/1'])
})

it('the paths of a base are asked with it', async () => {
  await server.close()
  const backend = await serveShop(createShop())
  await start({ target: backend.origin, enabled: false, compare: true }, shopFixtures, { base: '/api' })
  expect((await server.send('/api/users/1?a=%20b')).status).toBe(200)
  await expect.poll(() => backend.asked).toEqual(['GET /api/users/1?a=%20b'])
})

it('GraphQL queries are compared, mutations never', async () => {
  await reality('PUT', 'reality', { compare: true })
  const send = (query: string, operationName: string) =>
    server.send('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, operationName }),
    })
  await send('mutation Hero { hero { name } }', 'Hero')
  await send('query Hero { hero { name height friends { name } } }', 'Hero')
  await expect.poll(() => asked).toEqual(['POST /graphql'])
})

it('an answer that no fixture has becomes a route', async () => {
  shop.routes['GET /orders'] = () => ({ status: 429, headers: {}, body: { code: 'busy' } })
  await reality('PUT', 'reality', { compare: true })
  await server.send('/orders')
  const find = async () => (await reality()).body.differences.find(({ code }) => code === 'against-status')
  await expect.poll(find).toBeDefined()
  const found = await find()
  expect(found).toMatchObject({ message: 'GET /orders answers 429, not 200.' })
  expect(found!.newRoute).toContain('status: 429')
  const edit = await server.call('POST', 'edit', { file: found!.file, routes: found!.newRoute })
  const { file, text, version } = edit.body as Record<string, string>
  expect(await server.call('PUT', 'edit', { file, text, version })).toMatchObject({ status: 200 })
})

it('a backend that is away is said once, and the page does not wait', async () => {
  await server.close()
  await start({ target: 'http://127.0.0.1:9', enabled: false, compare: true })
  for (const path of ['/users/1', '/orders', '/settings']) expect((await server.send(path)).status).toBe(200)
  await expect.poll(() => log.filter((line) => line.includes('not compared'))).toHaveLength(1)
  expect(await reality('POST')).toMatchObject({ status: 400, body: { error: { code: 'api-backend-away' } } })
})

it('without a backend, it says what to set', async () => {
  await server.close()
  await start({ enabled: false })
  expect((await reality()).body).toMatchObject({ compare: false, differences: [] })
  expect(await reality('POST')).toMatchObject({
    status: 400,
    body: { error: { code: 'api-backend-missing' } },
  })
})

it('what passes to the backend is compared without another request, and reaches the page whole', async () => {
  await server.close()
  const backend = await serveShop(shop)
  const files = {
    'fixtures/users.yaml':
      "- { path: /users/:id, when: { params: { id: '1' } }, response: { body: { id: 1, address: { city: Graz, zip: '8010' } } } }",
    'fixtures/orders.yaml':
      '- { path: /orders, when: { query: { page: 1 } }, response: { body: { items: [] } } }',
  }
  await start({ target: backend.origin, compare: true }, files)
  shop.routes['GET /orders'] = () => ({ status: 429, headers: {}, body: { code: 'busy' } })
  const answer = await server.send('/users/2')
  expect(await answer.json()).toMatchObject({ address: { postalCode: expect.any(String) as string } })
  await server.send('/orders?page=2')
  const found = async () => (await reality()).body.differences.map(({ id, severity }) => `${severity} ${id}`)
  await expect
    .poll(async () => (await found()).filter((one) => !one.includes('key-new')).sort())
    .toEqual(['error GET /users/:id key-gone address.zip', 'note GET /orders status-new'])
  expect(backend.asked).toEqual(['GET /users/2', 'GET /orders?page=2'])
})
