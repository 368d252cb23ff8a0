import { describeValue } from './describe-value.ts'

/** `undefined` if it throws. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Anything can be thrown, even an object that throws when it is read. */
export function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${describeValue(error)}`
  } catch {
    return 'it threw something that throws when it is looked at'
  }
}

/** The message of a thrown value of any type. */
export function reasonOf(error: unknown): string {
  try {
    if (isTooDeep(error)) return 'it is nested too deeply'
    if (!(error instanceof Error)) return `it threw ${String(error)}`
    // Transpiled code calls what it imports as in `(0, _orders.list)()`.
    return String(error.message).replace(/\(0\s?,\s?\w+\.(\w+)\)/g, '$1')
  } catch {
    return 'it threw something that has no text'
  }
}

/** Whether a recursion overflowed the stack, because its input was nested too deeply. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof Error && String(error.message).includes('Maximum call stack size exceeded')
}

/** On Windows, some lines of a stack have backslashes and others do not. */
export function namesFile(line: string, file: string): boolean {
  return line.includes(`${file}:`) || line.replaceAll('\\', '/').includes(`${file.replaceAll('\\', '/')}:`)
}

/** Columns are those of the transpiled code. Empty if the stack does not name the file. */
export function placeInStack(error: unknown, file: string): { line?: number } {
  try {
    const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : ''
    const frame = stack.split('\n').find((line) => namesFile(line, file))
    const position = frame && /:(\d+):\d+\)?$/.exec(frame.trim())
    return position ? { line: Number(position[1]) } : {}
  } catch {
    return {}
  }
}

/** Frames of Node, of packages, and of Vite's temporary files of a config. */
const foreignFrame = /^\s+at .*(?:\bnode:|[\\/]node_modules[\\/]|\.timestamp-\d|<anonymous>\)?$)/

/** The message, and the frames of the user's code only, since the mistake is in what they wrote. */
export function userStack(stack: string | undefined): string | undefined {
  return stack
    ?.split('\n')
    .filter((line) => !foreignFrame.test(line))
    .join('\n')
}

/** Down to the last frame of the file, since what is below has called it; `undefined` if no frame is the user's. */
export function stackOf(error: unknown, file: string): string | undefined {
  try {
    const lines = (error instanceof Error && userStack(error.stack)?.split('\n')) || []
    const last = lines.findLastIndex((line) => namesFile(line, file))
    const stack = lines.slice(0, last === -1 ? undefined : last + 1).join('\n')
    return stack.includes('\n    at ') ? stack : undefined
  } catch {
    return undefined
  }
}
