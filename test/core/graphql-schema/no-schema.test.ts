import {
  buildClientSchema,
  getIntrospectionQuery,
  parse,
  printSchema,
  type IntrospectionQuery,
} from 'graphql/index.js'
import { describe, expect, it } from 'vitest'
import { checkerOf, operationOf, run } from './check.ts'

const checker = checkerOf()

describe('without a schema, a document is', () => {
  it.each([
    ['{ anything(id: 1) { ...F } } fragment F on Hero { x: name, x: id }'],
    ['query A($a: Whatever = { b: C }, $b: [Int!]) { a(b: $a, c: [$b]) @mine(now: true) @mine }'],
    ['{ a @include(if: true) @skip(if: false) { ... on Droid { b } ... @defer { c } } }'],
    ['query A { a } query B { a } mutation C { b } subscription D { c d }'],
    ['{ a(unknown: { b: 1, c: [D] }) }'],
    ['{ __schema { types { name fields { name } } } __type(name: "A") { kind } __typename }'],
  ])('right: %s', (query) => {
    expect(checker.validate(parse(query))).toEqual([])
  })

  it.each([
    ['query A { a } query A { a }', 'There can be only one operation named "A".'],
    ['{ a } query B { a }', 'This anonymous operation must be the only defined operation.'],
    ['{ ...F }', 'Unknown fragment "F".'],
    ['{ a } fragment F on A { b }', 'Fragment "F" is never used.'],
    ['{ ...F } fragment F on A { ...F }', 'Cannot spread fragment "F" within itself.'],
    ['{ ...F } fragment F on A { b } fragment F on B { c }', 'There can be only one fragment named "F".'],
    ['query ($a: A, $a: A) { b(c: $a) }', 'There can be only one variable named "$a".'],
    ['{ a(b: $c) }', 'Variable "$c" is not defined.'],
    ['query ($a: A) { b }', 'Variable "$a" is never used.'],
    ['query ($a: Int = "b") { c(d: $a) }', 'Int cannot represent non-integer value: "b"'],
    ['{ a(b: 1, b: 2) }', 'There can be only one argument named "b".'],
    ['{ a(b: { c: 1, c: 2 }) }', 'There can be only one input field named "c".'],
    ['{ a @skip }', 'Directive "@skip" argument "if" of type "Boolean!" is required, but it was not provided.'],
    ['{ a @skip(if: 1) }', 'Boolean cannot represent a non boolean value: 1'],
    ['{ a @skip(unless: true, if: true) }', 'Unknown argument "unless" on directive "@skip".'],
    ['{ a @skip(if: true) @skip(if: true) }', 'The directive "@skip" can only be used once at this location.'],
    ['query @skip(if: true) { a }', 'Directive "@skip" may not be used on QUERY.'],
    ['query ($a: String) { b @skip(if: $a) }', 'Variable "$a" of type "String" used in position expecting type "Boolean!".'],
    ['type A { b: Int } { a }', 'The "A" definition is not executable.'],
    ['{ __typename { a } }', 'Field "__typename" must not have a selection since type "String!" has no subfields.'],
    ['{ __schema }', 'Field "__schema" of type "__Schema!" must have a selection of subfields. Did you mean "__schema { ... }"?'],
    ['{ __type { name } }', 'Field "__type" argument "name" of type "String!" is required, but it was not provided.'],
    ['{ __schema { nope } }', 'Cannot query field "nope" on type "__Schema".'],
    ['{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }', 'Maximum introspection depth exceeded'],
  ])('wrong: %s', (query, message) => {
    expect(checker.validate(parse(query)).map((error) => error.message)).toEqual([message])
  }) // prettier-ignore
})

describe('without a schema, variables of', () => {
  const check = (type: string, value: unknown) => {
    const operation = operationOf(parse(`query ($a: ${type}) { b(c: $a) }`))
    const errors = checker.checkVariables(operation, value === undefined ? undefined : { a: value })
    return errors.map(({ message, locations }) => [message, locations])
  }
  it.each<[type: string, value: unknown]>([
    ['Int', 1],
    ['Int', null],
    ['Int = 3', undefined],
    ['[Int!]!', [1]],
    ['[Int!]!', 1],
    ['ID!', 1],
    ['Filter!', { any: ['thing'] }],
    ['[Filter!]!', 'x'],
    ['Query', 'x'],
  ])('type %s can be %j', (type, value) => {
    const errors = check(type, value)
    expect(errors).toEqual(
      type === 'Query' ? [['Variable "$a" expected value of type "Query" which cannot be used as an input type.', [{ line: 1, column: 12 }]]] : [],
    )
  }) // prettier-ignore

  it.each<[type: string, value: unknown, message: string]>([
    ['Int', 'x', 'Variable "$a" got invalid value "x"; Int cannot represent non-integer value: "x"'],
    ['Int!', null, 'Variable "$a" of non-null type "Int!" must not be null.'],
    ['Int!', undefined, 'Variable "$a" of required type "Int!" was not provided.'],
    ['[Int!]', [1, null], 'Variable "$a" got invalid value null at "a[1]"; Expected non-nullable type "Int!" not to be null.'],
    ['Filter!', null, 'Variable "$a" of non-null type "Filter!" must not be null.'],
    ['Filter!', undefined, 'Variable "$a" of required type "Filter!" was not provided.'],
    ['[Filter!]', [{}, null], 'Variable "$a" got invalid value null at "a[1]"; Expected non-nullable type "Filter!" not to be null.'],
  ])('type %s can\'t be %j', (type, value, message) => {
    expect(check(type, value)).toEqual([[message, [{ line: 1, column: 8 }]]])
  }) // prettier-ignore
})

describe('without a schema, meta fields are answered', () => {
  it.each<[query: string, data: unknown]>([
    ['{ __typename }', { __typename: 'Query' }],
    ['query A { a: __typename, ...F } fragment F on Query { b: __typename }', { a: 'Query', b: 'Query' }],
    ['mutation { __typename ... on Mutation { a: __typename } }', { __typename: 'Mutation', a: 'Mutation' }],
    ['{ __type(name: "Hero") { name } }', { __type: null }],
    ['{ __type(name: "Int") { name kind } }', { __type: { name: 'Int', kind: 'SCALAR' } }],
    ['query ($a: Boolean!) { __typename @skip(if: $a) }', {}],
  ])('%s', (query, data) => {
    expect(run(checker, query, {}, { a: true })).toEqual({ data })
  })

  it('with a schema that is marked as none', () => {
    const { data } = run(checker, getIntrospectionQuery())
    expect(printSchema(buildClientSchema(data as unknown as IntrospectionQuery))).toBe(
      [
        ...['Query', 'Mutation'].map(
          (name) =>
            `type ${name} {\n  """The types are not known: the option \`graphql.schema\` gives them."""\n  _: Boolean\n}`,
        ),
      ].join('\n\n'),
    )
  })
})
