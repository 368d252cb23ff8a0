import { expect, test } from 'vitest'
import type { Exchange } from '../../src/writer/exchange/exchange.ts'
import { FixtureWriter, writeFixtures } from '../../src/writer/write-fixtures.ts'
import { exchange, load } from './exchanges.ts'
import { expectCpuTime } from '../cpu-time.ts'

const order = (id: number) => ({ id, state: 'open' })
const page = (number: number, total = 5) => ({
  page: number,
  per_page: 2,
  total,
  total_pages: Math.ceil(total / 2),
  has_more: number < Math.ceil(total / 2),
  data: [1, 2, 3, 4, 5].slice((number - 1) * 2, number * 2).map((id) => ({ id })),
})
const operation = (operationName: string, variables: object, query = `query ${operationName} { a }`) => ({
  operationName,
  variables,
  query,
})

const cases: { what: string; exchanges: Exchange[]; files: Record<string, string | Uint8Array> }[] = [
  {
    what: 'ids in a path are parameters, and the first segment never is',
    exchanges: [
      exchange('GET /orders/10', { body: order(10) }),
      exchange('GET /orders/7', { body: order(7) }),
      exchange('GET /orders/7/items/3', { body: { sku: 'x' } }),
      exchange('GET /7', { body: {} }),
    ],
    files: {
      '7.yaml': `- path: /7
  response: { body: {} }
`,
      'orders-id.yaml': `- path: /orders/:id
  example: { params: { id: 10 } }
  response:
    body: { id: { $from: params.id, as: number }, state: open }
`,
      'orders-order-id-items-id.yaml': `- path: /orders/:orderId/items/:id
  example: { params: { orderId: 7, id: 3 } }
  response: { body: { sku: x } }
`,
    },
  },
  {
    what: 'HEAD has a route of its own where no GET answers it',
    exchanges: [
      exchange('HEAD /both'),
      exchange('GET /both', { body: [1] }),
      exchange('HEAD /files/7', {
        headers: { 'x-parts': '2', 'content-type': 'image/png', 'content-length': '99' },
      }),
    ],
    files: {
      'both.yaml': '- path: /both\n  response: { body: [1] }\n',
      'files-id.head.yaml': `- method: HEAD
  path: /files/:id
  example: { params: { id: 7 } }
  response:
    headers:
      content-type: image/png
      x-parts: '2'
      content-length: '99'
`,
    },
  },
  {
    what: 'repeated parameters are lists, before the routes of one value',
    exchanges: [
      exchange('GET /a', { body: [1] }),
      exchange('GET /a?id=1', { body: [2] }),
      exchange('GET /a?id=1&id=2&tag[]=x&tag[]=x', { body: [3] }),
      exchange('GET /a?id=1&id=2', { body: [4] }),
    ],
    files: {
      'a.yaml': `- path: /a
  response: { body: [1] }

- path: /a
  when: { query: { id: [1, 2], 'tag[]': [x, x] } }
  response: { body: [3] }

- path: /a
  when: { query: { id: [1, 2] } }
  response: { body: [4] }

- path: /a
  when: { query: { id: 1 } }
  response: { body: [2] }
`,
    },
  },
  {
    what: 'queries select, and different answers to one request are a sequence',
    exchanges: [
      exchange('GET /orders?status=open', { body: [order(7)], headers: { 'x-total': '1' } }),
      exchange('GET /orders', { body: [] }),
      exchange('GET /orders', { body: [order(7)] }),
      exchange('GET /orders', { body: [order(7)] }),
      exchange('DELETE /orders/7', { status: 204 }),
      exchange('DELETE /orders/8', { status: 204 }),
    ],
    files: {
      'orders-id.delete.yaml': `- method: DELETE
  path: /orders/:id
  example: { params: { id: 7 } }
  response: { status: 204 }
`,
      'orders.yaml': `- path: /orders
  response: [{ body: [] }, { body: [{ id: 7, state: open }] }]

- path: /orders
  when: { query: { status: open } }
  response: { headers: { x-total: '1' }, body: [{ id: 7, state: open }] }
`,
    },
  },
  {
    what: 'bodies select by as few fields as tell different answers apart',
    exchanges: [
      exchange('POST /orders', { sent: { amount: 2, sku: 'a' }, status: 201, body: order(9) }),
      exchange('POST /orders', { sent: { amount: 2, sku: '' }, status: 422, body: { code: 'no_sku' } }),
      exchange('POST /track', { sent: { event: 'a' }, status: 204 }),
      exchange('POST /track', { sent: { event: 'b' }, status: 204 }),
    ],
    files: {
      'orders.post.yaml': `- method: POST
  path: /orders
  example: { body: { sku: a } }
  response: { status: 201, body: { id: 9, state: open } }

- method: POST
  path: /orders
  when: { body: { sku: '' } }
  response: { status: 422, body: { code: no_sku } }
`,
      'track.post.yaml': `- method: POST
  path: /track
  response: { status: 204 }
`,
    },
  },
  {
    what: 'an error is no default, and neither is an error of GraphQL',
    exchanges: [
      exchange('GET /orders/7', { status: 404, body: { code: 'no' } }),
      exchange('POST /graphql', {
        sent: operation('Hero', { id: '1' }),
        body: { data: null, errors: [{ message: 'no' }] },
      }),
      exchange('POST /graphql', { sent: operation('Hero', { id: '2' }), body: { data: { a: 2 } } }),
    ],
    files: {
      'graphql-hero.yaml': `- path: /graphql
  when: { operationName: Hero, variables: { id: '1' } }
  response: { body: { data: null, errors: [{ message: no }] } }

- path: /graphql
  when: { operationName: Hero }
  example: { variables: { id: '2' } }
  response: { body: { data: { a: 2 } } }
`,
      'orders-id.yaml': `- path: /orders/:id
  when: { params: { id: 7 } }
  response: { status: 404, body: { code: no } }
`,
    },
  },
  {
    what: 'a login that was refused is no step of a sequence: a wrong password selects it',
    exchanges: [
      exchange('POST /login', { sent: { user: 'a', password: 'x' }, status: 401, body: 'no' }),
      exchange('POST /login', { sent: { user: 'a', password: 'y' }, body: { token: 'abc123', id: 7 } }),
    ],
    files: {
      'login.post.yaml': `- method: POST
  path: /login
  response: { body: { token: redacted, id: 7 } }

# Another "password" got this. It is left out: send "wrong" to get it.
- method: POST
  path: /login
  when: { body: { password: wrong } }
  response: { status: 401, body: no }
`,
    },
  },
  {
    what: 'a list is paginated when all of its pages were seen',
    exchanges: [
      ...[3, 1, 2].map((number) => exchange(`GET /list?page=${number}&q=a`, { body: page(number) })),
      exchange('GET /list?q=a', { body: page(1) }),
      exchange('GET /list?q=b&page=2', { body: page(2) }),
    ],
    files: {
      'list.yaml': `- path: /list
  example: { query: { q: a } }
  paginate:
    perPage: 2
    items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }]

- path: /list
  when: { query: { page: 2, q: b } }
  response:
    body:
      page: 2
      per_page: 2
      total: 5
      total_pages: 3
      has_more: true
      data: [{ id: 3 }, { id: 4 }]
`,
    },
  },
  {
    what: 'a list is paginated where its numbers are below other keys, and where its pages are counted from 0',
    exchanges: [
      ...[0, 1, 2].map((number) =>
        exchange(`GET /deep?page=${number}`, {
          body: {
            list: { 'all.items': page(number + 1).data },
            meta: { page: number, of: { total_pages: 3 } },
          },
        }),
      ),
      exchange('GET /deep', {
        body: { list: { 'all.items': page(1).data }, meta: { page: 0, of: { total_pages: 3 } } },
      }),
      ...[1, 2, 3].map((number) =>
        exchange(`GET /meta?page=${number}`, {
          body: { data: page(number).data, meta: { page: number, total_pages: 3 } },
        }),
      ),
      ...[0, 1, 2].map((number) => exchange(`GET /plain?page=${number}`, { body: page(number + 1).data })),
    ],
    files: {
      'deep.yaml': String.raw`- path: /deep
  paginate:
    firstPage: 0
    perPage: 2
    envelope:
      data: list.all\.items
      page: meta.page
      per_page: false
      total_pages: meta.of.total_pages
      total: false
      has_more: false
    items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }]
`,
      'meta.yaml': `- path: /meta
  paginate:
    perPage: 2
    envelope:
      page: meta.page
      per_page: false
      total_pages: meta.total_pages
      total: false
      has_more: false
    items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }]
`,
      'plain.yaml': `- path: /plain
  paginate:
    style: link
    firstPage: 0
    perPage: 2
    items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }]
`,
    },
  },
  {
    what: 'operations of one URL have files of their own',
    exchanges: [
      exchange('POST /graphql', { sent: operation('Hero', { id: '1' }), body: { data: { a: 1 } } }),
      exchange('POST /graphql', { sent: operation('Hero', { id: '2' }), body: { data: { a: 2 } } }),
      exchange('POST /graphql', {
        sent: [operation('Hero', { id: '3' }), { query: '{ a }' }],
        body: [{ data: { a: 3 } }, { data: { a: 4 } }],
      }),
      exchange('POST /graphql', {
        sent: operation('Rename', { id: '1', name: 'x' }, 'mutation Rename { a }'),
        body: { data: { rename: null }, errors: [{ message: 'The name is taken.', path: ['rename'] }] },
      }),
    ],
    files: {
      'graphql-hero.yaml': `- path: /graphql
  when: { operationName: Hero, variables: { id: '2' } }
  response: { body: { data: { a: 2 } } }

- path: /graphql
  when: { operationName: Hero, variables: { id: '3' } }
  response: { body: { data: { a: 3 } } }

- path: /graphql
  when: { operationName: Hero }
  example: { variables: { id: '1' } }
  response: { body: { data: { a: 1 } } }
`,
      'graphql-rename.yaml': `- path: /graphql
  when: { operationName: Rename }
  response:
    body:
      data: { rename: null }
      errors: [{ message: The name is taken., path: [rename] }]
`,
      'graphql.yaml': `- path: /graphql
  when: { query: '{ a }' }
  response: { body: { data: { a: 4 } } }
`,
    },
  },
  {
    what: 'text stands in the file, and bytes beside it',
    exchanges: [
      exchange('GET /logo', { body: new Uint8Array([137, 80, 78, 71, 0, 255]), type: 'image/png' }),
      exchange('GET /robots', { body: 'User-agent: *\nDisallow:\n' }),
    ],
    files: {
      'logo.png': new Uint8Array([137, 80, 78, 71, 0, 255]),
      'logo.yaml': `- path: /logo
  response: { headers: { content-type: image/png }, file: logo.png }
`,
      'robots.yaml': `- path: /robots
  response:
    body: |
      User-agent: *
      Disallow:
`,
    },
  },
]

