import { parse, print } from 'graphql'
import { expect, it } from 'vitest'
import { formatDocument, graphqlLines, yamlLines } from '../../../../src/inspector/page/logic/highlight.ts'

it('YAML has its keys and comments set apart, and keeps its text', () => {
  const yaml = [
    '# a route',
    '- path: /a',
    '  when: { query: { q: "a # b" } }',
    "  $in: ['#']",
    '  n: 1 # was 2',
    '  "x y": "1" # was 1',
    '- plain: http://x#y',
  ].join('\n')
  const lines = yamlLines(`${yaml}\n`)
  expect(lines.map((pieces) => pieces.map(({ text }) => text).join('')).join('\n')).toBe(yaml)
  const keys = lines.flat().filter(({ kind }) => kind === 'key')
  expect(keys.map(({ text }) => text)).toEqual(['path', 'when', '$in', 'n', '"x y"', 'plain'])
  const comments = lines.flat().filter(({ kind }) => kind === 'comment')
  expect(comments.map(({ text }) => text)).toEqual(['# a route', ' # was 2', ' # was 1'])
})

it('a GraphQL document has its parts set apart, and keeps its text', () => {
  const document = `# the cart
query Cart($id: ID! = "a\\"b", $n: Int = -2) @live {
  mine: cart(id: $id, first: 20) { ... on Cart { id } }
}`
  const lines = graphqlLines(document)
  expect(lines.map((pieces) => pieces.map(({ text }) => text).join('')).join('\n')).toBe(document)
  const ofKind = (wanted: string) => lines.flat().flatMap(({ text, kind }) => (kind === wanted ? text : []))
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
  const formatted = formatDocument(document)
  expect(print(parse(formatted))).toBe(print(parse(document)))
  expect(formatted.split('\n').length).toBe(print(parse(document)).split('\n').length)
  expect(formatDocument(formatted)).toBe(formatted)
})

it('a document with lines stays, since errors name their places', () => {
  expect(formatDocument('{\n a b }')).toBe('{\n a b }')
})
