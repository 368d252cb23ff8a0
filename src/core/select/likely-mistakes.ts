import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import type { FixtureSelector } from '../schema/selector-schema.ts'
import { compareDecimals, toDecimal } from '../values/decimal.ts'
import { isTextSource, type Field } from './selector.ts'

/** Values that are valid in a selector but probably wrong: numbers that lose digits, and patterns written as text. */

/** Operators of order, where `1.0` can only mean `1`. */
const orderOperators = /^\$(?:[gl]te?|mod)$/

/** Numbers that are meant as strings, since their value differs from their spelling: `01234` is 1234. */
export function findUnquotedNumbers(
  when: FixtureSelector,
  written: (path: readonly string[]) => string | undefined,
  place: (path: readonly string[]) => SourceLocation,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = []

  function visit(value: unknown, path: readonly string[], isOrdered: boolean): void {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        visit(inner, [...path, key], isOrdered || orderOperators.test(key))
      }
    }
    if (typeof value !== 'number') return
    const text = written(path)
    if (text === undefined || text === String(value) || (isOrdered && isSameNumber(text, value))) return
    diagnostics.push(diagnoseFixture('selector-unquoted-number', place(path), { written: text, value }))
  }

  for (const [source, literal] of Object.entries(when)) {
    if (isTextSource({ source: source as Field['source'] })) visit(literal, [source], false)
  }
  return diagnostics
}

function isSameNumber(text: string, value: number): boolean {
  const [a, b] = [toDecimal(text), toDecimal(value)]
  return a !== undefined && b !== undefined && compareDecimals(a, b) === 0
}

export interface WrittenRegex {
  pattern: string
  options: string
}

/** Tells a pattern from a path such as `/a/b/`: an anchor, a class such as `\d`, a range, or `.*`. */
const unmistakable = /^\^|\$$|\\[dDwWsSb./]|\[\^|\[\w-\w|\.[*+]/

/** Reads `/^a/i` in a file that is not code. `undefined` for any other text. */
export function findWrittenRegex(text: string): WrittenRegex | undefined {
  if (!text.startsWith('/')) return undefined
  const [, pattern, flags] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text) ?? []
  if (pattern === undefined || !unmistakable.test(pattern)) return undefined
  return { pattern, options: flags!.replaceAll(/[^ims]/g, '') }
}

/** Only patterns that can't match with their slashes. Others, such as `/users/\d+/`, may be paths. */
export function findAnchoredRegex(text: string): WrittenRegex | undefined {
  return /^\/\^|(?<!\\)\$\/\w*$/.test(text) ? findWrittenRegex(text) : undefined
}

export function writeRegex(pattern: string, options: string): string {
  const quoted = `'${pattern.replaceAll("'", "''")}'`
  return `{ $regex: ${quoted}${options && `, $options: ${options}`} }`
}

export function noticeRegexAsText(
  value: unknown,
  at: readonly string[],
  { place, diagnostics }: { place: (path: readonly string[]) => SourceLocation; diagnostics: Diagnostic[] },
): void {
  const regex = typeof value === 'string' ? findWrittenRegex(value) : undefined
  if (!regex) return
  const details = { text: value as string, meant: writeRegex(regex.pattern, regex.options) }
  diagnostics.push(diagnoseFixture('selector-regex-text', place(at), details))
}
