import { describe, expect, it } from 'vitest'
import { expectCpuTime } from '../../cpu-time.ts'
import type { GraphQLResult } from '../../../src/core/graphql/result.ts'
import { createDocumentReader } from '../../../src/core/graphql/document.ts'
import { Budget } from '../../../src/core/graphql/budget.ts'
import { shapeResult } from '../../../src/core/graphql/shape-result.ts'

const read = createDocumentReader({ maxTokens: 10_000, maxDepth: 100 })

function shape(query: string, fixture: GraphQLResult, variables?: Record<string, unknown>, units = 100_000) {
  const document = read(query)
  expect(document.syntaxError ?? document.error).toBeUndefined()
  const budget = new Budget(units)
  const { result, missing } = shapeResult(fixture, document, document.operations[0]!, variables, budget)
  return { result, missing }
}

const hero = {
  __typename: 'Droid',
  id: '2001',
  name: 'R2-D2',
  height: 1.1,
  model: null,
  settings: { theme: 'dark' },
  friends: [
    { __typename: 'Human', id: '1000', name: 'Luke', home: { __typename: 'Planet', title: 'Tatooine' } },
    null,
    { __typename: 'Droid', id: '2000', name: 'C-3PO' },
  ],
  grid: [[{ id: 'a' }, null], [], null, [{ id: 'b' }]],
}
const data = { hero, count: 3 }

