import { beforeEach, expect, it } from 'vitest'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { MockState } from '../../../src/core/state/mock-state.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { routesOf, send } from '../send.ts'

const on = (operationName: string, data: object, write?: object): Fixture[number] => ({
  path: '/graphql',
  when: { operationName },
  ...(write && { write }),
  response: { body: { data } },
})
const fixture: Fixture = [
  {
    path: '/orders',
    collection: {
      items: [
        { id: 1, name: 'Lamp', state: 'open', total: 5 },
        { id: 2, name: 'Desk', state: 'paid', total: 9 },
        { id: 3, name: 'Chair', state: 'open', total: 7 },
      ],
    },
  },
  on('Order', { order: { $item: 'orders', id: '$id' } }),
  on('Orders', { orders: { $list: 'orders', where: { state: '$state' }, sort: '-total' } }),
  on('Paged', { paged: { $list: 'orders', connection: true } }),
  on('None', { none: { $list: 'orders', where: { state: 'lost' }, connection: 'OrderConnection' } }),
  on('Rename', { rename: { $item: 'orders', id: '$id' } }, { update: 'orders', id: '$id', set: { name: '$name', state: '$state' } }),
  on('Add', { add: { $item: 'orders' } }, { create: 'orders', set: '$input' }),
  on('Replace', { add: { $item: 'orders' } }, { replace: 'orders', id: '$input.id', set: '$input' }),
  on('Delete', { remove: { $item: 'orders', id: '$id' } }, { delete: 'orders', id: '$id' }),
  on('Gone', { gone: true }, { delete: 'orders', id: '$id' }),
  { path: '/orders/:id/pay', method: 'POST', write: { update: 'orders', id: { $from: 'params.id' }, set: { state: 'paid' } }, response: { body: { $item: 'orders' } } },
] // prettier-ignore

const text = `
  type Query { order(id: ID!): Order, orders(state: String): [Order!]!, paged(first: Int, after: String): Orders! }
  type Mutation { rename(id: ID!, name: String, state: String): Order, add(input: Input!): Order, remove(id: ID!): Order, gone(id: ID!): Boolean }
  input Input { id: ID, name: String, total: Int }
  type Order { id: ID!, name: String, state: String, total: Int }
  type Orders { edges: [Edge!]!, totalCount: Int, pageInfo: PageInfo! }
  type Edge { cursor: String!, node: Order! }
  type PageInfo { hasNextPage: Boolean! }`

const routes = routesOf(fixture)
const graphql = { ...defaultGraphQL }
const { checker } = createChecker([{ file: 'schema.graphql', text }], { scalars: {}, strict: false } as never)
const kinds = {
  plain: compileRoutes(routes, { graphql }).table,
  shape: compileRoutes(routes, { graphql: { ...graphql, shape: true } }).table,
  schema: compileRoutes(routes, { graphql, checker }).table,
}
let state: MockState
beforeEach(() => {
  state = new MockState()
})
const ask = async (kind: keyof typeof kinds, query: string, variables: object = {}) =>
  (
    await send(kinds[kind], 'POST /graphql', {
      state,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
  ).body as { data: Record<string, unknown>; errors?: unknown[] }

const cut = ['shape', 'schema'] as const

it.each(cut)('%s: items are cut to the query', async (kind) => {
  expect(await ask(kind, 'query Order($id: ID!) { order(id: $id) { n: name } }', { id: '2' })).toEqual({
    data: { order: { n: 'Desk' } },
  })
  const orders = 'query Orders($state: String) { orders(state: $state) { id } }'
  const idsOf = async (variables: object) =>
    ((await ask(kind, orders, variables)).data['orders'] as { id: unknown }[]).map(({ id }) => Number(id))
  expect(await idsOf({ state: 'open' })).toEqual([3, 1])
  expect(await idsOf({})).toEqual([2, 3, 1])
  expect(await idsOf({ state: null })).toEqual([2, 3, 1])
})

it('names the types of a connection without items', async () => {
  const { data } = await ask('shape', 'query None { none { __typename nodes { name } } }')
  expect(data['none']).toEqual({ __typename: 'OrderConnection', nodes: [] })
})

it.each(['plain', 'shape', 'schema'] as const)('%s: a connection has the part that its arguments name', async (kind) => {
  const query = 'query Paged($first: Int) { paged(first: $first) { edges { node { name } } totalCount pageInfo { hasNextPage } } }'
  const { data } = await ask(kind, query, { first: 2 })
  expect(data['paged']).toMatchObject({
    edges: [{ node: { name: 'Lamp' } }, { node: { name: 'Desk' } }],
    totalCount: 3,
    pageInfo: { hasNextPage: true },
  })
}) // prettier-ignore

it.each(['plain', 'shape', 'schema'] as const)('%s: an unknown item is null, with an error at its path', async (kind) => {
  // Only a cut result has the aliases of the query.
  const field = kind === 'plain' ? 'order' : 'o: order'
  expect(await ask(kind, `query Order($id: ID!) {\n  ${field}(id: $id) { name }\n}`, { id: '9' })).toMatchObject({
    errors: [
      {
        message: 'There is no item "9" in "orders".',
        locations: [{ line: 2, column: 3 }],
        path: [kind === 'plain' ? 'order' : 'o'],
      },
    ],
  })
}) // prettier-ignore

it('mutations write, and what they do not name stays', async () => {
  const rename = 'mutation Rename($id: ID!, $name: String) { rename(id: $id, name: $name) { id name state } }'
  expect((await ask('schema', rename, { id: 1, name: 'Light' })).data).toEqual({
    rename: { id: '1', name: 'Light', state: 'open' },
  })
  const add = 'mutation Add($input: Input!) { add(input: $input) { id name } }'
  expect((await ask('schema', add, { input: { name: 'Rug' } })).data).toEqual({
    add: { id: '4', name: 'Rug' },
  })
  // Without the schema, which fills in what is missing.
  const replace = 'mutation Replace($input: Input!) { add(input: $input) { id } }'
  expect((await ask('shape', replace, { input: { id: '4', total: 1 } })).data).toMatchObject({
    add: { id: 4 },
  })
  const remove = 'mutation Delete($id: ID!) { remove(id: $id) { total } }'
  expect(await ask('schema', remove, { id: 4 })).toEqual({ data: { remove: { total: 1 } } })
  expect(await ask('schema', remove, { id: 4 })).toMatchObject({
    data: { remove: null },
    errors: [{ message: 'There is no item "4" in "orders".', path: ['remove'] }],
  })
  const gone = 'mutation Gone($id: ID!) { gone(id: $id) }'
  expect((await ask('schema', gone, { id: 4 })).errors).toMatchObject([
    { message: 'There is no item "4" in "orders".' },
  ])
  expect(await ask('schema', gone, { id: 3 })).toEqual({ data: { gone: true } })
  expect((await ask('schema', add, { input: { id: '1' } })).errors).toMatchObject([
    { message: '"orders" has an item "1" already.', path: ['add'] },
  ])
  expect([...state.collections.read(kinds.schema.collections.get('orders')![0]!, '').byId.keys()]).toEqual([
    '1',
    '2',
  ])
})

it('writes of other requests are refused in words', async () => {
  const pay = (id: number) => send(kinds.plain, `POST /orders/${id}/pay`, { state })
  expect(await pay(1)).toMatchObject({ status: 200, body: { id: 1, state: 'paid' } })
  expect(await pay(9)).toMatchObject({
    status: 404,
    body: {
      error: {
        code: 'collection-write-refused',
        message: 'POST /orders/9/pay: there is no item "9" in "orders".',
      },
    },
  })
})
