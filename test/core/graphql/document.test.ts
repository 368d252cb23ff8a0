import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDocumentReader, operationOf } from '../../../src/core/graphql/document.ts'
import { isMetaOnly } from '../../../src/core/graphql/selections.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { sampling } from '../../sampling.ts'

const read = createDocumentReader(defaultGraphQL)
const fragments = (count: number, body: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => `fragment F${n} on Q { ${body(n)} }`).join(' ')

describe('documents that no server could run', () => {
  const depth = 'The document nests deeper than 100 levels (option "graphql.maxDepth").'
  const tokens = 'The document has more than 10000 tokens (option "graphql.maxTokens").'
  const doubled = (count: number) =>
    fragments(count, (n) => (n < count - 1 ? `a { ...F${n + 1} } b { ...F${n + 1} }` : 'c'))
  it.each<[name: string, query: string, message: string | undefined, line?: number, column?: number]>([
    ['fields, 100 deep', '{ a '.repeat(100) + '}'.repeat(100), undefined],
    ['fields, 101 deep', '{ a '.repeat(101) + '}'.repeat(101), depth, 1, 401],
    ['fields, 10 000 deep', '{ a '.repeat(10_000) + '}'.repeat(10_000), depth, 1, 401],
    ['inline fragments, 10 000 deep', '{ ...'.repeat(10_000) + '}'.repeat(10_000), depth, 1, 501],
    ['lists, 10 000 deep', `{ a(b: ${'['.repeat(10_000)}) }`, depth, 1, 106],
    ['a chain of 99 fragments', `{ ...F0 } ${fragments(99, (n) => (n < 98 ? `...F${n + 1}` : 'a'))}`, undefined],
    ['a chain of 200 fragments', `{ ...F0 } ${fragments(200, (n) => (n < 199 ? `...F${n + 1}` : 'a'))}`, depth, 1, 2883],
    ['a chain of fragments, the last first', `${fragments(200, (n) => (n > 0 ? `...F${n - 1}` : 'a'))} { ...F199 }`, depth, 1, 2897],
    ['10 000 tokens', `{ ${'a '.repeat(9998)}}`, undefined],
    ['1 MiB of aliases', `{ ${'a: b '.repeat(209_715)}}`, tokens, 1, 16_668],
    ['a fragment of its own', '{ ...A } fragment A on Q { ...A a }', 'Cannot spread fragment "A" within itself.', 1, 28],
    ['a cycle of three', '{ ...A }\nfragment A on Q { ...B }\nfragment B on Q { ...C }\nfragment C on Q { a { ...A } }', 'Cannot spread fragment "A" within itself via "B", "C".', 4, 23],
    ['a cycle that no operation spreads', '{ a } fragment A on Q { a { ...A } }', 'Cannot spread fragment "A" within itself.', 1, 29],
    ['an unknown fragment', '{ a\n  ...X }', 'Unknown fragment "X".', 2, 6],
    ['an unknown fragment in a fragment', '{ ...A } fragment A on Q { ...constructor }', 'Unknown fragment "constructor".', 1, 31],
    ['@skip without a condition', '{ a @skip }', 'Directive "@skip" argument "if" of type "Boolean!" is required, but it was not provided.', 1, 5],
    ['@include with another argument', '{ ... @include(unless: true) { a } }', 'Directive "@include" argument "if" of type "Boolean!" is required, but it was not provided.', 1, 7],
    ['@skip with a text', '{ a @skip(if: "yes") }', 'Directive "@skip" argument "if" must be a Boolean or a variable.', 1, 15],
    ['@skip with null', '{ a @skip(if: null) }', 'Directive "@skip" argument "if" must be a Boolean or a variable.', 1, 15],
    ['directives of others', '{ a @client(if: 7) @skip(if: $b) ... @include(if: false) { a } }', undefined],
    ['a fragment in many places', `{ ${'...F0 '.repeat(1000)} } ${fragments(1, () => 'a { b }')}`, undefined],
    ['fragments that double, 30 times', `{ ...F0 } ${doubled(30)}`, undefined],
  ])('%s', (_, query, message, line, column) => {
    const { error, syntaxError } = read(query)
    expect(error).toEqual(message && { message, locations: [{ line, column }] })
    if (message === undefined) expect(syntaxError).toBeUndefined()
  }) // prettier-ignore

  it.each([
    ['{ a b }', { maxTokens: 4, maxDepth: 1 }, undefined],
    ['{ a b c }', { maxTokens: 4, maxDepth: 1 }, 'The document has more than 4 tokens (option "graphql.maxTokens").'],
    ['{ a { b } }', { maxTokens: 9, maxDepth: 1 }, 'The document nests deeper than 1 levels (option "graphql.maxDepth").'],
  ])('%s within %j', (query, limits, message) => {
    expect(createDocumentReader(limits)(query).error?.message).toBe(message)
  }) // prettier-ignore
})