describe('data', () => {
  it.each<[name: string, query: string, shaped: object, variables?: Record<string, unknown>]>([
    ['nothing but what is selected', '{ hero { name } }', { hero: { name: 'R2-D2' } }],
    ['in the order of the document', '{ count hero { name id } }', { count: 3, hero: { name: 'R2-D2', id: '2001' } }],
    ['null', '{ hero { model } }', { hero: { model: null } }],
    ['objects without a selection', '{ hero { settings } }', { hero: { settings: { theme: 'dark' } } }],
    ['values with a selection', '{ hero { height { metres } } }', { hero: { height: 1.1 } }],
    ['merged fields, where the first stands', '{ hero { id } count hero { name } }', { hero: { id: '2001', name: 'R2-D2' }, count: 3 }],
    ['__typename of a query', '{ __typename count }', { __typename: 'Query', count: 3 }],
    ['__typename of a mutation', 'mutation { kind: __typename }', { kind: 'Mutation' }],
    ['a fragment on the root', '{ ...F } fragment F on query_root { count }', { count: 3 }],
    ['a fragment on an interface: what is there', '{ hero { ... on Character { __typename name appearsIn } } }', { hero: { __typename: 'Droid', name: 'R2-D2' } }],
    ['a fragment on an interface that the object has nothing of', '{ hero { id ... on Ship { __typename length } } }', { hero: { id: '2001' } }],
    ['a fragment on an interface that asks for the type only', '{ hero { ... on Character { __isCharacter: __typename } } }', { hero: { __isCharacter: 'Droid' } }],
    ['what is selected on an interface and anyway', '{ hero { ... on Character { appearsIn name } appearsIn } }', { hero: { appearsIn: null, name: 'R2-D2' } }],
    ['a fragment on any type of an object without one', '{ hero { settings { ... on A { theme } ...F } } } fragment F on B { theme }', { hero: { settings: { theme: 'dark' } } }],
    ['@skip', '{ count @skip(if: true) hero @skip(if: false) { id } }', { hero: { id: '2001' } }],
    ['@include', '{ count @include(if: false) hero @include(if: true) { id } }', { hero: { id: '2001' } }],
    ['@skip on fragments', '{ ...F @skip(if: true) ... @include(if: false) { count } hero { id } } fragment F on Query { count }', { hero: { id: '2001' } }],
    ['@skip by a variable', 'query ($v: Boolean!) { count @skip(if: $v) hero { id } }', { hero: { id: '2001' } }, { v: true }],
    ['@include by a variable', 'query ($v: Boolean!) { count @include(if: $v) }', { count: 3 }, { v: true }],
    ['the default of a variable', 'query ($v: Boolean = false) { count @include(if: $v) hero { id } }', { hero: { id: '2001' } }],
    ['a default that is overridden', 'query ($v: Boolean = true) { count @skip(if: $v) }', { count: 3 }, { v: false }],
    ['a variable below', 'query ($v: Boolean!) { hero { id name @skip(if: $v) } }', { hero: { id: '2001' } }, { v: true }],
    ['a variable in a fragment', 'query ($v: Boolean!) { ...F } fragment F on Query { hero { id ... @include(if: $v) { name } } }', { hero: { id: '2001' } }, { v: false }],
    ['other directives', '{ count @client hero @connection(key: "a", if: false) { id } }', { count: 3, hero: { id: '2001' } }],
  ])('%s', (_, query, shaped, variables) => {
    const result = shape(query, { data }, variables)
    expect(JSON.stringify(result.result)).toBe(JSON.stringify({ data: shaped })) // the order of keys, too
  }) // prettier-ignore

  it('conditions are evaluated for each request', () => {
    const query =
      'query ($a: Boolean = true, $b: Boolean!) { count @include(if: $a) hero { id name @skip(if: $b) } }'
    for (let round = 0; round < 2; round++) {
      const keys = [true, false].flatMap((a) =>
        [true, false].map((b) => {
          const { result } = shape(query, { data }, { a, b })
          return [Object.keys(result.data!), Object.keys(result.data!['hero']!)].join(' ')
        }),
      )
      expect(keys).toEqual(['count,hero id', 'count,hero id,name', 'hero id', 'hero id,name'])
    }
  })

  it('types are collected from the whole fixture, for each fixture', () => {
    const query = '{ hero { __typename ... on Character { name } } }'
    expect(shape(query, { data }).result.data).toEqual({ hero: { __typename: 'Droid', name: 'R2-D2' } })
    const other = { data: { hero, villain: [{ deep: [{ __typename: 'Character' }] }] } }
    expect(shape(query, other).result.data).toEqual({ hero: { __typename: 'Droid' } })
    expect(shape(query, { data }).result.data).toEqual({ hero: { __typename: 'Droid', name: 'R2-D2' } })
  })

  it('a recorded response has aliases as keys', () => {
    const copied = { data: { small: { url: 'a' }, large: { url: 'b' } } }
    const query = '{ large: picture(size: 2) { url } small: picture(size: 1) { url } }'
    expect(shape(query, copied)).toEqual({
      result: { data: { large: { url: 'b' }, small: { url: 'a' } } },
      missing: [],
    })
  })

  it.each<GraphQLResult>([
    { data: null },
    { data: null, errors: [{ message: 'all is lost' }] },
    { errors: [{ message: 'all is lost' }], extensions: { cost: 1 } },
    { extensions: { cost: 1 }, data: { count: 3 } },
    { data: [1] as unknown as Record<string, unknown> },
    {},
  ])('keeps everything except data: %j', (fixture) => {
    const { result, missing } = shape('{ count }', fixture)
    expect(JSON.stringify(result)).toBe(JSON.stringify(fixture))
    expect(missing).toEqual([])
  })

  it('a fixture is not modified', () => {
    const before = JSON.stringify(data)
    const { result } = shape('{ hero { friends { id } settings } }', { data })
    expect(JSON.stringify(data)).toBe(before)
    expect((result.data!['hero'] as typeof hero).settings).toBe(hero.settings)
  })

  it('circular data of a function is followed as deep as the document goes', () => {
    const luke: Record<string, unknown> = { __typename: 'Human', name: 'Luke' }
    luke['friend'] = luke
    const query = '{ hero { ... on Being { friend { friend { name } } } } }'
    expect(shape(query, { data: { hero: luke } }).result.data).toEqual({
      hero: { friend: { friend: { name: 'Luke' } } },
    })
  })
})

