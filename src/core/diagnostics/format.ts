import { hideUsers } from '../values/url-user.ts'
import { userStack } from '../values/thrown.ts'
import type { SourceLocation, Diagnostic } from './diagnostic.ts'
import { keysOfPointer } from '../values/values.ts'

/** Thrown for invalid options, routes and fixture files, where nothing can start with them. Its message is that of all diagnostics. */
export class MockApiError extends Error {
  override readonly name = 'MockApiError'

  /**
   * By its name: plugins have a copy of their own, since each file that they shared with the other build would take a config 1 ms
   * to load, and a project may have two copies of the package.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'MockApiError'
  }

  constructor(
    /** Sorted by the order of the options or of the file. */
    readonly diagnostics: readonly Diagnostic[],
  ) {
    super(diagnostics.map(formatDiagnostic).join('\n'))
    // Hosts print the stack, or what Node's `inspect` makes of the error: with frames, brackets and all properties.
    const shown = userStack(this.stack)
    if (shown === undefined) return
    this.stack = shown
    Object.defineProperty(this, Symbol.for('nodejs.util.inspect.custom'), { value: () => shown })
  }
}

/** `file:line:column`, which terminals and editors make clickable. */
export function formatPlace(place: Partial<SourceLocation>): string {
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(':')
}

type Shown = Omit<Diagnostic, 'code' | 'severity'> & { code: string; sent?: string }

export function formatDiagnostic(diagnostic: Shown): string {
  const { message, fix, frame, sent } = diagnostic
  const place = formatPlace(diagnostic)
  const head = `${place && `${place} `}${message}${describePointer(diagnostic)}`
  const shown = sent === undefined ? '' : `Sent: ${sent}. `
  return visible([head, frame, `  ${shown}Fix: ${fix} [${diagnostic.code}]`].filter(Boolean).join('\n'))
}

/** The position in the list of routes, if there is no column: ` (in route 2: response.status)`. */
function describePointer({ pointer, column }: Shown): string {
  if (!pointer || column !== undefined) return ''
  const [index, ...keys] = keysOfPointer(pointer.replace(/^\/routes(?=\/)/, ''))
  if (!/^\d+$/.test(index ?? '')) return ''
  return ` (in route ${Number(index) + 1}${keys.length > 0 ? `: ${keys.join('.')}` : ''})`
}

/** Characters that turn the order of those around them, so that a text looks like another one. */
export const bidirectional = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Escaped control characters, so that neither requests nor files can send commands to the terminal. */
export function visible(text: string): string {
  return text
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(bidirectional, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const maxFrameWidth = 200

/** The lines around a position, with `^` under the column. */
export function codeFrame(source: string | readonly string[], line: number, column?: number): string {
  const lines = typeof source === 'string' ? splitLines(source) : source
  const count = lines.at(-1) === '' && line < lines.length ? lines.length - 1 : lines.length
  const first = Math.max(line - 2, 1)
  const last = Math.min(line + 2, count)
  const width = String(last).length
  const frame: string[] = []
  for (let number = first; number <= last; number++) {
    const marked = number === line
    const text = hideUsers(lines[number - 1]!.slice(0, maxFrameWidth))
    frame.push(`${marked ? '>' : ' '} ${String(number).padStart(width)} | ${text}`.trimEnd())
    if (marked && column !== undefined && column <= maxFrameWidth)
      frame.push(`  ${' '.repeat(width)} | ${' '.repeat(column - 1)}^`)
  }
  return frame.join('\n')
}

export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}

/** Characters of a text. The name of an operation, for example, can have a megabyte. */
const maxText = 1000

export function shortened(diagnostic: Diagnostic): Diagnostic {
  const { message, fix, frame, stack } = diagnostic
  return {
    ...diagnostic,
    message: cut(message),
    fix: cut(fix),
    ...(frame !== undefined && { frame: cut(frame) }),
    ...(stack !== undefined && { stack: cut(stack) }),
  }
}

function cut(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}…` : text
}
