import type { FixtureFile } from '../core/fixture/route.ts'
import type { KeyPath } from '../core/values/values.ts'
import {
  findExported,
  parseCode,
  positionAt,
  propertyOf,
  unwrap,
  type ParsedCode,
  type Node,
} from './code.ts'

/** Finds keys in the list that a file of code exports. */
export function readCode(text: string, path: string): FixtureFile['locate'] | undefined {
  const code = parseCode(text, path)
  return code && ((keys) => locateInCode(text, code, keys))
}

/** Lists that code makes have no positions. */
function locateInCode(text: string, code: ParsedCode, keys: KeyPath): { line?: number; column?: number } {
  let node = findExported(code)?.node
  let at: Node | undefined
  for (const key of keys) {
    const next = node && child(node, key)
    if (!next) break
    at = next.at
    node = unwrap(next.value)
  }
  return at ? positionAt(text, at.start) : {}
}

function child(node: Node, key: string | number): { at: Node; value: Node } | undefined {
  if (node.type === 'ArrayExpression') {
    const list = (node['elements'] as (Node | null)[]).slice(0, Number(key) + 1)
    const item = list.some((one) => one?.type === 'SpreadElement') ? undefined : list[Number(key)]
    return item ? { at: item, value: item } : undefined
  }
  const property = node.type === 'ObjectExpression' ? propertyOf(node, String(key)) : undefined
  return property && { at: property, value: property['value'] as Node }
}
