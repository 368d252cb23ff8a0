/** Numbers as decimal digits, since ids in a URL often exceed the 15 to 17 digits of a JavaScript number. */

/** `sign × 0.digits × 10^exponent`. The digits neither begin nor end with a zero; zero has none. */
export interface Decimal {
  sign: -1 | 0 | 1
  digits: string
  exponent: number
}

const decimalText = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d{1,6}))?$/i
const zero: Decimal = { sign: 0, digits: '', exponent: 0 }

/** Reads `12`, `-1.50` or `1e3`; `undefined` for any other string and for `NaN`. */
export function toDecimal(value: number | bigint | string): Decimal | undefined {
  if (value === Infinity || value === -Infinity) {
    return { sign: value > 0 ? 1 : -1, digits: '1', exponent: Infinity }
  }
  const match = decimalText.exec(String(value))
  if (!match) return undefined
  const [, minus, whole = '', fraction = match[4] ?? '', , exponent = '0'] = match
  const all = whole + fraction
  let start = 0
  while (all[start] === '0') start++
  if (start === all.length) return zero
  let end = all.length
  while (all[end - 1] === '0') end--
  return {
    sign: minus === '-' ? -1 : 1,
    digits: all.slice(start, end),
    exponent: whole.length - start + Number(exponent),
  }
}

/** Negative if `a` is less than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign
  const greater = a.sign
  if (a.exponent !== b.exponent) return a.exponent > b.exponent ? greater : -greater
  if (a.digits === b.digits) return 0
  return a.digits > b.digits ? greater : -greater // neither has trailing zeros, so the first difference decides
}

/** A key that is the same for `2`, `2.0` and `02`; `undefined` for text that is not a number. */
export function numberKey(value: number | bigint | string): string | undefined {
  const text = String(value)
  if (/^[1-9]\d{0,14}$/.test(text)) return text // nearly every number in a URL
  const decimal = toDecimal(value)
  if (!decimal) return undefined
  const { sign, digits, exponent } = decimal
  if (sign === 0) return '0'
  const isInteger = exponent >= digits.length && exponent <= 15
  return `${sign < 0 ? '-' : ''}${isInteger ? digits.padEnd(exponent, '0') : `${digits}e${exponent}`}`
}
