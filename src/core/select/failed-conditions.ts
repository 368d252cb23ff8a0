import { isSecret, redacted } from '../request/redact.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { describeValue } from '../values/describe-value.ts'
import { isMet, readField, readsText, type Field, type Scalar, type Selector } from './selector.ts'

/** A condition of a selector that a request does not meet. */
export interface FailedCondition {
  selector: string
  expected: string
  received: string
}

/** A condition that a request does not meet, as plain data. */
export interface UnmetCondition {
  /** `undefined` for a predicate. */
  field: Field | undefined
  /** The value of an equality; operators and lists as JSON text. */
  expected: { value: Scalar } | { written: string }
  received: unknown
}

/**
 * The conditions of a selector that a request does not meet; empty when it matches. By default, a predicate counts as not
 * met and is not called again: it was called when the route was selected, and user code runs once per request.
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
    if (!isMet(equality, request))
      unmet.push({ field, expected: { value }, received: readField(request, field) })
  }
  for (const { field, expected, received, holds } of tests) {
    if ((field || callsPredicates) && holds(request)) continue
    unmet.push({ field, expected: { written: expected }, received: field && received(request) })
  }
  return unmet
}

/** The conditions of a selector that a request does not meet, for the developer to read. */
export function failedConditions(selector: Selector, request: ParsedRequest): FailedCondition[] {
  return findUnmet(selector, request).map(({ field, expected, received }) => ({
    selector: field?.id ?? 'predicate',
    expected:
      'written' in expected ? expected.written : show(asReceived(expected.value, field!, request), field!),
    received: field ? show(received, field) : 'a falsy value',
  }))
}

/** A number as the string that is expected where every value is a string. */
function asReceived(value: Scalar, field: Field, request: ParsedRequest): Scalar {
  return typeof value === 'number' && readsText(request, field) ? String(value) : value
}

/** A field's value for a message; a secret one is redacted. */
function show(value: unknown, field: Field): string {
  return value !== undefined && isSecret(field) ? redacted : describeValue(value)
}
