import { evaluate, type MemberNode, type ValueNode } from '@humanwhocodes/momoa'
import { diagnoseFile } from '../../core/diagnostics/file-texts.ts'
import type { KeyPath, Source } from '../../core/fixture/route.ts'
import { asJson } from '../../core/values/json-value.ts'
import { isTooDeep, reasonOf } from '../../core/values/thrown.ts'
import { quote } from '../../core/values/describe-value.ts'
import { explainJson, parseJson, withoutComments, type JsonDialect } from './explain-json.ts'

const noRoutes: Source = { value: [], locate: () => ({ line: 1, column: 1 }) }

export function readJson(text: string, file: string, mode: JsonDialect): Source {
  // As in YAML, an empty file lists no routes. Editors leave one for a moment while they save.
  if (text.trim() === '') return noRoutes
  return (mode === 'json' ? readStrictJson(text) : undefined) ?? readWithPositions(text, file, mode)
}

/** `JSON.parse` takes a tenth of the time. A scan finds the routes; other positions need the parser below. */
function readStrictJson(text: string): Source | undefined {
  const json = asJson(text)
  if (!json) return undefined // the other parser finds the error and its position
  const { value } = json
  const isWrapped = !Array.isArray(value)
  const { starts, keys, hasUnusualNumber } = scanRoutes(text, isWrapped)
  if (keys > countKeys(value)) return undefined // a key occurs twice
  let parsed: ValueNode | undefined
  const bodyOf = () => (parsed ??= parseJson(text, 'json').body)
  return {
    value,
    written: hasUnusualNumber ? (path) => writtenNumber(text, bodyOf(), path) : undefined,
    locate(path, target) {
      const keys = isWrapped ? path.slice(1) : path
      const start = isWrapped && path[0] !== 'routes' ? undefined : starts[keys[0] as number]
      if (start && keys.length === 1) return start
      try {
        return findPart(bodyOf(), path, target).position
      } catch {
        return start ?? { line: 1, column: 1 } // too deep for a recursive parser
      }
    },
  }
}

function writtenNumber(text: string, body: ValueNode, path: KeyPath): string | undefined {
  const { node } = findPart(body, path, 'value')
  return node?.type === 'Number' ? writtenAs(text, node) : undefined
}

function writtenAs(text: string, { loc }: ValueNode): string {
  return text.slice(loc.start.offset, loc.end.offset)
}

function readWithPositions(text: string, file: string, mode: JsonDialect): Source {
  try {
    const { body } = parseJson(text, mode)
    const { duplicate, hasUnusualNumber } = checkNodes(text, body)
    if (duplicate) {
      const { key, line, column } = duplicate
      const reason = `the key ${quote(key)} occurs twice.`
      const fix = 'Remove one of the two.'
      return { diagnostic: diagnoseFile('fixture-syntax', { file, line, column }, { reason, fix }) }
    }
    return {
      value: evaluate(body),
      locate: (path, target) => findPart(body, path, target).position,
      written: hasUnusualNumber ? (path) => writtenNumber(text, body, path) : undefined,
    }
  } catch (error) {
    if (isTooDeep(error))
      return { diagnostic: diagnoseFile('fixture-too-complex', { file }, { reason: reasonOf(error) }) }
    if (mode !== 'json' && withoutComments(text).trim() === '') return noRoutes
    const { line, column, ...details } = explainJson(text, file, mode, error)
    return { diagnostic: diagnoseFile('fixture-syntax', { file, line, column }, details) }
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
    const member =
      node.type === 'Object' ? node.members.findLast(({ name }) => nameOf(name) === String(key)) : undefined
    const next = member ?? (node.type === 'Array' ? node.elements[Number(key)] : undefined)
    if (!next) return { position: { line, column } }
    const isKey = member && target === 'key' && depth === path.length - 1
    ;({ line, column } = (isKey ? member.name : next.value).loc.start)
    node = next.value
  }
  return { position: { line, column }, node }
}

function checkNodes(
  text: string,
  body: ValueNode,
): { duplicate?: { key: string; line: number; column: number }; hasUnusualNumber: boolean } {
  const nodes: ValueNode[] = [body]
  let hasUnusualNumber = false
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (node.type === 'Number') hasUnusualNumber ||= writtenAs(text, node) !== String(node.value)
    if (node.type === 'Array') for (const { value } of node.elements.toReversed()) nodes.push(value)
    if (node.type !== 'Object') continue
    const seen = new Set<string>()
    for (const { name } of node.members) {
      const key = nameOf(name)
      const { line, column } = name.loc.start
      if (seen.has(key)) return { duplicate: { key, line, column }, hasUnusualNumber }
      seen.add(key)
    }
    for (const { value } of node.members.toReversed()) nodes.push(value)
  }
  return { hasUnusualNumber }
}

const number = /[-+.\deE]+/y
/** A quote after an even number of backslashes. */
const closingQuote = /(?<!\\)(?:\\\\)*"/g
const isUnusual = /\.\d*0(?!\d)|e|\d{16}|-0/i

interface ScannedRoutes {
  starts: { line: number; column: number }[]
  keys: number
  /** Whether `JSON.stringify` would write a number differently: `1.0`, `1e3`, or one with 16 digits or more. */
  hasUnusualNumber: boolean
}

/** @param text valid JSON: a list of routes, or an object that has the list as `routes` */
function scanRoutes(text: string, isWrapped: boolean): ScannedRoutes {
  const found: ScannedRoutes = { starts: [], keys: 0, hasUnusualNumber: false }
  const listDepth = isWrapped ? 2 : 1
  /** Whether the next value, or the one that is being scanned, is the list. */
  let isList = !isWrapped
  let isRoute = false
  let depth = 0
  let line = 1
  let lineStart = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (character === '\n') {
      line++
      lineStart = i + 1
    }
    if (character <= ' ') continue
    if (character === ']' || character === '}') depth--
    if (depth < listDepth || (depth === listDepth && character === ',')) isRoute = false
    else if (!isRoute && isList) {
      isRoute = true
      found.starts.push({ line, column: i - lineStart + 1 })
    }
    if (character === ':') found.keys++
    else if (character === '[' || character === '{') depth++
    else if (character === '"') {
      const start = i
      closingQuote.lastIndex = i + 1
      closingQuote.test(text)
      i = closingQuote.lastIndex - 1
      if (isWrapped && depth === 1) isList = JSON.parse(text.slice(start, i + 1)) === 'routes'
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      number.lastIndex = i
      const [written] = number.exec(text)!
      i += written.length - 1
      found.hasUnusualNumber ||= isUnusual.test(written)
    }
  }
  return found
}

/** The text has more keys than its value if one occurs twice. */
function countKeys(value: unknown): number {
  let keys = 0
  const values = [value]
  for (let one = values.pop(); values.length > 0 || one !== undefined; one = values.pop()) {
    if (typeof one !== 'object' || one === null) continue
    const inner = Object.values(one)
    if (!Array.isArray(one)) keys += inner.length
    for (const entry of inner) if (typeof entry === 'object' && entry !== null) values.push(entry)
  }
  return keys
}

function nameOf(name: MemberNode['name']): string {
  return name.type === 'String' ? name.value : name.name
}
