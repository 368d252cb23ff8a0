import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import { describeValue } from '../values/describe-value.ts'
import { isRecord, isPlainObject } from '../values/values.ts'
import { compilePattern } from './pattern.ts'
import { findAnchoredRegex, noticeRegexAsText, writeRegex, type WrittenRegex } from './likely-mistakes.ts'
import { writtenNumber } from '../values/exact-number.ts'
import { compareDecimals, toDecimal } from '../values/decimal.ts'
import { comparisonKey, isScalar, scalarKindOf } from './selector.ts'

/**
 * MongoDB's operators (https://www.mongodb.com/docs/manual/reference/operator/query/) and deep partial equality. A
 * matcher lives as long as its route, so its closure must not hold the context, which holds the file's syntax tree.
 */

interface MatcherContext {
  isText: boolean
  /** In bodies, dots in a key reach inside. */
  readerOf: (key: string) => Reader
  place: (path: readonly string[]) => SourceLocation
  diagnostics: Diagnostic[]
}

type Reader = (value: unknown, isText: boolean) => unknown

type Compile = (
  operand: unknown,
  path: readonly string[],
  context: MatcherContext,
  siblings?: Readonly<Record<string, unknown>>,
) => Matcher

interface Operator {
  /** Valid operands in words, for messages. */
  expected: string
  fits: (operand: unknown) => boolean
  compile: Compile
}

const isList = (operand: unknown): operand is unknown[] => Array.isArray(operand)
const isText = (operand: unknown): operand is string =>
  typeof operand === 'string' && writtenNumber(operand) === undefined
/** Whether the value is a number, or one that JavaScript can't hold. */
const isNumber = (value: unknown): value is number | string =>
  typeof value === 'number' || writtenNumber(value) !== undefined

function takes(expected: string, fits: Operator['fits'], compile: Compile): Operator {
  return { expected, fits, compile }
}

function takesList(compile: Compile): Operator {
  return takes('a list', isList, compile)
}

function takesConditions(compile: Compile): Operator {
  return takes('a list with at least one entry', (operand) => isList(operand) && operand.length > 0, compile)
}

/** Numbers are compared by value, strings by their characters. */
function comparison(holds: (difference: number) => boolean): Operator {
  const fits = (operand: unknown) => isNumber(operand) || isText(operand)
  return takes('a number or a text', fits, (operand) =>
    itselfOrEntry(isNumber(operand) ? testNumber(holds, operand) : testText(holds, operand as string)),
  )
}

function negated(compile: Compile): Compile {
  return (...given) => not(compile(...given))
}

const isPresent: Matcher = (value) => value !== undefined
const always: Matcher = () => true
const never: Matcher = () => false

/** `$where` is not supported, since it runs a string as code. */
const operators: Record<string, Operator> = {
  $eq: takes('a value', () => true, compileValue),
  $ne: takes('a value', () => true, negated(compileValue)),
  $in: takesList(compileValues),
  $nin: takesList(negated(compileValues)),
  $gt: comparison((difference) => difference > 0),
  $gte: comparison((difference) => difference >= 0),
  $lt: comparison((difference) => difference < 0),
  $lte: comparison((difference) => difference <= 0),
  $exists: takes(
    'true or false',
    (operand) => typeof operand === 'boolean',
    (operand) => (operand ? isPresent : not(isPresent)),
  ),
  $regex: takes('a pattern', (operand) => isText(operand) || operand instanceof RegExp, compileRegex),
  $options: takes(
    'some of the flags i, m and s',
    (operand) => isText(operand) && /^[ims]*$/.test(operand),
    checkOptions,
  ),
  $all: takesList(each((matchers) => (matchers.length > 0 ? every(matchers.map(itselfOrEntry)) : never))),
  $size: takes(
    'a whole number',
    Number.isInteger,
    (length) => (value, isText) => listOf(value, isText)?.length === length,
  ),
  $mod: takes('a list of a divisor (not 0) and a remainder', isDivision, (operand) =>
    itselfOrEntry(hasRemainder(...(operand as [number, number]))),
  ),
  $elemMatch: takes('an object', isRecord, (operand, path, context) =>
    someEntry(compileMatcher(operand, path, context)),
  ),
  $only: takes(
    'a list of names',
    (operand) => isList(operand) && operand.every(isText),
    (names) => (value) =>
      value === undefined ||
      (isRecord(value) && Object.keys(value).every((key) => (names as string[]).includes(key))),
  ),
  $not: takes('a value or an object of operators', () => true, negated(compileMatcher)),
  $and: takesConditions(each(every)),
  $or: takesConditions(each(some)),
  $nor: takesConditions(negated(each(some))),
}

