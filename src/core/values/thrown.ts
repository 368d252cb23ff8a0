import { describeValue } from './describe-value.ts'

/** What was thrown, in words. Anything can be thrown, and some of it can't even be looked at. */
export function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${describeValue(error)}`
  } catch {
    return 'it threw something that throws when it is looked at'
  }
}

/** Why something failed: the message of what was thrown, which can be anything. */
export function reasonOf(error: unknown): string {
  try {
    if (isTooDeep(error)) return 'it is nested too deeply'
    return error instanceof Error ? String(error.message) : `it threw ${String(error)}`
  } catch {
    return 'it threw something that has no text'
  }
}

/** Whether a recursion did not get to its end: it goes down a level with each level of what it is given. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof Error && String(error.message).includes('Maximum call stack size exceeded')
}

/** The line of a file in which an error arose, as its stack tells. Columns are those of the transpiled code. */
export function placeInStack(error: unknown, file: string): { line?: number } {
  const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : ''
  const frame = stack.split('\n').find((line) => line.includes(`${file}:`))
  const position = frame && /:(\d+):\d+\)?$/.exec(frame.trim())
  return position ? { line: Number(position[1]) } : {}
}
