/* A shop with twelve endpoints and GraphQL, and fixtures that its answers fit. Rows of tests change one of the two. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buildSchema, graphql, type GraphQLSchema } from 'graphql'
import { onTestFinished } from 'vitest'
import { closeServer, listen } from '../../hosts/serve.ts'

export interface ShopAnswer {
  status: number
  headers: Record<string, string>
  body: unknown
}

export interface Shop {
  /** Whether introspection is refused. */
  hidesSchema?: boolean
  /** By `GET /users/:id`. The parameters and the query are those of the request. */
  routes: Record<
    string,
    (asked: { params: string[]; query: URLSearchParams; req: IncomingMessage }) => ShopAnswer
  >
  schema: string
  root: Record<string, unknown>
}

const user = (id: number, name: string, role: string, createdAt: string, city: string, zip: string) => ({
  ...{ id, name, email: `${name.split(' ')[0]!.toLowerCase()}@shop.example`, role, createdAt },
  address: { city, zip },
  nickname: id === 2 ? 'Amazing' : null,
  avatarUrl: `https://img.example/${id}.png`,
})
const users = [
  user(1, 'Ada Lovelace', 'admin', '2026-01-02T10:00:00Z', 'Graz', '8010'),
  user(2, 'Grace Hopper', 'member', '2026-02-03T11:00:00Z', 'Wien', '1010'),
  user(3, 'Alan Turing', 'member', '2026-03-04T12:00:00Z', 'Linz', '4020'),
]
const order = (number: number, status: string, total: number, sku: string, count: number) => ({
  ...{ id: `o-${number}`, status, total, paid: status === 'sent', placedOn: `2026-04-0${number}` },
  items: [{ sku, count }],
})
const orders = [
  { ...order(1, 'open', 12.5, 'A1', 2), coupon: 'SUMMER 26' },
  order(2, 'sent', 30, 'B2', 1),
  order(3, 'open', 7, 'C3', 4),
]
const products = Array.from({ length: 8 }, (_, index) => ({
  id: index + 1,
  title: `Product number ${index + 1}`,
  price: index + 0.5,
  tags: ['new', 'sale'],
}))
const payments = [
  { type: 'card', id: 1, last4: '4242' },
  { type: 'bank', id: 2, iban: 'AT61 1904' },
]
const stock = { 'A-1': { left: 3, shelf: 'north 1' }, 'B-2': { left: 0, shelf: 'south 2' } }
const ok = (body: unknown, headers: Record<string, string> = {}): ShopAnswer => ({
  status: 200,
  headers,
  body,
})

export function createShop(): Shop {
  const page = (list: readonly unknown[], query: URLSearchParams) => {
    const number = Number(query.get('page') ?? 1)
    const [total, per_page] = [list.length, 3]
    return {
      page: number,
      per_page,
      total,
      total_pages: 3,
      has_more: number < 3,
      data: list.slice((number - 1) * per_page, number * per_page),
    }
  }
  return structuredCloneOf({
    routes: {
      'GET /users': () => ok(structuredClone(users), { 'x-total-count': '3' }),
      'GET /users/:id': ({ params }) => {
        const found = users.find(({ id }) => String(id) === params[0])
        return found
          ? ok(structuredClone(found))
          : { status: 404, headers: {}, body: { error: { code: 'not_found', message: 'No such user' } } }
      },
      'GET /orders': ({ query }) => {
        const status = query.get('status')
        return ok(structuredClone(status === null ? orders : orders.filter((one) => one.status === status)))
      },
      'GET /orders/:id': ({ params }) =>
        ok(structuredClone(orders.find(({ id }) => id === params[0]) ?? orders[0])),
      'GET /products': ({ query }) => ok(page(structuredClone(products), query)),
      'GET /payments': () => ok(structuredClone(payments)),
      'GET /stock': () => ok(structuredClone(stock)),
      'GET /translations': () => ok({ de: { yes: 'ja' }, en: { yes: 'yes' } }),
      'GET /settings': () =>
        ok({ theme: 'dark mode', limits: { uploads: 5 }, features: ['a b', 'c d'], beta: false }),
      'GET /events': () =>
        ok([
          { kind: 'created', at: '2026-05-01T10:00:00Z' },
          { kind: 'deleted', at: '2026-05-02T10:00:00Z', by: 'a person' },
        ]),
      'GET /search': ({ query }) =>
        ok({ query: query.get('q'), hits: [{ id: '123e4567-e89b-42d3-a456-426614174000', score: 1.5 }] }),
      'GET /health': () => ({ status: 204, headers: {}, body: undefined }),
      'POST /users': () => ({ status: 201, headers: { location: '/users/4' }, body: { id: 4 } }),
    },
    schema: `type Query { hero(id: ID): Hero } type Hero { name: String! height: Float friends: [Hero!]! } type Mutation { rename(name: String!): Hero }`,
    root: { hero: { name: 'R2-D2', height: 1.1, friends: [{ name: 'Luke', height: null, friends: [] }] } },
  })
}

/** Rows change their own copy. */
function structuredCloneOf(shop: Shop): Shop {
  return { ...shop, routes: { ...shop.routes }, root: { ...shop.root } }
}

const thing = (id: number) => ({ id, title: `Thing ${id} of all`, price: id, tags: ['x'] })
const answered = (path: string, body: unknown) => ({ path, response: { body } })

