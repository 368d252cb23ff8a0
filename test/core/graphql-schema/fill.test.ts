import { describe, expect, it } from 'vitest'
import { scalarValue } from '../../../src/core/graphql-schema/fill.ts'
import { checkerOf, run } from './check.ts'

const sdl = `
  type Query { user(id: ID, filter: Filter): User, users: [User!]!, search: [Result!], grid: [[Int!]!]!, empty: Empty }
  type User { id: ID!, name: String!, email: String, avatarUrl: String, createdAt: String, age: Int, score: Float, isAdmin: Boolean, hasNextPage: Boolean, role: Role, tags: [String!], friends: [User], when: DateTime, day: Date, uuid: UUID, long: Long, json: JSON, money: Money, odd: Odd, never: Void }
  input Filter { name: String, tags: [String] }
  type Ship { id: ID! } type Dock { id: ID! }
  union Result = User | Ship | Dock
  interface Empty { id: ID }
  enum Role { ADMIN GUEST OWNER @deprecated }
  scalar DateTime scalar Date scalar UUID scalar Long scalar JSON scalar Money scalar Odd scalar Void
` // prettier-ignore
const checker = checkerOf(sdl, { Money: { amount: '1.00' } })
const data = (query: string, fixture = {}) => run(checker, query, fixture).data as Record<string, unknown>

/** Written down once: other values would be other values after an update, on every developer's machine. */
describe('generates values by type, always the same', () => {
  it.each<[field: string, value: unknown]>([
    ['id', 'User-f48d0e5f'],
    ['name', 'name 342'],
    ['email', 'user707@example.com'],
    ['avatarUrl', 'https://example.com/581'],
    ['createdAt', '2026-01-23T12:00:00Z'],
    ['age', 213],
    ['score', 465.11],
    ['isAdmin', false],
    ['hasNextPage', false],
    ['role', 'ADMIN'],
    ['tags', ['tags 840', 'tags 535']],
    ['when', '2026-01-09T12:00:00Z'],
    ['day', '2026-01-11'],
    ['uuid', 'ce52a80d-c905-490e-8e52-000000000470'],
    ['long', 166],
    ['json', {}],
    ['money', { amount: '1.00' }],
    ['odd', 'Odd 502'],
    ['never', null],
  ])('%s: %j', (field, value) => {
    expect(data(`{ user { ${field} } }`)).toEqual({ user: { [field]: value } })
  })

  it('in lists of two items, alternating the types of a union', () => {
    expect(data('{ users { id role friends { role } } search { __typename } grid }')).toEqual({
      users: [
        { id: 'User-a0bf8ca7', role: 'GUEST', friends: [{ role: 'GUEST' }, { role: 'GUEST' }] },
        { id: 'User-5231651a', role: 'ADMIN', friends: [{ role: 'ADMIN' }, { role: 'GUEST' }] },
      ],
      search: [{ __typename: 'User' }, { __typename: 'Ship' }],
      grid: [
        [747, 27],
        [19, 763],
      ],
    })
  })
})

describe('generates one value', () => {
  it.each<[what: string, query: string, isSame: boolean]>([
    ['for a field under any alias', '{ a: user { b: id } b: user { c: id } }', true],
    ['for arguments in any order', '{ a: user(id: 1, filter: { name: "x", tags: "y" }) { id } b: user(filter: { tags: ["y"], name: "x" }, id: "1") { id } }', true],
    ['for a fragment', '{ a: user { id } ...F } fragment F on Query { b: user { id } }', true],
    ['but another for other arguments', '{ a: user(id: 1) { id } b: user(id: 2) { id } }', false],
    ['but another at another place', '{ a: user { id } b: users { id } }', false],
  ])('%s', (_, query, isSame) => {
    const [a, b] = Object.values(data(query)).map((value) => Object.values((Array.isArray(value) ? value[0] : value) as object)[0] as unknown)
    expect(a === b).toBe(isSame)
  }) // prettier-ignore
})

describe('generates only missing fields', () => {
  it.each<[query: string, fixture: unknown, expected: unknown]>([
    ['{ user { id name age } }', { user: { id: 1, age: null } }, { user: { id: '1', name: 'name 48', age: null } }],
    ['{ user { id } }', { user: null }, { user: null }],
    ['{ users { id name } }', { users: [] }, { users: [] }],
    ['{ users { name } }', { users: [{ name: 'a' }, {}] }, { users: [{ name: 'a' }, { name: expect.stringMatching(/^name \d+$/) as string }] }],
    ['{ users { tags } }', { users: [{ tags: ['a', null] }] }, { users: [{ tags: null }] }],
    ['{ user { friends { id } } }', { user: { friends: [null, { id: 1 }] } }, { user: { friends: [null, { id: '1' }] } }],
    ['{ empty { id } }', {}, { empty: null }],
  ])('%s of %j', (query, fixture, expected) => {
    expect(data(query, { data: fixture })).toEqual(expected)
  }) // prettier-ignore
})