it.each<[name: string, query: string, least: number, most: number]>([
  ['fields of other objects', `{ ${Array.from({ length: 900 }, (_, n) => `a${n} { __typename id }`).join(' ')} }`, 0, 0],
  ['three fields of one object', '{ a { b } a { b } a { b } }', 2, 2],
  ['objects again and again', `{ ${'u { n u { n } } '.repeat(600)} }`, 100_000, 100_000],
  ['the same in two fragments', `{ ...F0 ...F1 } ${fragments(2, () => 'u { n u { n } } '.repeat(300))}`, 100_000, 101_000],
])('validation costs what is compared: %s', (_, query, least, most) => {
  const { tokens, validationCost } = read(query)
  const units = validationCost - 3 * tokens
  expect([units >= least, units <= most], String(units)).toEqual([true, true])
}) // prettier-ignore

it.each([
  ['{', 'Syntax Error: Expected Name, found <EOF>.', 1, 2],
  ['{ a\r\n  "b" }', 'Syntax Error: Expected Name, found String "b".', 2, 3],
  ['\uFEFF{ a\r\n\r$ }', 'Syntax Error: Expected Name, found "$".', 3, 1],
  ['{ 8f }', 'Syntax Error: Invalid number, expected digit but got: "f".', 1, 4],
  ['hello', 'Syntax Error: Unexpected Name "hello".', 1, 1],
])('%j is no document: %s', (query, message, line, column) => {
  const { ast, syntaxError, operations, error } = read(query)
  expect([ast, syntaxError, operations, error]).toEqual([
    undefined,
    { message, locations: [{ line, column }] },
    [],
    undefined,
  ])
})

it('never throws, whatever the text', () => {
  const word = fc.constantFrom('{', '}', '(', ')', '[', ']', '...', 'a', 'on', 'fragment', 'query', '@skip', '"', '"""', '$', ':', '!', '\u0000', '\uD800', '#', '1', '\n') // prettier-ignore
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.array(word, { maxLength: 60 }).map((words) => words.join(' '))) // prettier-ignore
  fc.assert(
    fc.property(text, (query) => {
      const { ast, syntaxError, error } = read(query)
      expect([ast, syntaxError, error].some((part) => part !== undefined)).toBe(true)
    }),
    sampling(50),
  )
})

describe('keeps documents within a number of bytes', () => {
  const sized = () => createDocumentReader(defaultGraphQL, 100_000)
  const fields = (count: number, first: string) => `{ ${first} ${'a '.repeat(count - 1)}}`

  it('parses each text once', () => {
    const own = sized()
    expect(own('{ a }')).toBe(own('{ a }'))
  })

  it('drops the least recently used first', () => {
    const own = sized()
    const [first, second] = [own('{ first }'), own('{ second }')]
    for (let n = 0; n < 24; n++) {
      own(fields(n % 2 ? 1 : 5, `a${n}`))
      own('{ first }')
    }
    expect(own('{ first }')).toBe(first)
    expect(own('{ second }')).not.toBe(second)
  })

  it.each([
    ['many tokens', fields(60, 'a')],
    ['a long text', `{ ${' '.repeat(10_000)} a }`],
    ['a syntax error', '{ a'],
    ['too many tokens', fields(10_000, 'a')],
  ])('and not those with %s', (_, query) => {
    const own = createDocumentReader(defaultGraphQL, 200_000)
    expect(own(query)).not.toBe(own(query))
  })
})

it.each([
  ['{ __typename }', true],
  ['{ t: __typename ...F } fragment F on Query { __schema { types { name } } ... { __type(name: "A") { name } } }', true],
  ['mutation { __typename }', true],
  ['{ __typename a }', false],
  ['{ ...F } fragment F on Query { __typename ... on Query { a } }', false],
  ['{ a { __typename } }', false],
])('%s asks for meta fields alone: %s', (query, expected) => {
  const document = read(query)
  expect(isMetaOnly(document, operationOf(document)!)).toBe(expected)
}) // prettier-ignore
