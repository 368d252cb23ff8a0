import { parse } from 'graphql/index.js'
import { describe, expect, it } from 'vitest'
import type { GraphQLResult } from '../../../src/core/graphql/result.ts'
import { checkerOf, execute, operationOf, run } from './check.ts'

const checker = checkerOf(`
  type Query { hero: Hero, villain: Hero!, heroes: [Hero], all: [Hero!]!, some: [Hero!], node: Node, found: [Found], grid: [[Int!]], count: Int, mood: Mood, any: Any, nobody: Nobody }
  type Mutation { add(name: String): Hero!, remove: Hero }
  type Hero implements Node { id: ID!, name: String, power: Int!, friend: Hero, friends: [Hero!]!, best: Hero! }
  type Ship implements Node { id: ID!, length: Float, crew: [Hero] }
  interface Node { id: ID! }
  interface Nobody { id: ID! }
  union Found = Ship | Hero
  enum Mood { GLAD SAD }
  scalar Any
`)

const at = (column: number, line = 1) => [{ line, column }]
const error = (path: (string | number)[], message = 'no') => ({ message, path })

describe('reads the fixture', () => {
  it.each<[query: string, fixture: unknown, data: unknown]>([
    ['{ hero { id name } }', { hero: { id: 7, name: null } }, { hero: { id: '7', name: null } }],
    ['{ hero { __typename id } }', { hero: { id: 'a', __typename: 'Ship' } }, { hero: { __typename: 'Hero', id: 'a' } }],
    // By the field's name, else by the response's key.
    ['{ a: hero { b: id c: id } }', { hero: { id: 1 } }, { a: { b: '1', c: '1' } }],
    ['{ a: hero { b: id } }', { a: { b: 1 } }, { a: { b: '1' } }],
    ['{ count: hero { id } }', { count: { id: 1 }, hero: { id: 2 } }, { count: { id: '2' } }],
    ['{ hero { id ...F } } fragment F on Hero { name friend { id } }', { hero: { id: 1, name: 'a', friend: null } }, { hero: { id: '1', name: 'a', friend: null } }],
    ['query ($yes: Boolean = true) { hero { id name @skip(if: $yes) } }', { hero: { id: 1, name: 'a' } }, { hero: { id: '1' } }],
    ['{ grid }', { grid: [[1, 2], null, []] }, { grid: [[1, 2], null, []] }],
    ['{ heroes { id } some { id } }', { heroes: [{ id: 1 }, null], some: null }, { heroes: [{ id: '1' }, null], some: null }],
    ['{ mood any }', { mood: 'SAD', any: { a: [1, { b: null }] } }, { mood: 'SAD', any: { a: [1, { b: null }] } }],
    ['{ __proto__: count }', { count: 1 }, JSON.parse('{ "__proto__": 1 }')],
    ['mutation { add(name: "x") { id } }', { add: { id: 1 } }, { add: { id: '1' } }],
  ])('%s of %j', (query, data, expected) => {
    expect(run(checker, query, { data } as GraphQLResult)).toEqual({ data: expected })
  }) // prettier-ignore

  it('does not read inherited properties', () => {
    const { data } = run(checker, '{ hero { id constructor: name toString: name } }', { data: { hero: { id: 1 } } })
    expect(data).toEqual({ hero: { id: '1', constructor: expect.stringMatching(/^name \d+$/) as string, toString: expect.stringMatching(/^name \d+$/) as string } })
  }) // prettier-ignore

  it('keeps extensions', () => {
    expect(run(checker, '{ count }', { data: { count: 1 }, extensions: { took: 3 } })).toEqual({
      data: { count: 1 },
      extensions: { took: 3 },
    })
  })
})

describe('determines the type of an object', () => {
  it.each<[name: string, fixture: unknown, typeName: string]>([
    ['by its __typename', { __typename: 'Ship', id: 1 }, 'Ship'],
    ['by its keys', { id: 1, length: 2 }, 'Ship'],
    ['by its keys where __typename is not a name', { __typename: 7, id: 1, crew: [] }, 'Ship'],
    ['as the first one whose fields it has', { id: 1 }, 'Hero'],
    ['as the first one where it fits none', { nope: 1 }, 'Hero'],
    ['as the first one where it fits several', {}, 'Hero'],
  ])('%s', (_, node, typeName) => {
    expect(run(checker, '{ node { __typename } }', { data: { node } })).toEqual({ data: { node: { __typename: typeName } } })
  }) // prettier-ignore

  it.each<[fixture: unknown, typeNames: string[]]>([
    [
      [{ name: 'a' }, { length: 1 }, { id: 1 }],
      ['Hero', 'Ship', 'Ship'],
    ],
    [undefined, ['Ship', 'Hero']],
  ])('in the list %j', (found, typeNames) => {
    const { data } = run(checker, '{ found { __typename } }', { data: { found } })
    expect(data).toEqual({ found: typeNames.map((__typename) => ({ __typename })) })
  })
})

