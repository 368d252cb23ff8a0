import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FixtureRoute } from '../../../src/core/schema/schema.ts'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import { parseExactly } from '../../../src/core/values/exact-number.ts'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { file, routesOf, send, tableOf } from '../send.ts'
import { sampling } from '../../sampling.ts'

interface Envelope {
  page: number
  per_page: number
  total: number
  total_pages: number
  has_more: boolean
  data: unknown[]
}

type Paginate = NonNullable<FixtureRoute['paginate']>
const listOf = (paginate: Paginate) => tableOf([{ path: '/l', name: 'list', paginate }])
const get = async (paginate: Paginate, search = '') => send(listOf(paginate), `GET /l${search}`)

it.each([
  ['', 1, true, ['a', 'b']],
  ['?page=1', 1, true, ['a', 'b']],
  ['?page=2', 2, false, ['ü']],
])('"%s" gets page %i of a list, in its envelope', async (search, page, has_more, data) => {
  const sent = await get({ perPage: 2, items: ['a', 'b', 'ü'] }, search)
  const body = { page, per_page: 2, total: 3, total_pages: 2, has_more, data }
  expect(sent).toEqual({
    kind: 'answered',
    by: 'route',
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-mock-route': `list, page ${page}`,
      'content-length': String(Buffer.byteLength(JSON.stringify(body))),
    },
    body,
    delay: 0,
    diagnostic: undefined,
  })
})

it.each([
  [0, 3, 1],
  [1, 3, 1],
  [3, 3, 1],
  [4, 3, 2],
  [20, undefined, 1],
  [21, undefined, 2],
])('%i items, %j a page: %i pages, each a route', async (count, perPage, pages) => {
  const items = Array.from({ length: count }, (_, id) => id)
  const paginate = perPage === undefined ? { items } : { items, perPage }
  expect(((await get(paginate)).body as Envelope).total_pages).toBe(pages)
  expect(listOf(paginate).routeCount).toBe(pages)
})

it('every item is on exactly one page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 45 }), async (count, perPage) => {
      const items = Array.from({ length: count }, (_, id) => ({ id }))
      const table = listOf({ perPage, items })
      const bodies: Envelope[] = []
      do {
        const { body } = await send(table, `GET /l?page=${bodies.length + 1}`)
        bodies.push(body as Envelope)
      } while (bodies.at(-1)!.has_more)
      expect(bodies.flatMap(({ data }) => data)).toEqual(items)
      for (const [index, { page, per_page, total, total_pages, data }] of bodies.entries()) {
        expect([page, per_page, total, total_pages]).toEqual([index + 1, perPage, count, bodies.length])
        expect(data.length > 0 || count === 0).toBe(true)
      }
    }),
    sampling(20),
  )
})

it.each([
  ['', [1, 2]],
  ['?page=1', [1, 2]],
  ['?page=2', [3, 4]],
  ['?page=3', [5]],
  ['?page=2&page=3', [3, 4]],
  ['?other=1&page=3', [5]],
  ['?p%61ge=%32', [3, 4]],
])('a list with a selector of its own answers "%s" with %j', async (search, data) => {
  const table = tableOf([
    { path: '/l', when: { headers: { tenant: 'a' } }, paginate: { perPage: 2, items: [1, 2, 3, 4, 5] } },
    { path: '/l', response: { body: 'other tenants' } },
  ])
  const { body } = await send(table, `GET /l${search}`, { headers: { tenant: 'a' } })
  expect((body as Envelope).data).toEqual(data)
  expect((await send(table, `GET /l${search}`)).body).toBe('other tenants')
})

