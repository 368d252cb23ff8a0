import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Pair,
  type YAMLMap,
} from 'yaml'
import { diagnose } from '../core/diagnostics.ts'
import type { KeyPath } from '../core/parse-fixture.ts'
import type { Source } from './read-data.ts'

/** Reads YAML 1.2, with the position of every key and value. */
export function readYaml(text: string, file: string): Source {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
  })
  try {
    const [error] = document.errors
    if (error) {
      const { line, col } = lines.linePos(error.pos[0])
      return {
        diagnostic: diagnose('fixture-syntax', { file, line, column: col }, { reason: error.message }),
      }
    }
    return {
      value: document.toJS({ maxAliasCount }) as unknown,
      locate(path, target) {
        const { line, col } = lines.linePos(findOffset(document, path, target))
        return { line, column: col }
      },
    }
  } catch (error) {
    // Aliases without an anchor, merges of what is no object, aliases that expand without end.
    const reason = (error as Error).message
    const { line, col } = lines.linePos(findUnresolved(document))
    return {
      diagnostic: diagnose('fixture-syntax', { file, line, column: col }, { reason }),
    }
  }
}

/** More aliases than this are taken for an attack; one anchor may well serve every route of a large file. */
const maxAliasCount = 1_000_000

/** The offset of the alias or merge that can't be resolved. */
function findUnresolved(document: Document): number {
  let offset: number | undefined
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return undefined
      offset = startOf(alias)
      return visit.BREAK
    },
    Pair(_, { key, value }) {
      if (!isMergeKey(key) || isAlias(value) || isCollection(value)) return undefined
      offset = startOf(key)
      return visit.BREAK
    },
  })
  return offset ?? 0
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && (key.value === '<<' || typeof key.value === 'symbol')
}

/** The entry of a map under a key: its own, else one that is merged into it. */
function findPair(map: YAMLMap, key: string, document: Document): Pair | undefined {
  const own = map.items.find((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key) === key)
  if (own) return own
  for (const { key: name, value } of map.items) {
    if (!isMergeKey(name)) continue
    for (const source of isSeq(value) ? value.items : [value]) {
      const merged = isAlias(source) ? source.resolve(document) : source
      const found = isMap(merged) && findPair(merged, key, document)
      if (found) return found
    }
  }
  return undefined
}

/** The offset of the deepest part of a path that the document has. */
function findOffset(document: Document, path: KeyPath, target: 'key' | 'value'): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const [depth, key] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document)
    if (!isCollection(node)) break
    const item = isMap(node) ? findPair(node, String(key), document) : node.items[Number(key)]
    if (item === undefined) break
    const isLast = depth === path.length - 1
    const value = isPair(item) ? item.value : item
    offset = startOf(isPair(item) && isLast && target === 'key' ? item.key : value) ?? offset
    node = value
  }
  return offset
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] | null } | null)?.range?.[0]
}