const call = (id: number, method: string, params: unknown, result: object) =>
  exchange('POST /rpc', {
    sent: { jsonrpc: '2.0', id, method, params },
    body: { jsonrpc: '2.0', id, ...result },
  })
cases.push({
  what: 'methods of JSON-RPC do not answer for each other, and each answer has the id of its request',
  exchanges: [
    call(1, 'height', [], { result: 16 }),
    call(2, 'user', [1], { result: { id: 1, $from: 'x' } }),
    call(3, 'user', [2], { result: { id: 2 } }),
    call(4, 'height', [], { result: 16 }),
    call(5, 'user', [3], { error: { code: -1 } }),
    exchange('POST /soap', { sentHeaders: { soapaction: 'a' }, body: { a: 1 } }),
  ],
  files: {
    'rpc.post.yaml': `- method: POST
  path: /rpc
  when: { body: { method: user, params: [2] } }
  response:
    body: { jsonrpc: '2.0', id: { $from: body.id }, result: { id: 2 } }

- method: POST
  path: /rpc
  when: { body: { method: user, params: [3] } }
  response:
    body:
      jsonrpc: '2.0'
      id: { $from: body.id }
      error: { code: -1 }

- method: POST
  path: /rpc
  when: { body: { method: height } }
  response:
    body: { jsonrpc: '2.0', id: { $from: body.id }, result: 16 }

- method: POST
  path: /rpc
  when: { body: { method: user } }
  example: { body: { params: [1] } }
  response:
    body:
      jsonrpc: '2.0'
      id: { $from: body.id }
      result: { $literal: { id: 1, $from: x } }
`,
    'soap.post.yaml': `- method: POST
  path: /soap
  when: { headers: { soapaction: a } }
  response: { body: { a: 1 } }
`,
  },
})

