/*
 * The values of scalars, as the core schema of YAML 1.2 has them.
 */

const keywords = new Map<string, boolean | null>([
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])
const number = /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+)$/
const infinity = /^[-+]?\.(?:inf|Inf|INF)$/
const notANumber = /^\.(?:nan|NaN|NAN)$/

/** The value of a scalar without quotes. */
export function resolvePlain(source: string): string | number | boolean | null {
  const keyword = keywords.get(source)
  if (keyword !== undefined) return keyword
  if (!/^[-+.\d]/.test(source)) return source
  if (number.test(source)) return Number(source)
  if (infinity.test(source)) return source.startsWith('-') ? -Infinity : Infinity
  return notANumber.test(source) ? NaN : source
}

/**
 * The text between quotes, on one or more lines.
 *
 * @returns `undefined` if only the other parser reads it
 */
export function unquote(quoted: string): string | undefined {
  const isSingle = quoted.startsWith("'")
  const inner = quoted.slice(1, -1)
  if (inner.includes('\n')) {
    if (/[\\\t]/.test(inner)) return undefined
    const text = foldLines(inner.split('\n'))
    return isSingle ? text.replaceAll("''", "'") : text
  }
  if (isSingle) return inner.replaceAll("''", "'")
  if (!inner.includes('\\')) return inner
  try {
    return JSON.parse(quoted) as string
  } catch {
    return undefined // an escape that JSON does not have
  }
}

/** Lines of a text with quotes: a line break is a space, and an empty line is a line break. */
function foldLines(lines: readonly string[]): string {
  let text = ''
  let breaks = 0
  for (const [index, line] of lines.entries()) {
    const start = index === 0 ? line : line.replace(/^ +/, '')
    const part = index === lines.length - 1 ? start : start.replace(/ +$/, '')
    if (index > 0) breaks++
    if (part === '' && index > 0 && index < lines.length - 1) continue
    if (breaks > 0) text += breaksOf(breaks)
    text += part
    breaks = 0
  }
  return text
}

/** What is between two lines: a space, or the empty lines. */
export function breaksOf(count: number): string {
  return count === 1 ? ' ' : '\n'.repeat(count - 1)
}

/**
 * The text of a block scalar.
 *
 * @param header `|` or `>`, and `-` or `+` if it is written
 * @param lines without their indentation
 */
export function blockText(header: string, lines: readonly string[]): string {
  let last = lines.length
  while (last > 0 && lines[last - 1] === '') last--
  const content = lines.slice(0, last)
  const text = header.startsWith('|') ? content.join('\n') : foldBlock(content)
  if (header.endsWith('-') || last === 0) return text
  return `${text}${'\n'.repeat(header.endsWith('+') ? lines.length - last + 1 : 1)}`
}

/** Lines that are indented more than others keep the line breaks around them. */
function foldBlock(lines: readonly string[]): string {
  let text = ''
  let breaks = 0
  let isMore = false
  let isFirst = true
  for (const line of lines) {
    if (line === '') {
      breaks++
      continue
    }
    const wasMore = isMore
    isMore = line.startsWith(' ')
    if (isFirst) text = '\n'.repeat(breaks)
    else text += wasMore || isMore ? '\n'.repeat(breaks + 1) : breaksOf(breaks + 1)
    text += line
    breaks = 0
    isFirst = false
  }
  return text
}
