import type { Node } from '../code/parse-code.ts'

/** A change of a text: only insertions, so that everything else keeps its formatting. */
export interface Insertion {
  offset: number
  text: string
}

export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  let result = text
  for (const { offset, text: inserted } of insertions.toSorted((a, b) => b.offset - a.offset))
    result = result.slice(0, offset) + inserted + result.slice(offset)
  return result
}

/**
 * Adds an item to the end of a list: an element of an array expression, or a property of an object expression. It stands on a
 * line of its own if the last item does, and has a comma after it if the last item has one.
 */
export function insertItem(text: string, list: Node, items: readonly Node[], code: string): Insertion[] {
  const last = items.at(-1)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  if (!last) {
    const isArray = text[list.start] === '['
    const rest = text.slice(list.start + 1, list.end - 1)
    if (isArray && rest.trim() === '') return [{ offset: list.end - 1, text: code }]
    const outer = indentAt(text, list.start)
    const line = `${newline}${outer}  ${code},`
    return [
      {
        offset: list.end - 1 - trailingSpace(rest),
        text: rest.includes('\n') ? line : `${line}${newline}${outer}`,
      },
    ]
  }
  const before = items.length > 1 ? items.at(-2)!.end : list.start
  const isOnOwnLine = text.slice(before, last.start).includes('\n')
  if (!isOnOwnLine) return [{ offset: last.end, text: `, ${code}` }]
  // Behind the comma, and behind a comment that follows on the same line.
  const { 0: rest, groups } = /^\s*?(?<comma>,?)[^\S\n]*(?:\/\/[^\r\n]*|\/\*.*?\*\/)?/.exec(
    text.slice(last.end, list.end - 1),
  )!
  const comma = groups!['comma']!
  const line = `${newline}${indentAt(text, last.start)}${code}${comma}`
  const end = last.end + rest.trimEnd().length
  if (comma) return [{ offset: end, text: line }]
  return end === last.end
    ? [{ offset: end, text: `,${line}` }]
    : [
        { offset: last.end, text: ',' },
        { offset: end, text: line },
      ]
}

/** The white space before the first character of the line at an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[^\S\r\n]*/.exec(text.slice(start, offset))![0]
}

function trailingSpace(text: string): number {
  return text.length - text.trimEnd().length
}
