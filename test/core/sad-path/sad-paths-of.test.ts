import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'
import { documentReaderOf } from '../../../src/core/graphql/document.ts'
import { GraphQLParams } from '../../../src/core/graphql/params.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { parseExactly } from '../../../src/core/values/exact-number.ts'
import type { Answered, SadPathKind } from '../../../src/core/sad-path/sad-path.ts'
import { sadPathsOf } from '../../../src/core/sad-path/sad-paths-of.ts'

function answered(value: unknown, given: Partial<Answered> = {}): Answered {
  const subject = { method: 'GET', path: '/orders' }
  return { subject, status: 200, json: { value }, isLaterPage: false, errorBody: () => undefined, ...given }
}

function asked(query: string, schema?: string): NonNullable<Answered['graphql']> {
  const document = documentReaderOf(defaultGraphQL)(query)
  const { checker } = createChecker(schema === undefined ? [] : [{ file: 'a.graphql', text: schema }], {
    scalars: {},
  })
  return { params: new GraphQLParams({ query }, document), checker }
}

const titles = (given: Answered, kind: SadPathKind) =>
  sadPathsOf(given).flatMap((path) => (path.kind === kind ? path.title : []))
const names = (given: Answered, kind: SadPathKind) =>
  sadPathsOf(given).flatMap((path) => (path.kind === kind ? path.id.split(' #')[1]! : []))

describe('every JSON', () => {
  const order = answered({ id: 7, state: 'open', 'odd key': null, lines: [] })

  it.each<[SadPathKind, string[]]>([
    [
      'status',
      [
        'the answer is 500 Internal Server Error',
        'the answer is 401 Unauthorized',
        'the answer is 404 Not Found',
        'the answer is 503 Service Unavailable',
        'the answer is 403 Forbidden',
        'the answer is 429 Too Many Requests',
        'the answer is 422 Unprocessable Content',
        'the answer is 400 Bad Request',
        'the answer is 409 Conflict',
        'the answer is 502 Bad Gateway',
      ],
    ],
    ['null', ['id is null', 'state is null', 'lines is null']],
    ['missing', ['id is missing', 'state is missing', '["odd key"] is missing', 'lines is missing']],
    ['empty', ['id is 0', 'state is ""']],
    ['long', ['state is a very long text']],
    ['list', []],
    ['error', []],
    ['connection', ['the connection is reset', 'there is never an answer']],
    ['slow', ['the answer comes 3 s later', 'the answer comes after that to the next request']],
  ])('%s', (kind, expected) => {
    expect(titles(order, kind)).toEqual(expected)
  })

  it('has one of each kind first', () => {
    expect(
      sadPathsOf(order)
        .slice(0, 8)
        .map(({ kind }) => kind),
    ).toEqual(['status', 'null', 'missing', 'body', 'slow', 'connection', 'empty', 'long'])
  })

  it('has the first, the middle and the last of what is alike', () => {
    const items = Array.from({ length: 9 }, (_, id) => ({ id }))
    expect(names(answered({ items }), 'null')).toEqual([
      'null items',
      'null items[]',
      'null items[].id',
      'null items[] middle',
      'null items[].id middle',
      'null items[] last',
      'null items[].id last',
    ])
    expect(titles(answered({ items }), 'null')).toContain('items[4].id is null')
  })

  it('takes a number that JavaScript can not hold for a number', () => {
    const value = parseExactly('{ "number": 12345678901234567890 }')
    expect(titles(answered(value), 'empty')).toEqual(['number is 0'])
    expect(titles(answered(value), 'long')).toEqual([])
  })

  it('has a limit for objects whose keys are ids', () => {
    const users = Object.fromEntries(Array.from({ length: 2000 }, (_, id) => [`u${id}`, { name: 'Ada' }]))
    expect(sadPathsOf(answered({ users })).length).toBeLessThan(1500)
  })

  it('has only what can go wrong with every answer for one that is not JSON', () => {
    const kinds = sadPathsOf(answered(undefined, { json: undefined })).map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['status', 'slow', 'connection']))
  })

  it('has the same ids for another answer of the same shape', () => {
    const ids = (count: number) =>
      sadPathsOf(answered({ items: Array(count).fill({ id: 1 }) })).map(({ id }) => id)
    expect(ids(5)).toEqual(ids(500))
  })
})

