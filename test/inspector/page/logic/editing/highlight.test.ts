import { parse, print } from 'graphql'
import { expect, it } from 'vitest'
import { formatDocument } from '../../../../../src/inspector/page/logic/editing/format-document.ts'
import { graphqlPieces } from '../../../../../src/inspector/page/logic/editing/highlight.ts'

it('a GraphQL document has its parts set apart, and keeps its text', () => {
  const document = `# the cart
query Cart($id: ID! = "a\\"b", $n: Int = -2) @live {
  mine: cart(id: $id, first: 20) { ... on Cart { id } }
}`
  const pieces = graphqlPieces(document)
  expect(pieces.map(({ text }) => text).join('')).toBe(document)
  const ofKind = (wanted: string) => pieces.flatMap(({ text, kind }) => (kind === wanted ? text : []))
  expect(ofKind('comment')).toEqual(['# the cart'])
  expect(ofKind('string')).toEqual([String.raw`"a\"b"`])
  expect(ofKind('number')).toEqual(['-2', '20'])
  expect(ofKind('word')).toEqual(['query', '$id', '$n', '@live', '$id', 'on'])
  expect(ofKind('key')).toEqual(['mine', 'id', 'first'])
})

const documents = [
  '{hero{name heroFriends{id name}}}',
  'query Cart($id:ID!,$first:Int=20){mine:cart(id:$id,filter:{first:$first,tags:["a b","c"]}){id ...Items @include(if:$x) ... on Cart{total}}}',
  'fragment Items on Cart @a{items(first:2){sku,quantity}} {x}',
]

it.each(documents)('%s gets a line for each field', (document) => {
  expect(formatDocument(document)).toBe(print(parse(document)))
})

it.each([
  ['a document with lines, since errors name their places', '{\n a b }'],
  ['one with an error', 'query { a('],
])('stays: %s', (_, document) => {
  expect(formatDocument(document)).toBe(document)
})