const cookie = (text: string) => ({ headers: { 'set-cookie': text } })
cases.push({
  what: 'cookies have no value, and the one that a login sets decides',
  exchanges: [
    exchange('GET /me', { sentHeaders: { cookie: 'theme=a' }, status: 401 }),
    exchange('POST /login', {
      ...cookie(
        '__Host-sid=s3cret; Path=/; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Secure; HttpOnly; SameSite=None',
      ),
      status: 204,
    }),
    exchange('GET /me', { sentHeaders: { cookie: 'theme=b; __Host-sid=s3cret' }, body: { id: 7 } }),
    exchange('POST /logout', {
      ...cookie('__Host-sid=x; Domain=api.test; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax'),
      status: 204,
    }),
    exchange('GET /me', { status: 401 }),
    exchange('GET /themes', { sentHeaders: { cookie: 'theme=a' }, status: 403 }),
    exchange('GET /themes', { sentHeaders: { cookie: 'theme=b' }, body: [] }),
  ],
  files: {
    'login.post.yaml': `- method: POST
  path: /login
  response:
    status: 204
    headers:
      set-cookie: __Host-sid=redacted; Path=/; HttpOnly; Secure
`,
    'logout.post.yaml': `- method: POST
  path: /logout
  response:
    status: 204
    headers:
      set-cookie: __Host-sid=; Path=/; Max-Age=0; Secure; SameSite=Lax
`,
    'me.yaml': `- path: /me
  response: { body: { id: 7 } }

- path: /me
  when: { cookies: { __Host-sid: { $exists: false } } }
  response: { status: 401 }
`,
    'themes.yaml': `- path: /themes
  response: [{ status: 403 }, { body: [] }]
`,
  },
})

const bearer = { authorization: 'Bearer a' }
const ownLinks = { scheme: 'http', starts: [['https://api.test/v1/', '/']] } as const
cases.push(
  {
    what: 'an error is no default where its request has less than others',
    exchanges: [
      exchange('POST /orders', { sent: {}, status: 422, body: { code: 'no_sku' } }),
      exchange('POST /orders', { sent: { sku: 'a' }, status: 201, body: { id: 1 } }),
      exchange('GET /search', { status: 400, body: { code: 'no_q' } }),
      exchange('GET /search?q=a', { body: { found: 1 } }),
    ],
    files: {
      'orders.post.yaml': `- method: POST
  path: /orders
  example: { body: { sku: a } }
  response: { status: 201, body: { id: 1 } }

- method: POST
  path: /orders
  when: { body: { sku: { $exists: false } } }
  response: { status: 422, body: { code: no_sku } }
`,
      'search.yaml': `- path: /search
  example: { query: { q: a } }
  response: { body: { found: 1 } }

- path: /search
  when: { query: { q: { $exists: false } } }
  response: { status: 400, body: { code: no_q } }
`,
    },
  },
  {
    what: 'answers that differ with a token, a language or a header that the server names are no sequence',
    exchanges: [
      exchange('GET /me', { status: 403, body: { code: 'no' } }),
      exchange('GET /me', { sentHeaders: bearer, body: { id: 7 } }),
      exchange('GET /late', { sentHeaders: { authorization: 'Bearer old' }, status: 401 }),
      exchange('GET /late', { sentHeaders: bearer, body: { id: 7 } }),
      exchange('GET /hello', { sentHeaders: { 'accept-language': 'de' }, body: { text: 'Hallo' } }),
      exchange('GET /hello', { sentHeaders: { 'accept-language': 'en' }, body: { text: 'Hello' } }),
      exchange('GET /shop', {
        sentHeaders: { 'x-shop': 'a', 'user-agent': 'a' },
        headers: { vary: 'Origin, X-Shop' },
        body: { id: 1 },
      }),
      exchange('GET /shop', {
        sentHeaders: { 'x-shop': 'b', 'user-agent': 'b' },
        headers: { vary: 'Origin, X-Shop' },
        body: { id: 2 },
      }),
    ],
    files: {
      'hello.yaml': `- path: /hello
  example: { headers: { accept-language: de } }
  response: { body: { text: Hallo } }

- path: /hello
  when: { headers: { accept-language: en } }
  response: { body: { text: Hello } }
`,
      'late.yaml': `- path: /late
  response: [{ status: 401 }, { body: { id: 7 } }]
`,
      'me.yaml': `- path: /me
  response: { body: { id: 7 } }

- path: /me
  when: { headers: { authorization: { $exists: false } } }
  response: { status: 403, body: { code: no } }
`,
      'shop.yaml': `- path: /shop
  example: { headers: { x-shop: a } }
  response: { body: { id: 1 } }

- path: /shop
  when: { headers: { x-shop: b } }
  response: { body: { id: 2 } }
`,
    },
  },
  {
    what: 'links to the backend lead to this server, and those of a resource to the one that is asked for',
    exchanges: [
      {
        ...exchange('GET /orders/7', {
          body: {
            self: 'https://api.test/v1/orders/7',
            lines: '/orders/7/lines?a={b}',
            next: ['https://api.test/v1/orders/8?q={c}', 'https://other.test/orders/7', '/orders/77'],
          },
        }),
        ownLinks,
      },
    ],
    files: {
      'orders-id.yaml': `- path: /orders/:id
  example: { params: { id: 7 } }
  response:
    body:
      self: { $text: 'http://{headers.host}/orders/{params.id}' }
      lines: { $text: '/orders/{params.id}/lines?a=\\{b\\}' }
      next:
        - { $text: 'http://{headers.host}/orders/8?q=\\{c\\}' }
        - https://other.test/orders/7
        - /orders/77
`,
    },
  },
)