describe('missing fields', () => {
  it.each<[name: string, query: string, shaped: object | undefined, missing: object[], fixture?: GraphQLResult]>([
    ['a field', '{ hero { nme } }', { hero: { nme: null } }, [{ path: 'hero.nme', near: 'name' }]],
    ['an object', '{ villain { name } }', { villain: null }, [{ path: 'villain' }]],
    ['by names, not by aliases', '{ r2: hero { a: nothing } }', { r2: { a: null } }, [{ path: 'hero.nothing' }]],
    ['once under several aliases', '{ a: hero { x } b: hero { x y: x } }', { a: { x: null }, b: { x: null, y: null } }, [{ path: 'hero.x' }]],
    ['once in lists', '{ hero { friends { age } grid { nr } } }', { hero: { friends: [{ age: null }, null, { age: null }], grid: [[{ nr: null }, null], [], null, [{ nr: null }]] } }, [{ path: 'hero.friends.age' }, { path: 'hero.grid.nr' }]],
    ['in some objects of a list', '{ hero { friends { home { title } } } }', { hero: { friends: [{ home: { title: 'Tatooine' } }, null, { home: null }] } }, [{ path: 'hero.friends.home' }]],
    ['a field on the own type', '{ hero { ... on Droid { function } } }', { hero: { function: null } }, [{ path: 'hero.function' }]],
    ["a field on an interface that Relay's compiler has marked", '{ hero { ... on Character { __isCharacter: __typename name age } ... on Ship { __isShip: __typename length } } }', { hero: { __isCharacter: 'Droid', name: 'R2-D2', age: null } }, [{ path: 'hero.age' }]],
    ['a field on any type, of an object without one', '{ hero { settings { ... on Settings { colour } } } }', { hero: { settings: { colour: null } } }, [{ path: 'hero.settings.colour' }]],
    ['introspection', '{ __schema { types { name } } }', { __schema: null }, [{ path: '__schema' }]],
    ['undefined', '{ a }', { a: null }, [{ path: 'a' }], { data: { a: undefined, b: 1 } }],
    ['a failed field is not', '{ h: hero { age size } }', { h: { age: null, size: null } }, [{ path: 'hero.size' }], { data: { hero: {} }, errors: [{ message: 'no', path: ['hero', 'age'] }] }],
    ['nor what a failed field is in', '{ heroes { friend { age } } }', { heroes: [{ friend: null }] }, [], { data: { heroes: [{}] }, errors: [{ message: 'no', path: ['heroes', 0, 'friend', 'age'] }] }],
    ['nothing without data', '{ hero { nme } }', undefined, [], {}],
  ])('%s', (_, query, shaped, missing, fixture = { data }) => {
    const completed = shape(query, fixture)
    expect(completed.missing).toEqual(missing)
    expect(completed.result.data).toEqual(shaped)
  }) // prettier-ignore
})

