import { parse, printSchema, validate } from 'graphql/index.js'
import { describe, expect, it } from 'vitest'
import { buildSchema } from '../../../src/core/graphql-schema/build-schema.ts'

const sourcesOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([file, text]) => ({ file, text }))

const query = 'type Query { a: Int }'

describe('merges schema files', () => {
  it.each<[name: string, texts: Record<string, string>, printed: string]>([
    ['one', { 'a.graphql': query }, 'type Query {\n  a: Int\n}'],
    [
      'an extension of another file, whichever comes first',
      { 'a.graphql': 'extend type Query { b: B }', 'b.graphql': `${query} type B { c: Int }` },
      'type Query {\n  a: Int\n  b: B\n}\n\ntype B {\n  c: Int\n}',
    ],
    [
      'root types with names of their own',
      { 'a.graphql': 'schema { query: Q }', 'b.graphql': 'type Q { a: Int }' },
      'schema {\n  query: Q\n}\n\ntype Q {\n  a: Int\n}',
    ],
    ['operations and fragments beside', { 'a.graphql': `${query} query A { a } fragment F on Query { a }` }, 'type Query {\n  a: Int\n}'],
    ['a file with nothing in it', { 'a.graphql': ' ,\n# nothing\n', 'b.graphql': query, 'c.graphql': '' }, 'type Query {\n  a: Int\n}'],
    [
      'a subgraph of Apollo Federation',
      {
        'a.graphql': `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", { name: "@tag", as: "@label" }])
          extend type Query { a: A @inaccessible b: B }
          type A @key(fields: "id") @label(name: "x") { id: ID! b: B @federation__shareable }`,
        'b.graphql': 'extend type B @key(fields: "id") { id: ID! @external }',
      },
      'type Query {\n  a: A\n  b: B\n}\n\ntype A {\n  id: ID!\n  b: B\n}\n\ntype B {\n  id: ID!\n}',
    ],
    [
      'a directive that is called like one of Federation',
      { 'a.graphql': 'directive @key(id: Int) on FIELD_DEFINITION\ntype Query { a: Int @key(id: 1) }' },
      'directive @key(id: Int) on FIELD_DEFINITION\n\ntype Query {\n  a: Int\n}',
    ],
    ['what is built in', { 'a.graphql': `${query} scalar ID directive @skip(if: Boolean!) on FIELD` }, 'type Query {\n  a: Int\n}'],
  ])('%s', (_, texts, printed) => {
    const { schema, diagnostics } = buildSchema(sourcesOf(texts))
    expect(diagnostics).toEqual([])
    expect(printSchema(schema!)).toBe(printed)
  }) // prettier-ignore
})

