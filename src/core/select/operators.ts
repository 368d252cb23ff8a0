import { diagnose, type Diagnostic, type SourceLocation } from '../diagnostics/diagnostic.ts'
import { describeValue } from '../values/describe-value.ts'
import { isRecord, ownValue } from '../values/values.ts'
import { compareWith, equalList, equalTo, itselfOrEntry, leaves, not } from './comparisons.ts'
import type { Matcher, OrderOperator } from './comparisons.ts'
import type { CompilePattern } from './pattern.ts'

/*
 * The objects in a selector: keys are parts of the value (deep partial equality), and keys that begin with `$` are
 * operators of MongoDB's query language (https://www.mongodb.com/docs/manual/reference/operator/query/).
 *
 * The functions that create matchers only get what they need: a matcher lives as long as its route, and a closure over the
 * context would keep the whole syntax tree of the file alive.
 */

export type { Matcher } from './comparisons.ts'

export interface MatcherContext {
  /** Whether the values of the source are strings. */
  isText: boolean
  /** The path of a key: in bodies, dots reach inside. */
  pathOf: (key: string) => readonly string[]
  place: (path: readonly string[]) => SourceLocation
  /** Errors are added here. */
  diagnostics: Diagnostic[]
  /** Needed if `usesPatterns` says so. */
  compilePattern: CompilePattern | undefined
}

/** Each operator, and what it expects. `$where`, which runs a string as code, is not supported. */
const operands: Record<string, { expected: string; fits: (operand: unknown) => boolean }> = {
  $eq: { expected: 'a value', fits: () => true },
  $ne: { expected: 'a value', fits: () => true },
  $in: { expected: 'a list', fits: Array.isArray },
  $nin: { expected: 'a list', fits: Array.isArray },
  $gt: { expected: 'a number or a text', fits: isOrdered },
  $gte: { expected: 'a number or a text', fits: isOrdered },
  $lt: { expected: 'a number or a text', fits: isOrdered },
  $lte: { expected: 'a number or a text', fits: isOrdered },
  $exists: { expected: 'true or false', fits: (operand) => typeof operand === 'boolean' },
  $regex: {
    expected: 'a pattern',
    fits: (operand) => typeof operand === 'string' || operand instanceof RegExp,
  },
  $options: {
    expected: 'some of the flags i, m and s',
    fits: (operand) => typeof operand === 'string' && /^[ims]*$/.test(operand),
  },
  $all: { expected: 'a list', fits: Array.isArray },
  $size: { expected: 'a whole number', fits: Number.isInteger },
  $mod: { expected: 'a list of a divisor (not 0) and a remainder', fits: isDivision },
  $elemMatch: { expected: 'an object', fits: isRecord },
  $not: { expected: 'a value or an object of operators', fits: () => true },
  $and: { expected: 'a list with at least one entry', fits: isFilledList },
  $or: { expected: 'a list with at least one entry', fits: isFilledList },
  $nor: { expected: 'a list with at least one entry', fits: isFilledList },
}

export const operatorNames = Object.keys(operands)

const never: Matcher = () => false

/** Compiles a literal, with or without operators in it. Never throws; errors become diagnostics. */
export function compileMatcher(literal: unknown, at: readonly string[], context: MatcherContext): Matcher {
  if (Array.isArray(literal)) {
    return equalList(literal.map((entry, index) => compileMatcher(entry, [...at, String(index)], context)))
  }
  if (literal instanceof RegExp) return compileRegex(literal, undefined, at, context)
  if (!isRecord(literal)) return compileScalar(literal, at, context)
  const matchers: Matcher[] = []
  for (const [key, operand] of Object.entries(literal)) {
    const path = [...at, key]
    if (!key.startsWith('$')) {
      matchers.push(valueAt(context.pathOf(key), compileMatcher(operand, path, context)))
    } else if (!checkOperand(key, operand, path, context)) return never
    else if (key === '$regex') matchers.push(compileRegex(operand, literal.$options, path, context))
    else if (key !== '$options') matchers.push(compileOperator(key, operand, path, context))
    else if (!Object.hasOwn(literal, '$regex')) {
      context.diagnostics.push(diagnose('selector-options-alone', context.place(path)))
    }
  }
  if (Object.keys(literal).length === 0) return isRecord
  return matchers.length === 1 ? matchers[0]! : every(matchers)
}

function compileScalar(literal: unknown, at: readonly string[], context: MatcherContext): Matcher {
  if (literal !== null) return equalTo(literal)
  if (!context.isText) return (value) => value === null
  const details = { received: describeValue(literal) }
  context.diagnostics.push(diagnose('selector-invalid-text', context.place(at), details))
  return never
}

