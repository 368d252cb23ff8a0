import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import type { FixtureSelector } from '../schema/selector-schema.ts'
import { compareDecimals, toDecimal } from '../values/decimal.ts'
import { isTextSource, type Field } from './selector.ts'

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