describe('a page that the list does not have', () => {
  const items = [1, 2, 3, 4]
  const place = { file: 'fixtures/a.ts', line: 1, column: 1, pointer: '/0' }

  it.each(['', '?page=1', '?page=2', '?page=1&page=9', '?p=9'])('"%s" is none', async (search) => {
    const sent = await get({ perPage: 2, items, outOfRange: 'error' }, search)
    expect([sent.status, sent.diagnostic]).toEqual([200, undefined])
  })

  it.each([
    ['9', '9'],
    ['0', '0'],
    ['-1', '-1'],
    ['1.5', '1.5'],
    ['', ''],
    ['a%20b', 'a b'],
    ['9&page=2', '9'],
  ])('page=%s gets the first one where the fixture says so, and is noticed', async (page, value) => {
    const sent = await get(
      { perPage: 2, items, outOfRange: 'default', malformed: 'default' },
      `?page=${page}`,
    )
    expect([sent.kind, sent.status, sent.body]).toMatchObject(['answered', 200, { page: 1, data: [1, 2] }])
    expect(sent.diagnostic).toEqual({
      code: 'page-not-selected',
      severity: 'warning',
      message: `page=${value} selects no page, so the default of route "list" answered.`,
      fix: 'Check the paging of the client: it asked for a page that the list does not have.',
      ...place,
    })
  })

  it('is empty where the fixture says nothing', async () => {
    const sent = await get({ perPage: 2, items }, '?page=9')
    expect([sent.status, sent.body, sent.diagnostic]).toEqual([
      200,
      { page: 9, per_page: 2, total: 4, total_pages: 2, has_more: false, data: [] },
      undefined,
    ])
  })

  it.each([
    ['9', 404, 'page-out-of-range'],
    ['99999999999999999999', 404, 'page-out-of-range'],
    [`1${'0'.repeat(400)}`, 404, 'page-out-of-range'],
    ['0', 400, 'page-malformed'],
    ['x', 400, 'page-malformed'],
    ['', 400, 'page-malformed'],
  ])('page=%s can be refused with %i', async (page, status, code) => {
    const sent = await get({ perPage: 2, items, outOfRange: 'error' }, `?page=${page}`)
    expect([sent.kind, sent.status, sent.body]).toMatchObject(['answered', status, { error: { code } }])
    expect(sent.diagnostic).toMatchObject({ code, severity: 'warning', ...place })
  })
})

const firstCursor = btoa('item:1').replaceAll('=', '')

it.each([
  ['', 200, [1, 2]],
  ['?cursor=', 200, [1, 2]],
  ['?cursor=&limit=1', 200, [1]],
  [`?cursor=${firstCursor}`, 200, [3]],
  ['?cursor=x', 400, undefined],
])('a list with cursors answers "%s" with %i %j', async (search, status, data) => {
  const sent = await get({ style: 'cursor', perPage: 2, items: [1, 2, 3] }, search)
  expect(sent.status).toBe(status)
  expect((sent.body as Partial<Envelope>).data).toEqual(data)
})

it.each([
  [{}, [1, 2]],
  [{ after: '' }, [1, 2]],
  [{ after: '', first: 1 }, [1]],
  [{ before: '', last: 2 }, [2, 3]],
  [{ after: firstCursor }, [3]],
])('a connection with the arguments %j has the items %j', async (variables, items) => {
  const query = `query($after: String, $before: String, $first: Int, $last: Int) {
    list(after: $after, before: $before, first: $first, last: $last) { totalCount } }`
  const paginate: Paginate = { style: 'relay', field: 'list', perPage: 2, items: [1, 2, 3] }
  const table = tableOf([{ path: '/graphql', paginate }])
  const { status, body } = await send(table, 'POST /graphql', { body: JSON.stringify({ query, variables }) })
  const { list } = (body as { data: { list: { edges: { node: number }[] } } }).data
  expect([status, list.edges.map(({ node }) => node)]).toEqual([200, items])
})

const people = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
const laterPage = (name: string) => ({ link: expect.stringContaining(`</l?${name}`) as string })