function valueAt(path: readonly string[], fits: Matcher): Matcher {
  return (value, isText) => fits(path.reduce<unknown>(ownValue, value), isText)
}

function every(matchers: readonly Matcher[]): Matcher {
  return (value, isText) => matchers.every((fits) => fits(value, isText))
}

function some(matchers: readonly Matcher[]): Matcher {
  return (value, isText) => matchers.some((fits) => fits(value, isText))
}

function checkOperand(
  operator: string,
  operand: unknown,
  path: readonly string[],
  { place, diagnostics }: MatcherContext,
): boolean {
  if (!Object.hasOwn(operands, operator)) {
    diagnostics.push(diagnose('selector-unknown-operator', place(path), { operator, known: operatorNames }))
    return false
  }
  const { expected, fits } = operands[operator]!
  if (fits(operand)) return true
  const received =
    Array.isArray(operand) && expected.startsWith('a list') ? 'this one' : describeValue(operand)
  diagnostics.push(diagnose('selector-invalid-operand', place(path), { operator, expected, received }))
  return false
}

function compileOperator(
  operator: string,
  operand: unknown,
  path: readonly string[],
  context: MatcherContext,
): Matcher {
  const list = operand as unknown[]
  const each = () => list.map((literal, index) => compileMatcher(literal, [...path, String(index)], context))
  switch (operator) {
    case '$eq':
      return compileValue(operand, path, context)
    case '$ne':
      return not(compileValue(operand, path, context))
    case '$in':
      return compileValues(list, operator, path, context)
    case '$nin':
      return not(compileValues(list, operator, path, context))
    case '$exists':
      return operand ? isPresent : not(isPresent)
    case '$and':
      return every(each())
    case '$or':
      return some(each())
    case '$nor':
      return not(some(each()))
    case '$not':
      return not(compileMatcher(operand, path, context))
    case '$elemMatch':
      return someEntry(compileMatcher(operand, path, context))
    case '$all':
      return list.length > 0 ? every(each().map(itselfOrEntry)) : never
    case '$size':
      return hasLength(operand as number)
    case '$mod':
      return itselfOrEntry(leaves(...(operand as [number, number])))
    default:
      return itselfOrEntry(compareWith(operator as OrderOperator, operand as number | string))
  }
}

function compileValue(value: unknown, path: readonly string[], context: MatcherContext): Matcher {
  return value instanceof RegExp
    ? compileRegex(value, undefined, path, context)
    : itselfOrEntry(equalTo(value))
}

function compileValues(
  values: readonly unknown[],
  operator: string,
  path: readonly string[],
  context: MatcherContext,
): Matcher {
  const matchers = values.map((value, index) => {
    const at = [...path, String(index)]
    if (isRecord(value) && Object.keys(value).some((key) => key.startsWith('$'))) {
      const details = { operator, expected: 'plain values', received: 'operators' }
      context.diagnostics.push(diagnose('selector-invalid-operand', context.place(at), details))
    }
    return compileValue(value, at, context)
  })
  return some(matchers)
}

const isPresent: Matcher = (value) => value !== undefined

function someEntry(fits: Matcher): Matcher {
  return (value, isText) => Array.isArray(value) && value.some((entry) => fits(entry, isText))
}

function hasLength(length: number): Matcher {
  return (value) => Array.isArray(value) && value.length === length
}

function compileRegex(
  pattern: unknown,
  options: unknown,
  path: readonly string[],
  { place, diagnostics, compilePattern }: MatcherContext,
): Matcher {
  if (!compilePattern) throw new Error('A selector has a pattern, and RE2 was not loaded.')
  const isRegExp = pattern instanceof RegExp
  const source = isRegExp ? pattern.source : String(pattern)
  const flags = isRegExp ? pattern.flags : typeof options === 'string' ? options : ''
  const compiled = compilePattern(source, flags)
  if ('reason' in compiled) {
    diagnostics.push(diagnose('selector-invalid-pattern', place(path), { pattern: source, ...compiled }))
    return never
  }
  return itselfOrEntry((value) => typeof value === 'string' && compiled.test(value))
}

function isOrdered(operand: unknown): boolean {
  return typeof operand === 'number' || typeof operand === 'string'
}

function isDivision(operand: unknown): boolean {
  return (
    Array.isArray(operand) &&
    operand.length === 2 &&
    operand.every((entry) => typeof entry === 'number') &&
    operand[0] !== 0
  )
}

function isFilledList(operand: unknown): boolean {
  return Array.isArray(operand) && operand.length > 0
}
