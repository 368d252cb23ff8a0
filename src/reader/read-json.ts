import { evaluate, type MemberNode, type ValueNode } from '@humanwhocodes/momoa'
import { diagnoseFile } from '../core/diagnostics/file-texts.ts'
import type { FixtureSource } from '../core/fixture/route.ts'
import { asJson } from '../core/values/json-value.ts'
import { isTooDeep, reasonOf } from '../core/values/thrown.ts'
import { quote } from '../core/values/describe-value.ts'
import { explainJson, parseJsonDialect, withoutComments, type JsonDialect } from './explain-json.ts'
import type { KeyPath } from '../core/values/values.ts'

const noRoutes: FixtureSource = { value: [], locate: () => ({ line: 1, column: 1 }) }

export function readJson(text: string, file: string, mode: JsonDialect): FixtureSource {
  // As in YAML, an empty file lists no routes. Editors leave one for a moment while they save.
  if (text.trim() === '') return noRoutes
  return (mode === 'json' ? readStrictJson(text) : undefined) ?? readWithPositions(text, file, mode)
}

/**
 * `JSON.parse` takes a fifth of the time and memory. A scan finds the routes; positions inside one are parsed when needed: with one
 * number such as `12.50` in 84 kB, that takes 10 ms of a save, and 90 ms for the whole file.
 */
function readStrictJson(text: string): FixtureSource | undefined {
  const json = asJson(text)
  if (!json) return undefined // the other parser finds the error and its position
  const { value } = json
  const isWrapped = !Array.isArray(value)
  const { routes, keys } = scanRoutes(text, isWrapped)
  if (keys > countKeys(value)) return undefined // a key occurs twice
  let whole: ValueNode | undefined
  let last: { route: JsonRoute; body: ValueNode } | undefined

  function enter(path: KeyPath): { route: JsonRoute; inside: KeyPath } | undefined {
    const depth = isWrapped ? 1 : 0
    const route = isWrapped && path[0] !== 'routes' ? undefined : routes[path[depth] as number]
    return route && { route, inside: path.slice(depth + 1) }
  }

  function parseRoute(route: JsonRoute): ValueNode {
    if (last?.route !== route)
      last = { route, body: parseJsonDialect(text.slice(route.start, route.end), 'json').body }
    return last.body
  }

  return {
    value,
    written: routes.some(({ hasUnusualNumber }) => hasUnusualNumber)
      ? (path) => {
          const { route, inside } = enter(path)!
          if (!route.hasUnusualNumber) return undefined
          return writtenNumber(text.slice(route.start, route.end), parseRoute(route), inside)
        }
      : undefined,
    locate(path, target) {
      const { route, inside } = enter(path) ?? {}
      try {
        if (!route) return findPart((whole ??= parseJsonDialect(text, 'json').body), path, target).position
        const { line, column } = route
        if (inside!.length === 0) return { line, column }
        const { position } = findPart(parseRoute(route), inside!, target)
        return {
          line: line + position.line - 1,
          column: position.line === 1 ? column + position.column - 1 : position.column,
        }
      } catch {
        return { line: route?.line ?? 1, column: route?.column ?? 1 } // too deep for a recursive parser
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

function readWithPositions(text: string, file: string, mode: JsonDialect): FixtureSource {
  try {
    const { body } = parseJsonDialect(text, mode)
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
function findPart(body: ValueNode, path: KeyPath, target: 'key' | 'value') {
  let node = body
  let { line, column } = node.loc.start
  for (const [depth, key] of path.entries()) {
    const member =
      node.type === 'Object'
        ? node.members.findLast(({ name }) => memberName(name) === String(key))
        : undefined
    const next = member ?? (node.type === 'Array' ? node.elements[Number(key)] : undefined)
    if (!next) return { position: { line, column } }
    const isKey = member && target === 'key' && depth === path.length - 1
    ;({ line, column } = (isKey ? member.name : next.value).loc.start)
    node = next.value
  }
  return { position: { line, column }, node }
}

function checkNodes(text: string, body: ValueNode) {
  const nodes: ValueNode[] = [body]
  let hasUnusualNumber = false
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (node.type === 'Number') hasUnusualNumber ||= writtenAs(text, node) !== String(node.value)
    if (node.type === 'Array') for (const { value } of node.elements.toReversed()) nodes.push(value)
    if (node.type !== 'Object') continue
    const seen = new Set<string>()
    for (const { name } of node.members) {
      const key = memberName(name)
      const { line, column } = name.loc.start
      if (seen.has(key)) return { duplicate: { key, line, column }, hasUnusualNumber }
      seen.add(key)
    }
    for (const { value } of node.members.toReversed()) nodes.push(value)
  }
  return { hasUnusualNumber }
}

interface JsonRoute {
  start: number
  end: number
  line: number
  column: number
  /** Whether `JSON.stringify` would write one of its numbers differently: `1.0`, `1e3`, or one with 16 digits or more. */
  hasUnusualNumber: boolean
}

const number = /[-+.\deE]+/y
/** A quote after an even number of backslashes. */
const closingQuote = /(?<!\\)(?:\\\\)*"/g
const isUnusual = /\.\d*0(?!\d)|e|\d{16}|-0/i

/** @param text valid JSON: a list of routes, or an object that has the list as `routes` */
function scanRoutes(text: string, isWrapped: boolean): { routes: JsonRoute[]; keys: number } {
  const routes: JsonRoute[] = []
  let keys = 0
  const listDepth = isWrapped ? 2 : 1
  /** Whether the next value, or the one that is being scanned, is the list. */
  let isList = !isWrapped
  let depth = 0
  let line = 1
  let lineStart = 0
  let route: JsonRoute | undefined
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (character === '\n') {
      line++
      lineStart = i + 1
    }
    if (character <= ' ') continue
    if (character === ']' || character === '}') depth--
    if (depth < listDepth || (depth === listDepth && character === ',')) route = undefined
    else if (!route && isList) {
      route = { start: i, end: i, line, column: i - lineStart + 1, hasUnusualNumber: false }
      routes.push(route)
    }
    if (character === ':') keys++
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
      if (route) route.hasUnusualNumber ||= isUnusual.test(written)
    }
    if (route) route.end = i + 1
  }
  return { routes, keys }
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

function memberName(name: MemberNode['name']): string {
  return name.type === 'String' ? name.value : name.name
}