const search = (q: string, page: number) => ({ sent: { q, page }, body: { hits: [`${q} ${page}`] } })
const gql = (name: string, id: number, kind = 'query') => ({
  query: `${kind} ${name} { a }`,
  variables: { id },
})
cases.push(
  {
    what: 'GraphQL at another path selects by its body, and no operation answers for another one',
    exchanges: [
      exchange('POST /api/gql', {
        sent: { ...gql('Hero', 1), operationName: 'Hero' },
        body: { data: { hero: { id: 1 } } },
      }),
      exchange('POST /api/gql', {
        sent: { ...gql('Hero', 2), operationName: 'Hero' },
        body: { data: null, errors: [{ message: 'no' }] },
      }),
      exchange('POST /api/gql', { sent: gql('Ship', 1), body: { data: { ship: 1 } } }),
      exchange('POST /api/gql', { sent: gql('Save', 3, 'mutation'), body: { data: { save: { id: 3 } } } }),
      exchange('POST /api/gql', { sent: { query: '{ a }' }, body: { data: { a: 1 } } }),
      exchange('GET /api/gql?query=query+Get{a}', { body: { data: { a: 2 } } }),
    ],
    files: {
      'api-gql-get.yaml': `- path: /api/gql
  when: { query: { query: 'query Get{a}' } }
  response: { body: { data: { a: 2 } } }
`,
      'api-gql-hero.yaml': `- method: POST
  path: /api/gql
  when: { body: { operationName: Hero, variables.id: 2 } }
  response: { body: { data: null, errors: [{ message: no }] } }

- method: POST
  path: /api/gql
  when: { body: { operationName: Hero } }
  example: { body: { variables.id: 1 } }
  response:
    body:
      data: { hero: { id: { $from: body.variables.id, else: 1 } } }
`,
      'api-gql-save.yaml': `- method: POST
  path: /api/gql
  when:
    body:
      query: { $regex: \\b(?:query|mutation|subscription)\\s+Save\\b }
  response:
    body:
      data: { save: { id: { $from: body.variables.id, else: 3 } } }
`,
      'api-gql-ship.yaml': `- method: POST
  path: /api/gql
  when:
    body:
      query: { $regex: \\b(?:query|mutation|subscription)\\s+Ship\\b }
  example: { body: { variables.id: 1 } }
  response: { body: { data: { ship: 1 } } }
`,
      'api-gql.yaml': `- method: POST
  path: /api/gql
  when: { body: { query: '{ a }' } }
  response: { body: { data: { a: 1 } } }
`,
    },
  },
  {
    what: 'no page stands for another one where not all pages were seen',
    exchanges: [
      exchange('GET /list?page=3&limit=2', { body: { data: [5], total: 9 } }),
      exchange('GET /list?page=1&limit=2', { body: { data: [1], total: 9 } }),
      exchange('GET /list', { body: { data: [1], total: 9 } }),
      exchange('GET /feed?cursor=abc', { body: [2] }),
      exchange('GET /feed', { body: [1] }),
      exchange('POST /search', search('a', 2)),
      exchange('POST /search', search('a', 1)),
      exchange('POST /search', search('b', 1)),
    ],
    files: {
      'feed.yaml': `- path: /feed
  when: { query: { cursor: abc } }
  response: { body: [2] }

- path: /feed
  when: { query: { cursor: { $in: [null, ''] } } }
  response: { body: [1] }
`,
      'list.yaml': `- path: /list
  when: { query: { limit: 2, page: 3 } }
  response: { body: { data: [5], total: 9 } }

- path: /list
  when: { query: { page: { $in: [null, 1] } } }
  response: { body: { data: [1], total: 9 } }
`,
      'search.post.yaml': `- method: POST
  path: /search
  when: { body: { page: 1, q: b } }
  response: { body: { hits: [b 1] } }

- method: POST
  path: /search
  when: { body: { page: { $in: [null, 1] } } }
  example: { body: { q: a } }
  response: { body: { hits: [a 1] } }

- method: POST
  path: /search
  when: { body: { page: 2 } }
  response: { body: { hits: [a 2] } }
`,
    },
  },
)

test.each<[what: string, exchanges: Exchange[], asked: Exchange, status: number]>([
  ['an operation at another path', [exchange('POST /gql', { sent: gql('Hero', 1), body: { data: 1 } })], exchange('POST /gql', { sent: gql('HeroList', 1) }), 404],
  ['an operation in a URL', [exchange('GET /gql?query={a}', { body: { data: 1 } })], exchange('GET /gql?query={b}'), 404],
  ['a document by its id', [exchange('POST /graphql', { sent: { documentId: 'x' }, body: { data: 1 } })], exchange('POST /graphql', { sent: { documentId: 'y' } }), 404],
  ['a page of a search', [exchange('POST /s', { sent: { from: 0, size: 2 }, body: { hits: { hits: [1] } } })], exchange('POST /s', { sent: { from: 2, size: 2 } }), 404],
  ['a document by its id in a URL', ['x', 'y'].map((id) => exchange(`GET /graphql?documentId=${id}`, { body: { data: id } })), exchange('GET /graphql?documentId=z'), 404],
  ['a method of JSON-RPC', [call(1, 'a', [], { result: 1 })], exchange('POST /rpc', { sent: { jsonrpc: '2.0', id: 2, method: 'b' } }), 404],
  ['the page after the only one', [exchange('GET /a', { body: { page: 1, total: 9, data: [1] } })], exchange('GET /a?page=2'), 404],
  ['the page that a header names', [exchange('GET /a', { body: [1], headers: { link: '</a?p=2>; rel="next"' } })], exchange('GET /a?p=2'), 404],
  ['the page that a link names', [exchange('GET /a', { body: { next: 'http://b.test/x/a/?from_id=1&after=7', list: [1] } })], exchange('GET /a?from_id=1&after=7'), 404],
  ['the page after a cursor', [exchange('GET /a', { body: { nextPageToken: 'x', items: [1] } })], exchange('GET /a?pageToken=x'), 404],
  ['the page of a variable', [exchange('POST /graphql', { sent: operation('A', {}, 'query A($after: String) { a }'), body: { data: { a: 1 } } })], exchange('POST /graphql', { sent: operation('A', { after: 'x' }, 'query A($after: String) { a }') }), 404],
  ['a number in a resource', [exchange('GET /books/1', { body: { page: 7, tags: ['a'] } })], exchange('GET /books/2?page=9'), 200],
  ['a page', [exchange('GET /a?page=3', { body: [3] })], exchange('GET /a?page=2'), 404],
  ['a page that is not the first', [exchange('GET /a?page=0', { body: [0] }), exchange('GET /a?page=2', { body: [2] })], exchange('GET /a?page=1'), 404],
  ['the first of pages that count from 0', [exchange('GET /a?page=0', { body: [0] }), exchange('GET /a?page=2', { body: [2] })], exchange('GET /a'), 200],
  ['a page of JSON:API', [exchange('GET /a?page[offset]=10&page[limit]=5', { body: { data: [1] } })], exchange('GET /a?page[offset]=15&page[limit]=5'), 404],
  ['the same page in another size', [exchange('GET /a?page=2&limit=5', { body: [2] })], exchange('GET /a?page=2&limit=9'), 404],
  ['a time that is no cursor', [exchange('GET /a?after=2026-01-01', { body: [2] })], exchange('GET /a?after=2026-02-01'), 200],
  ['a number that is no offset', [exchange('GET /a?start=5', { body: [2] })], exchange('GET /a?start=6'), 200],
  ['a connection without a cursor', [exchange('POST /graphql', { sent: operation('List', { after: null }), body: { data: 1 } })], exchange('POST /graphql', { sent: operation('List', {}) }), 200],
  ['a cursor of a connection', [exchange('POST /graphql', { sent: operation('List', { after: 'a' }), body: { data: 1 } })], exchange('POST /graphql', { sent: operation('List', { after: 'b' }) }), 404],
])('what was not recorded, %s, is answered only as what was: %#', async (_, exchanges, asked, status) => {
  const send = await load(writeFixtures(exchanges))
  for (const one of exchanges) expect((await send(one)).body).toEqual(one.responseBody)
  expect((await send(asked)).status).toBe(status)
}) // prettier-ignore

