import { evaluate, parse, type ValueNode } from '@humanwhocodes/momoa'
import { diagnose } from '../core/diagnostics.ts'
import type { KeyPath } from '../core/parse-fixture.ts'
import type { Source } from './read-data.ts'

/** Reads JSON, JSON with comments, or JSON5, with the position of every key and value. */
export function readJson(text: string, file: string, mode: 'json' | 'jsonc' | 'json5'): Source {
  // An empty file lists no routes, as in YAML: that is what an editor leaves for a moment while it saves.
  if (text.trim() === '') return { value: [], locate: () => ({ line: 1, column: 1 }) }
  try {
    const { body } = parse(text, { mode, allowTrailingCommas: mode === 'jsonc' })
    return { value: evaluate(body), locate: (path, target) => findPosition(body, path, target) }
  } catch (error) {
    const { message, line = 1, column = 1 } = error as Error & { line?: number; column?: number }
    const reason = message.replace(/ \(\d+:\d+\)$/, '')
    return { diagnostic: diagnose('fixture-syntax', { file, line, column }, { reason }) }
  }
}

/** The position of the deepest part of a path that the document has. */
function findPosition(body: ValueNode, path: KeyPath, target: 'key' | 'value') {
  let node = body
  let { line, column } = node.loc.start
  for (const [depth, key] of path.entries()) {
    if (node.type === 'Object') {
      const member = node.members.findLast(
        ({ name }) => (name.type === 'String' ? name.value : name.name) === String(key),
      )
      if (!member) break
      const isLast = depth === path.length - 1
      ;({ line, column } = (isLast && target === 'key' ? member.name : member.value).loc.start)
      node = member.value
    } else if (node.type === 'Array') {
      const element = node.elements[Number(key)]
      if (!element) break
      ;({ line, column } = element.value.loc.start)
      node = element.value
    } else break
  }
  return { line, column }
}
