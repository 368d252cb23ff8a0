import {
  buildSchema,
  executeSync,
  getIntrospectionQuery,
  parse,
  type IntrospectionQuery,
} from 'graphql/index.js'
import { describe, expect, it } from 'vitest'
import { Budget } from '../../../src/core/graphql/budget.ts'
import { checkerOf, run } from './check.ts'
import { isThorough } from '../../sampling.ts'

const sdl = `
  "A schema."
  schema { query: Root, mutation: Change }
  "A directive."
  directive @cached(seconds: Int = 60, kind: Kind) repeatable on FIELD | QUERY
  "The root."
  type Root {
    "A field."
    hero("An argument." id: ID = "one", old: Int @deprecated(reason: "Use id.")): Hero
    found: [Found!]! @deprecated
  }
  type Change { add(input: New!, by: By): Hero }
  interface Named { name: String }
  interface Person implements Named { name: String, age: Int }
  type Hero implements Person & Named { name: String, age: Int, kind: Kind, at: DateTime }
  union Found = Hero | Ship
  type Ship { length: Float }
  enum Kind { ONE, TWO @deprecated(reason: "Use ONE.") }
  scalar DateTime @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time")
  input New { name: String!, tags: [String!] = ["a"], at: DateTime @deprecated(reason: "Now.") }
  input By @oneOf { id: ID, name: String }
`

const options = { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true, oneOf: true } // prettier-ignore

describe('introspection', () => {
  it.each([{}, options, { descriptions: false }, { typeDepth: 3 }])('is what graphql-js answers: %j', (asked) => {
    const { data } = run(checkerOf(sdl), getIntrospectionQuery(asked))
    const expected = executeSync({
      schema: buildSchema(sdl),
      document: parse(getIntrospectionQuery(asked)),
    }).data
    expect(data).toEqual(JSON.parse(JSON.stringify(expected)))
  }) // prettier-ignore

  it('ignores the fixture', () => {
    const { data } = run(checkerOf(sdl), '{ __type(name: "Ship") { name } __typename }', {
      data: { __typename: 'Nope', __type: { name: 'Nope' }, __schema: null },
    })
    expect(data).toEqual({ __type: { name: 'Ship' }, __typename: 'Root' })
  })

  it.runIf(isThorough)('works for very large schemas', () => {
    const fields = Array.from({ length: 6 }, (_, index) => `f${index}(a: Int, b: [String!]!): [T0!]!`).join(
      ' ',
    )
    const types = Array.from({ length: 1700 }, (_, index) => `type T${index} { ${fields} }`).join(' ')
    const budget = new Budget(100_000)
    const { data } = run(checkerOf(`type Query { t: T0 } ${types}`), getIntrospectionQuery(), {}, {}, budget)
    // Once in a budget, however large the schema is.
    expect(budget.left).toBeGreaterThan(3_000)
    expect((data as unknown as IntrospectionQuery).__schema.types.length).toBeGreaterThan(1700)
  })

  it.each([
    ['aliases', (aliases: string) => `{__schema{types{fields{args{${aliases}}}}}}`],
    ['aliases in fragments', (aliases: string) => `{...A} fragment A on Query{__schema{types{...B}}} fragment B on __Type{fields{...C}} fragment C on __Field{args{... on __InputValue{${aliases}}}}`],
    ['a type', (aliases: string) => `query ($name: String! = "Query") {__type(name: $name){fields{type{fields{args{${aliases}}}}}}}`],
  ])('is refused where the answer would be too large: %s', (_, write) => {
    const args = Array.from({ length: 30 }, (_, index) => `a${index}: Int`).join(' ')
    const fields = Array.from({ length: 30 }, (_, index) => `f${index}(${args}): Query`).join(' ')
    const aliases = Array.from({ length: 2400 }, (_, index) => `a${index}:name`).join(' ')
    const budget = new Budget(100_000)
    const result = run(checkerOf(`type Query { ${fields} }`), write(aliases), {}, {}, budget)
    expect(result).toEqual({ errors: [budget.error] })
  }) // prettier-ignore
})