export const operatorNames = Object.keys(operators)

export function compileMatcher(literal: unknown, at: readonly string[], context: MatcherContext): Matcher {
  if (Array.isArray(literal)) {
    return equalList(literal.map((entry, index) => compileMatcher(entry, [...at, String(index)], context)))
  }
  if (literal instanceof RegExp) return compileRegex(literal, at, context)
  if (!isRecord(literal)) return compileScalar(literal, at, context)
  const matchers = Object.entries(literal).map(([key, operand]) => {
    const path = [...at, key]
    if (!key.startsWith('$')) return inside(context.readerOf(key), compileMatcher(operand, path, context))
    return compileOperator(key, operand, path, context, literal)
  })
  if (matchers.length === 0) return isRecord
  return matchers.length === 1 ? matchers[0]! : every(matchers)
}

function compileScalar(literal: unknown, at: readonly string[], context: MatcherContext): Matcher {
  if (literal !== null) {
    noticeRegexAsText(literal, at, context)
    return equalTo(literal)
  }
  if (!context.isText) return (value) => value === null
  const details = { received: describeValue(literal) }
  context.diagnostics.push(diagnoseFixture('selector-invalid-text', context.place(at), details))
  return never
}

function inside(read: Reader, fits: Matcher): Matcher {
  return (value, isText) => fits(read(value, isText), isText)
}

function every(matchers: readonly Matcher[]): Matcher {
  return (value, isText) => matchers.every((fits) => fits(value, isText))
}

function some(matchers: readonly Matcher[]): Matcher {
  return (value, isText) => matchers.some((fits) => fits(value, isText))
}

function compileOperator(operator: string, ...given: Required<Parameters<Compile>>): Matcher {
  const [operand, path, { place, diagnostics }] = given
  if (!Object.hasOwn(operators, operator)) {
    diagnostics.push(
      diagnoseFixture('selector-unknown-operator', place(path), { operator, known: operatorNames }),
    )
    return never
  }
  const { expected, fits, compile } = operators[operator]!
  if (fits(operand)) return compile(...given)
  const received =
    Array.isArray(operand) && expected.startsWith('a list') ? 'this one' : describeValue(operand)
  diagnostics.push(diagnoseFixture('selector-invalid-operand', place(path), { operator, expected, received }))
  return never
}

function each(join: (matchers: Matcher[]) => Matcher): Compile {
  return (operand, path, context) =>
    join((operand as unknown[]).map((item, index) => compileMatcher(item, [...path, String(index)], context)))
}

function compileValue(value: unknown, path: readonly string[], context: MatcherContext): Matcher {
  if (value instanceof RegExp) return compileRegex(value, path, context)
  noticeRegexAsText(value, path, context)
  return itselfOrEntry(equalTo(value))
}

function compileValues(operand: unknown, path: readonly string[], context: MatcherContext): Matcher {
  const matchers = (operand as unknown[]).map((value, index) => {
    const at = [...path, String(index)]
    if (isRecord(value) && Object.keys(value).some((key) => key.startsWith('$'))) {
      const details = { operator: path.at(-1)!, expected: 'plain values', received: 'operators' }
      context.diagnostics.push(diagnoseFixture('selector-invalid-operand', context.place(at), details))
    }
    return compileValue(value, at, context)
  })
  return some(matchers)
}

function someEntry(fits: Matcher): Matcher {
  return (value, isText) => listOf(value, isText)?.some((entry) => fits(entry, isText)) ?? false
}

function compileRegex(...[pattern, path, context, siblings]: Parameters<Compile>): Matcher {
  const { place, diagnostics } = context
  const isRegExp = pattern instanceof RegExp
  const source = isRegExp ? pattern.source : String(pattern)
  const options = siblings?.['$options']
  const flags = isRegExp ? pattern.flags : typeof options === 'string' ? options : ''
  const written = isRegExp ? undefined : findAnchoredRegex(source)
  const compiled = written ? withoutSlashes(written) : compilePattern(source, flags)
  if ('reason' in compiled) {
    diagnostics.push(
      diagnoseFixture('selector-invalid-pattern', place(path), { pattern: source, ...compiled }),
    )
    return never
  }
  return itselfOrEntry((value) => isText(value) && compiled.test(value))
}