it('ends where types are recursive', () => {
  const deep = (depth: number): string => (depth === 0 ? '{ id }' : `{ friends ${deep(depth - 1)} }`)
  const text = JSON.stringify(data(`{ users ${deep(40)} }`))
  // Four lists of two; those within them have one item.
  expect(text.match(/"id"/g)).toHaveLength(16)
})

it.each<[query: string, lengths: number[]]>([
  ['{ list people { nodes { __typename } edges { cursor } } }', [2, 2, 2]],
  ['{ list(first: 1) people(first: 1) { nodes { __typename } edges { cursor } } }', [1, 1, 1]],
  ['{ list(first: 0) people(last: 0) { nodes { __typename } edges { cursor } } }', [0, 0, 0]],
  ['{ list(first: 9, after: "x") people(first: null, last: 1) { nodes { __typename } edges { cursor } } }', [9, 1, 1]],
  ['{ list(first: 99) people(first: 3) { nodes { __typename } edges { cursor } } }', [20, 3, 3]],
])('%s returns at most as many items as requested', (query, lengths) => {
  const people = checkerOf(
    'type Query { list(first: Int, after: String): [Int], people(first: Int, last: Int): People } type People { nodes: [Person], edges: [Edge] } type Edge { cursor: String, node: Person } type Person { name: String }',
  )
  const result = run(people, query).data as { list: unknown[]; people: Record<'nodes' | 'edges', unknown[]> }
  expect([result.list, result.people.nodes, result.people.edges].map(({ length }) => length)).toEqual(lengths)
}) // prettier-ignore

it.each<[args: string, people: object | undefined, total: number]>([
  ['', undefined, 2],
  ['(first: 3)', undefined, 3],
  ['(first: 3)', { nodes: [{}, {}, {}, {}] }, 4],
  ['(first: 3)', { edges: [] }, 0],
  ['(first: 3)', { nodes: [], totalCount: 7 }, 7],
])('a connection%s with %j counts %i', (args, people, total) => {
  const checker = checkerOf(
    'type Query { people(first: Int): People } type People { nodes: [Int], edges: [Edge], totalCount: Int! } type Edge { node: Int }',
  )
  const { data } = run(checker, `{ people${args} { totalCount } }`, people && { data: { people } })
  expect(data).toEqual({ people: { totalCount: total } })
})

describe('a text that a client is likely to parse is what it looks like', () => {
  it.each([
    ['email', 'user8@example.com'],
    ['contactEmail', 'user8@example.com'],
    ['emailAddress', 'user8@example.com'],
    ['emails', 'emails 8'],
    ['url', 'https://example.com/8'],
    ['href', 'https://example.com/8'],
    ['avatarUrl', 'https://example.com/8'],
    ['avatarURL', 'https://example.com/8'],
    ['avatar_url', 'https://example.com/8'],
    ['imageUri', 'https://example.com/8'],
    ['curl', 'curl 8'],
    ['date', '2026-01-08T12:00:00Z'],
    ['createdAt', '2026-01-08T12:00:00Z'],
    ['created_at', '2026-01-08T12:00:00Z'],
    ['birthDate', '2026-01-08T12:00:00Z'],
    ['startTime', '2026-01-08T12:00:00Z'],
    ['homepage', 'https://example.com/8'],
    ['update', 'update 8'],
    ['format', 'format 8'],
    ['flat', 'flat 8'],
    ['title', 'title 8'],
  ])('%s: %s', (fieldName, value) => {
    expect(scalarValue('String', { typeName: 'T', fieldName }, 7)).toBe(value)
  })
})

it.each([
  ['hasNextPage', false],
  ['has_more', false],
  ['hasPreviousPage', false],
  ['hasChildren', true],
  ['isNext', true],
])('a list has no further page: %s is %j', (fieldName, value) => {
  expect(scalarValue('Boolean', { typeName: 'T', fieldName }, 7)).toBe(value)
})

it.each([
  ['DateTime', '2026-01-08T12:00:00Z'],
  ['date_time', '2026-01-08T12:00:00Z'],
  ['LocalTime', '12:00:00'],
  ['JSONObject', {}],
  ['BigInt', 8],
  ['Decimal', 0.07],
  ['URL', 'https://example.com/8'],
  ['EmailAddress', 'user8@example.com'],
  ['Void', null],
  ['constructor', 'constructor 8'],
  ['Whatever', 'Whatever 8'],
])('a value of the scalar %s: %j', (name, value) => {
  expect(scalarValue(name, { typeName: 'T', fieldName: 'f' }, 7)).toEqual(value)
})

it('makes UUIDs of version 4, each its own', () => {
  const uuids = Array.from({ length: 1000 }, (_, seed) => scalarValue('UUID', { typeName: 'T', fieldName: 'f' }, seed))
  expect(new Set(uuids).size).toBe(1000)
  for (const uuid of uuids) expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
}) // prettier-ignore
