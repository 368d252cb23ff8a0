import { describe, expect, it } from 'vitest'
import { createDocumentReader, operationOf } from '../../../src/core/graphql/document.ts'
import { documentText } from '../../../src/core/graphql/document-text.ts'
import { readDocument } from '../../../src/core/graphql/params.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'

const read = createDocumentReader(defaultGraphQL)

function textOf(query: string): string | undefined {
  const document = read(query)
  return documentText(document, operationOf(document)!)
}

describe('documents that ask for the same', () => {
  it.each([
    ['white space, comments and commas', '{ hero { name, id } }', '\uFEFF{hero{\r\n name # the name\n id}}'],
    ['the short form', '{ a }', 'query { a }'],
    ['the name of the operation', 'query A { a }', 'query B { a }'],
    ['types of variables', 'query ($id: ID!) { a(id: $id) }', 'query Q($id: Int) { a(id: $id) }'],
    ['the order of variables', 'query ($a: Int = 1, $b: [Int] = [1, 2]) { a }', 'query ($b: [Int] = [1 2] $a: Int! = 1) { a }'],
    ['the order of fields', '{ a b { c d } }', '{ b { d c } a }'],
    ['the order of arguments', '{ a(b: 1, c: 2) }', '{ a(c: 2 b: 1) }'],
    ['the order of keys in objects', '{ a(b: { c: 1, d: [1 2] }) }', '{ a(b: { d: [1, 2], c: 1 }) }'],
    ['block strings', '{ a(b: "x\\ny") }', '{ a(b: """\n  x\n  y\n""") }'],
    ['fragments', '{ a { ... on A { b c } } }', '{ a { ...F } } fragment F on A { b c }'],
    ['fragments in fragments', '{ a { ... on A { b ... on B { c } } } }', '{ a { ...F } } fragment G on B { c } fragment F on A { ...G b }'],
    ['fragments in parts', '{ a { ... on A { b } ... on A { c } } }', '{ a { ... on A { c b } } }'],
    ['inline fragments without a type', '{ a { ... { b } } }', '{ a { b } }'],
    ['fields in parts', '{ a { b } a { c } a { b } }', '{ a { b c } }'],
    ['an alias that is the name', '{ a: a }', '{ a }'],
    ['__typename, which clients add', '{ a { b __typename } __typename }', '{ a { b } }'],
  ])('%s', (_, one, other) => {
    expect(textOf(one)).toBe(textOf(other))
  }) // prettier-ignore
})

it('without types, the fields of fragments are among those around them', () => {
  const textOf = (query: string) => documentText(read(query), operationOf(read(query))!, false)
  const query =
    '{ u { ...N id ... @skip(if: $b) { x } } } fragment N on U { name id ...A } fragment A on V { age }'
  expect(textOf(query)).toBe(textOf('{ u { ... @skip(if: $b) { x } id name age } }'))
})

describe('documents that ask for something else', () => {
  it.each([
    ['a field', '{ a }', '{ b }'],
    ['a field more', '{ a }', '{ a b }'],
    ['the kind of the operation', '{ a }', 'mutation { a }'],
    ['an alias', '{ a }', '{ x: a }'],
    ['aliases exchanged', '{ x: a y: b }', '{ x: b y: a }'],
    ['an argument', '{ a(b: 1) }', '{ a(b: 2) }'],
    ['an argument less', '{ a(b: 1) }', '{ a }'],
    ['the default of a variable', 'query ($id: ID = 1) { a(id: $id) }', 'query ($id: ID = 2) { a(id: $id) }'],
    ['a variable without a default', 'query ($id: ID = 1) { a(id: $id) }', 'query ($id: ID) { a(id: $id) }'],
    ['a default and a directive', 'query ($a: Int = 1) @b { c }', 'query ($a: Int) @b { c }'],
    ['a text and a number', '{ a(b: "1") }', '{ a(b: 1) }'],
    ['a text and an enum value', '{ a(b: "X") }', '{ a(b: X) }'],
    ['the order of a list', '{ a(b: [1, 2]) }', '{ a(b: [2, 1]) }'],
    ['the name of a variable', '{ a(b: $c) }', '{ a(b: $d) }'],
    ['a variable and a text', '{ a(b: $c) }', '{ a(b: "$c") }'],
    ['the type of a fragment', '{ a { ... on A { b } } }', '{ a { ... on B { b } } }'],
    ['a fragment and plain fields', '{ a { ... on A { b } } }', '{ a { b } }'],
    ['a directive', '{ a @include(if: $b) }', '{ a }'],
    ['the condition of a fragment', '{ ... @skip(if: $b) { a } }', '{ ... @skip(if: $c) { a } }'],
    ['an aliased __typename', '{ a { b t: __typename } }', '{ a { b } }'],
    ['where a field stands', '{ a { b } c }', '{ a { b c } }'],
  ])('%s', (_, one, other) => {
    expect(textOf(one)).not.toBe(textOf(other))
  }) // prettier-ignore
})

describe('ends', () => {
  const places = Array.from({ length: 1000 }, (_, n) => `a${n}: b { ...F }`)
  const doubled = (one: string, other: string) =>
    `{ ...F0 } ${Array.from({ length: 40 }, (_, n) => `fragment F${n} on Q { ${one} { ...F${n + 1} } ${other} { ...F${n + 1} } }`).join(' ')} fragment F40 on Q { c }`
  it.each([
    ['names are repeated', `{ ${places.join(' ')} } fragment F on Q { ${'long'.repeat(100)} }`, undefined],
    ['fragments double', doubled('a', 'b'), undefined],
    ['fragments double under one key', doubled('a', 'a'), expect.stringMatching(/^query\{\.\.\.Q\{a\{/)],
  ])('where %s without end', (_, query, text) => {
    expect(textOf(query)).toEqual(text)
  })
})

it.each([
  ['query Q { a }', { text: 'query{a}', hasTypes: false, name: 'Q' }],
  ['{ a }', { text: 'query{a}', hasTypes: false, name: undefined }],
  [
    '{ a { ... on A { b } ...F } } fragment F on B { c }',
    { text: 'query{a{...A{b} ...B{c}}}', hasTypes: true, name: undefined },
  ],
  ['{ a', { reason: 'Syntax Error: Expected Name, found <EOF> (line 1, column 4 of the query)' }],
  ['{ ...F }', { reason: 'Unknown fragment "F" (line 1, column 6 of the query)' }],
  ['query A { a } query B { b }', { reason: 'it must have one operation' }],
  ['fragment F on A { a }', { reason: 'it must have one operation' }],
])('the selector %s: %j', (query, expected) => {
  expect(readDocument(query)).toEqual(expected)
})
