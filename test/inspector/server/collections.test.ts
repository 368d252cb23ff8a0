import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { apiServer, apiServerOnce } from './api-server.ts'

const server = apiServerOnce({
  'fixtures/orders.yaml': `
- path: /orders
  collection: { items: { file: orders.json } }
- { path: /tags, collection: { items: [{ id: 'a/b' }, { id: 'c' }] } }
- { path: /orders, scenario: empty, collection: { items: [] } }
`,
  'fixtures/orders.json': '[{ "id": 1, "state": "open" }, { "id": 2 }]',
})
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
  ['POST', 'save', { collection: 'order' }, 404, 'api-collection-unknown'],
  ['POST', 'save', { collection: '__proto__' }, 404, 'api-collection-unknown'],
  ['POST', 'save', { collection: 'orders', file: '../a' }, 400, 'api-body-invalid'],
])('%s %s with %j is a %i, and changes nothing', async (method, path, body, status, code) => {
  expect(await server.call(method, path, body)).toMatchObject({ status, body: { error: { code } } })
  expect((await server.call('GET', 'collections/orders')).body).toMatchObject({ changes: 0, items: 2 })
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

/** A server of its own, since saving changes the files. */
async function startSaving(files: Record<string, string>, options?: object) {
  const own = await apiServer(files, options)
  const path = (file: string) => join(own.project.root, file)
  return {
    ...own,
    read: (file: string) => readFileSync(path(file), 'utf8'),
    write: (file: string, text: string) => writeFileSync(path(file), text),
    save: (collection = 'orders') => own.call('POST', 'save', { collection }),
  }
}

const inFile = '- path: /orders\n  collection: { items: { file: NAME } } # mine\n'
const inRoute = `# Orders
- path: /orders
  collection: # mine
    items:
      - { id: 1, state: open } # the first
      - { id: 12345678901234567890 }
    persist: false
`

it.each<[what: string, file: string, files: Record<string, string>, text: string]>([
  [
    'a JSON file',
    'fixtures/orders.json',
    { 'fixtures/a.yaml': inFile.replace('NAME', 'orders.json'), 'fixtures/orders.json': '[{"id":1},{"id":12345678901234567890}]' },
    '[\n  {\n    "id": 1,\n    "state": "paid"\n  },\n  {\n    "id": 12345678901234567890\n  }\n]\n',
  ],
  [
    'a YAML file in another folder, of a fixture in code',
    'data/orders.yaml',
    {
      'fixtures/a.ts': `export default [{ path: '/orders', collection: { items: { file: '../data/orders.yaml' } } }]`,
      'data/orders.yaml': '- id: 1\n- id: 12345678901234567890\n',
    },
    '- id: 1\n  state: paid\n\n- id: 12345678901234567890\n',
  ],
  [
    'the lines of a route',
    'fixtures/a.yaml',
    { 'fixtures/a.yaml': inRoute },
    inRoute.replace('{ id: 1, state: open } # the first', '{ id: 1, state: paid }'),
  ],
  [
    'the braces of a route',
    'fixtures/a.yaml',
    { 'fixtures/a.yaml': '- { path: /orders, collection: { items: [{ id: 1 }] } } # mine\n' },
    '- { path: /orders, collection: { items: [ { id: 1, state: paid } ] } } # mine\n',
  ],
  [
    'the data of json-server',
    'db.json',
    { 'db.json': '{\n  "orders": [{ "id": 1 }],\n  "tags": [{ "id": 7 }]\n}\n' },
    '{\n  "orders": [\n    {\n      "id": 1,\n      "state": "paid"\n    }\n  ],\n  "tags": [{ "id": 7 }]\n}\n',
  ],
])('saves the items into %s, and takes it back', async (_, file, files, text) => {
  const own = await startSaving(files, file === 'db.json' ? { fixtures: ['db.json'] } : {})
  const before = own.read(file)
  expect(await own.save()).toMatchObject({ status: 409, body: { error: { code: 'api-save-nothing' } } })
  await own.send('/orders/1', { method: 'PATCH', body: '{"state":"paid"}' })
  expect(own.read(file)).toBe(before)
  expect(await own.save()).toMatchObject({ status: 200, body: { file } })
  expect(own.read(file)).toBe(text)
  expect((await own.call('GET', 'collections/orders')).body).toMatchObject({ changes: 0, updated: [] })
  expect(await (await own.send('/orders/1')).json()).toEqual({ id: 1, state: 'paid' })
  expect((await own.call('DELETE', 'edit')).status).toBe(200)
  expect(own.read(file)).toBe(before)
}) // prettier-ignore

it('saves what a client sees', async () => {
  const own = await startSaving({ 'fixtures/a.yaml': inRoute })
  const headers = { 'x-mock-client': 'a' }
  await own.send('/orders/1', { method: 'DELETE', headers })
  expect((await own.call('POST', 'save', { collection: 'orders' }, headers)).status).toBe(200)
  expect(own.read('fixtures/a.yaml')).not.toContain('open')
})

it.each<[what: string, files: Record<string, string>, change: [string, string] | undefined, code: string]>([
  ['file has changed', { 'fixtures/a.yaml': inFile.replace('NAME', 'o.json'), 'fixtures/o.json': '[{"id":1}]' }, ['fixtures/o.json', '[{"id":1},{"id":2}]'], 'api-file-changed'],
  ['route has changed', { 'fixtures/a.yaml': inRoute }, ['fixtures/a.yaml', inRoute.replace('open', 'new')], 'api-file-changed'],
  ['items are code', { 'fixtures/a.ts': `export default [{ path: '/orders', collection: { items: [{ id: 1 }] } }]` }, undefined, 'api-fixture-unwritable'],
  ['items are generated', { 'fixtures/a.yaml': '- { path: /orders, collection: { items: { generate: { schema: s.json, count: 2 } } } }', 'fixtures/s.json': '{ "properties": { "id": { "type": "integer" } }, "required": ["id"] }' }, undefined, 'api-fixture-unwritable'],
])('writes nothing where the %s', async (_, files, change, code) => {
  const own = await startSaving(files, { watch: false })
  await own.send('/orders/1', { method: 'PATCH', body: '{"state":"paid"}' })
  if (change) own.write(...change)
  const [name = ''] = change ?? Object.keys(files)
  const before = own.read(name)
  expect(await own.save()).toMatchObject({ status: 409, body: { error: { code } } })
  expect(own.read(name)).toBe(before)
  expect(await (await own.send('/orders/1')).json()).toMatchObject({ state: 'paid' })
}) // prettier-ignore
