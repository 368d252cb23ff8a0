import { beforeEach, describe, expect, it } from 'vitest'
import { findWrongItem } from '../../../src/core/collection/collection.ts'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import type { CollectionApi } from '../../../src/core/schema/function-types.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { MockState } from '../../../src/core/state/mock-state.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { file, send, tableOf } from '../send.ts'

const orders = [
  { id: 1, state: 'open', total: 5, customerId: 1, customer: { name: 'Ann' }, created: '2026-01-02' },
  { id: 2, state: 'paid', total: 20, customerId: 2, customer: { name: 'Bob' }, created: '2026-01-01' },
  { id: 3, state: 'open', total: 12.5, customerId: 1, customer: { name: 'Cyd' }, created: '2026-01-03' },
]
const shop: Fixture = [
  {
    path: '/orders',
    collection: {
      items: orders,
      relations: { customer: { one: 'customers', by: 'customerId' } },
    },
  },
  {
    path: '/customers',
    collection: {
      items: [{ id: 1, name: 'Ann' }, { id: 2, name: 'Bob' }],
      relations: { orders: { many: 'orders', by: 'customerId' } },
      only: ['list', 'get'],
    },
  },
] // prettier-ignore

const json = { 'content-type': 'application/json' }
let table = tableOf(shop)
let state: MockState
beforeEach(() => {
  table = tableOf(shop)
  state = new MockState()
})

