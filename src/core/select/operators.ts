import sift from 'sift'
import { diagnose, type Diagnostic, type SourceLocation } from '../diagnostics/diagnostic.ts'
import { compilePattern } from './pattern.ts'
import { isPlainObject, isRecord, ownValue } from '../values/values.ts'
import { describeValue } from '../values/describe-value.ts'

/*
 * What an object in a selector means: keys are parts of the value (deep partial equality), and keys that begin with `$`
 * are the operators of MongoDB's query language. Logic and look-ups are ours, so that literals mean the same at every
 * depth; how values compare is sift's.
 */

export type Matcher = (value: unknown) => boolean

export interface MatcherContext {
  /** Whether values are text: then literals are compared by their text, and numeric text as numbers. */
  text: boolean
  /** Where a key leads: in bodies, dots reach inside. */
  pathOf: (key: string) => readonly string[]
  place: (path: readonly string[]) => SourceLocation
  /** Everything that is wrong is added here. */
  diagnostics: Diagnostic[]
}

/** Each operator, and what it takes. sift has `$where` too, which runs text as code: it is left out. */
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
  $mod: { expected: 'a list of divisor and remainder', fits: isTwoNumbers },
  $elemMatch: { expected: 'an object', fits: isRecord },
  $not: { expected: 'a value or an object of operators', fits: () => true },
  $and: { expected: 'a list with at least one entry', fits: isFilledList },
  $or: { expected: 'a list with at least one entry', fits: isFilledList },
  $nor: { expected: 'a list with at least one entry', fits: isFilledList },
}

export const operatorNames = Object.keys(operands)

const never: Matcher = () => false

/** Compiles a literal, with or without operators in it. Never throws; what is wrong becomes a diagnostic. */
export function compileMatcher(literal: unknown, at: readonly string[], context: MatcherContext): Matcher {
  if (Array.isArray(literal)) {
    const entries = literal.map((entry, index) => compileMatcher(entry, [...at, String(index)], context))
    return (value) =>
      Array.isArray(value) && value.length === entries.length && entries.every((fits, i) => fits(value[i]))
  }
  if (!isRecord(literal)) {
    const wanted = context.text ? String(literal) : literal
    return (value) => value === wanted
  }
  const matchers: Matcher[] = []
  const comparisons: Record<string, unknown> = {}
  for (const [key, operand] of Object.entries(literal)) {
    const path = [...at, key]
    if (!key.startsWith('$'))
      matchers.push(compileKey(context.pathOf(key), compileMatcher(operand, path, context)))
    else if (!checkOperand(key, operand, path, context)) return never
    else if (key === '$regex') matchers.push(compileRegex(operand, literal.$options, path, context))
    else if (key !== '$options') matchers.push(...(compileLogic(key, operand, path, context) ?? []))
    if (isComparison(key)) comparisons[key] = context.text ? toNumbers(operand) : operand
  }
  if (Object.keys(comparisons).length > 0) matchers.push(compileComparisons(comparisons, at, context))
  if (Object.keys(literal).length === 0) return isRecord
  return (value) => matchers.every((fits) => fits(value))
}

function compileKey(path: readonly string[], fits: Matcher): Matcher {
  return (value) => fits(path.reduce<unknown>(ownValue, value))
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
  const details = { operator, expected, received: describeValue(operand) }
  diagnostics.push(diagnose('selector-invalid-operand', place(path), details))
  return false
}

