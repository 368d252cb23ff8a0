import { buildSchema, getVariableValues, parse, specifiedRules, validate } from 'graphql/index.js'
import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'
import { checkerOf, operationOf } from './check.ts'

const sdl = `
  type Query { hero(id: ID, filter: Filter): Hero, list(ids: [Int!]!): [Hero] }
  type Hero { id: ID!, name: String, friend: Hero }
  input Filter { name: String!, tags: [String!], inner: Filter, mood: Mood }
  enum Mood { GLAD SAD }
  scalar Any
`
const schema = buildSchema(sdl)
const checker = checkerOf(sdl)

it('tells whether it has a schema', () => {
  expect([checker.hasSchema, checkerOf().hasSchema]).toEqual([true, false])
})

it('is undefined where the schema is invalid', () => {
  const { checker: none, diagnostics } = createChecker([{ file: 'a.graphql', text: 'type' }], { scalars: {} })
  expect(none).toBeUndefined()
  expect(diagnostics.map(({ code, line, column }) => [code, line, column])).toEqual([
    ['schema-invalid', 1, 5],
  ])
})

describe('validates like graphql-js', () => {
  it.each([
    '{ hero { name } }',
    '{ nope }',
    '{ hero { nam friend { nope } } }',
    '# comment \u{1f600}\r\n{\r\n  hero { ...F }\n}\r\nfragment F on Hero { nope(a: "\u{1f600}"), id { x } }',
    'query A { hero { name: id name } } query A { hero { id } }',
    'query ($a: Int, $a: Nope) { hero(id: $b) { name @skip } }',
    '{ hero(id: { a: 1 }, nope: 1) { name { x } } list }',
    '{ ...F } fragment F on Query { ...G } fragment G on Query { ...F }',
    'mutation { add } type A { b: Int }',
    'subscription { a }',
    `{ ${'a '.repeat(150)} }`,
  ])('%s', (query) => {
    const document = parse(query)
    const expected = validate(schema, document, specifiedRules, { maxErrors: 20 }).map((error) =>
      error.toJSON(),
    )
    expect(checker.validate(document)).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  it('validates each valid document once', () => {
    const document = parse('{ hero { id } }')
    expect(checker.validate(document)).toEqual([])
    Object.assign(document, { definitions: parse('{ nope }').definitions })
    expect(checker.validate(document)).toEqual([])
  })

  it('shortens long messages', () => {
    const name = 'x'.repeat(100_000)
    const [error] = checker.validate(parse(`{ ${name} }`))
    expect([error!.message.length, error!.message.slice(0, 22), error!.message.at(-1)]).toEqual([
      2001,
      'Cannot query field "xx',
      '…',
    ])
  })
})

/** Texts that take graphql-js, or a naive server, for ever. Each has at most 10 000 tokens. */
describe('validates in bounded time', () => {
  const many = (count: number, write: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => write(index)).join(' ')
  it.each([
    ['one field again and again', `{${'hero{id} '.repeat(2400)}}`],
    ['one alias with different arguments', `{${many(1200, (i) => `hero(id:${i}){id}`)}}`],
    ['fragments beside each other', `{${many(1000, (i) => `...F${i}`)}} ${many(1000, (i) => `fragment F${i} on Query{__typename}`)}`],
    ['fragments within each other', `{...F0} ${many(95, (i) => `fragment F${i} on Query{${'__typename '.repeat(80)}...F${i + 1}}`)} fragment F95 on Query{__typename}`],
    ['operations that share fragments', `${many(300, (i) => `query Q${i}($v:ID){...F0}`)} ${many(50, (i) => `fragment F${i} on Query{${'hero(id:$v){id} '.repeat(9)}...F${i + 1}}`)} fragment F50 on Query{__typename}`],
    ['many lines before the errors', `${'\n'.repeat(100_000)}{${many(5000, (i) => `n${i}`)}}`],
  ])('%s', (_, query) => {
    const errors = checker.validate(parse(query))
    expect(errors.at(-1)!.message).toMatch(
      /Validation aborted\.$|^Validation aborted: too many fields share a response key\./,
    )
    expect(JSON.stringify(errors).length).toBeLessThan(300_000)
  }) // prettier-ignore
})

describe('checks variables like graphql-js', () => {
  const query =
    'query ($id: ID, $filter: Filter, $ids: [Int!]!, $mood: Mood = GLAD, $any: Any) { hero { id } }'
  const document = parse(query)
  const operation = operationOf(document)

  it.each<[variables: Record<string, unknown> | undefined]>([
    [undefined],
    [{}],
    [{ ids: null }],
    [{ ids: 1 }],
    [{ ids: [1, null, 'x', 1.5] }],
    [{ ids: [], id: {}, mood: 'glad', any: { a: [1] } }],
    [{ ids: [], filter: { name: null, tags: 'one', inner: { inner: [] }, nope: 1, nam: 2 } }],
    [{ ids: [], filter: { name: 'a', tags: ['b'], inner: { name: 'c', mood: 'SAD' } } }],
    [JSON.parse('{ "ids": [], "__proto__": 1, "constructor": 2 }') as Record<string, unknown>],
  ])('%j', (variables) => {
    const { errors = [] } = getVariableValues(schema, operation.variableDefinitions!, variables ?? {})
    const expected = JSON.parse(JSON.stringify(errors.map((error) => error.toJSON()))) as unknown
    expect(checker.checkVariables(operation, variables)).toEqual(expected)
  })

  it('refuses values that nest deeper than the stack', () => {
    const filter = JSON.parse(
      `${'{"name":"a","inner":'.repeat(100_000)}null${'}'.repeat(100_000)}`,
    ) as unknown
    const errors = checker.checkVariables(operation, { ids: [], filter })
    expect(errors).toEqual([{ message: 'Selections or values nest too deep.' }])
  })

  it('reports a limited number of errors', () => {
    const errors = checker.checkVariables(operation, { ids: Array.from({ length: 1000 }, () => 'x') })
    expect(errors).toHaveLength(51)
    expect(errors.at(-1)!.message).toMatch(/error limit reached/)
  })

  it('reports fewer errors for large values, since each error prints its object', () => {
    const filter = Object.fromEntries(Array.from({ length: 70_000 }, (_, n) => [`k${n}`, n]))
    const errors = checker.checkVariables(operation, { ids: [], filter })
    expect(errors.map(({ message }) => message.length)).toEqual([2001, 77])
  })
})

describe('the option scalars', () => {
  const sources = [
    { file: 'a.graphql', text: 'scalar DateTime enum Mood { GLAD } type Query { at: DateTime mood: Mood }' },
  ]
  it.each<[name: string, fix: string | undefined]>([
    ['DateTime', undefined],
    ['Float', undefined],
    ['Datetime', 'Did you mean "DateTime"?'],
    ['Mood', 'Scalars of the schema: String, Int, Float, Boolean, ID, DateTime.'],
    ['__proto__', 'Scalars of the schema: '],
  ])('accepts the name of a scalar: %s', (name, fix) => {
    const scalars = Object.fromEntries([[name, 1]])
    const { checker, diagnostics } = createChecker(sources, { scalars })
    expect(checker?.hasSchema).toBe(true) // queries are answered all the same
    const wrong = {
      code: 'scalar-unknown',
      severity: 'error',
      fix: expect.stringContaining(fix ?? '') as string,
    }
    expect(diagnostics).toEqual(fix === undefined ? [] : [expect.objectContaining(wrong)])
  })
})
