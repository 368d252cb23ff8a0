import { isSecret, redacted } from '../request/redact.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { describeValue } from '../values/describe-value.ts'
import { type Field, isMet, readField, type Selector } from './selector.ts'

/** A condition of a selector that a request does not meet. */
export interface FailedCondition {
  selector: string
  expected: string
  received: string
}

/**
 * The conditions of a selector that a request does not meet, for the developer to read; empty when it matches. A
 * predicate counts as not met and is not called again: it was called when the route was selected, and user code runs once
 * per request.
 */
export function failedConditions(selector: Selector, request: ParsedRequest): FailedCondition[] {
  const failed: FailedCondition[] = []
  for (const equality of selector.equalities) {
    if (isMet(equality, request)) continue
    const { field, value } = equality
    const received = readField(request, field)
    failed.push({ selector: field.id, expected: show(value, field), received: show(received, field) })
  }
  for (const { field, expected, received, holds } of selector.tests) {
    if (!field) failed.push({ selector: 'predicate', expected, received: 'a falsy value' })
    else if (!holds(request)) {
      failed.push({ selector: field.id, expected, received: show(received(request), field) })
    }
  }
  return failed
}

/** A field's value for a message; a secret one is redacted. */
function show(value: unknown, field: Field): string {
  return value !== undefined && isSecret(field) ? redacted : describeValue(value)
}
