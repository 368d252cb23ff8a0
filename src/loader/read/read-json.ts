import { evaluate, type ValueNode } from '@humanwhocodes/momoa'
import { diagnose } from '../../core/diagnostics/diagnostic.ts'
import type { KeyPath } from '../../core/fixture/route.ts'
import { isTooDeep, reasonOf } from '../../core/values/thrown.ts'
import { quote } from '../../core/values/describe-value.ts'
import type { Source } from '../source.ts'
import { endOfString, findDuplicateKey, hasDuplicateKey } from './duplicate-keys.ts'
import { parseJson, type JsonDialect } from './parse-json.ts'
import { explainJson } from './explain-json.ts'

/** Reads JSON, JSON with comments, or JSON5, and finds the position of every key and value. */
export function readJson(text: string, file: string, mode: JsonDialect): Source {
  // As in YAML, an empty file lists no routes. Editors leave one for a moment while they save.
  if (text.trim() === '') return { value: [], locate: () => ({ line: 1, column: 1 }) }
  return (mode === 'json' ? readStrictJson(text) : undefined) ?? readWithPositions(text, file, mode)
}

/**
 * `JSON.parse` needs a fifth of the time and memory, but has no positions. A scan of the text finds those of the routes;
 * for anything inside a route, the text is parsed again when a diagnostic needs it.
 */
function readStrictJson(text: string): Source | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined // the other parser finds the error and its position
  }
  if (hasDuplicateKey(text, value)) return undefined
  const positions = Array.isArray(value) ? elementPositions(text) : []
  let body: ValueNode | undefined
  return {
    value,
    written: unusualNumber.test(text)
      ? (path) => writtenNumber(text, (body ??= parseJson(text, 'json').body), path)
      : undefined,
    locate(path, target) {
      const element = positions[path[0] as number]
      if (path.length === 1 && element) return element
      try {
        return findPart((body ??= parseJson(text, 'json').body), path, target).position
      } catch {
        return element ?? { line: 1, column: 1 } // too deep for a recursive parser
      }
    },
  }
}

/** A number that `JSON.stringify` would write differently: `1.0`, `1e3`, or one with 16 digits or more. */
const unusualNumber = /\d\.\d*0(?!\d)|\de[+-]?\d|\d{16}|-0/i

function writtenNumber(text: string, body: ValueNode, path: KeyPath): string | undefined {
  const { node } = findPart(body, path, 'value')
  return node?.type === 'Number' ? text.slice(node.loc.start.offset, node.loc.end.offset) : undefined
}

/** Where each element of a list begins, in valid JSON. */
function elementPositions(text: string): { line: number; column: number }[] {
  const positions: { line: number; column: number }[] = []
  let line = 1
  let lineStart = 0
  let depth = 0
  let isNext = false
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    if (character === 10) {
      line++
      lineStart = i + 1
    }
    if (character <= 32) continue
    const opens = character === 91 || character === 123 // [ {
    const closes = character === 93 || character === 125 // ] }
    if (isNext && depth === 1 && !closes) {
      positions.push({ line, column: i - lineStart + 1 })
      isNext = false
    }
    if (opens) {
      depth++
      isNext ||= depth === 1
    } else if (closes) depth--
    else if (character === 44 /* , */) isNext = depth === 1
    else if (character === 34 /* " */) i = endOfString(text, i)
  }
  return positions
}

function readWithPositions(text: string, file: string, mode: JsonDialect): Source {
  try {
    const { body } = parseJson(text, mode)
    const duplicate = findDuplicateKey(body)
    if (duplicate) {
      const { key, line, column } = duplicate
      const reason = `the key ${quote(key)} occurs twice.`
      const fix = 'Remove one of the two.'
      return { diagnostic: diagnose('fixture-syntax', { file, line, column }, { reason, fix }) }
    }
    return {
      value: evaluate(body),
      locate: (path, target) => findPart(body, path, target).position,
      written: (path) => writtenNumber(text, body, path),
    }
  } catch (error) {
    if (isTooDeep(error))
      return { diagnostic: diagnose('fixture-too-complex', { file }, { reason: reasonOf(error) }) }
    const { line, column, ...details } = explainJson(text, file, mode, error)
    return { diagnostic: diagnose('fixture-syntax', { file, line, column }, details) }
  }
}

/** The deepest part of a path that the document has, and where it is. `node` is set if that is the whole path. */
function findPart(
  body: ValueNode,
  path: KeyPath,
  target: 'key' | 'value',
): { position: { line: number; column: number }; node?: ValueNode } {
  let node = body
  let { line, column } = node.loc.start
  for (const [depth, key] of path.entries()) {
    if (node.type === 'Object') {
      const member = node.members.findLast(
        ({ name }) => (name.type === 'String' ? name.value : name.name) === String(key),
      )
      if (!member) return { position: { line, column } }
      const isLast = depth === path.length - 1
      ;({ line, column } = (isLast && target === 'key' ? member.name : member.value).loc.start)
      node = member.value
    } else if (node.type === 'Array') {
      const element = node.elements[Number(key)]
      if (!element) return { position: { line, column } }
      ;({ line, column } = element.value.loc.start)
      node = element.value
    } else return { position: { line, column } }
  }
  return { position: { line, column }, node }
}
