import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import type { FixtureSelector } from '../schema/selector-schema.ts'
import { compareDecimals, toDecimal } from '../values/decimal.ts'
import { isTextSource, type Field } from './selector.ts'

/* Values of selectors that are valid, and hardly what was meant: numbers that lose digits, and patterns written as text. */

/** Operators that compare order, where `1.0` can only mean `1`. */
const orderOperators = /^\$(?:[gl]te?|mod)$/

/**
 * Unquoted numbers in a selector of strings whose value differs from what is written: `01234` is the number 1234, and
 * `9999999999999999` the number 10000000000000000. Often the string is meant.
 *
 * @param written returns a number as written in the fixture file
 */
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

/** A regular expression that is written between slashes, as in JavaScript. */
export interface WrittenRegex {
  pattern: string
  /** Those of its flags that `$options` takes. */
  options: string
}

/** Tells a pattern from a path such as `/a/b/`: an anchor, a class such as `\d`, a range, or `.*`. */
const unmistakable = /^\^|\$$|\\[dDwWsSb./]|\[\^|\[\w-\w|\.[*+]/

/** Reads `/^a/i`, which a fixture file that is no code can only have as text. `undefined` for any other text. */
export function findWrittenRegex(text: string): WrittenRegex | undefined {
  if (!text.startsWith('/')) return undefined
  const [, pattern, flags] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text) ?? []
  if (pattern === undefined || !unmistakable.test(pattern)) return undefined
  return { pattern, options: flags!.replaceAll(/[^ims]/g, '') }
}

/**
 * The same for a pattern that can't match: its slashes are characters of it, and no text begins after one or ends before one.
 * Others, such as `/users/\d+/`, may be meant for a path.
 */
export function findAnchoredRegex(text: string): WrittenRegex | undefined {
  return /^\/\^|(?<!\\)\$\/\w*$/.test(text) ? findWrittenRegex(text) : undefined
}

/** How a selector has a pattern: `{ $regex: '^a', $options: i }`. */
export function writeRegex(pattern: string, options: string): string {
  const quoted = `'${pattern.replaceAll("'", "''")}'`
  return `{ $regex: ${quoted}${options && `, $options: ${options}`} }`
}

/** Warns of a text in a selector that looks like a regular expression. */
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