const posted = (sent: unknown, body: number) => exchange('POST /a', { sent, body: [body] })
const form = { 'content-type': 'application/x-www-form-urlencoded' }

test.each<[what: string, exchanges: Exchange[]]>([
  ['values', [exchange('GET /a?t=a&t=b', { body: [1] }), exchange('GET /a?t=b', { body: [2] })]],
  ['values, though it is refused', [exchange('GET /a?t=a&t=b', { body: [1] }), exchange('GET /a?t=b', { status: 404, body: [2] })]],
  ['values beside a default route', [exchange('GET /a?t=a&t=b', { body: [1] }), exchange('GET /a', { body: [2] }), exchange('GET /a?t=b', { body: [3] }), exchange('GET /a?t=a', { body: [4] })]],
  ['values of an image', [exchange('GET /a?t=a&t=b', { body: new Uint8Array([1]), type: 'image/png' }), exchange('GET /a?t=b', { status: 404, body: [2] })]],
  ['values of a page', [exchange('GET /a?t=a&t=b&page=1', { body: [1] }), exchange('GET /a?t=b&page=1', { body: [2] }), exchange('GET /a?t=b&page=2', { body: [3] }), exchange('GET /a?t=a&t=b&page=2', { body: [4] })]],
  ['values of a form', [exchange('POST /a', { sent: 't=a&t=b', sentHeaders: form, body: [1] }), exchange('POST /a', { sent: 't=b', sentHeaders: form, body: [2] })]],
  ['objects of a body', [posted({ ids: [{ a: 1, b: 2 }] }, 1), posted({ ids: [{ a: 1 }] }, 2), posted({ ids: [{ a: 1, b: 3 }] }, 3), posted({ ids: [{}] }, 4)]],
  ['lists of a body', [posted({ ids: [['a'], 1] }, 1), posted({ ids: ['a'] }, 2), posted({ ids: 'a' }, 3)]],
  ['conditions', [exchange('GET /a?t=a&u=b', { body: [1] }), exchange('GET /a?t=a', { body: [2] })]],
  ['conditions, though it is refused', [exchange('GET /a?t=a&u=b', { body: [1] }), exchange('GET /a?t=a', { status: 404, body: [2] })]],
])('no route hides one with more %s', async (_, exchanges) => {
  for (const all of [exchanges, exchanges.toReversed()]) {
    const written = writeFixtures(all)
    expect(written.omitted).toEqual([])
    const send = await load(written)
    for (const one of all) expect((await send(one)).body).toEqual(one.responseBody)
  }
}) // prettier-ignore

test.for(cases)('$what', async ({ exchanges, files }) => {
  const written = writeFixtures(exchanges)
  expect(Object.fromEntries(written.files.map(({ path, content }) => [path, content]))).toEqual(files)
  const send = await load(written)
  for (const one of exchanges.filter(
    ({ url, requestBody }) => url !== '/graphql' && (url !== '/login' || !requestBody),
  )) {
    const { status } = await send(one)
    expect(status).toBe(one.status)
  }
})

test.each([
  ['the application itself', false, '- path: /orders/:id\n'],
  ['a third party', true, '- url: https://api.example.com/orders/:id\n'],
])('ids of %s whose answers are alike share one route', (_, isElsewhere, head) => {
  const of = (id: number) => exchange(`GET https://api.example.com/orders/${id}`, { body: { id } })
  const { files } = writeFixtures([7, 8, 9].map((id) => ({ ...of(id), isElsewhere })))
  expect(files.map(({ routes }) => routes)).toEqual([1])
  expect(String(files[0]!.content)).toBe(
    `${head}  example: { params: { id: 7 } }\n  response: { body: { id: { $from: params.id, as: number } } }\n`,
  )
})