describe('reports what is wrong, and where', () => {
  it.each<[name: string, texts: Record<string, string>, found: string[]]>([
    ['a syntax error', { 'a.graphql': query, 'b.graphql': 'type A {\n  b Int\n}' }, ['b.graphql:2:5 Syntax Error: Expected ":", found Name "Int".']],
    ['syntax errors in two files', { 'a.graphql': 'typ', 'b.graphql': '"' }, ['a.graphql:1:1 Syntax Error: Unexpected Name "typ".', 'b.graphql:1:2 Syntax Error: Unterminated string.']],
    ['an unknown type', { 'a.graphql': query, 'b.graphql': 'extend type Query {\n  b: Nope\n}' }, ['b.graphql:2:6 Unknown type "Nope".']],
    ['an unknown directive', { 'a.graphql': 'type Query { a: Int @nope b: Int @nope }' }, ['a.graphql:1:21 Unknown directive "@nope". (also at a.graphql:1:34)']],
    ['an extension of nothing', { 'a.graphql': 'extend type Query { a: Int }' }, ['a.graphql:1:13 Cannot extend type "Query" because it is not defined.']],
    ['a type that occurs twice', { 'a.graphql': query, 'b.graphql': '\ntype Query { b: Int }' }, ['a.graphql:1:6 There can be only one type named "Query". (also at b.graphql:2:6)']],
    ['a broken promise', { 'a.graphql': `interface I { a: Int } type Query implements I { b: Int }` }, ['a.graphql:1:15 Interface field I.a expected but Query does not provide it. (also at a.graphql:1:24)']],
    ['no query type', { 'a.graphql': 'type A { a: Int }' }, [' Query root type must be provided.']],
    ['nothing', { 'a.graphql': '' }, [' Query root type must be provided.']],
    ['a type without fields', { 'a.graphql': 'type Query' }, ['a.graphql:1:1 Type Query must define one or more fields.']],
    ['a name that is reserved', { 'a.graphql': 'type Query { __a: Int }' }, ['a.graphql:1:14 Name "__a" must not begin with "__", which is reserved by GraphQL introspection.']],
    ['values nested deeper than the stack', { 'a.graphql': `type Query { a(b: [Int] = ${'['.repeat(50_000)}): Int }` }, [' Maximum call stack size exceeded']],
  ])('%s', (_, texts, found) => {
    const { schema, diagnostics } = buildSchema(sourcesOf(texts))
    expect(
      diagnostics.map(({ code, severity, file, line, column, message }) => {
        expect([code, severity]).toEqual(schema ? ['schema-flawed', 'warning'] : ['schema-invalid', 'error'])
        const place = [file, line, column].filter((part) => part !== undefined).join(':')
        return `${place} ${message.replace(/^The GraphQL schema (?:can't be used|has a flaw, and is used without it): /, '')}`
      }),
    ).toEqual(found)
  }) // prettier-ignore

  it.each<[flaw: string, text: string, printed: string]>([
    ['a field twice', 'type Query { a: Int, b: Int, a: String }', 'type Query {\n  a: Int\n  b: Int\n}'],
    ['a type twice', 'type Query { a: A } type A { b: Int } type A { c: Int }', 'type Query {\n  a: A\n}\n\ntype A {\n  b: Int\n}'],
    ['an unknown type, and what needs it', 'type Query { a: Int, b: [Nope!]! } union U = Query | Nope', 'type Query {\n  a: Int\n}\n\nunion U = Query'],
    ['an argument of an unknown type', 'type Query { a(b: Nope, c: Int): Int }', 'type Query {\n  a(c: Int): Int\n}'],
    ['an extension of nothing', 'type Query { a: Int } extend type B { c: Int }', 'type Query {\n  a: Int\n}'],
    ['an unknown directive', 'type Query { a: Int @nope }', 'type Query {\n  a: Int\n}'],
    ['a value twice', 'type Query { a: E } enum E { A B A }', 'type Query {\n  a: E\n}\n\nenum E {\n  A\n  B\n}'],
    ['a broken promise', 'interface I { a: Int } type Query implements I { b: Int }', 'interface I {\n  a: Int\n}\n\ntype Query implements I {\n  b: Int\n}'],
  ])('and goes on without %s', (_, text, printed) => {
    const { schema } = buildSchema(sourcesOf({ 'a.graphql': text }))
    expect(printSchema(schema!)).toBe(printed)
    expect(validate(schema!, parse('{ __typename }'))).toEqual([])
  }) // prettier-ignore

  it('with the lines around it', () => {
    const [diagnostic] = buildSchema(sourcesOf({ 'a.graphql': 'type Query {\n  a: Nope\n}' })).diagnostics
    expect(diagnostic!.frame).toBe('  1 | type Query {\n> 2 |   a: Nope\n    |      ^\n  3 | }')
  })

  it('as far as anybody reads', () => {
    const fields = Array.from({ length: 500 }, (_, index) => `f${index}: Nope${index}`).join('\n')
    expect(buildSchema(sourcesOf({ 'a.graphql': `type Query {${fields}}` })).diagnostics).toHaveLength(20)
  })
})