describe('pages as other servers send them', () => {
  const spring = {
    perPage: 2,
    firstPage: 0,
    envelope: { data: 'content', page: 'page.number', per_page: 'page.size', total: 'page.totalElements', total_pages: 'page.totalPages', has_more: false },
  } satisfies Partial<Paginate> // prettier-ignore
  const classic = { ...spring, envelope: { data: 'content', page: 'number', is_last: 'last', is_first: 'first', per_page: false, total: false, total_pages: false, has_more: false } } satisfies Partial<Paginate> // prettier-ignore
  const django = { perPage: 2, envelope: { data: 'results', total: 'count', prev_url: 'previous', next_url: 'next', page: false, per_page: false, total_pages: false, has_more: false } } satisfies Partial<Paginate> // prettier-ignore
  const stripe = { style: 'cursor', perPage: 2, cursor: 'id', parameters: { cursor: 'starting_after' }, envelope: { limit: false, next_cursor: false } } satisfies Partial<Paginate> // prettier-ignore
  const odata = { style: 'offset', perPage: 2, parameters: { offset: '$skip', limit: '$top' }, envelope: { data: 'value', total: String.raw`@odata\.count`, next_url: String.raw`@odata\.nextLink`, offset: false, limit: false, has_more: false } } satisfies Partial<Paginate> // prettier-ignore
  const numbered = { perPage: 2, envelope: { next_page: 'meta.next', prev_page: 'meta.prev', page: false, per_page: false, total: 'meta.total', total_pages: false, has_more: false } } satisfies Partial<Paginate> // prettier-ignore
  const at = 'http://localhost/l'

  it.each<[name: string, paginate: Partial<Paginate>, search: string, body: object]>([
    ['the first page is 0', spring, '', { page: { number: 0, size: 2, totalElements: 5, totalPages: 3 }, content: people.slice(0, 2) }],
    ['the first page is 0', spring, '?page=0', { page: { number: 0, size: 2, totalElements: 5, totalPages: 3 }, content: people.slice(0, 2) }],
    ['the last page is 2', spring, '?page=2', { page: { number: 2, size: 2, totalElements: 5, totalPages: 3 }, content: people.slice(4) }],
    ['past the end', spring, '?page=3', { page: { number: 3, size: 2, totalElements: 5, totalPages: 3 }, content: [] }],
    ['first and last', classic, '?page=0', { number: 0, content: people.slice(0, 2), first: true, last: false }],
    ['first and last', classic, '?page=2', { number: 2, content: people.slice(4), first: false, last: true }],
    ['no address before the first page', django, '?q=x', { count: 5, previous: null, next: `${at}?q=x&page=2`, results: people.slice(0, 2) }],
    ['addresses', django, '?q=x&page=2', { count: 5, previous: `${at}?q=x&page=1`, next: `${at}?q=x&page=3`, results: people.slice(2, 4) }],
    ['addresses of another request', django, '?page=2', { count: 5, previous: `${at}?page=1`, next: `${at}?page=3`, results: people.slice(2, 4) }],
    ['no address after the last page', django, '?page=3', { count: 5, previous: `${at}?page=2`, next: null, results: people.slice(4) }],
    ['the last page comes before one past the end', django, '?page=9', { count: 5, previous: `${at}?page=3`, next: null, results: [] }],
    ['the last id is the cursor', stripe, '?starting_after=b', { has_more: true, data: people.slice(2, 4) }],
    ['the last id is the cursor', stripe, '?starting_after=d', { has_more: false, data: people.slice(4) }],
    ['cursors are sent', { ...stripe, envelope: { prev_cursor: 'prev' } }, '?starting_after=d', { limit: 2, next_cursor: null, has_more: false, data: people.slice(4), prev: 'b' }],
    ['cursors are sent', { style: 'cursor', cursor: 'id', perPage: 2 }, '', { limit: 2, next_cursor: 'b', has_more: true, data: people.slice(0, 2) }],
    ['addresses with cursors', { ...stripe, envelope: { limit: false, next_cursor: false, next_url: 'links.next', first_url: 'links.first' } }, '?starting_after=b', { has_more: true, data: people.slice(2, 4), links: { first: at, next: `${at}?starting_after=d` } }],
    ['dots in a key', odata, '?$skip=2', { '@odata.count': 5, value: people.slice(2, 4), '@odata.nextLink': `${at}?%24skip=4` }],
    ['numbers of other pages', numbered, '?page=2', { meta: { total: 5, next: 3, prev: 1 }, data: people.slice(2, 4) }],
    ['numbers of other pages', numbered, '?page=3', { meta: { total: 5, next: null, prev: 2 }, data: people.slice(4) }],
  ])('%s: %j answers "%s"', async (_, paginate, search, body) => {
    const table = listOf({ items: people, ...paginate })
    await send(table, `GET /l${search}${search ? '&' : '?'}first=1`) // its addresses are those of its own request
    const sent = await send(table, `GET /l${search}`)
    expect([sent.status, sent.body]).toEqual([200, body])
  }) // prettier-ignore

  it.each([
    [{ ...spring, firstPage: 1 }, '?page=0', 'a whole number, 1 or more'],
    [spring, '?page=-1', 'a whole number, 0 or more'],
    [stripe, '?starting_after=zz', 'a cursor from an earlier page'],
  ] as [Partial<Paginate>, string, string][])('%j: "%s" must be %s', async (paginate, search, text) => {
    const sent = await get({ items: people, ...paginate }, search)
    expect([sent.status, sent.diagnostic!.message]).toEqual([400, expect.stringContaining(text)])
  })

  it.each([
    [0, '?page=0', 0, 'page=1>; rel="next"'],
    [1, '?page=1', 0, 'page=2>; rel="next"'],
    [0, '?page=1', 2, 'page=0>; rel="prev"'],
    [0, '', 0, 'page=2>; rel="last"'],
  ] as const)('links from %i: "%s" has the items from %i, and %s', async (firstPage, search, start, link) => {
    const sent = await get({ style: 'link', perPage: 2, firstPage, items: people }, search)
    expect([sent.body, sent.headers]).toEqual([people.slice(start, start + 2), expect.objectContaining(laterPage('')) as object]) // prettier-ignore
    expect(sent.headers['link']).toContain(link)
    expect(sent.headers['x-mock-route']).toBe(`list, page ${start / 2 + firstPage}`)
  })

  it('an id that JavaScript can not hold is a cursor', async () => {
    const { routes } = { routes: '[{"path":"/l","paginate":{"style":"cursor","cursor":"id","perPage":1,"items":[{"id":1234567890123456789},{"id":1234567890123456790}]}}]' } // prettier-ignore
    const table = tableOf(parseExactly(routes) as never)
    expect(await send(table, 'GET /l?cursor=1234567890123456789')).toMatchObject({ body: { has_more: false, data: [{}] } }) // prettier-ignore
  })
})

