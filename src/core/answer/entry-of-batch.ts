import type { BackendAnswer } from './backend-answer.ts'

/**
 * One entry of the answer to a batch, as an answer of its own. A backend that refuses the batch as a whole has answered each
 * entry with that.
 */
export function entryOfBatch(answer: BackendAnswer, index: number): BackendAnswer {
  if (answer.kind !== 'complete') return answer
  let entries: unknown
  try {
    entries = JSON.parse(new TextDecoder().decode(answer.body))
  } catch {
    return answer
  }
  if (!Array.isArray(entries) || index >= entries.length) return answer
  // The date is that of the batch, which the host sets: entries that other routes answer have none.
  const headers = { ...answer.headers }
  delete headers['date']
  return { ...answer, headers, body: new TextEncoder().encode(JSON.stringify(entries[index])) }
}