/** Fixtures as somebody has written them for this shop, by their files. */
export const shopFixtures: Record<string, string> = {
  'fixtures/users.yaml': `- path: /users
  response:
    headers: { x-total-count: '2' }
    body:
      - id: 10
        name: Tim Lee
        email: tim@a.example
        role: member
        createdAt: '2025-01-02T10:00:00Z'
        address: { city: Bern, zip: '3000' }
        nickname: Timmy
        avatarUrl: https://a.example/t.png
      - id: 11
        name: Eva Bo
        email: eva@a.example
        role: member
        createdAt: '2025-01-03T10:00:00Z'
        address: { city: Rom, zip: '00100' }
        nickname: null
        avatarUrl: https://a.example/e.png
      - { id: 12, name: Kim Ho, email: kim@a.example, role: admin, createdAt: '2025-01-04T10:00:00Z', address: { city: Oslo, zip: '0150' }, nickname: null, avatarUrl: 'https://a.example/k.png' }
- path: /users/:id
  response:
    body:
      id: 10
      name: Tim Lee
      email: tim@a.example
      role: member
      createdAt: '2025-01-02T10:00:00Z'
      address: { city: Bern, zip: '3000' }
      nickname: Timmy
      avatarUrl: https://a.example/t.png
- path: /users/:id
  when: { params: { id: '404' } }
  response: { status: 404, body: { error: { code: not_found, message: Nobody has this id } } }
- { method: POST, path: /users, response: { status: 201, headers: { location: /users/13 }, body: { id: 13 } } }
`,
  'fixtures/orders.yaml': `- path: /orders
  response:
    body:
      - { id: x-1, status: open, total: 1, paid: true, placedOn: '2025-04-01', items: [{ sku: Z9, count: 1 }], coupon: WINTER 25 }
      - { id: x-2, status: open, total: 2, paid: false, placedOn: '2025-04-02', items: [] }
      - { id: x-3, status: sent, total: 3.5, paid: false, placedOn: '2025-04-03', items: [{ sku: Y8, count: 2 }] }
- path: /orders
  when: { query: { status: sent } }
  response:
    body:
      - { id: x-3, status: sent, total: 3.5, paid: false, placedOn: '2025-04-03', items: [{ sku: Y8, count: 2 }] }
- path: /orders/:id
  response:
    body: { id: x-1, status: open, total: 1, paid: true, placedOn: '2025-04-01', items: [{ sku: Z9, count: 1 }] }
`,
  'fixtures/products.json': JSON.stringify(
    [
      { path: '/products', paginate: { perPage: 3, items: Array.from({ length: 7 }, (_, id) => thing(id)) } },
      answered('/payments', [
        { type: 'bank', id: 5, iban: 'DE00 1' },
        { type: 'card', id: 6, last4: '0000' },
      ]),
      answered('/stock', { 'X-9': { left: 1, shelf: 'west 3' }, 'Y-8': { left: 5, shelf: 'east 4' } }),
      answered('/translations', { fr: { yes: 'oui' }, it: { yes: 'si' } }),
      answered('/settings', { theme: 'light mode', limits: { uploads: 1 }, features: ['x y'], beta: true }),
      answered('/events', [
        { kind: 'deleted', at: '2025-05-01T10:00:00Z', by: 'some body' },
        { kind: 'created', at: '2025-05-02T10:00:00Z' },
      ]),
      {
        ...{ path: '/search', when: { query: { q: 'cat' } } },
        response: {
          body: {
            query: { $from: 'query.q' },
            hits: [{ id: `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`, score: 3 }],
          },
        },
      },
      { path: '/health', response: { status: 204 } },
    ],
    null,
    2,
  ),
  'fixtures/hero.yaml': `- path: /graphql
  when: { operationName: Hero }
  response: { body: { data: { hero: { name: Leia, height: 1.5, friends: [{ name: Han, height: null }] } } } }
`,
}

/** Serves a shop for the time of one test. @returns its origin */
export async function serveShop(shop: Shop): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = []
  const schema: GraphQLSchema = buildSchema(shop.schema)
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`)
    void answer(shop, schema, req, res)
  })
  const origin = await listen(server)
  onTestFinished(() => closeServer(server))
  return { origin, asked }
}

async function answer(
  shop: Shop,
  schema: GraphQLSchema,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(req.url!, 'http://localhost')
  const send = ({ status, headers, body }: ShopAnswer) => {
    const isText = typeof body === 'string' && headers['content-type'] !== undefined
    res.writeHead(status, { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers })
    res.end(isText || body === undefined ? body : JSON.stringify(body))
  }
  if (pathname === '/graphql' && req.method === 'POST') {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const asked = JSON.parse(String(Buffer.concat(chunks))) as Record<'query' | 'operationName', string>
    const { query: source, operationName } = asked
    const variableValues = (asked as { variables?: Record<string, unknown> }).variables
    if (shop.hidesSchema && source.includes('__schema'))
      return send({ status: 400, headers: {}, body: { errors: [{ message: 'No introspection here' }] } })
    const result = await graphql({ schema, source, rootValue: shop.root, variableValues, operationName })
    return send({ status: 'data' in result ? 200 : 400, headers: {}, body: result })
  }
  const segments = pathname.split('/')
  for (const [key, make] of Object.entries(shop.routes)) {
    const [method, path] = key.split(' ') as [string, string]
    const wanted = path.split('/')
    if (method !== req.method || wanted.length !== segments.length) continue
    if (!wanted.every((one, index) => one.startsWith(':') || one === segments[index])) continue
    return send(make({ params: segments.filter((_, index) => wanted[index]!.startsWith(':')), query, req }))
  }
  send({ status: 404, headers: { 'content-type': 'text/html' }, body: `Cannot ${req.method} ${pathname}` })
}