const ask = (target: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(table, target, {
    state,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: { ...json, ...headers },
  })
const ids = async (target: string, client?: string) =>
  ((await ask(target, undefined, client ? { 'x-mock-client': client } : {})).body as { id: unknown }[]).map(
    ({ id }) => id,
  )

describe('reads in the dialect of json-server', () => {
  it.each<[search: string, ids: unknown[]]>([
    ['', [1, 2, 3]],
    ['?state=open', [1, 3]],
    ['?state=open&state=paid', [1, 2, 3]],
    ['?state=none', []],
    ['?customer.name=Bob', [2]],
    ['?total_gte=12.5', [2, 3]],
    ['?total_lte=12.5', [1, 3]],
    ['?total_gte=6&total_lte=19', [3]],
    ['?state_ne=open', [2]],
    ['?id_ne=1&id_ne=2', [3]],
    ['?state_like=PEN', [1, 3]],
    ['?state_like=pen&state_like=aid', [1, 2, 3]],
    ['?state_like=^o', []],
    ['?created_gte=2026-01-02', [1, 3]],
    ['?q=bob', [2]],
    ['?q=12.5', [3]],
    ['?unknown=7', [1, 2, 3]],
    ['?_=1700000000', [1, 2, 3]],
    ['?_sort=created', [2, 1, 3]],
    ['?_sort=total&_order=desc', [2, 3, 1]],
    ['?_sort=state,total&_order=asc,desc', [3, 1, 2]],
    ['?_sort=customer.name&_order=desc', [3, 2, 1]],
    ['?_start=1', [2, 3]],
    ['?_start=1&_end=2', [2]],
    ['?_limit=2', [1, 2]],
    ['?_start=1&_limit=1', [2]],
    ['?_limit=x', [1, 2, 3]],
    ['?_page=2&_limit=2', [3]],
    ['?_page=1', [1, 2, 3]],
    ['?__proto__=1', [1, 2, 3]],
    ['?constructor.name=Object', [1, 2, 3]],
  ])('GET /orders%s has %j', async (search, expected) => {
    expect(await ids(`GET /orders${search}`)).toEqual(expected)
  })

  it('says how many there are, after the filters', async () => {
    expect((await ask('GET /orders?state=open&_limit=1')).headers).toMatchObject({ 'x-total-count': '2' })
    expect((await ask('GET /orders?state=open&_page=1&_limit=1')).headers).toMatchObject({
      'x-total-count': '2',
      link: '</orders?state=open&_page=1&_limit=1>; rel="first", </orders?state=open&_page=2&_limit=1>; rel="next", </orders?state=open&_page=2&_limit=1>; rel="last"',
    })
  })

  it('embeds and expands relations', async () => {
    expect((await ask('GET /orders/3?_expand=customer')).body).toEqual({
      ...orders[2],
      customer: { id: 1, name: 'Ann' },
    })
    expect((await ask('GET /customers?_embed=orders')).body).toEqual([
      { id: 1, name: 'Ann', orders: [orders[0], orders[2]] },
      { id: 2, name: 'Bob', orders: [orders[1]] },
    ])
    expect((await ask('GET /customers/1?_embed=orders')).body).toMatchObject({
      orders: [{ id: 1 }, { id: 3 }],
    })
  })

  it('has the items of a relation', async () => {
    expect(await ids('GET /customers/1/orders')).toEqual([1, 3])
    expect(await ids('GET /customers/1/orders?total_gte=10')).toEqual([3])
    expect(await ask('GET /customers/9/orders')).toMatchObject({ status: 404 })
    const created = await ask('POST /customers/2/orders', { state: 'new', customerId: 1 })
    expect(created).toMatchObject({
      status: 201,
      body: { state: 'new', customerId: 2, id: 4 },
      headers: { location: '/orders/4' },
    })
    expect(await ids('GET /customers/2/orders')).toEqual([2, 4])
    // Where the collection stands in an address that is written differently is not known.
    expect((await ask('POST /customers/%32/orders', {})).headers).not.toHaveProperty('location')
  })

  it.each<[target: string, code: string, message: RegExp]>([
    ['GET /orders?_sort=creatd', 'collection-query-unknown', /_sort names "creatd", which no item has/],
    [
      'GET /orders?_expand=custmer',
      'collection-query-unknown',
      /_expand names "custmer", which is no relation/,
    ],
  ])('%s answers with a notice', async (target, code, message) => {
    const { status, diagnostic } = await ask(target)
    expect(status).toBe(200)
    expect(diagnostic).toMatchObject({
      code,
      severity: 'warning',
      message: expect.stringMatching(message) as string,
    })
  })
})

it.each<[query: string, ids: number[]]>([
  ['?_sort=age', [4, 1, 2, 3]],
  ['?_sort=age&_order=desc', [1, 4, 2, 3]],
  ['?_sort=age,id&_order=desc,desc', [1, 4, 3, 2]],
])('%s: null and missing come last', async (query, expected) => {
  const ages = [{ id: 1, age: 9 }, { id: 2, age: null }, { id: 3 }, { id: 4, age: 5 }] // prettier-ignore
  table = tableOf([{ path: '/people', collection: { items: ages } }])
  expect(await ids(`GET /people${query}`)).toEqual(expected)
})

describe('writes', () => {
  it('creates, replaces, merges and deletes', async () => {
    const gone = { error: expect.objectContaining({ code: 'collection-item-unknown' }) as object }
    for (const [target, sent, status, body] of [
      ['POST /orders', { state: 'new' }, 201, { state: 'new', id: 4 }],
      ['PUT /orders/4', { total: 1, id: 9 }, 200, { total: 1, id: 4 }],
      ['PATCH /orders/4', { state: 'paid' }, 200, { total: 1, state: 'paid', id: 4 }],
      ['DELETE /orders/4', undefined, 204, ''],
      ['GET /orders/4', undefined, 404, gone],
      ['POST /orders', {}, 201, { id: 5 }], // An id is not given twice.
    ] as const) {
      const answer = await ask(target, sent)
      expect([answer.status, answer.body]).toEqual([status, body])
    }
    expect(await ids('GET /orders')).toEqual([1, 2, 3, 5])
  })

  it('merges as RFC 7386 says where the content type is that', async () => {
    const merge = { 'content-type': 'application/merge-patch+json' }
    expect((await ask('PATCH /orders/1', { customer: { age: 4 }, total: null }, merge)).body).toEqual({
      ...{ id: 1, state: 'open', customerId: 1, created: '2026-01-02' },
      customer: { name: 'Ann', age: 4 },
    })
    expect((await ask('PATCH /orders/2', { customer: { age: 4 }, total: null })).body).toMatchObject({
      customer: { age: 4 },
      total: null,
    })
  })

  it('gives the item back where the collection says so, and texts as ids where there are texts', async () => {
    table = tableOf([{ path: '/a', collection: { items: [{ id: 'x' }], returnDeleted: true } }])
    const first = await ask('POST /a', { n: 1 })
    const { id } = first.body as { id: string }
    expect(id).toMatch(/^\w{10}$/)
    state = new MockState()
    expect((await ask('POST /a', { n: 1 })).body).toEqual(first.body)
    expect(await ask(`DELETE /a/${id}`)).toMatchObject({ status: 200, body: { n: 1, id } })
  })

  it.each<[target: string, body: unknown, status: number, code: string]>([
    ['POST /orders', [], 400, 'collection-write-refused'],
    ['POST /orders', 'text', 400, 'collection-write-refused'],
    ['POST /orders', undefined, 400, 'collection-write-refused'],
    ['POST /orders', { id: {} }, 400, 'collection-write-refused'],
    ['POST /orders', { id: 1 }, 409, 'collection-write-refused'],
    ['POST /orders', { id: '1' }, 409, 'collection-write-refused'],
    ['PUT /orders/1', null, 400, 'collection-write-refused'],
    ['PUT /orders/9', {}, 404, 'collection-item-unknown'],
    ['PATCH /orders/9', {}, 404, 'collection-item-unknown'],
    ['DELETE /orders/9', undefined, 404, 'collection-item-unknown'],
    ['GET /orders/__proto__', undefined, 404, 'collection-item-unknown'],
    ['DELETE /customers/1', undefined, 405, 'collection-operation-left-out'],
    ['POST /customers', {}, 405, 'collection-operation-left-out'],
  ])('%s with %j is a %i', async (target, body, status, code) => {
    const before = await ids('GET /orders')
    expect(await ask(target, body)).toMatchObject({ status, body: { error: { code } } })
    expect(await ids('GET /orders')).toEqual(before)
  })

  it('says which methods there are', async () => {
    expect((await ask('DELETE /customers/1')).headers).toMatchObject({ allow: 'HEAD, GET' })
  })

  it('keeps keys such as __proto__ as data', async () => {
    const sent = '{"__proto__":{"polluted":true},"constructor":1}'
    const { status } = await send(table, 'POST /orders', { state, headers: json, body: sent })
    expect(status).toBe(201)
    await send(table, 'PATCH /orders/4', {
      state,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: '{"__proto__":{"deep":1}}',
    })
    const { body } = await ask('GET /orders/4')
    expect(JSON.stringify(body)).toBe('{"__proto__":{"polluted":true,"deep":1},"constructor":1,"id":4}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('conditional requests', () => {
  it('answers with 304 what a client has, and refuses to change what it has not seen', async () => {
    const { headers } = await ask('GET /orders/1')
    const etag = headers['etag']!
    expect(headers['cache-control']).toBe('no-cache')
    expect(await ask('GET /orders/1', undefined, { 'if-none-match': `W/${etag}` })).toMatchObject({
      status: 304,
      body: '',
    })
    expect(await ask('PATCH /orders/1', { total: 6 }, { 'if-match': '"other"' })).toMatchObject({
      status: 412,
      body: { error: { code: 'collection-item-changed' } },
    })
    expect(await ask('PATCH /orders/1', { total: 6 }, { 'if-match': etag })).toMatchObject({ status: 200 })
    expect(await ask('GET /orders/1', undefined, { 'if-none-match': etag })).toMatchObject({ status: 200 })
  })
})

describe('whose items', () => {
  const as = (client: string) => ({ 'x-mock-client': client })

  it('belong to a client from its first write on', async () => {
    await ask('DELETE /orders/1', undefined, as('a'))
    expect(await ids('GET /orders', 'a')).toEqual([2, 3])
    expect(await ids('GET /orders', 'b')).toEqual([1, 2, 3])
    await ask('DELETE /orders/2')
    expect(await ids('GET /orders', 'b')).toEqual([1, 3])
    expect(await ids('GET /orders', 'a')).toEqual([2, 3])
    state.reset('a')
    expect(await ids('GET /orders', 'a')).toEqual([1, 3])
    state.reset()
    expect(await ids('GET /orders')).toEqual([1, 2, 3])
  })

  it('are those of the file again when it is saved', async () => {
    await ask('DELETE /orders/1')
    await ask('DELETE /orders/2', undefined, as('a'))
    const kept = tableOf(shop)
    expect(state.collections.keep([...table.collections.values()].flat())).toEqual(new Map())
    expect(state.collections.keep([...kept.collections.values()].flat())).toEqual(new Map([['orders', 2]]))
  })

  it('are other ones in a scenario, with the relations and pages of the collection', async () => {
    table = tableOf([
      ...shop,
      { path: '/orders', scenario: 'many', collection: { items: [{ id: 7, customerId: 2 }] } },
    ])
    const many = { 'x-mock-scenario': 'many' }
    expect((await ask('GET /orders', undefined, many)).body).toEqual([{ id: 7, customerId: 2 }])
    expect((await ask('GET /orders/7?_expand=customer', undefined, many)).body).toMatchObject({
      customer: { name: 'Bob' },
    })
    expect((await ask('GET /customers/2/orders', undefined, many)).body).toEqual([{ id: 7, customerId: 2 }])
    expect(await ids('GET /orders')).toEqual([1, 2, 3])
  })

  it('can be saved and restored', async () => {
    await ask('POST /orders', { a: 1 })
    await ask('DELETE /orders/1', undefined, as('a'))
    const saved = JSON.parse(JSON.stringify(state.collections.save(() => true))) as never
    state = new MockState()
    state.collections.restore(saved)
    expect(await ids('GET /orders')).toEqual([1, 2, 3, 4])
    expect(await ids('GET /orders', 'a')).toEqual([2, 3, 4])
    expect((await ask('POST /orders', {})).body).toMatchObject({ id: 5 })
  })

  it('tells each change', async () => {
    const changes: string[] = []
    state.collections.onChange(
      ({ collection, client, done, id }) => void changes.push(`${client} ${collection} ${done} ${id}`),
    )
    await ask('POST /orders', {}, as('a'))
    await ask('PATCH /orders/4', {}, as('a'))
    await ask('DELETE /orders/4', undefined, as('a'))
    await ask('DELETE /orders/9', undefined, as('a'))
    expect(changes).toEqual(['a orders created 4', 'a orders updated 4', 'a orders deleted 4'])
  })
})

describe('pages', () => {
  const items = Array.from({ length: 5 }, (_, index) => ({ id: index + 1, even: index % 2 === 1 }))
  it.each<[paginate: object, search: string, expected: unknown]>([
    [{ perPage: 2 }, '?page=2', { page: 2, per_page: 2, total: 5, total_pages: 3, has_more: true, data: items.slice(2, 4) }],
    [{ perPage: 2 }, '?even=true', { page: 1, total: 2, total_pages: 1, has_more: false, data: [items[1], items[3]] }],
    [{ style: 'offset' }, '?offset=3&limit=1', { offset: 3, limit: 1, total: 5, has_more: true, data: [items[3]] }],
    [{ style: 'cursor', perPage: 4 }, '', { limit: 4, has_more: true, data: items.slice(0, 4) }],
    [{ style: 'link', perPage: 2 }, '?page=3&_sort=id&_order=desc', [items[0]]],
  ])('%j: GET /a%s', async (paginate, search, expected) => {
    table = tableOf([{ path: '/a', paginate, collection: { items } }])
    expect((await ask(`GET /a${search}`)).body).toMatchObject(expected as object)
  })

  it('refuses a page that is none', async () => {
    table = tableOf([{ path: '/a', paginate: {}, collection: { items } }])
    expect(await ask('GET /a?page=two')).toMatchObject({ status: 400 })
  })

  it.each<[search: string, ids: unknown[], range: string | undefined]>([
    ['', [1, 2, 3], undefined],
    ['?range=[1,5]', [2, 3], 'orders 1-2/3'],
    ['?range=[9,19]', [], 'orders */3'],
    ['?sort=["total","DESC"]&range=[0,0]', [2], 'orders 0-0/3'],
    ['?filter={"id":[3,1]}', [1, 3], undefined],
    ['?filter={"customer":{"name":"Bob"}}', [2], undefined],
    ['?filter={"total_gte":12,"q":"cyd"}&range=[0,9]', [3], 'orders 0-0/1'],
    ['?filter={"state":null}', [], undefined],
    ['?filter=[1]&sort=7&range={}', [1, 2, 3], undefined],
    ['?filter={"state":"open"&sort=["id"&range=[0', [1, 2, 3], undefined],
    ['?filter={"__proto__":{"a":1},"constructor":1}', [1, 2, 3], undefined],
    ['?state=open&_sort=total&_limit=1', [1, 2, 3], undefined],
  ])('GET /orders%s of simple-rest has %j', async (search, expected, range) => {
    table = tableOf([{ path: '/orders', collection: { items: orders, dialect: 'simple-rest' } }])
    const { body, headers } = await ask(`GET /orders${search}`)
    expect([(body as { id: number }[]).map(({ id }) => id), headers['content-range']]).toEqual([expected, range])
    expect(headers['access-control-expose-headers']).toBe(range && 'content-range')
  }) // prettier-ignore

  it('has only equality, sort and page where the dialect is plain', async () => {
    table = tableOf([{ path: '/a', paginate: { style: 'link', perPage: 2 }, collection: { items, dialect: 'plain' } }])
    expect(await ids('GET /a?sort=-id')).toEqual([5, 4])
    expect(await ids('GET /a?even=true&page=1')).toEqual([2, 4])
    expect(await ids('GET /a?id_gte=4&_sort=id&_order=desc&q=5')).toEqual([1, 2])
  })
}) // prettier-ignore

describe('ordinary routes stand in front', () => {
  it.each<[route: Fixture[number], target: string, headers: Record<string, string>, status: number]>([
    [{ path: '/orders', method: 'POST', scenario: 'conflict', response: { status: 409 } }, 'POST /orders', { 'x-mock-scenario': 'conflict' }, 409],
    [{ path: '/orders', method: 'POST', scenario: 'conflict', response: { status: 409 } }, 'POST /orders', {}, 201],
    [{ path: '/orders', response: { status: 418 } }, 'GET /orders', {}, 418],
    [{ path: '/orders', when: { query: { q: 'x' } }, response: { status: 418 } }, 'GET /orders?q=x', {}, 418],
    [{ path: '/orders', when: { query: { q: 'x' } }, response: { status: 418 } }, 'GET /orders', {}, 200],
    [{ path: '/orders/:orderId', when: { params: { orderId: 1 } }, response: { status: 418 } }, 'GET /orders/1', {}, 418],
    [{ path: '/orders/:orderId', when: { params: { orderId: 1 } }, response: { status: 418 } }, 'GET /orders/2', {}, 200],
    [{ path: '/orders/latest', response: { status: 418 } }, 'GET /orders/latest', {}, 418],
    [{ path: '/**', method: '*', scenario: 'down', response: { status: 503 } }, 'DELETE /orders/1', { 'x-mock-scenario': 'down' }, 503],
  ])('%j: %s with %j is a %i', async (route, target, headers, status) => {
    for (const fixture of [[route, ...shop], [...shop, route]]) {
      table = tableOf(fixture)
      expect(await ask(target, target.startsWith('POST') ? {} : undefined, headers)).toMatchObject({ status })
    }
  }) // prettier-ignore

  it('explains without writing', async () => {
    const created = await send(table, 'POST /orders', { state, headers: json, body: '{}', isDryRun: true })
    expect(created).toMatchObject({ status: 201, body: { id: 4 } })
    expect(await ids('GET /orders')).toEqual([1, 2, 3])
  })
})

describe('functions', () => {
  const of = (collections: unknown, name: string) => (collections as Record<string, CollectionApi>)[name]!

  it('read and change the items', async () => {
    table = tableOf([
      ...shop,
      {
        path: '/orders/:id/pay',
        method: 'POST',
        response: ({ params, collections }) => {
          const paid = of(collections, 'orders').update(params['id']!, { state: 'paid' })
          return paid ? { body: paid } : { status: 404 }
        },
      },
      {
        path: '/sum',
        response: ({ collections }) => {
          const orders = of(collections, 'orders')
          const [first] = orders.list({ where: { state: 'open', total_gte: 6 }, sort: '-total' })
          const known = orders.get(1)!
          known['state'] = 'changed'
          return {
            body: { first: first!['id'], state: orders.get(1)!['state'], none: orders.get(99) ?? null },
          }
        },
      },
      {
        path: '/conflict',
        response: ({ collections }) => ({ body: of(collections, 'orders').create({ id: 1 }) }),
      },
    ])
    expect(await ask('POST /orders/1/pay')).toMatchObject({ status: 200, body: { id: 1, state: 'paid' } })
    expect(await ask('POST /orders/9/pay')).toMatchObject({ status: 404 })
    expect((await ask('GET /sum')).body).toEqual({ first: 3, state: 'paid', none: null })
    expect(await ask('GET /conflict')).toMatchObject({
      status: 500,
      body: { error: { message: expect.stringContaining('"orders" has an item "1" already') as string } },
    })
  })
})

describe('mistakes', () => {
  const diagnose = (fixture: unknown) => {
    const parsed = parseFixture(fixture, { ...file, locate: (path) => ({ line: path.length }) })
    const { diagnostics } = compileRoutes(parsed.routes, { graphql: defaultGraphQL })
    return [...parsed.diagnostics, ...diagnostics].map(({ code, pointer }) => [code, pointer])
  }
  const list = (collection: object, others: object = {}) => [
    { path: '/a', collection: { items: [], ...collection }, ...others },
  ]
  const listOf = (query: object) => [
    ...list({ items: [{ id: 1 }, { id: 2, total: 5, customer: { name: 'x' } }] }),
    { path: '/graphql', response: { body: { data: { a: { $list: 'a', ...query } } } } },
  ]
  it.each<[fixture: unknown, code: string, pointer: string]>([
    [list({ items: [{ id: 1 }, { name: 'x' }] }), 'collection-item-invalid', '/0/collection/items/1'],
    [list({ items: [{ id: 1 }, { id: '1' }] }), 'collection-item-invalid', '/0/collection/items/1'],
    [list({ items: [{ id: null }] }), 'collection-item-invalid', '/0/collection/items/0'],
    [list({ items: [7] }), 'collection-item-invalid', '/0/collection/items/0'],
    [list({ items: [{ id: 1 }], id: 'key' }), 'collection-item-invalid', '/0/collection/items/0'],
    [list({ items: Array.from({ length: 200_001 }, () => 0) }), 'collection-item-invalid', '/0/collection/items'],
    [list({ items: { id: 1 } }), 'fixture-unknown-key', '/0/collection/items/id'],
    [list({ relations: { b: { one: 'b', by: 'bId' } } }), 'collection-unknown', '/0/collection/relations/b/one'],
    [list({ relations: { b: { one: 'b' } } }), 'fixture-invalid', '/0/collection/relations/b'],
    [list({ only: ['lst'] }), 'fixture-invalid', '/0/collection/only/0'],
    [list({ dialct: 'plain' }), 'fixture-unknown-key', '/0/collection/dialct'],
    [list({}, { method: 'POST' }), 'fixture-conflicting-keys', '/0/method'],
    [list({}, { response: { body: [] } }), 'fixture-conflicting-keys', '/0/collection'],
    [list({}, { paginate: { items: [] } }), 'fixture-conflicting-keys', '/0/paginate/items'],
    [list({}, { paginate: { style: 'relay' } }), 'fixture-invalid', '/0/paginate/style'],
    [[...list({}), ...list({})], 'collection-name-taken', '/1'],
    [[...list({}, { scenario: ['many', 'old'] }), ...list({}, { scenario: 'old' })], 'collection-name-taken', '/1'],
    [[...list({}), { path: '/b', collection: { name: 'a', items: [] } }], 'collection-name-taken', '/1'],
    [[{ path: '/a', paginate: {} }], 'fixture-missing-key', '/0/paginate'],
    [[{ path: '/a', write: { update: 'b', id: 1, set: {} } }], 'collection-unknown', '/0/write/update'],
    [[{ path: '/a', write: { update: 'b', set: {} } }], 'write-invalid', '/0/write'],
    [[{ path: '/a', write: {} }], 'write-invalid', '/0/write'],
    [[{ path: '/a', write: { create: 'b', delete: 'b', id: 1 } }], 'write-invalid', '/0/write'],
    [[{ path: '/graphql', response: { body: { data: { a: { $item: 'b', id: '$id' } } } } }], 'collection-unknown', '/0/response/body/data/a/$item'],
    [listOf({ where: { stat: '$state' } }), 'collection-field-unknown', '/1/response/body/data/a/where/stat'],
    [listOf({ where: { total_gte: 5, 'customer.nam_like': 'x' } }), 'collection-field-unknown', '/1/response/body/data/a/where/customer.nam_like'],
    [listOf({ sort: '-total,creatd' }), 'collection-field-unknown', '/1/response/body/data/a/sort'],
    [list({ items: [{ id: 1 }], relations: { parent: { one: 'a', by: 'parentId' } } }), 'collection-field-unknown', '/0/collection/relations/parent/one'],
    [list({ items: [{ id: 1 }], relations: { parts: { many: 'a', by: 'parentId' } } }), 'collection-field-unknown', '/0/collection/relations/parts/many'],
    [[{ path: '/graphql', response: { body: { data: { a: { $list: 7 } } } } }], 'value-invalid', '/0/response/body/data/a/$list'],
  ])('%#: %s', (fixture, code, pointer) => {
    expect(diagnose(fixture)).toContainEqual([code, pointer])
  }) // prettier-ignore

  it.each([
    { where: { id_gte: 1, 'customer.name': 'x', total: '$total' }, sort: '-total,id' },
    { sort: '$sort' },
  ])('knows a field that any item has: %j', (query) => expect(diagnose(listOf(query))).toEqual([]))

  it.each<[items: unknown[], reason: string | undefined]>([
    [[1], 'it is no object'],
    [[{}], 'it has no "id"'],
    [[{ id: true }], 'its "id" is neither a text nor a number'],
    [[{ id: 1 }, { id: '1' }], 'item 1 of the list has the same "id": 1'],
    [[{ id: 1 }, { id: '2' }], undefined],
  ])('%j: %s', (items, reason) => expect(findWrongItem(items, 'id')?.reason).toBe(reason))

  it('answers with the error on every path of the collection', async () => {
    const { routes } = parseFixture(list({ items: [{}] }), file)
    const broken = compileRoutes(routes, { graphql: defaultGraphQL }).table
    for (const target of ['GET /a', 'POST /a', 'GET /a/1', 'PUT /a/1', 'PATCH /a/1', 'DELETE /a/1'])
      expect(await send(broken, target)).toMatchObject({
        status: 500,
        body: { error: { code: 'collection-item-invalid' } },
      })
  })
})
