import { endOfString } from './duplicate-keys.ts'

/** A route in the text of a JSON file. */
export interface JsonRoute {
  /** Offset of its first character. */
  start: number
  /** Offset behind its last character. */
  end: number
  line: number
  column: number
  /** Whether it has a number that `JSON.stringify` would write differently: `1.0`, `1e3`, or one with 16 digits or more. */
  hasUnusualNumber: boolean
}

const codesOf = (characters: string) => Array.from(characters, (character) => character.charCodeAt(0))
const [quote, comma, minus, zero, nine] = codesOf('",-09') as [number, number, number, number, number]
const opening = codesOf('[{')
const closing = codesOf(']}')

const number = /[-+.\deE]+/y
const isUnusual = /\.\d*0(?!\d)|e|\d{16}|-0/i

/**
 * Where the routes of a file are, by one scan of its text.
 *
 * @param text valid JSON without duplicate keys: a list of routes, or an object that has the list as `routes`
 */
export function findJsonRoutes(text: string, isWrapped: boolean): JsonRoute[] {
  const routes: JsonRoute[] = []
  const listDepth = isWrapped ? 2 : 1
  /** Whether the next value, or the one that is being scanned, is the list. */
  let isList = !isWrapped
  let depth = 0
  let line = 1
  let lineStart = 0
  let route: JsonRoute | undefined
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    if (character === 10) {
      line++
      lineStart = i + 1
    }
    if (character <= 32) continue
    if (closing.includes(character)) depth--
    if (depth < listDepth || (depth === listDepth && character === comma)) route = undefined
    else if (!route && isList) {
      route = { start: i, end: i, line, column: i - lineStart + 1, hasUnusualNumber: false }
      routes.push(route)
    }
    if (opening.includes(character)) depth++
    else if (character === quote) {
      const start = i
      i = endOfString(text, start)
      if (isWrapped && depth === 1) isList = JSON.parse(text.slice(start, i + 1)) === 'routes'
    } else if (character === minus || (character >= zero && character <= nine)) {
      number.lastIndex = i
      const [written] = number.exec(text)!
      i += written.length - 1
      if (route) route.hasUnusualNumber ||= isUnusual.test(written)
    }
    if (route) route.end = i + 1
  }
  return routes
}