describe('errors', () => {
  const list = { data: { heroes: [{ name: 'a' }, { name: null }], hero: null } }
  const at = (...columns: number[]) => columns.map((column) => ({ line: 1, column }))

  it.each<[name: string, query: string, path: unknown[], errors: object[]]>([
    ['a field', '{ hero { name } }', ['hero'], [{ locations: at(3), path: ['hero'] }]],
    ['an alias', '{ h: hero { name } }', ['hero'], [{ locations: at(3), path: ['h'] }]],
    ['a response key', '{ h: hero { n: name } }', ['h', 'n'], [{ locations: at(13), path: ['h', 'n'] }]],
    ['names and response keys', '{ h: hero { n: name } }', ['hero', 'n'], [{ locations: at(13), path: ['h', 'n'] }]],
    ['below null', '{ hero { name } }', ['hero', 'name'], [{ locations: at(10), path: ['hero', 'name'] }]],
    ['in a list', '{ all: heroes { n: name } }', ['heroes', 1, 'name'], [{ locations: at(17), path: ['all', 1, 'n'] }]],
    ['an item', '{ all: heroes { n: name } }', ['heroes', 1], [{ locations: at(3), path: ['all', 1] }]],
    ['merged fields', '{ heroes { name } ...F } fragment F on Query { heroes { name } }', ['heroes', 0, 'name'], [{ locations: at(12, 57), path: ['heroes', 0, 'name'] }]],
    ['a name counts before a response key', '{ name: hero { id } b: name }', ['name'], [{ locations: at(21), path: ['b'] }]],
    ['of fields with one response key', '{ hero { ... on A { name: id } ... on B { name } } }', ['hero', 'name'], [{ locations: at(43), path: ['hero', 'name'] }]],
    ['unless it leads nowhere', '{ name: hero { id } b: name }', ['name', 'id'], [{ locations: at(16), path: ['name', 'id'] }]],
    ['not selected: the operation', '  { heroes { id } }', ['heroes', 1, 'name'], [{ locations: at(3), path: ['heroes', 1, 'name'] }]],
    ['skipped: the operation', '  { heroes { id name @skip(if: true) } }', ['heroes', 1, 'name'], [{ locations: at(3), path: ['heroes', 1, 'name'] }]],
    ['below a leaf: the operation', '{ hero }', ['hero', 'name'], [{ locations: at(1), path: ['hero', 'name'] }]],
    ['no part: the operation', '{ hero }', [], [{ locations: at(1), path: [] }]],
    ['parts of no kind: the operation', '{ hero }', [null, {}, true], [{ locations: at(1), path: [null, {}, true] }]],
    ['names of object members: the operation', '{ hero }', ['constructor', '__proto__'], [{ locations: at(1), path: ['constructor', '__proto__'] }]],
  ])('%s', (_, query, path, expected) => {
    const errors = [{ path: path as string[], message: 'no', extensions: { code: 'NO' } }]
    const { result } = shape(query, { ...list, errors })
    const whole = expected.map((error) => ({ message: 'no', ...error, extensions: { code: 'NO' } }))
    expect(JSON.stringify(result.errors)).toBe(JSON.stringify(whole)) // the order of keys, too
  }) // prettier-ignore

  it('the type of an object tells its fields apart', () => {
    const query = '{ heroes { ... on Human { name } ... on Droid { name } } }'
    const heroes = [{ __typename: 'Human' }, { __typename: 'Droid' }, null]
    const errors = [0, 1, 2].map((index) => ({ message: 'no', path: ['heroes', index, 'name'] }))
    const { result } = shape(query, { data: { heroes }, errors })
    expect(result.errors!.map(({ locations }) => locations)).toEqual([at(27), at(49), at(27, 49)])
  })

  it('existing locations and errors without a path are kept', () => {
    const errors = [
      { message: 'a', path: ['hero'], locations: [{ line: 7, column: 7 }] },
      { message: 'b', extensions: { code: 'B' } },
      'c' as unknown as { message: string },
      { message: 'd', path: 'hero' as unknown as string[] },
    ]
    expect(shape('{ h: hero { id } }', { ...list, errors }).result.errors).toEqual([
      { message: 'a', path: ['h'], locations: [{ line: 7, column: 7 }] },
      ...errors.slice(1),
    ])
  })
})

