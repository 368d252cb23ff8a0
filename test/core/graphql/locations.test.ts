import fc from 'fast-check'
import {
  buildSchema,
  execute,
  graphql,
  parse,
  responsePathAsArray,
  type GraphQLFieldResolver,
  type GraphQLFormattedError,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../../src/core/graphql/document.ts'
import { locate } from '../../../src/core/graphql/locations.ts'
import { GraphQLParams, type GraphQLPayload } from '../../../src/core/graphql/params.ts'
import { sampling } from '../../sampling.ts'

const readDocument = createDocumentReader({ maxTokens: 1_000_000, maxDepth: 1000 })

const schema = buildSchema(`
  type Query { hero: Hero, list: [Hero], name: String }
  type Mutation { save: Hero }
  type Hero { hero: Hero, list: [Hero], name: String }
`)

/** Every list has two entries; a field throws where `fails` says so. */
function resolver(fails: (path: readonly (string | number)[]) => boolean): GraphQLFieldResolver<unknown, unknown> {
  return (_source, _args, _context, info) => {
    if (fails(responsePathAsArray(info.path))) throw new Error('failed')
    const type = String(info.returnType)
    return type === 'String' ? 'text' : type.startsWith('[') ? [{}, {}] : {}
  }
} // prettier-ignore

const params = (query: string | undefined, rest: GraphQLPayload = {}): GraphQLParams =>
  new GraphQLParams({ ...rest, query }, query === undefined ? undefined : readDocument(query))

describe('locate gives the locations of graphql-js', () => {
  it.each<[name: string, query: string, path: (string | number)[], rest?: GraphQLPayload]>([
    ['an object', '{\n  hero {\n    name\n  }\n}', ['hero']],
    ['a named operation', 'query Q { hero { name } }', ['hero', 'name']],
    ['a mutation', 'mutation { save { name } }', ['save', 'name']],
    ['an alias that is the name of another field', '{ hero { name: __typename list: name } }', ['hero', 'list']],
    ['an inline fragment without a type', '{ hero { ... { ... @include(if: true) { name } } } }', ['hero', 'name']],
    ['@skip on a spread, which then counts', '{ hero { ...F @skip(if: true) ...F } } fragment F on Hero { name }', ['hero', 'name']],
    ['variables, true', 'query ($v: Boolean!) { hero { name @skip(if: $v) name } }', ['hero', 'name'], { variables: { v: true } }],
    ['variables, false', 'query ($v: Boolean!) { hero { name @include(if: $v) ... { name @skip(if: $v) } } }', ['hero', 'name'], { variables: { v: false } }],
    ['a default that skips', 'query ($v: Boolean = true) { hero { name @skip(if: $v) name } }', ['hero', 'name']],
    ['a default that does not include', 'query ($v: Boolean! = false) { hero { name @include(if: $v) name } }', ['hero', 'name'], { variables: {} }],
    ['a default that is overridden', 'query ($v: Boolean = true) { hero { name @skip(if: $v) name } }', ['hero', 'name'], { variables: { v: false } }],
    ['CRLF', '{\r\n  hero {\r\n    name\r\n  }\r\n}', ['hero', 'name']],
    ['CR', '{\r  hero {\r    name } }', ['hero', 'name']],
    ['comments and commas', '# one\n{ # two {\n,, hero ,{ #three\n,name } }', ['hero', 'name']],
    ['a byte order mark', '\uFEFF{ hero { name } }', ['hero', 'name']],
    ['tabs and emoji', '{\t# 😀\n\thero { ok: __typename\t# 😀\n\t\tname } }', ['hero', 'name']],
    ['several operations', 'query A { name } query B { hero { name } } query C { hero { name } }', ['hero', 'name'], { operationName: 'C' }],
    ['descriptions before', '"""\ntext\n"""\nquery D { name }', ['name'], { operationName: 'D' }],
  ])('%s', async (_, query, path, { operationName, variables } = {}) => {
    const fieldResolver = resolver((at) => at.join() === path.join())
    const result = await graphql({ schema, source: query, operationName, variableValues: variables, fieldResolver })
    expect(result.errors).toHaveLength(1)
    expect(result.errors![0]!.path).toEqual(path)
    expect(locate(params(query, { operationName, variables }), path)).toEqual(result.errors![0]!.locations)
  }) // prettier-ignore

  it('for every field of any document', () => {
    const name = fc.constantFrom('name', 'hero', 'list')
    const condition = fc.constantFrom('true', 'false', '$t', '$f')
    const directives = fc.oneof(
      { weight: 5, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: condition.map((value) => ` @skip(if: ${value})`) },
      { weight: 1, arbitrary: condition.map((value) => ` @include(if: ${value})`) },
    )
    const space = fc.constantFrom(' ', '\n', '\r\n', ' # x\n', ', ')
    /** Selections; fragments spread only later ones, so that no document is endless. */
    const selections = (depth: number, fragment: number, type: string): fc.Arbitrary<string> => {
      const field = fc
        .tuple(fc.constantFrom('', '', 'a:', 'hero:'), name, directives, depth > 0 ? fc.nat(2) : fc.constant(0))
        .chain(([alias, name, directive, nested]) => {
          const leaf = name === 'name' || nested === 0
          if (leaf) return fc.constant(`${alias}name${directive}`)
          return selections(depth - 1, fragment, 'Hero').map((set) => `${alias}${name}${directive} ${set}`)
        })
      const inline = fc
        .tuple(fc.constantFrom('...', `... on ${type}`), directives, depth > 0 ? selections(depth - 1, fragment, type) : fc.constant('{ name }'))
        .map((parts) => parts.join(' '))
      const spread = fc
        .tuple(fc.integer({ min: Math.min(fragment, 2), max: 2 }), directives)
        .map(([n, directive]) => `...F${n}${directive}`)
      const entries = fragment < 3 ? fc.oneof(field, field, inline, spread) : fc.oneof(field, field, inline)
      return fc
        .tuple(fc.array(entries, { minLength: 1, maxLength: 4 }), space)
        .map(([list, separator]) => `{${separator}${list.join(separator)}${separator}}`)
    } // prettier-ignore
    const document = fc
      .tuple(
        selections(3, 0, 'Query'),
        ...[0, 1, 2].map((n) => selections(1, n + 1, 'Query').map((set) => `fragment F${n} on Query ${set}`)),
      )
      .map(([set, ...fragments]) => `query ($t: Boolean!, $f: Boolean!) ${set}\n${fragments.join('\n')}`)
    // Everything is a Query here, so that fragments fit everywhere. graphql-js executes without validation.
    const schema = buildSchema('type Query { hero: Query, list: [Query], name: String }')
    const variables = { t: true, f: false }
    let compared = 0
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 4 }), (query, depth) => {
        const text = query.replaceAll(' on Hero', ' on Query')
        const fieldResolver = resolver((path) => path.filter((key) => typeof key === 'string').length === depth)
        const result = execute({ schema, document: parse(text), variableValues: variables, fieldResolver })
        for (const { path, locations } of (result as { errors?: GraphQLFormattedError[] }).errors ?? []) {
          expect(locate(params(text, { variables }), path!)).toEqual(locations)
          compared++
        }
      }),
      sampling(50),
    )
    expect(compared).toBeGreaterThan(0)
  }) // prettier-ignore
})