function compileLogic(
  operator: string,
  operand: unknown,
  path: readonly string[],
  context: MatcherContext,
): Matcher[] | undefined {
  const compile = (literal: unknown, ...more: string[]) =>
    compileMatcher(literal, [...path, ...more], context)
  const compileEach = () => (operand as unknown[]).map((literal, index) => compile(literal, String(index)))
  switch (operator) {
    case '$and':
      return compileEach()
    case '$or': {
      const alternatives = compileEach()
      return [(value) => alternatives.some((fits) => fits(value))]
    }
    case '$nor': {
      const alternatives = compileEach()
      return [(value) => !alternatives.some((fits) => fits(value))]
    }
    case '$not': {
      const fits = compile(operand)
      return [(value) => !fits(value)]
    }
    case '$elemMatch': {
      const fits = compile(operand)
      return [(value) => Array.isArray(value) && value.some(fits)]
    }
    case '$all': {
      // Ours, since sift runs what it finds in the entries: patterns of JavaScript's engine, and `$where`'s code.
      const wanted = compileEach()
      const has = (value: unknown, fits: Matcher) => fits(value) || (Array.isArray(value) && value.some(fits))
      return [(value) => wanted.length > 0 && wanted.every((fits) => has(value, fits))]
    }
    case '$size':
      return [(value) => Array.isArray(value) && value.length === operand]
    case '$mod': {
      const [divisor, remainder] = operand as [number, number]
      const leaves = (value: unknown) => typeof value === 'number' && value % divisor === remainder
      const fits: Matcher = (value) => (Array.isArray(value) ? value.some(leaves) : leaves(value))
      return [context.text ? (value) => fits(toNumbers(value)) : fits]
    }
    default:
      return undefined
  }
}

function compileRegex(
  pattern: unknown,
  options: unknown,
  path: readonly string[],
  { place, diagnostics }: MatcherContext,
): Matcher {
  const isRegExp = pattern instanceof RegExp
  const source = isRegExp ? pattern.source : String(pattern)
  const compiled = compilePattern(
    source,
    isRegExp ? pattern.flags : typeof options === 'string' ? options : '',
  )
  if ('reason' in compiled) {
    diagnostics.push(diagnose('selector-invalid-pattern', place(path), { pattern: source, ...compiled }))
    return never
  }
  const fits = (value: unknown) => typeof value === 'string' && compiled.test(value)
  return (value) => (Array.isArray(value) ? value.some(fits) : fits(value))
}

function isComparison(operator: string): boolean {
  return /^\$(?:eq|ne|n?in|[gl]te?|exists)$/.test(operator)
}

function compileComparisons(
  comparisons: Record<string, unknown>,
  path: readonly string[],
  { text, place, diagnostics }: MatcherContext,
): Matcher {
  try {
    // As a field of a document, so that lists and missing values compare as MongoDB compares them.
    const holds = sift({ value: comparisons }, { compare: areEqual })
    return (value) => holds(value === undefined ? {} : { value: cutLists(text ? toNumbers(value) : value) })
  } catch (error) {
    const operator = Object.keys(comparisons).join(', ')
    const details = { operator, expected: 'a plain value', received: (error as Error).message }
    diagnostics.push(diagnose('selector-invalid-operand', place(path), details))
    return never
  }
}

/** Lists in lists in lists: deeper than this nobody looks, and the engine's stack ends somewhere. */
const maxListDepth = 100

/** sift follows lists in lists by recursion, however deep a request nests them. What is cut off equals nothing. */
function cutLists(value: unknown, depth = 0): unknown {
  if (!Array.isArray(value) || !value.some(Array.isArray)) return value
  return depth === maxListDepth ? NaN : value.map((entry) => cutLists(entry, depth + 1))
}

/** Whole equality. Names such as `__proto__` are plain names, which sift's own equality does not know. */
function areEqual(a: unknown, b: unknown): boolean {
  if (a === b || (isMissing(a) && isMissing(b))) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((entry, index) => areEqual(entry, b[index]))
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && areEqual(a[key], b[key]))
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

/** Numeric text as a number, as far as a number can tell it from every other; other scalars as text. */
function toNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toNumbers)
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return value
  if (value === 'true' || value === 'false') return value === 'true'
  return /^[+-]?(?:\d{1,15}(?:\.\d*)?|\.\d+)$/.test(value) ? Number(value) : value
}

function isOrdered(operand: unknown): boolean {
  return typeof operand === 'number' || typeof operand === 'string'
}

function isTwoNumbers(operand: unknown): boolean {
  return Array.isArray(operand) && operand.length === 2 && operand.every((entry) => typeof entry === 'number')
}

function isFilledList(operand: unknown): boolean {
  return Array.isArray(operand) && operand.length > 0
}
