import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from './api-server.ts'

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer({
    'fixtures/orders.yaml': `
- path: /orders
  collection: { items: { file: orders.json } }
- { path: /tags, collection: { items: [{ id: 'a/b' }, { id: 'c' }] } }
- { path: /orders, scenario: empty, collection: { items: [] } }
`,
    'fixtures/orders.json': '[{ "id": 1, "state": "open" }, { "id": 2 }]',
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.call('POST', 'reset')
})

const items = (ids: unknown[]) => ids.map((id) => expect.objectContaining({ id }) as unknown)

it('lists the collections, and the items with what is not as in the file', async () => {
  expect((await server.call('GET', 'collections')).body).toEqual({
    collections: [
      { name: 'orders', path: '/orders', id: 'id', items: 2, changes: 0, file: 'fixtures/orders.yaml', line: 2, column: 3 },
      { name: 'tags', path: '/tags', id: 'id', items: 2, changes: 0, file: 'fixtures/orders.yaml', line: 4, column: 3 },
    ],
  })
  await server.send('/orders', { method: 'POST', body: '{}' })
  await server.send('/orders/1', { method: 'PATCH', body: '{"state":"paid"}' })
  await server.send('/orders/2', { method: 'DELETE' })
  expect((await server.call('GET', 'collections/orders')).body).toMatchObject({
    items: 2,
    changes: 3,
    shown: [{ id: 1, state: 'paid' }, { id: 3 }],
    created: ['3'],
    updated: ['1'],
    deleted: [{ id: 2 }],
  })
}) // prettier-ignore

it('adds, replaces and removes items, which requests then see', async () => {
  expect((await server.call('PUT', 'collections/orders/1', { item: { state: 'paid' } })).body).toEqual({ item: { state: 'paid', id: 1 } })
  expect((await server.call('PUT', 'collections/tags/x', { item: { n: 1 } })).body).toEqual({ item: { n: 1, id: 'x' } })
  expect((await server.call('GET', 'collections/tags/a%2Fb')).body).toEqual({ item: { id: 'a/b' } })
  expect((await server.call('DELETE', 'collections/tags/a%2Fb')).body).toEqual({ item: { id: 'a/b' } })
  expect(await (await server.send('/orders/1')).json()).toEqual({ state: 'paid', id: 1 })
  expect(await (await server.send('/tags')).json()).toEqual(items(['c', 'x']))
  expect((await server.call('PUT', 'collections/tags', { items: [{ id: 'y' }] })).body).toMatchObject({ shown: [{ id: 'y' }] })
  expect((await server.call('DELETE', 'collections/tags')).body).toMatchObject({ changes: 0, items: 2 })
  expect(await (await server.send('/orders/1')).json()).toMatchObject({ state: 'paid' })
}) // prettier-ignore

it.each<[method: string, path: string, body: unknown, status: number, code: string]>([
  ['GET', 'collections/order', undefined, 404, 'api-collection-unknown'],
  ['GET', 'collections/__proto__', undefined, 404, 'api-collection-unknown'],
  ['GET', 'collections/orders/9', undefined, 404, 'api-item-unknown'],
  ['DELETE', 'collections/orders/9', undefined, 404, 'api-item-unknown'],
  ['PUT', 'collections/orders', { items: [{ id: 1 }, { id: '1' }] }, 400, 'api-items-invalid'],
  ['PUT', 'collections/orders', { items: [7] }, 400, 'api-items-invalid'],
  ['PUT', 'collections/orders/1', { item: 7 }, 400, 'api-body-invalid'],
  ['POST', 'collections', {}, 405, 'api-method-unknown'],
])('%s %s with %j is a %i, and changes nothing', async (method, path, body, status, code) => {
  expect(await server.call(method, path, body)).toMatchObject({ status, body: { error: { code } } })
  expect((await server.call('GET', 'collections/orders')).body).toMatchObject({ changes: 0, items: 2 })
})

it('refuses what a page of another site could send', async () => {
  const sent = await server.send('/__mock-api/api/collections/orders', { method: 'DELETE' })
  expect(sent.status).toBe(403)
})

it('has the items of a client, and those of its scenario', async () => {
  const headers = { 'x-mock-client': 'a' }
  await server.send('/orders/1', { method: 'DELETE', headers })
  expect((await server.call('GET', 'collections/orders', undefined, headers)).body).toMatchObject({
    items: 1,
  })
  expect((await server.call('GET', 'collections/orders')).body).toMatchObject({ items: 2 })
  await server.call('PUT', 'scenario', { scenario: 'empty' }, headers)
  expect((await server.call('GET', 'collections/orders', undefined, headers)).body).toMatchObject({
    items: 0,
  })
})
