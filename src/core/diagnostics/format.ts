import type { SourceLocation, Diagnostic } from './diagnostic.ts'

/** An option that is wrong is thrown: without options there is nothing that could go on. */
export class MockApiError extends Error {
  override readonly name = 'MockApiError'
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'))
  }
}

/** `file:line:column`, as terminals and editors make it clickable. */
export function formatPlace(place: Partial<SourceLocation>): string {
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(':')
}

/** One diagnostic as the terminal shows it: place and message, frame, fix. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { message, fix, pointer, frame } = diagnostic
  const place = formatPlace(diagnostic)
  const head = `${place && `${place} `}${message}${pointer ? ` (at ${pointer})` : ''}`
  return visible([head, frame, `  Fix: ${fix} [${diagnostic.code}]`].filter(Boolean).join('\n'))
}

/** A request, or a file of somebody else's, has no say over the terminal: its control characters are shown. */
function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

const maxFrameWidth = 200

/** The lines around a place, numbered, with `^` under the column. */
export function codeFrame(source: string | readonly string[], line: number, column = 1): string {
  const lines = typeof source === 'string' ? splitLines(source) : source
  const count = lines.at(-1) === '' && line < lines.length ? lines.length - 1 : lines.length
  const first = Math.max(line - 2, 1)
  const last = Math.min(line + 2, count)
  const width = String(last).length
  const frame: string[] = []
  for (let number = first; number <= last; number++) {
    const marked = number === line
    const text = lines[number - 1]!.slice(0, maxFrameWidth)
    frame.push(`${marked ? '>' : ' '} ${String(number).padStart(width)} | ${text}`.trimEnd())
    if (marked && column <= maxFrameWidth) frame.push(`  ${' '.repeat(width)} | ${' '.repeat(column - 1)}^`)
  }
  return frame.join('\n')
}

/** The lines of a text, for who wants several frames of it. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}