function withoutSlashes({ pattern, options }: WrittenRegex): { reason: string; fix: string } {
  return {
    reason: 'it is written between slashes, as in JavaScript.',
    fix: `Leave them out${options && ', and write the flags in "$options"'}: ${writeRegex(pattern, options)}.`,
  }
}

function checkOptions(...[, path, { place, diagnostics }, siblings = {}]: Parameters<Compile>): Matcher {
  if (!Object.hasOwn(siblings, '$regex'))
    diagnostics.push(diagnoseFixture('selector-options-alone', place(path)))
  return always
}

function isDivision(operand: unknown): boolean {
  return (
    Array.isArray(operand) &&
    operand.length === 2 &&
    operand.every((entry) => typeof entry === 'number') &&
    operand[0] !== 0
  )
}

/** @param isText whether the value comes from a source of strings, where `'1'` also equals the number 1 */
export type Matcher = (value: unknown, isText: boolean) => boolean

/** Matches a list as a whole or by one of its entries, at one level only, as in MongoDB. */
function itselfOrEntry(fits: Matcher): Matcher {
  return (value, isText) =>
    fits(value, isText) || (Array.isArray(value) && value.some((entry) => fits(entry, isText)))
}

/** A parameter that is sent once is a list of one. */
function listOf(value: unknown, isText: boolean): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[]
  return isText && typeof value === 'string' ? [value] : undefined
}

function not(fits: Matcher): Matcher {
  return (value, isText) => !fits(value, isText)
}

/** A missing value equals `null`, as in MongoDB. */
function equalTo(wanted: unknown): Matcher {
  if (wanted === undefined || wanted === null) return (value) => value === undefined || value === null
  if (Array.isArray(wanted)) return equalList(wanted.map(equalTo))
  if (isPlainObject(wanted))
    return equalObject(Object.entries(wanted).map(([key, entry]) => [key, equalTo(entry)]))
  if (!isScalar(wanted)) return (value) => value === wanted
  const kind = scalarKindOf(wanted)
  const key = comparisonKey(wanted, kind, false)
  const isEqual: Matcher = (value, isText) => key !== undefined && comparisonKey(value, kind, isText) === key
  return (value, isText) =>
    isEqual(value, isText) ||
    (isText && Array.isArray(value) && value.some((entry) => isEqual(entry, isText)))
}

function equalList(entries: readonly Matcher[]): Matcher {
  return (value, isText) => {
    const list = listOf(value, isText)
    return list?.length === entries.length && entries.every((fits, index) => fits(list[index], isText))
  }
}

function equalObject(entries: readonly (readonly [key: string, fits: Matcher])[]): Matcher {
  return (value, isText) =>
    isPlainObject(value) &&
    Object.keys(value).length === entries.length &&
    entries.every(([key, fits]) => Object.hasOwn(value, key) && fits(value[key], isText))
}

function testNumber(holds: (difference: number) => boolean, operand: number | string): Matcher {
  const limit = toDecimal(writtenNumber(operand) ?? operand)
  return (value, isText) => {
    if (!limit) return false // NaN
    if (typeof value === 'number' && typeof operand === 'number')
      return holds(value === operand ? 0 : value > operand ? 1 : -1)
    const number = numberIn(value, isText)
    const decimal = number === undefined ? undefined : toDecimal(number)
    return decimal !== undefined && holds(compareDecimals(decimal, limit))
  }
}

function testText(holds: (difference: number) => boolean, operand: string): Matcher {
  return (value) => isText(value) && holds(value === operand ? 0 : value > operand ? 1 : -1)
}

/** A number in a value. A number that JavaScript can't hold is a text. */
function numberIn(value: unknown, isText: boolean): number | string | undefined {
  if (typeof value === 'number' || (isText && typeof value === 'string')) return value
  return writtenNumber(value)
}

const maxDividedDigits = 1000

function hasRemainder(divisor: number, remainder: number): Matcher {
  return (value, isText) => {
    const number = numberIn(value, isText)
    if (typeof number === 'number') return number % divisor === remainder
    const decimal = number === undefined ? undefined : toDecimal(number)
    if (!decimal || decimal.exponent > maxDividedDigits) return false
    const { sign, digits, exponent } = decimal
    const isExact = exponent <= 15 || digits.length > exponent || !Number.isInteger(divisor)
    if (isExact) return Number(number) % divisor === remainder
    const integer = BigInt(digits.padEnd(exponent, '0')) * BigInt(sign)
    return Number(integer % BigInt(divisor)) === remainder
  }
}
