import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkerOf, run } from './check.ts'
import { sampling } from '../../sampling.ts'

const sdl = `
  type Query { me: User, user(id: ID!): User, order(id: Int!): Order, users(first: Int, tag: String): [User!]!, node(id: ID!): Node, search: [Result!], people(first: Int, after: String): Users! }
  type Mutation { rename(id: ID!, name: String): User }
  interface Node { id: ID! }
  type User implements Node { id: ID!, name: String!, age: Int, role: Role!, home: Address, friends: [User!]!, best: User, pets: [Pet!], photo(size: Int): String, people: Users }
  type Pet implements Node { id: ID!, name: String, owner: User! }
  type Order { id: Int!, total: Float, user: User }
  type Address { street: String!, city: String! }
  type Users { edges: [UserEdge], nodes: [User], pageInfo: PageInfo! }
  type UserEdge { cursor: String!, node: User }
  type PageInfo { hasNextPage: Boolean! }
  union Result = Pet | User
  enum Role { ADMIN GUEST OWNER }
` // prettier-ignore
const checker = checkerOf(sdl)
const data = (query: string, fixture = {}) => run(checker, query, { data: fixture }).data
const user = 'name age role home { street city } friends { id name } pets { name } photo'

describe('an object carries the id that was asked for', () => {
  it.each<[query: string, data: object]>([
    ['{ user(id: 7) { id } }', { user: { id: '7' } }],
    ['{ a: user(id: "x") { id } b: user(id: "y") { id } }', { a: { id: 'x' }, b: { id: 'y' } }],
    ['{ order(id: 7) { id } }', { order: { id: 7 } }],
    ['query ($id: ID = "v") { user(id: $id) { id } }', { user: { id: 'v' } }],
    ['mutation { rename(id: 7, name: "a") { id } }', { rename: { id: '7' } }],
    ['{ node(id: "Pet-1") { __typename id } }', { node: { __typename: 'Pet', id: 'Pet-1' } }],
    ['{ node(id: "VXNlcjox") { __typename id ...F } } fragment F on Pet { id }', { node: { __typename: 'Pet', id: 'VXNlcjox' } }],
    ['{ node(id: "VXNlcjox") { ... on User { __typename id } } }', { node: { __typename: 'User', id: 'VXNlcjox' } }],
  ])('%s', (query, expected) => {
    expect(data(query)).toEqual(expected)
  }) // prettier-ignore

  it('the id of the fixture takes precedence', () => {
    expect(data('{ user(id: 7) { id } }', { user: { id: 8 } })).toEqual({ user: { id: '8' } })
    expect(data('{ user(id: 7) { id } }', { user: { name: 'a' } })).toEqual({ user: { id: '7' } })
  })
})

describe('an entity has the same values everywhere', () => {
  it('wherever it is generated', () => {
    const first = data(`{ users { id ${user} } me { id ${user} } best: me { friends { id ${user} } } }`) as {
      users: Record<string, unknown>[]
      me: Record<string, unknown>
      best: { friends: Record<string, unknown>[] }
    }
    for (const one of [...first.users, first.me, ...first.best.friends]) {
      const id = JSON.stringify(one['id'])
      const again = data(`{ user(id: ${id}) { id ${user} } node(id: ${id}) { id ... on User { ${user} } } }`)
      expect(again).toMatchObject({ user: one, node: one })
    }
  })

  it('whatever part of it the fixture has, anywhere', () => {
    const ada = { id: 1, name: 'Ada', age: null, home: { city: 'Delft' } }
    const fixture = { me: { id: 1 }, users: [ada, { id: 2 }], search: [{ __typename: 'User', id: 2, age: 5 }, { __typename: 'Pet', id: 1, name: 'Rex' }] } // prettier-ignore
    const query = `{ me { name age home { city } } user(id: 1) { name age } users { id name age }
      two: user(id: 2) { age } node(id: 1) { ... on User { name } } best: user(id: 3) { name } }`
    const { users, best, ...rest } = data(query, fixture) as Record<string, Record<string, unknown>[]>
    expect(rest).toEqual({
      me: { name: 'Ada', age: null, home: { city: 'Delft' } },
      user: { name: 'Ada', age: null },
      two: { age: 5 },
      node: expect.any(Object) as unknown,
    })
    expect(users![1]).toMatchObject({ id: '2', age: 5 })
    expect(best).toEqual({ name: expect.stringMatching(/^name \d+$/) as string })
  })

  it('different types with the same id are different entities', () => {
    const { user: one, order } = data('{ user(id: 1) { id } order(id: 1) { id user { id } } }') as Record<string, { id: unknown; user: { id: unknown } }> // prettier-ignore
    expect([one!.id, order!.id]).toEqual(['1', 1])
    expect(order!.user.id).not.toBe('1')
  })

  it('objects of the same type and id have the same values under any selection', () => {
    const leaf = fc.constantFrom(
      'id name',
      'id role',
      'id age name',
      'id home { street }',
      'id photo(size: 1)',
    )
    const selection = fc.letrec<{ user: string }>((tie) => ({
      user: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        leaf,
        fc.tuple(leaf, fc.constantFrom('friends', 'best', 'pets { id owner', 'people { nodes', 'people { edges { node'), tie('user')).map(
          ([own, field, inner]) => `${own} ${field} { ${inner} }${' }'.repeat(field.split('{').length - 1)}`,
        ),
      ),
    })).user // prettier-ignore
    const root = fc.constantFrom('me', 'users', 'users(first: 2)', 'user(id: "User-1")', 'people { nodes', 'people { edges { node') // prettier-ignore
    fc.assert(
      fc.property(fc.array(fc.tuple(root, selection), { minLength: 1, maxLength: 4 }), (fields) => {
        const parts = fields.map(
          ([field, inner], n) => `f${n}: ${field} { ${inner} }${' }'.repeat(field.split('{').length - 1)}`,
        )
        const seen = new Map<string, unknown>()
        JSON.stringify(data(`{ ${parts.join(' ')} }`), (_, value: unknown) => {
          const { id, ...object } = (value ?? {}) as Record<string, unknown>
          if (typeof id !== 'string') return value
          for (const name of ['name', 'role', 'age', 'photo', 'home']) {
            if (!(name in object)) continue
            const key = `${id} ${name}`
            if (seen.has(key)) expect([key, object[name]]).toEqual([key, seen.get(key)])
            seen.set(key, object[name])
          }
          return value
        })
      }),
      sampling(15),
    )
  })
})

describe('a connection has the same items in nodes and in edges', () => {
  it.each<[what: string, fixture: object]>([
    ['filled in', {}],
    ['edges of the fixture', { people: { edges: [{ node: { id: 1 } }, null, { node: { name: 'a' } }] } }],
    ['nodes of the fixture', { people: { nodes: [{ id: 1 }, null, { name: 'a' }] } }],
  ])('%s', (_, fixture) => {
    const { people } = data(`{ people { nodes { id ${user} } edges { node { id ${user} } } } }`, fixture) as {
      people: { nodes: unknown[]; edges: ({ node: unknown } | null)[] }
    }
    expect(people.nodes.length).toBeGreaterThan(1)
    expect(people.nodes).toEqual(people.edges.map((edge) => edge?.node ?? null))
  })
})
