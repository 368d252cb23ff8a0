import { getLocation, Kind, parse, print, visit, type ASTNode } from 'graphql/index.js'
import { describe, expect, it } from 'vitest'
import { bareOf, formatError, locationsOf } from '../../../src/core/graphql-schema/bare-document.ts'

const text =
  '\uFEFFquery A($a: [Int!] = [1]) @live {\r\n\ta(b: { c: "\u{1f600}", d: $a }) { ...F\n ... on B { c } } # e\r}\nfragment F on B { d }'
const document = parse(text)

function nodesOf(root: ASTNode): ASTNode[] {
  const nodes: ASTNode[] = []
  visit(root, { enter: (node) => void nodes.push(node) })
  return nodes
}

describe('a bare document', () => {
  const bare = bareOf(document)

  it('is the same document', () => {
    expect(print(bare)).toBe(print(document))
  })

  it('has no places, but knows them', () => {
    const originals = nodesOf(document)
    for (const [index, node] of nodesOf(bare).entries()) {
      expect(node.loc).toBeUndefined()
      const original = originals[index]!
      if (node.kind === Kind.DOCUMENT) continue
      expect(locationsOf([node])).toEqual([getLocation(original.loc!.source, original.loc!.start)])
    }
  })

  it('is made once, and so are its operations', () => {
    expect(bareOf(document)).toBe(bare)
    expect(document.definitions.map(bareOf)).toEqual(bare.definitions)
    expect(document.definitions.every((node, index) => bareOf(node) === bare.definitions[index])).toBe(true)
  })

  it('of a text without places has none', () => {
    const [operation] = parse('{ a }', { noLocation: true }).definitions
    expect(locationsOf([bareOf(operation!)])).toBeUndefined()
    expect(formatError({ message: 'no', nodes: [bareOf(operation!)] })).toEqual({ message: 'no' })
  })
})