describe('reports values of the wrong type', () => {
  it.each<[query: string, fixture: unknown, data: unknown, message: string, path: unknown[]]>([
    ['{ count }', { count: 'x' }, { count: null }, 'Int cannot represent non-integer value: "x"', ['count']],
    ['{ hero { name } }', { hero: { name: {} } }, { hero: { name: null } }, 'String cannot represent value: {}', ['hero', 'name']],
    ['{ mood }', { mood: 'OK' }, { mood: null }, 'Enum "Mood" cannot represent value: "OK"', ['mood']],
    ['{ hero { id } }', { hero: 'bob' }, { hero: null }, 'Expected value of type "Hero" but got: "bob".', ['hero']],
    ['{ node { id } }', { node: [1] }, { node: null }, 'Expected value of type "Node" but got: [1].', ['node']],
    ['{ heroes { id } }', { heroes: { id: 1 } }, { heroes: null }, 'Expected Iterable, but did not find one for field "Query.heroes".', ['heroes']],
    ['{ heroes { id } }', { heroes: [{ id: 1 }, 2] }, { heroes: [{ id: '1' }, null] }, 'Expected value of type "Hero" but got: 2.', ['heroes', 1]],
    ['{ grid }', { grid: [[1, 'x'], 2, [3]] }, { grid: [null, null, [3]] }, 'Int cannot represent non-integer value: "x"', ['grid', 0, 1]],
    ['{ villain { power } }', { villain: { power: null } }, null, 'Cannot return null for non-nullable field Hero.power.', ['villain', 'power']],
    ['{ nobody { id } }', { nobody: { id: 1 } }, { nobody: null }, 'Abstract type "Nobody" must resolve to an Object type at runtime for field "Query.nobody". Either the "Nobody" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.', ['nobody']],
  ])('%s of %j', (query, fixture, data, message, path) => {
    const result = run(checker, query, { data: fixture } as GraphQLResult)
    expect(result.data).toEqual(data)
    expect(result.errors![0]).toMatchObject({ message, path })
  }) // prettier-ignore

  it.each([[[]], ['text'], [5]])('where data itself is %j', (data) => {
    const { errors, ...rest } = run(checker, '{ count }', { data } as unknown as GraphQLResult)
    expect(rest).toEqual({ data: null })
    expect(errors![0]!.message).toMatch(/^Expected value of type "Query" but got: /)
  })
})

/** @see https://spec.graphql.org/October2021/#sec-Handling-Field-Errors */
describe('null bubbling', () => {
  const hero = { id: 1, name: 'a', power: 1, friend: null }

  it.each<[what: string, query: string, data: unknown, path: (string | number)[], expected: unknown]>([
    ['a non-null field of the root: data is null', '{ villain { power } count }', { villain: hero, count: 1 }, ['villain', 'power'], null],
    ['a non-null root field itself', '{ villain { id } }', { villain: null }, ['villain'], null],
    ['a field of a type of a union', '{ found { ... on Hero { power } ... on Ship { id } } }', { found: [{ length: 1, id: 1 }, hero] }, ['found', 1, 'power'], { found: [{ id: '1' }, null] }],
    ['a mutation', 'mutation { remove { power } }', { remove: hero }, ['remove', 'power'], { remove: null }],
    ['a mutation of a non-null type', 'mutation { add { id } }', { add: null }, ['add'], null],
    ['what the fixture has nulled already', '{ hero { power } }', { hero: null }, ['hero', 'power'], { hero: null }],
    ['what it has nulled far above', '{ hero { friend { best { friends { power } } } } }', { hero: { friend: null } }, ['hero', 'friend', 'best', 'friends', 3, 'power'], { hero: { friend: null } }],
    ['what it has nulled in a list', '{ heroes { friend { power } } }', { heroes: [null] }, ['heroes', 0, 'friend', 'power'], { heroes: [null] }],
    ['what it has nulled at the root', '{ hero { power } }', null, ['hero', 'power'], null],
    ['what it leaves out', '{ hero { power } }', {}, ['hero', 'power'], { hero: null }],
    ['what it leaves out with all data', '{ hero { power } }', undefined, ['hero', 'power'], { hero: null }],
  ])('%s', (_, query, data, path, expected) => {
    const result = run(checker, query, { data, errors: [error(path)] } as GraphQLResult)
    const locations = expect.any(Array) as unknown
    expect(result).toEqual({ data: expected, errors: [{ message: 'no', path, locations }] })
  }) // prettier-ignore
})