test('a default route has the values of the request that asks', async () => {
  const exchanges = [
    exchange('GET /shops/a-1/orders/2', {
      body: { data: { id: 2, orderId: '2', lines: [{ id: 2 }], owner: { data: { id: 2 } } } },
    }),
    exchange('GET /shops/a-1/orders/5', {
      body: { data: { id: 5, orderId: '5', lines: [{ id: 2 }], owner: { data: { id: 5 } } } },
    }),
    exchange('POST /shops', {
      sent: { amount: 2, name: 'x' },
      status: 201,
      body: { id: 9, amount: 2, name: 'x' },
    }),
    exchange('POST /shops', {
      sent: { name: 'Shop 2', amount: 7 },
      status: 201,
      body: { id: 10, amount: 7, name: 'Shop 2' },
    }),
    exchange('POST /graphql', {
      sent: operation('Hero', { id: 1 }),
      body: { data: { hero: { id: '1', name: 'Luke' } } },
    }),
    exchange('GET /own', { body: { a: { $from: 'params.id' } } }),
  ]
  const written = writeFixtures(exchanges)
  const send = await load(written)
  const ask = async (target: string, sent?: object) => {
    const { body } = await send(exchange(target, { sent }))
    return JSON.parse(new TextDecoder().decode(body)) as unknown
  }
  for (const { method, url, requestBody, responseBody } of exchanges) {
    const sent = requestBody && (JSON.parse(new TextDecoder().decode(requestBody)) as object)
    expect(await ask(`${method} ${url}`, sent)).toEqual(JSON.parse(new TextDecoder().decode(responseBody)))
  }
  expect(await ask('GET /shops/a-1/orders/3')).toEqual({
    data: { id: 3, orderId: '3', lines: [{ id: 2 }], owner: { data: { id: 2 } } },
  })
  expect(await ask('POST /shops', { amount: 3 })).toEqual({ id: 9, amount: 3, name: 'x' })
  expect(await ask('POST /shops', { name: 'New', amount: 7 })).toEqual({ id: 10, amount: 7, name: 'New' })
  expect(await ask('POST /graphql', operation('Hero', { id: 4 }))).toEqual({
    data: { hero: { id: '4', name: 'Luke' } },
  })
})

const ticket = (id: number, state = 'open') => ({ id, state })

test.each<[what: string, exchanges: Exchange[], asked: Exchange]>([
  [
    'the first of several bodies, not the first of the alphabet',
    ['Mouse', 'Mat', 'Mug'].map((title, id) =>
      exchange('POST /items', { sent: { title }, status: 201, body: { id: id + 10, title: `A ${title}` } }),
    ),
    exchange('POST /items', { sent: { title: 'New' }, status: 201, body: { id: 10, title: 'A Mouse' } }),
  ],
  [
    'the first of several queries',
    ['vpn', 'desk'].map((q) => exchange(`GET /search?q=${q}`, { body: [`${q} 1`] })),
    exchange('GET /search?q=new', { body: ['vpn 1'] }),
  ],
  [
    'the first good step of a sequence, with the id asked for',
    [
      exchange('GET /tickets/4', { status: 503, body: { code: 'busy' } }),
      exchange('GET /tickets/4', { body: ticket(4) }),
      exchange('PATCH /tickets/4', { sent: { state: 'closed' }, body: ticket(4, 'closed') }),
      exchange('GET /tickets/4', { body: ticket(4, 'closed') }),
      exchange('GET /tickets/5', { body: ticket(5) }),
      exchange('GET /tickets/6', { status: 404, body: { code: 'no' } }),
    ],
    exchange('GET /tickets/9', { body: ticket(9) }),
  ],
  [
    'the query asked for, where the body has it',
    ['vpn', 'desk'].map((q) => exchange(`GET /search?q=${q}&limit=2`, { body: { q, limit: 2, found: 1 } })),
    exchange('GET /search?q=new&limit=3', { body: { q: 'new', limit: 3, found: 1 } }),
  ],
  [
    'the ids asked for in a redirect',
    [2, 5].map((id) =>
      exchange(`GET /shops/2/orders/${id}`, {
        status: 302,
        headers: { location: `/shops/2/orders/${id}/lines?of=${id}` },
      }),
    ),
    exchange('GET /shops/3/orders/4', { status: 302, headers: { location: '/shops/3/orders/4/lines?of=2' } }),
  ],
])('what was not recorded gets %s', async (_, exchanges, asked) => {
  const written = writeFixtures(exchanges)
  expect(written.omitted).toEqual([])
  const send = await load(written)
  for (const one of [asked, ...exchanges, asked]) {
    const { status, header, body } = await send(one)
    const location = one.responseHeaders.find(([name]) => name === 'location')?.[1]
    expect([status, header('location')]).toEqual([one.status, location])
    expect(new TextDecoder().decode(body)).toBe(new TextDecoder().decode(one.responseBody))
  }
})

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

const omitted: { what: string; exchange: Exchange; where: string; found: Record<string, string> }[] = [
  {
    what: 'headers',
    exchange: exchange('GET /a', {
      headers: { 'Set-Cookie': '__cf_bm=b', Date: 'x', 'x-request-id': '1', vary: 'origin', connection: 'close' },
    }),
    where: 'GET /a',
    found: {
      'response header "set-cookie"': 'it is a credential',
      'response header "date"': 'its value differs with each answer',
      'response header "x-request-id"': 'its value differs with each answer',
      'response header "vary"': 'servers add it to each answer',
    },
  },
  {
    what: 'batches at a path that is not in graphql.path',
    exchange: exchange('POST /gql', { sent: [operation('Hero', { id: 1 })], body: [] }),
    where: 'POST /gql',
    found: { 'a request': 'it is a batch, and the option "graphql.path" does not have its path' },
  },
  {
    what: 'batches of JSON-RPC',
    exchange: exchange('POST /rpc', { sent: [{ jsonrpc: '2.0', id: 1, method: 'a' }], body: [] }),
    where: 'POST /rpc',
    found: { 'a request': 'it is a batch of JSON-RPC' },
  },
  {
    what: 'values that are credentials',
    exchange: exchange(`POST /a/${jwt}?api_key=1&q=a`, {
      sent: { password: 'x' },
      body: { pin: 1234, note: `Bearer ${jwt}` },
    }),
    where: 'POST /a/:id',
    found: {
      'path parameter "id"': 'it is a credential',
      'query parameter "api_key"': 'it is a credential',
      'request body "password"': 'it is a credential',
      'response body "pin"': 'it is a credential',
      'response body "note"': 'it is a credential',
    },
  },
  {
    what: 'query parameters that a selector can not have',
    exchange: exchange('GET /a?_=1700000000000&$filter=x'),
    where: 'GET /a',
    found: {
      'query parameter "_"': 'its value differs with each request',
      'query parameter "$filter"': 'in a selector, names that begin with "$" are operators',
    },
  },
  {
    what: 'preflight requests',
    exchange: exchange('OPTIONS /a', {
      sentHeaders: { 'Access-Control-Request-Method': 'PUT' },
      status: 204,
    }),
    where: 'OPTIONS /a',
    found: { 'a request': 'preflight requests are answered by the plugin' },
  },
  { what: 'requests without an answer', exchange: exchange('GET /a', { status: 0 }), where: 'GET /a', found: { 'a request': 'it has no answer' } },
] // prettier-ignore

