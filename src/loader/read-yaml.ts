import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  type Document,
} from 'yaml'
import { diagnose } from '../core/diagnostics.ts'
import type { KeyPath } from '../core/parse-fixture.ts'
import type { Source } from './read-data.ts'

/** Reads YAML 1.2, with the position of every key and value. */
export function readYaml(text: string, file: string): Source {
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false })
    const [error] = document.errors
    if (error) {
      const { line, col } = lines.linePos(error.pos[0])
      return {
        diagnostic: diagnose('fixture-syntax', { file, line, column: col }, { reason: error.message }),
      }
    }
    return {
      value: document.toJS() as unknown,
      locate(path, target) {
        const { line, col } = lines.linePos(findOffset(document, path, target))
        return { line, column: col }
      },
    }
  } catch (error) {
    // Among them: aliases that expand without end.
    const reason = (error as Error).message
    return { diagnostic: diagnose('fixture-syntax', { file, line: 1, column: 1 }, { reason }) }
  }
}

/** The offset of the deepest part of a path that the document has. */
function findOffset(document: Document, path: KeyPath, target: 'key' | 'value'): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const [depth, key] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document)
    if (!isCollection(node)) break
    const item = isMap(node)
      ? node.items.find((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key) === String(key))
      : node.items[Number(key)]
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