describe('places errors', () => {
  it.each<[what: string, query: string, fixture: GraphQLResult, errors: unknown[]]>([
    [
      'where graphql-js does',
      '{\r\n  hero {\n    ...F } } fragment F on Hero { name name }',
      { data: { hero: { name: 'a' } }, errors: [{ ...error(['hero', 'name']), extensions: { code: 1 } }] },
      [{ ...error(['hero', 'name']), locations: [...at(35, 3), ...at(40, 3)], extensions: { code: 1 } }],
    ],
    [
      'under every alias of the field',
      '{ a: hero { name } b: hero { c: name d: name id } }',
      { data: { hero: { name: 'a' } }, errors: [error(['hero', 'name'])] },
      [
        { ...error(['a', 'name']), locations: at(13) },
        { ...error(['b', 'c']), locations: at(30) },
        { ...error(['b', 'd']), locations: at(38) },
      ],
    ],
    [
      'by response keys',
      '{ a: hero { b: name } hero { name } }',
      { errors: [error(['a', 'b'])] },
      [{ ...error(['a', 'b']), locations: at(13) }],
    ],
    [
      'by the name where it is another field\'s key, too',
      '{ count: hero { id } hero: count }',
      { errors: [error(['hero'])] },
      [{ ...error(['count']), locations: at(3) }],
    ],
    [
      'with all entries of one place',
      '{ hero { name } }',
      { data: { hero: {} }, errors: [error(['hero', 'name'], 'a'), error(['hero', 'name'], 'b')] },
      [
        { ...error(['hero', 'name'], 'a'), locations: at(10) },
        { ...error(['hero', 'name'], 'b'), locations: at(10) },
      ],
    ],
    [
      'with all entries below a null of the fixture\'s',
      '{ hero { id power } }',
      { data: { hero: null }, errors: [error(['hero', 'power'], 'a'), error(['hero', 'id'], 'b')] },
      [
        { ...error(['hero', 'power'], 'a'), locations: at(13) },
        { ...error(['hero', 'id'], 'b'), locations: at(10) },
      ],
    ],
    [
      'without those that another one has made unreachable',
      '{ hero { id power } }',
      { data: { hero: { id: 1 } }, errors: [error(['hero', 'power'], 'a'), error(['hero', 'id'], 'b')] },
      [{ ...error(['hero', 'id'], 'b'), locations: at(10) }],
    ],
    [
      'keeping what an entry says itself',
      '{ hero { name } }',
      { data: {}, errors: [{ ...error(['hero']), locations: at(7, 7), code: 'OWN' } as never] },
      [{ ...error(['hero']), locations: at(7, 7), code: 'OWN' }],
    ],
    [
      'without a path: at the operation',
      ' query A { count }',
      { data: { count: 1 }, errors: [{ message: 'no' }, { message: 'oh', locations: at(9, 9), extensions: {} }] },
      [{ message: 'no', locations: at(2) }, { message: 'oh', locations: at(9, 9), extensions: {} }],
    ],
    [
      'that the operation does not select: at the operation',
      '{ count }',
      { data: { count: 1 }, errors: [error(['hero', 'name']), error(['count', 'x'])] },
      [{ ...error(['hero', 'name']), locations: at(1) }, { ...error(['count', 'x']), locations: at(1) }],
    ],
    [
      'that the answer does not have: at the field',
      '{ heroes { id } }',
      { data: { heroes: [{ id: 1 }] }, errors: [error(['heroes', 5, 'id'])] },
      [{ ...error(['heroes', 5, 'id']), locations: at(12) }],
    ],
    [
      'at fields of fragments that run',
      '{ node { ... on Ship { length } ... on Hero { length: name } } found { ... on Ship { crew { id } } } }',
      { data: { node: { id: 1, power: 2 }, found: [{ power: 1 }] }, errors: [error(['node', 'length']), error(['found', 0, 'crew'])] },
      [{ ...error(['node', 'length']), locations: at(47) }, { ...error(['found', 0, 'crew']), locations: at(1) }],
    ],
    [
      'with data: null',
      '{ a: hero { name } }',
      { data: null, errors: [error(['hero', 'name']), { message: 'oh' }] },
      [{ ...error(['a', 'name']), locations: at(13) }, { message: 'oh', locations: at(1) }],
    ],
    [
      'that are no errors',
      '{ count }',
      { data: { count: 1 }, errors: ['x', null, { message: 'no', path: 'x' }] as never },
      ['x', null, { message: 'no', path: 'x', locations: at(1) }],
    ],
  ])('%s', (_, query, fixture, errors) => {
    expect(run(checker, query, fixture).errors).toEqual(errors)
  }) // prettier-ignore

  it.each<[fixture: GraphQLResult, result: GraphQLResult]>([
    [{ data: null }, { data: null }],
    [
      { data: null, errors: [{ message: 'no' }] },
      { data: null, errors: [{ message: 'no', locations: at(1) }] },
    ],
    // Nothing was run.
    [{ errors: [{ message: 'no' }] }, { errors: [{ message: 'no', locations: at(1) }] }],
    [{ errors: [] }, { data: { __typename: 'Query' } }],
    [{}, { data: { __typename: 'Query' } }],
  ])('makes of %j %j', (fixture, result) => {
    expect(run(checker, '{ __typename }', fixture)).toEqual(result)
  })
})

