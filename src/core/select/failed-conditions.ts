import { anotherValue, isSecret, redacted, redactText, sentValue, writeOperators } from '../redact/redact.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { cutText, describeValue, quote } from '../values/describe-value.ts'
import { writtenNumber } from '../values/exact-number.ts'
import { allowedTypos, countTypos } from '../values/spelling.ts'
import { isRecord } from '../values/values.ts'
import {
  isFlat,
  isMet,
  isScalar,
  scalarKindOf,
  readField,
  readsText,
  type Field,
  type Scalar,
  type Selector,
} from './selector.ts'

export interface FailedCondition {
  selector: string
  expected: string
  received: string
  /** The value to write if a part of it was meant. */
  hint?: string
}

export interface UnmetCondition {
  /** `undefined` for a predicate. */
  field: Field | undefined
  expected: { value: Scalar } | { written: string }
  received: unknown
  /** Names that `$only` does not list. */
  others?: readonly string[]
}

/**
 * By default, a predicate counts as unmet: user code runs once per request, in the selection.
 *
 * @param callsPredicates whether a predicate is called; what it throws is thrown
 */
export function findUnmet(
  { equalities, tests }: Selector,
  request: ParsedRequest,
  callsPredicates = false,
): UnmetCondition[] {
  const unmet: UnmetCondition[] = []
  for (const equality of equalities) {
    const { field, value } = equality
    if (isMet(equality, request)) continue
    // In a source of strings, a number is expected as a string.
    const wanted = readsText(request, field) && scalarKindOf(value) === 'number' ? textOf(value) : value
    unmet.push({ field, expected: { value: wanted }, received: readField(request, field) })
  }
  for (const { field, written, holds } of tests) {
    if ((field || callsPredicates) && holds(request)) continue
    const expected = { written: field ? writeOperators(written, field) : 'a truthy value' }
    const received = field && readField(request, field)
    unmet.push({ field, expected, received, others: othersIn(received, written) })
  }
  return unmet
}

function othersIn(received: unknown, written: unknown): string[] {
  const only = isRecord(written) ? written['$only'] : undefined
  if (!Array.isArray(only) || !isRecord(received)) return []
  return Object.keys(received).filter((key) => !only.includes(key))
}

/** How far a request is from a selector: 0 if it matches. */
export function distanceTo({ equalities, tests }: Selector, unmet: readonly UnmetCondition[]): number {
  const count = equalities.length + tests.length
  return unmet.reduce((sum, one) => sum + conditionWeight(one.field, count, isClose(one)), 0)
}

const identities: readonly string[] = ['operationName', 'operationType', 'params']

/**
 * The operation and the parameters of a path say which answer is meant, so one of them weighs more than all other
 * conditions together. Of these, the share counts.
 *
 * @param count conditions of the selector
 * @param close whether only the type differs, or a letter
 */
export function conditionWeight(field: Field | undefined, count: number, close = false): number {
  if (field && identities.includes(field.source)) return close ? 1.5 : 2
  return (close ? 0.1 : 1) / count
}

function textOf(value: Scalar): string {
  return writtenNumber(value) ?? String(value)
}

/** Characters of a value that is compared letter by letter. */
const maxSpelled = 100

function isClose({ expected, received }: UnmetCondition): boolean {
  if (!('value' in expected) || !isScalar(received)) return false
  const [wanted, given] = [textOf(expected.value), textOf(received)]
  if (wanted === given) return true
  if (Math.max(wanted.length, given.length) > maxSpelled) return false // a whole document, for example
  return countTypos(given, wanted, Math.min(2, allowedTypos(wanted))) < Infinity
}

export function describeUnmet(condition: UnmetCondition): FailedCondition {
  const { field, expected, received } = condition
  if (!field) return { selector: 'predicate', expected: 'a truthy value', received: 'a falsy value' }
  const hint = hintAtPart(condition)
  const isHidden = isSecret(field)
  const other = 'value' in expected ? anotherValue : sentValue
  return {
    selector: field.id,
    expected: 'written' in expected ? expected.written : isHidden ? redacted : describeValue(expected.value),
    received: isHidden && received !== undefined ? other : redactText(describeReceived(condition, field)),
    ...(hint !== undefined && { hint }),
  }
}

/** The received value in words: of parameters, the names; of a repeated one, the values. */
function describeReceived({ received, others = [] }: UnmetCondition, field: Field): string {
  if (others.length > 0) return `one that also has ${cutText(others.map(quote).join(', '), maxSpelled)}`
  if (!isFlat(field) || typeof received !== 'object' || received === null) return describeValue(received)
  const texts = Array.isArray(received) ? received : Object.keys(received)
  return cutText(texts.length === 0 ? 'nothing' : texts.map(String).map(quote).join(', '), maxSpelled)
}

/** Most headers have parameters or are lists. `undefined` when the value does not contain the expected text. */
export function hintAtPart({ field, expected, received }: UnmetCondition): string | undefined {
  const wanted = 'value' in expected ? expected.value : undefined
  if (field?.source !== 'headers' || typeof received !== 'string') return undefined
  if (typeof wanted !== 'string' || wanted === '' || !received.includes(wanted)) return undefined
  const isStart = received.startsWith(wanted)
  const literal = isSecret(field) ? '…' : wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const pattern = JSON.stringify(`${isStart ? '^' : ''}${literal}`)
  return `The whole value of the header is compared. To select by ${isStart ? 'its beginning' : 'a part of it'}, write headers: { ${field.path[0]}: { $regex: ${pattern} } }.`
}