describe('pages', () => {
  const items = [{ id: 1 }, { id: 2 }, { id: 3 }]
  const page = { page: 1, total: 8, total_pages: 3, has_more: true, data: items }

  it.each<[string, unknown, string[]]>([
    [
      'a numbered page',
      page,
      [
        'page empty data',
        'page full data',
        'page endless data',
        'page repeated data',
        'page lost data',
        'page fails data',
        'page repeated-next data',
        'page lost-next data',
      ],
    ],
    [
      'the last page',
      { ...page, has_more: false },
      ['page empty data', 'page endless data', 'page repeated data', 'page lost data'],
    ],
    [
      'a cursor',
      { items, next_cursor: 'b' },
      [
        'page empty items',
        'page full items',
        'page repeated items',
        'page lost items',
        'page fails items',
        'page repeated-next items',
        'page lost-next items',
      ],
    ],
    ['a list of its own', { items }, []],
  ])('%s', (_, value, expected) => {
    expect(names(answered(value), 'page')).toEqual(expected)
  })

  it('fails only for a later page', () => {
    const failing = (isLaterPage: boolean) =>
      sadPathsOf(answered(page, { isLaterPage })).find(({ id }) => id.endsWith('#page fails data'))!.change
    expect(failing(false)).toBeUndefined()
    expect(failing(true)).toMatchObject({ status: 500 })
  })
})

describe('GraphQL', () => {
  const data = { hero: { name: 'R2-D2', heroFriends: [{ name: 'Luke' }, { name: 'Han' }, { name: 'Leia' }] } }
  const query = '{ hero { name heroFriends { name } } }'
  const given = (schema?: string) => answered({ data }, { graphql: asked(query, schema) })

  it('has each object, item and field without a schema', () => {
    expect(titles(given(), 'null')).toEqual([
      'hero is null, with an error',
      'hero.name is null, with an error',
      'hero.heroFriends is null, with an error',
      'hero.heroFriends[0] is null, with an error',
      'hero.heroFriends[0].name is null, with an error',
      'hero.heroFriends[1] is null, with an error',
      'hero.heroFriends[1].name is null, with an error',
      'hero.heroFriends[2] is null, with an error',
      'hero.heroFriends[2].name is null, with an error',
    ])
  })

  it.each([
    [
      'hero: Hero } type Hero { name: String! heroFriends: [Friend]! } type Friend { name: String! }',
      [
        'hero is null, with an error',
        'hero.name fails, so hero is null',
        'hero.heroFriends[0] is null, with an error',
        'hero.heroFriends[0].name fails, so hero.heroFriends[0] is null',
        'hero.heroFriends[1] is null, with an error',
        'hero.heroFriends[2] is null, with an error',
      ],
    ],
    [
      'hero: Hero! } type Hero { name: String! heroFriends: [Friend!]! } type Friend { name: String! }',
      ['hero.name fails, so data is null'],
    ],
  ])('has what may be null with the schema %s', (schema, expected) => {
    expect(titles(given(`type Query { ${schema}`), 'null')).toEqual(expected)
  })

  it('has errors without data', () => {
    expect(titles(given(), 'error')).toEqual([
      'data is null, with an error',
      'the answer has only the error UNAUTHENTICATED',
      'the answer has only the error FORBIDDEN',
      'the request is refused, with 400',
    ])
    expect(titles(answered({ data: null }, { graphql: asked(query) }), 'error')).toEqual([])
  })

  it('has the pages of a connection', () => {
    const connection = { edges: [{ node: { id: 1 } }], pageInfo: { hasNextPage: true, endCursor: 'a' } }
    const value = { data: { friends: connection } }
    expect(
      titles(answered(value, { graphql: asked('{ friends { edges { node { id } } } }') }), 'page'),
    ).toEqual([
      'friends.edges is empty, and has no next page',
      'friends.edges has exactly one full page',
      'friends.edges never ends: there is always a next page',
      'friends.edges has a next page that fails',
      'friends.edges has a next page that begins with the last item again, since the list has grown',
      'friends.edges has a next page without its first item, since the list has shrunk',
    ])
  })
})
