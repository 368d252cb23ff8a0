import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FixtureRoute } from '../../../src/core/schema/schema.ts'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import { file, send, tableOf } from '../send.ts'

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
    { numRuns: 50 },
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
  [`?cursor=${firstCursor}`, 200, [2, 3]],
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
