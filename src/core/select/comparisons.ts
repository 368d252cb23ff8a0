import { compareDecimals, numberKey, toDecimal } from '../values/decimal.ts'
import { isPlainObject } from '../values/values.ts'

/**
 * Whether a value of a request matches.
 *
 * @param isText whether the value comes from a source of strings, where `'1'` also equals the number 1 and so on
 */
export type Matcher = (value: unknown, isText: boolean) => boolean

/** As in MongoDB: a list matches if it matches as a whole or if one of its entries does, at one level only. */
export function itselfOrEntry(fits: Matcher): Matcher {
  return (value, isText) =>
    fits(value, isText) || (Array.isArray(value) && value.some((entry) => fits(entry, isText)))
}

export function not(fits: Matcher): Matcher {
  return (value, isText) => !fits(value, isText)
}

/** Deep equality: objects with the same keys, lists with the same entries. A missing value equals `null`. */
export function equalTo(wanted: unknown): Matcher {
  if (wanted === undefined || wanted === null) return (value) => value === undefined || value === null
  if (typeof wanted === 'number') return equalNumber(wanted)
  if (typeof wanted === 'boolean') {
    const text = String(wanted)
    return (value, isText) => value === wanted || (isText && value === text)
  }
  if (Array.isArray(wanted)) return equalList(wanted.map(equalTo))
  if (!isPlainObject(wanted)) return (value) => value === wanted
  return equalObject(Object.entries(wanted).map(([key, entry]) => [key, equalTo(entry)]))
}

function equalNumber(wanted: number): Matcher {
  const key = numberKey(wanted)
  return (value, isText) =>
    value === wanted || (isText && typeof value === 'string' && key !== undefined && numberKey(value) === key)
}

/** A list of the same length whose entries all match. */
export function equalList(entries: readonly Matcher[]): Matcher {
  return (value, isText) =>
    Array.isArray(value) &&
    value.length === entries.length &&
    entries.every((fits, index) => fits(value[index], isText))
}

function equalObject(entries: readonly (readonly [key: string, fits: Matcher])[]): Matcher {
  return (value, isText) =>
    isPlainObject(value) &&
    Object.keys(value).length === entries.length &&
    entries.every(([key, fits]) => Object.hasOwn(value, key) && fits(value[key], isText))
}

export type OrderOperator = '$gt' | '$gte' | '$lt' | '$lte'

const orders: Record<OrderOperator, (difference: number) => boolean> = {
  $gt: (difference) => difference > 0,
  $gte: (difference) => difference >= 0,
  $lt: (difference) => difference < 0,
  $lte: (difference) => difference <= 0,
}

/** Compares numbers with numbers by value, and strings with strings by their characters. */
export function compareWith(operator: OrderOperator, operand: number | string): Matcher {
  return typeof operand === 'number'
    ? compareNumber(orders[operator], operand)
    : compareText(orders[operator], operand)
}

function compareNumber(holds: (difference: number) => boolean, operand: number): Matcher {
  const limit = toDecimal(operand)
  return (value, isText) => {
    if (!limit) return false // NaN
    if (typeof value === 'number') return holds(value === operand ? 0 : value > operand ? 1 : -1)
    if (!isText || typeof value !== 'string') return false
    const decimal = toDecimal(value)
    return decimal !== undefined && holds(compareDecimals(decimal, limit))
  }
}

function compareText(holds: (difference: number) => boolean, operand: string): Matcher {
  return (value) => typeof value === 'string' && holds(value === operand ? 0 : value > operand ? 1 : -1)
}

/** Numbers with more digits than this are not divided. */
const maxDividedDigits = 1000

/** A number with a given remainder after division. */
export function hasRemainder(divisor: number, remainder: number): Matcher {
  return (value, isText) => {
    if (typeof value === 'number') return value % divisor === remainder
    if (!isText || typeof value !== 'string') return false
    const decimal = toDecimal(value)
    if (!decimal || decimal.exponent > maxDividedDigits) return false
    const { sign, digits, exponent } = decimal
    const isExact = exponent <= 15 || digits.length > exponent || !Number.isInteger(divisor)
    if (isExact) return Number(value) % divisor === remainder
    const integer = BigInt(digits.padEnd(exponent, '0')) * BigInt(sign)
    return Number(integer % BigInt(divisor)) === remainder
  }
}
