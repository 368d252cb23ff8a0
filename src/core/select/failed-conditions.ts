import { isSecret, redacted } from '../request/redact.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { describeThrown } from '../values/thrown.ts'
import { type Field, type Selector, readField } from './selector.ts'
import { describeValue } from '../values/describe-value.ts'

/** A condition of a selector that a request does not meet. */
export interface FailedCondition {
  selector: string
  expected: string
  received: string
}

/**
 * The conditions of a selector that a request does not meet, for the developer to read; empty when it holds. A
 * predicate that throws is one of them.
 */
export function failedConditions(selector: Selector, request: ParsedRequest): FailedCondition[] {
  const failed: FailedCondition[] = []
  for (const { field, value } of selector.equalities) {
    const received = readField(request, field)
    if (received === value) continue
    failed.push({ selector: field.id, expected: show(value, field), received: show(received, field) })
  }
  for (const { field, expected, received, holds } of selector.tests) {
    try {
      if (holds(request)) continue
      failed.push({
        selector: field?.id ?? 'predicate',
        expected,
        received: show(received(request), field),
      })
    } catch (error) {
      failed.push({ selector: 'predicate', expected, received: `an error: ${describeThrown(error)}` })
    }
  }
  return failed
}

/** How a value of a field is shown; what a secret one is, nobody is told. */
function show(value: unknown, field: Field | undefined): string {
  return field && value !== undefined && isSecret(field) ? redacted : describeValue(value)
}