describe('locate, where the path leads to no field,', () => {
  const start = [{ line: 1, column: 1 }]
  it.each<[name: string, params: GraphQLParams, path: unknown[], locations: object[]]>([
    ['no document', params(undefined), ['a'], start],
    ['an empty document', params(''), ['a'], start],
    ['a syntax error', params('\n\n{ a'), ['a'], start],
    ['no operation of that name', params('\n query A { a }', { operationName: 'B' }), ['a'], start],
    ['several operations, none named', params('\nquery A { a } query B { a }'), ['a'], start],
    ['fragments only', params('\nfragment F on Q { a }'), ['a'], start],
    ['a type definition', params('\ntype Q { a: Int }'), ['a'], start],
    ['a path that is not selected', params('\n query A { a }'), ['b'], [{ line: 2, column: 2 }]],
    ['a path that goes on too far', params('\n query A { a }'), ['a', 'b'], [{ line: 2, column: 2 }]],
    ['an empty path', params('\n  { a }'), [], [{ line: 2, column: 3 }]],
    ['indices only', params('\n  { a }'), [0, 1], [{ line: 2, column: 3 }]],
    ['keys that are not strings', params('{ a }'), ['a', null, {}], [{ line: 1, column: 3 }]],
    ['an unknown fragment', params('{ ...X a }'), ['a'], start],
    ['names of object members', params('{ a }'), ['__proto__', 'constructor'], start],
    ['a directive without a condition', params('{ a @skip @include }'), ['a'], start],
    ['other directives', params('{ a @client(if: false) }'), ['a'], [{ line: 1, column: 3 }]],
  ])('%s', (_, params, path, locations) => {
    expect(locate(params, path)).toEqual(locations)
  })
})

describe('fragments on types', () => {
  const query =
    '{ all: found { ... on Droid { name } ...H ... on Character { name } } } fragment H on Human { name }'
  const [droid, character, human] = [...query.matchAll(/name/g)].map(({ index }) => index + 1) as [
    number,
    number,
    number,
  ]
  const at = (...columns: number[]) => columns.map((column) => ({ line: 1, column }))
  const found = [{ __typename: 'Droid' }, { __typename: 'Human', name: null }, {}, null]
  it.each<[name: string, path: unknown[], data: unknown, locations: object[]]>([
    ['of a droid', ['all', 0, 'name'], { found }, at(droid, character)],
    ['of a human', ['all', 1, 'name'], { found }, at(character, human)],
    ['in response keys', ['all', 1, 'name'], { all: found }, at(character, human)],
    ['of an object that names no type', ['all', 2, 'name'], { found }, at(droid, character, human)],
    ['of nothing', ['all', 3, 'name'], { found }, at(droid, character, human)],
    ['behind the end', ['all', 9, 'name'], { found }, at(droid, character, human)],
    ['where the type of no object is known', ['all', 0, 'name'], { found: [{ __typename: 'Other' }] }, at(droid, character, human)],
    ['without data', ['all', 0, 'name'], null, at(droid, character, human)],
  ])('%s', (_, path, data, locations) => {
    const sorted = locate(params(query), path, data).sort((a, b) => a.column - b.column)
    expect(sorted).toEqual(locations)
  }) // prettier-ignore
})