describe('a list that is asked for with POST', () => {
  const first = { page: 1, data: people.slice(0, 2) }
  const second = { page: 2, data: people.slice(2, 4) }
  it.each<[search: string, body: unknown, parameters: Paginate['parameters'], expected: object]>([
    ['', { page: 2 }, {}, second],
    ['', { page: '2' }, {}, second],
    ['', { page: null }, {}, first],
    ['', { filter: { page: 2 } }, {}, first],
    ['', { paging: { number: 2, size: 1 } }, { page: 'paging.number', per_page: 'paging.size' }, { page: 2, per_page: 1, data: people.slice(1, 2) }],
    ['?page=1', { page: 2 }, {}, first],
    ['', 'page=2', {}, second],
    ['', undefined, {}, first],
    ['', { page: { a: 1 } }, {}, { error: { message: expect.stringContaining('page={"a":1} is invalid') as string } }],
    ['', { page: false }, {}, { error: { code: 'page-malformed' } }],
    ['', { page: 99 }, {}, { page: 99, data: [] }],
  ])('"%s" with %j, parameters %j: %j', async (search, body, parameters, expected) => {
    const paginate = { perPage: 2, maxPerPage: 5, items: people, parameters }
    for (const items of [people, people.map(({ id }) => ({ id: { $from: 'query.none', else: id } }))]) {
      const table = tableOf([{ method: 'POST', path: '/l', paginate: { ...paginate, items } }])
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
      const sent = await send(table, `POST /l${search}`, { headers: { 'content-type': type }, body: text })
      expect(sent.body).toMatchObject(expected)
    }
  }) // prettier-ignore

  it.each<[name: string, variables: object, items: object[], next: number | null]>([
    ['the first part', {}, [{ id: 'a' }, { id: 'b' }], 2],
    ['another part', { offset: 4 }, [{ id: 'e' }], null],
  ])('GraphQL by offset: %s', async (_, variables, items, next) => {
    const paginate: Paginate = { style: 'offset', perPage: 2, items: people, parameters: { offset: 'variables.offset' }, envelope: { data: 'data.people.items', next_offset: 'data.people.next', offset: false, limit: false, total: false, has_more: false } } // prettier-ignore
    const query = 'query($offset: Int) { people(offset: $offset) { items { id } next } }'
    for (const shape of [true, false]) {
      const table = tableOf([{ path: '/graphql', paginate, shape }])
      const { body } = await send(table, 'POST /graphql', { body: JSON.stringify({ query, variables }) })
      expect(body).toEqual({ data: { people: { items, next } } })
    }
  })
})

