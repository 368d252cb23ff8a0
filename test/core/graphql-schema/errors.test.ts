import { GraphQLError, parse, visit, type ASTNode } from 'graphql/index.js'
import { expect, it } from 'vitest'
import { createDocumentReader } from '../../../src/core/graphql/document.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { formatError, messageOf } from '../../../src/core/graphql-schema/errors.ts'

const text =
  '\uFEFFquery A($a: [Int!] = [1]) @live {\r\n\ta(b: { c: "\u{1f600}", d: $a }) { ...F\n ... on B { c } } # e\r}\nfragment F on B { d }'

function nodesOf(root: ASTNode): ASTNode[] {
  const nodes: ASTNode[] = []
  visit(root, { enter: (node) => void nodes.push(node) })
  return nodes.slice(1) // without the document itself
}

it('the location of every node is that of graphql-js', () => {
  const ours = nodesOf(createDocumentReader(defaultGraphQL)(text).ast!)
  const theirs = nodesOf(parse(text))
  expect(ours).toHaveLength(theirs.length)
  for (const [index, node] of ours.entries()) {
    const options = { path: ['a', 0], extensions: { code: 'B' } }
    const expected = new GraphQLError('no', { ...options, nodes: theirs[index]! }).toJSON()
    expect(formatError(new GraphQLError('no', { ...options, nodes: node }))).toEqual(expected)
  }
})

it('nodes of a text that was parsed without locations have none', () => {
  const { definitions } = parse('{ a }', { noLocation: true })
  expect(formatError({ message: 'no', nodes: definitions })).toEqual({ message: 'no' })
})

it('a long message is shortened', () => {
  expect(messageOf({ message: 'x'.repeat(3000) })).toBe(`${'x'.repeat(2000)}…`)
})