describe('hostile', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', 'length'])(
    '%s is a name like any other',
    (name) => {
      const query = `{ ${name} a: ${name} list { ${name}: id ${name}_: ${name} } ${name}__: list { ${name} } }`
      const bare = shape(query, { data: { list: [{ id: 1 }, []] } })
      expect(JSON.stringify(bare.result.data)).toBe(
        `{"${name}":null,"a":null,"list":[{"${name}":1,"${name}_":null},[]],"${name}__":[{"${name}":null},[]]}`,
      )
      expect(bare.missing).toEqual([{ path: name }, { path: `list.${name}` }])
      const own = JSON.parse(`{ "list": [], "${name}": { "${name}": 1 } }`) as Record<string, unknown>
      const owned = shape(`{ ${name} { ${name} } }`, { data: own })
      expect(JSON.stringify(owned.result)).toBe(`{"data":{"${name}":{"${name}":1}}}`)
      expect(owned.missing).toEqual([])
    },
  )

  it.each(['constructor', '__proto__'])('a fragment, a type and a variable named %s', (name) => {
    const query = `query ($${name}: Boolean) { ...${name} b @skip(if: $${name}) } fragment ${name} on ${name} { a }`
    expect(shape(query, { data: { a: 1, b: 2 } }).result.data).toEqual({ a: 1, b: 2 })
    expect(shape(query, { data: { __typename: name, a: 1, b: 2 } }).result.data).toEqual({ a: 1, b: 2 })
    const variables = JSON.parse(`{ "${name}": true }`) as Record<string, unknown>
    expect(shape(query, { data: { a: 1, b: 2 } }, variables).result.data).toEqual({ a: 1 })
  })

  const aliases = (count: number, selection: string) =>
    Array.from({ length: count }, (_, n) => `a${n}: ${selection}`).join(' ')
  /** Fragments of which each spreads the next under several aliases. */
  const levels = (depth: number, count: number, last = 'id') => {
    const spread = Array.from({ length: depth }, (_, n) => aliases(count, `self { ...F${n + 1} }`))
    return `{ ...F0 } ${[...spread, last].map((set, n) => `fragment F${n} on S { ${set} }`).join(' ')}`
  }

  const self: Record<string, unknown> = { __typename: 'S', id: 1, text: 'x'.repeat(1 << 20) }
  self['self'] = self
  self['list'] = Array.from({ length: 1000 }, () => self)
  self['nulls'] = Array.from({ length: 1000 }, () => null)
  self['json'] = Array.from({ length: 100_000 }, (_, n) => n)
  const refusal = {
    message: expect.stringMatching(
      /^The request costs more than 10000 units of work \(option "graphql\.maxCost"\): /,
    ) as unknown,
  }

  it.each<[name: string, query: string, errorPath?: string[]]>([
    ['aliases of lists under aliases', levels(2, 40, 'list { id }')],
    ['lists in lists', '{ list { list { list { list { list { id } } } } } }'],
    ['lists of nothing', `{ ${aliases(1000, 'nulls { id }')} }`],
    ['lists of objects with nothing', `{ ${aliases(200, 'list { ... on S @skip(if: true) { id } }')} }`],
    [
      'lists of what may be of many types',
      `{ list { list { ${Array.from({ length: 1500 }, (_, n) => `... on T${n} { t${n} }`).join(' ')} } } }`,
    ],
    ['long texts', `{ ${aliases(3000, 'text')} }`],
    ['large objects', `{ ${aliases(3000, 'json')} }`],
  ])('%s are refused quickly', (_, query, path) => {
    const errors = path && { errors: [{ message: 'no', path }] }
    expectCpuTime(2000, () => {
      const shaped = shape(query, { data: self, ...errors }, {}, 10_000)
      expect(shaped).toEqual({ result: { errors: [refusal] }, missing: [] })
    })
  })

  it.each<[name: string, query: string]>([
    ['a field 9000 times', `{ self { ${'id '.repeat(9000)} } }`],
    ['a field 5000 times under ten aliases', levels(1, 10, 'id '.repeat(5000))],
    [
      'types asked for under many aliases',
      `{ list { ... on I { ${aliases(1000, '__typename')} ${aliases(1000, 'x')} } } }`,
    ],
  ])('%s is answered quickly', (_, query) => {
    expectCpuTime(2000, () => {
      const { result } = shape(query, { data: self })
      expect(Boolean(result.data) !== Boolean(result.errors)).toBe(true)
    })
  })

  it('circular data', () => {
    let lists: unknown = { id: 1 }
    for (let depth = 0; depth < 100_000; depth++) lists = [lists]
    const { result } = shape('{ lists { id } ... on T { a } }', { data: { __typename: 'Query', lists } })
    expect(result.errors).toBeUndefined()
  })

  it('a very large fixture is answered', () => {
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'one', more: [id, id] }))
    const { result } = shape('{ items { id name more } }', { data: { items } })
    expect(result).toEqual({ data: { items } })
  })

  it('a thousand missing fields beside thousands of keys', () => {
    const keys = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${'key'.repeat(100)}${n}`, n]))
    expectCpuTime(2000, () => {
      const { missing } = shape(`{ ${aliases(1000, '').replace(/a(\d+): /g, 'field$1')} }`, { data: keys })
      expect(missing).toHaveLength(1000)
    })
  })
})
