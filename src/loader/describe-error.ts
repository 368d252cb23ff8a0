/**
 * Why something failed, in a few words. What is thrown can be anything: text, nothing, an error whose message is none, or
 * an object with properties that throw in their turn.
 */
export function describeError(error: unknown): string {
  try {
    if (isTooDeep(error)) return 'it is nested too deeply'
    return error instanceof Error ? String(error.message) : `it threw ${String(error)}`
  } catch {
    return 'it threw something that has no text'
  }
}

/** Whether a recursion did not get to its end. Parsers of ours and of others go down a level with each call. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Maximum call stack size exceeded')
}