describe('a connection', () => {
  const edges = (...items: number[]) => ({
    edges: items.map((node) => expect.objectContaining({ node }) as object),
  })
  const route = (field: string, data: object) => ({
    path: '/graphql',
    response: { body: { data } },
    paginate: { style: 'relay', field, perPage: 2, items: [1, 2, 3] } satisfies Paginate,
  })

  it.each<[name: string, request: object, xs: object]>([
    ['a name', { operationName: 'A' }, edges(1, 2)],
    ['a name and variables', { operationName: 'A', variables: { first: 1 } }, edges(1)],
    ['a syntax error', { query: '{ xs(first: 1) {' }, edges(1, 2)],
    ['nothing', {}, edges(1, 2)],
    ['a query', { query: '{ xs(first: 1) { edges { node cursor } } }' }, edges(1)],
  ])('is a page for %s, whether data is shaped or not', async (_, request, xs) => {
    for (const shape of [true, false]) {
      const { status, body } = await send(tableOf([route('xs', {})], { shape }), 'POST /graphql', { body: JSON.stringify(request) }) // prettier-ignore
      expect([status, body]).toEqual([200, { data: { xs: expect.objectContaining(xs) as object } }])
    }
  })

  it('is in each object of a list on its path', async () => {
    const routes = [route('us.xs', { us: [{ id: 1 }, null, { id: 2 }] })]
    const query = '{ us { id xs(first: 1) { edges { node } } } }'
    for (const shape of [true, false]) {
      const { body } = await send(tableOf(routes, { shape }), 'POST /graphql', {
        body: JSON.stringify({ query }),
      })
      const user = (id: number) => ({ id, xs: expect.objectContaining(edges(1)) as object })
      expect(body).toEqual({ data: { us: [user(1), null, user(2)] } })
    }
  })

  const typed = (type: string) => [1, 2, 3].map((id) => ({ __typename: type, id }))
  const sdl = `type Query { xs(first: Int): OrdersConnection! } type OrdersConnection { edges: [Edge!]!, nodes: [Order!]!, pageInfo: Info! }
    type Edge { cursor: String!, node: Order } type Info { hasNextPage: Boolean! } type Order { id: Int! }`
  const { checker } = createChecker([{ file: 'schema.graphql', text: sdl }], { scalars: {} })
  const nodeNames = (names: readonly (string | undefined)[], id: unknown = 1) => {
    const [connection, edge, info] = names.map((name) => (name === undefined ? {} : { __typename: name }))
    return {
      ...connection,
      nodes: [{ id }],
      edges: [{ ...edge, node: { id } }],
      pageInfo: { ...info, hasNextPage: true },
    }
  }

  it.each<[what: string, paginate: Partial<Paginate>, xs: object, settings?: object]>([
    ['the items', { items: typed('Order') }, nodeNames(['OrderConnection', 'OrderEdge', 'PageInfo'])],
    ['the option', { items: typed('Order'), typeName: 'UserOrdersConnection' }, nodeNames(['UserOrdersConnection', 'UserOrdersEdge', 'PageInfo'])],
    ['the option', { items: [{ id: 1 }, { id: 2 }], typeName: 'Orders' }, nodeNames(['Orders', 'OrdersEdge', 'PageInfo'])],
    ['nothing', { items: [{ id: 1 }, { id: 2 }] }, nodeNames([undefined, undefined, 'PageInfo'])],
    ['items of two types', { items: [...typed('A'), ...typed('B')] }, nodeNames([undefined, undefined, 'PageInfo'])],
    ['no items', { items: [], typeName: 'OrderConnection' }, { __typename: 'OrderConnection', nodes: [], edges: [], pageInfo: { __typename: 'PageInfo', hasNextPage: false } }],
    ['the schema', { items: typed('Order'), typeName: 'XConnection' }, nodeNames(['OrdersConnection', 'Edge', 'Info']), { checker }],
  ])('has nodes, and the names of its types by %s: %j', async (_, paginate, xs, settings = { shape: true }) => {
    const query = '{ xs(first: 1) { __typename nodes { id } edges { __typename node { id } } pageInfo { __typename hasNextPage } } }'
    const routes = routesOf([{ path: '/graphql', paginate: { style: 'relay', field: 'xs', ...paginate } }])
    const { table } = compileRoutes(routes, { graphql: { ...defaultGraphQL, ...settings }, ...settings })
    const { body, diagnostic } = await send(table, 'POST /graphql', { body: JSON.stringify({ query }) })
    expect(body).toEqual({ data: { xs } })
    const fix = /^A "__typename" is left out .* "paginate\.typeName"/
    expect(diagnostic?.fix ?? '').toMatch('__typename' in xs ? /^$/ : fix)
  }) // prettier-ignore

  it.each([
    [{}, ['edges', 'pageInfo', 'totalCount']],
    [{ nodes: 'nodes' }, ['edges', 'pageInfo', 'totalCount', 'nodes']],
    [{ nodes: 'nodes', edges: false, totalCount: 'count' }, ['pageInfo', 'count', 'nodes']],
  ] as const)('with the envelope %j is sent as it is with the keys %j', async (envelope, keys) => {
    const table = tableOf([{ path: '/graphql', paginate: { style: 'relay', field: 'xs', items: typed('A'), envelope } }])
    const { body } = await send(table, 'POST /graphql', { body: '{"query":"{ xs { __typename } }"}' })
    expect(Object.keys((body as { data: { xs: object } }).data.xs)).toEqual(keys)
  }) // prettier-ignore

  it.each([
    [{ after: '2' }, ['3'], '3'],
    [{ after: 2 }, ['3'], '3'],
    [{ before: '2' }, ['1'], '1'],
    [{ last: 2 }, ['2', '3'], '3'],
  ])('with ids as cursors and the arguments %j has %j', async (variables, cursors, endCursor) => {
    const table = tableOf([{ path: '/graphql', shape: true, paginate: { style: 'relay', field: 'xs', cursor: 'id', items: typed('A') } }])
    const query = 'query($after: ID, $before: ID, $last: Int) { xs(after: $after, before: $before, last: $last) { edges { cursor } pageInfo { endCursor } } }'
    const { body } = await send(table, 'POST /graphql', { body: JSON.stringify({ query, variables }) })
    expect(body).toEqual({ data: { xs: { edges: cursors.map((cursor) => ({ cursor })), pageInfo: { endCursor } } } })
  }) // prettier-ignore

  it.each([
    ['us.xs', { us: 5 }, '/0/response/body/data/us'],
    ['us.xs', { us: [{}, { xs: [1] }] }, '/0/response/body/data/us/1/xs'],
    ['us.xs', { us: { xs: null } }, undefined],
  ])('%s does not replace %j in silence', (field, data, pointer) => {
    const { diagnostics } = parseFixture([route(field, data)], file)
    const expected = { code: 'fixture-conflicting-keys', pointer }
    expect(diagnostics).toEqual(pointer === undefined ? [] : [expect.objectContaining(expected)])
  })
})

it('gives 500 where an item is not a JSON value, and answers the other pages', async () => {
  const table = listOf({ perPage: 1, items: [1, () => 1] })
  expect(await send(table, 'GET /l?page=1')).toMatchObject({ status: 200, body: { data: [1] } })
  expect(await send(table, 'GET /l?page=2')).toMatchObject({
    status: 500,
    diagnostic: { code: 'body-not-json' },
  })
})