test.for(omitted)('$what are left out, with the reason', ({ exchange: one, where, found }) => {
  const written = writeFixtures([one])
  expect(written.omitted.map(({ what, why }) => [what, why]).sort()).toEqual(Object.entries(found).sort())
  for (const entry of written.omitted) expect(entry.where).toBe(where)
  const text = written.files.map(({ content }) => content).join('')
  for (const secret of [jwt, '1234', 'api_key', 'password']) expect(text).not.toContain(secret)
})

test('the order in which endpoints are asked does not change the files', () => {
  const all = cases.flatMap(({ exchanges }) => exchanges)
  const nameOf = ({ method, url }: Exchange) => `${method} ${url.split('/')[1]}`
  const byName = [...all].sort((a, b) => nameOf(b).localeCompare(nameOf(a)))
  expect(writeFixtures(byName).files).toEqual(writeFixtures(all).files)
})

test('written after each exchange, they are the same, and only what has a new one is another object', () => {
  const all = cases.flatMap(({ exchanges }) => exchanges)
  const writer = new FixtureWriter({})
  let before = writer.write()
  for (const one of all) {
    writer.add(one)
    const written = writer.write()
    const known = new Set(before.files.filter(({ routes }) => routes > 0))
    const others = written.files.filter((file) => file.routes > 0 && !known.has(file))
    expect(new Set(others.map(({ path }) => path.split(/[.-]/, 1)[0])).size).toBeLessThan(2)
    before = written
  }
  expect(before).toEqual(writeFixtures(all))
})

const listed = (url: string, ids: number[], more: object = {}, headers = {}) =>
  exchange(`GET ${url}`, { body: { data: ids.map((id) => ({ id })), ...more }, headers })
const plain = (url: string, ids: number[], headers = {}) =>
  exchange(`GET ${url}`, { body: ids.map((id) => ({ id })), headers })

test.each<[what: string, exchanges: Exchange[], paginate: string | undefined]>([
  ['a last page that is full', [listed('/a?page=1', [1, 2], { has_more: true }), listed('/a?page=2', [3, 4], { has_more: false })], 'page'],
  ['offsets', [listed('/a?offset=0', [1, 2], { total: 3 }), listed('/a?offset=2', [3], { total: 3 })], 'offset'],
  ['an offset past the end', [listed('/a?offset=0', [1], { total: 1, limit: 2 }), listed('/a?offset=2', [], { total: 1, limit: 2 })], 'offset'],
  ['a plain list with its length', [plain('/a?page=1', [1, 2], { 'x-total-count': '4' }), plain('/a?page=2', [3, 4], { 'x-total-count': '4' })], 'link'],
  ['a plain list whose last page is not full', [plain('/a?page=1', [1, 2]), plain('/a?page=2', [3])], 'link'],
  ['a plain list whose end was not seen', [plain('/a?page=1', [1, 2]), plain('/a?page=2', [3, 4])], undefined],
  ['a number whose name only begins like that of a page', [plain('/a?part=1', [1, 2]), plain('/a?part=2', [3])], undefined],
  ['a plain list by offset', [plain('/a?offset=0', [1, 2]), plain('/a?offset=2', [3])], undefined],
  ['a page that was not seen', [listed('/a?page=1', [1, 2]), listed('/a?page=3', [5])], undefined],
  ['an item that has changed meanwhile', [listed('/a?page=1&limit=2', [1, 2]), listed('/a?page=1&limit=3', [9, 2, 3]), listed('/a?page=2&limit=2', [3])], undefined],
  ['a key below that means nothing', [listed('/a?page=1', [1, 2], { meta: { kind: 'x' } }), listed('/a?page=2', [3], { meta: { kind: 'x' } })], undefined],
  ['two lists, one below', [listed('/a?page=1', [1, 2], { meta: { tags: [] } }), listed('/a?page=2', [3], { meta: { tags: [] } })], undefined],
  ['the first page from 0 with the numbers of one from 1', [listed('/a?page=0', [1, 2], { page: 1 }), listed('/a?page=1', [3], { page: 2 })], undefined],
  ['two lists', [listed('/a?page=1', [1, 2], { tags: [] }), listed('/a?page=2', [3], { tags: [] })], undefined],
  ['a key that means nothing', [listed('/a?page=1', [1, 2], { kind: 'x' }), listed('/a?page=2', [3], { kind: 'x' })], undefined],
  ['headers that differ', [listed('/a?page=1', [1, 2], {}, { 'x-a': '1' }), listed('/a?page=2', [3], {}, { 'x-a': '2' })], undefined],
])('pages: %s', (_, exchanges, paginate) => {
  const yaml = String(writeFixtures(exchanges).files[0]!.content)
  const style = yaml.includes('paginate:') ? (/style: (\w+)/.exec(yaml)?.[1] ?? 'page') : undefined
  expect(style, yaml).toBe(paginate)
}) // prettier-ignore

test.each<[what: string, body: string, type: string, files: string[], yaml: string]>([
  ['a long text', 'a'.repeat(9000), 'text/plain', ['a.txt', 'a.yaml'], 'file: a.txt'],
  ['a number with more digits than JavaScript has', '{"id":12345678901234567890}', 'application/json', ['a.txt', 'a.yaml'], 'file: a.txt'],
  ['a string of JSON', '"text"', 'application/json', ['a.yaml'], 'content-type: application/json'],
  ['a string of another JSON', '"text"', 'application/problem+json', ['a.yaml'], 'content-type: application/problem+json'],
])('bodies: %s', (_, body, type, names, yaml) => {
  const { files } = writeFixtures([exchange('GET /a', { body, type })])
  expect(files.map(({ path }) => path)).toEqual(names)
  expect(String(files.at(-1)!.content)).toContain(yaml)
}) // prettier-ignore