describe('suggests fields with similar names', () => {
  it.each<[query: string, data: unknown, missing: unknown]>([
    ['{ hero { name } }', { hero: { nmae: 'a' } }, [{ path: 'hero.name', near: 'nmae' }]],
    ['{ hero { name } }', { hero: { id: 1, power: 2, title: 'a' } }, []],
    ['{ a: hero { b: name } }', { hero: { Name: 'a' } }, [{ path: 'hero.name', near: 'Name' }]],
    ['{ heroes { friend { friends { id } } } }', { heroes: [{ friend: { freinds: [] } }, { friend: { friend_s: [] } }] }, [{ path: 'heroes.friend.friends', near: 'freinds' }]],
    // What another field has is no slip.
    ['{ hero { friend { id } } }', { hero: { friends: [] } }, []],
    ['{ hero { id name } }', { hero: { it: 1, iden: 2 } }, [{ path: 'hero.id', near: 'it' }]],
    ['{ count }', {}, []],
  ])('%s of %j', (query, data, missing) => {
    expect(execute(checker, query, { data } as GraphQLResult).missing).toEqual(missing)
  }) // prettier-ignore
})

describe('reports values that the schema rejects', () => {
  it.each<[query: string, data: unknown, rejected: unknown]>([
    ['{ count }', { count: 'x' }, [{ path: 'count', message: 'Int cannot represent non-integer value: "x"' }]],
    ['{ a: villain { power } }', { villain: {  power: null } }, [{ path: 'a.power', message: 'Cannot return null for non-nullable field Hero.power.' }]],
    ['{ heroes { id } }', { heroes: [1, 1, { id: 1 }] }, [{ path: 'heroes', message: 'Expected value of type "Hero" but got: 1.' }]],
    ['{ node { id } }', { node: { __typename: 'Shpi' } }, [{ path: 'node', message: 'Abstract type "Node" was resolved to a type "Shpi" that does not exist inside the schema.', near: 'Ship' }]],
    ['{ found { __typename } }', { found: [{ __typename: 'Query' }] }, [{ path: 'found', message: 'Runtime Object type "Query" is not a possible type for "Found".' }]],
    ['{ count }', [], [{ path: '', message: 'Expected value of type "Query" but got: [].' }]],
    ['{ count }', { count: 1 }, []],
  ])('%s of %j', (query, data, rejected) => {
    expect(execute(checker, query, { data } as GraphQLResult).rejected).toEqual(rejected)
  }) // prettier-ignore

  it('and not of the fixture’s own errors', () => {
    const fixture = { data: { villain: { power: null } }, errors: [error(['villain', 'power'])] }
    expect(execute(checker, '{ villain { power } }', fixture).rejected).toEqual([])
  })
})

it('says that variables are wrong', () => {
  const { errors, ...rest } = run(checker, 'query ($a: Boolean!) { count @skip(if: $a) }', {}, { a: 1 })
  expect(rest).toEqual({})
  expect(errors).toEqual([
    { message: 'Variable "$a" got invalid value 1; Boolean cannot represent a non boolean value: 1', locations: at(8) },
  ])
}) // prettier-ignore

it('says what a schema has no type for', () => {
  const queries = checkerOf('type Query { a: Int }')
  expect(run(queries, 'mutation { b }')).toEqual({
    data: null,
    errors: [{ message: 'Schema is not configured to execute mutation operation.', locations: at(1) }],
  })
})

it('accepts input that is not JSON', () => {
  const document = parse('{ any count hero { name } heroes { id } }')
  const data = { any: Promise.resolve(1), count: 1n, hero: new Map(), heroes: new Set() }
  expect(() => checker.execute(document, operationOf(document), {}, { data })).not.toThrow()
})
