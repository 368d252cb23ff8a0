import { asJson } from '../../core/values/json-value.ts'
import { isRecord } from '../../core/values/values.ts'

export interface ShownAnswer {
  status: number
  text: string
  isCut?: boolean
  fault?: string
}

export interface AnswerLoss {
  /** Whether the answer brings no data: an error, a broken body, nothing at all. */
  failed: boolean
  isSame: boolean
  /** Texts and numbers of the good answer. */
  whole: readonly string[]
  /** Texts and numbers of the good answer that are missing. */
  lost: readonly string[]
  /** The key of the first value that is not as in the good answer. */
  field?: string | undefined
  /** Texts and numbers of the answer; none where it has failed. */
  given: readonly string[]
  text: string
}

/**
 * Compares a sad path's answer with the good one.
 *
 * @param others answers to other requests: what they have is not lost
 */
export function findLoss(
  good: ShownAnswer,
  sad: ShownAnswer,
  others: readonly ShownAnswer[] = [],
): AnswerLoss {
  const { text } = sad
  // What was cut can't be read.
  if (sad.isCut) return { failed: false, isSame: false, whole: [], lost: [], given: [], text }
  const before = dataOf(good)
  const after = sad.fault === undefined && sad.status < 400 ? dataOf(sad) : undefined
  const failed = after === undefined && (before !== undefined || sad.status >= 400 || sad.fault !== undefined)
  const given = [...new Set(valuesIn(after))]
  const kept = [...given, ...others.flatMap((answer) => [...valuesIn(dataOf(answer))])].join('\n')
  const whole = [...new Set(valuesIn(before))]
  const lost = whole.filter((value) => !kept.includes(value))
  const isSame = good.text === text && !failed
  const isPartial = isRecord(before) && hasErrors(text)
  const field = failed ? undefined : changedKey(isPartial ? before['data'] : before, after)
  return { failed, isSame, whole, lost, field, given, text }
}

function hasErrors(text: string): boolean {
  const body = asJson(text)?.value
  return isRecord(body) && 'errors' in body
}

function changedKey(before: unknown, after: unknown, key?: string): string | undefined {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return before === after ? undefined : key
  for (const [name, value] of Object.entries(before)) {
    const below = changedKey(
      value,
      (after as Record<string, unknown>)[name],
      Array.isArray(before) ? key : name,
    )
    if (below !== undefined) return below
  }
  return undefined
}

/** A body's data: `data` of a GraphQL answer, whose `errors` say what is wrong. `undefined` without any. */
function dataOf({ text }: ShownAnswer): unknown {
  const body = asJson(text)?.value
  if (!isRecord(body) || !('errors' in body || 'data' in body)) return body ?? undefined
  return 'errors' in body ? (body['data'] ?? undefined) : body
}

function* valuesIn(value: unknown): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value)
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) yield* valuesIn(one)
}