test.each(['//orders', '/..//orders', '//orders/7', '/a//b', 'http://localhost//orders'])(
  'an empty path segment stays: %s',
  async (url) => {
    const one = exchange(`GET ${url}`)
    const { files, omitted } = writeFixtures([one])
    expect(omitted).toEqual([])
    expect(files[0]!.content).toContain('//')
    expect((await (await load({ files }))(one)).status).toBe(200)
  },
)

test.each([
  ['location', 'http://api.example/a?b=1', '/a?b=1'],
  ['location', 'http://api.example//evil.example/a', 'http://api.example//evil.example/a'],
  ['location', 'http://api.example.evil.example/a', 'http://api.example.evil.example/a'],
  ['content-location', 'http://api.example/a', '/a'],
  ['link', '<http://api.example/a>; rel="next", <http://api.example//b>', '</a>; rel="next", <http://api.example//b>'],
  ['refresh', '5; url=http://api.example/a', '5; url=/a'],
])('the header %s: %s leads to this server, and to no other', (name, value, own) => {
  const { files } = writeFixtures([exchange('GET http://api.example/x', { headers: { [name]: value } })])
  expect(String(files[0]!.content)).toContain(own)
}) // prettier-ignore

test('signs that turn the order of a text are escaped, and the values stay', async () => {
  const body = { '\u202Ekey': 'a\u2066b', text: '\u200Fx\ny' }
  const one = exchange('GET /a', { body })
  const written = writeFixtures([one])
  expect(String(written.files[0]!.content)).toContain(String.raw`"\u202ekey": "a\u2066b"`)
  expect(JSON.parse(new TextDecoder().decode((await (await load(written))(one)).body))).toEqual(body)
})

test('what is left out is named in one line', () => {
  const { omitted } = writeFixtures([exchange('GE\nT /a')])
  expect(JSON.stringify(omitted)).not.toContain(String.raw`\n`)
})

const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
const bytes = (text: string) => new TextEncoder().encode(text)
test.each<[what: string, part: Partial<Exchange>]>([
  ['a nested body', { requestBody: bytes(nested) }],
  ['a nested object', { requestBody: bytes(`{"a":`.repeat(50_000) + '1' + '}'.repeat(50_000)) }],
  ['nested variables', { url: '/graphql', requestBody: bytes(`{"query":"{a}","variables":{"a":${nested}}}`) }],
  ['a nested batch', { url: '/graphql', requestBody: bytes(nested) }],
  ['a nested answer', { responseBody: bytes(nested) }],
  ['a nested answer of a batch', { url: '/graphql', requestBody: bytes('[{"query":"{a}"}]'), responseBody: bytes(nested) }],
  ['a long URL', { url: `/a?q=${'a'.repeat(1_000_000)}` }],
  ['a long path', { url: `/${'a'.repeat(10_000)}?b` }],
  ['a long method', { method: 'A'.repeat(100_000) }],
])('%s stops no other, and is named in short', (_, part) => {
  const { files, omitted } = writeFixtures([{ ...exchange('POST /b', { sent: 1 }), ...part }, exchange('GET /c')])
  expect(files.map(({ path }) => path)).toContain('c.yaml')
  expect(JSON.stringify(omitted).length).toBeLessThan(1_000)
  for (const { path } of files) expect(path.length).toBeLessThan(200)
}) // prettier-ignore

test('an endpoint that can not be written stops no other', () => {
  const { files, omitted } = writeFixtures([
    { ...exchange('GET /b'), responseBody: null as never },
    exchange('GET /c'),
  ])
  expect(files.map(({ path }) => path)).toEqual(['c.yaml'])
  const why = expect.stringMatching(/^it can't be written: ./) as string
  expect(omitted).toMatchObject([{ what: 'an endpoint', where: 'GET /b', why }])
})

test('control characters of requests are escaped, and select all the same', async () => {
  const exchanges = [1, 2].map((c) => {
    const sent = { 'a\x1b[31m': 'b\x9b\x7f\n\r', c }
    return exchange('POST /orders?q=%1B%C2%9B', { sent, body: sent })
  })
  const { files } = writeFixtures(exchanges)
  const text = String(files[0]!.content)
  expect(text).not.toMatch(/[^\P{Cc}\n]/u)
  const ask = await load({ files })
  for (const one of exchanges) expect((await ask(one)).body).toEqual(one.responseBody)
})

test('nothing that was sent ends the comment above a route', async () => {
  const login = (value: string, status: number) =>
    exchange('POST /login', { sent: { 'a\n- path: /steal\r\x1b': { password: value } }, status })
  const { files } = writeFixtures([login('a', 401), login('b', 200)])
  const lines = String(files[0]!.content).split('\n')
  expect(lines.filter((line) => line.startsWith('#'))).toEqual([
    String.raw`# Another "a - path: /steal \x1b.password" got this. It is left out: send "wrong" to get it.`,
  ])
  const ask = await load({ files })
  expect((await ask(login('wrong', 0))).status).toBe(401)
})

test('a sequence has a hundred answers, however often one request is answered in another way', async () => {
  const exchanges = Array.from({ length: 300 }, (_, id) => exchange('GET /clock', { body: { id } }))
  const { files, omitted } = writeFixtures(exchanges)
  expect(omitted).toEqual([
    { what: 'an answer', why: 'a sequence has 100 answers at most', where: 'GET /clock', count: 200 },
  ])
  const send = await load({ files })
  const got: unknown[] = []
  for (let turn = 0; turn < 101; turn++)
    got.push(JSON.parse(new TextDecoder().decode((await send(exchanges[0]!)).body)))
  expect(got).toEqual([...Array.from({ length: 99 }, (_, id) => ({ id })), { id: 299 }, { id: 299 }])
})

test('a form of thousands of fields is written without searching the answer for each', () => {
  const sent = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`f${index}`, index]))
  const one = exchange('POST /forms', { sent, body: { saved: sent } })
  let files: ReturnType<typeof writeFixtures>['files'] = []
  expectCpuTime(5_000, () => ({ files } = writeFixtures([one])))
  expect(String(files[0]!.content).match(/\$from/g)).toHaveLength(100)
})
