import { YamlError, type YamlScalar } from './yaml-node.ts'
import { blockText, breaksOf, resolvePlain, unquote } from './yaml-scalars.ts'

// Each matches at the position of the reader.
export const spaces = / */y
const emptyLine = / *(?:#[^\n]*)?(?:\n|$)/y
const blankLine = / *\n/y
export const lineEnd = /(?: +#[^\n]*| *)(?:\n|$)/y
const plainLine = /[^ :#\n\t][^:#\n\t]*(?:(?::(?=[^ \n\t])|(?<=[^ \n\t])#)[^:#\n\t]*)*/y
const blockHeader = /[|>][-+]?(?=(?: +#[^\n]*| *)\n)/y

/**
 * A YAML text, from its first character to its last: its lines and its scalars. What a function reads begins at the position.
 * After a part in block style, the position is the first character of the next line with content; in flow style, behind the
 * part.
 */
export class YamlText {
  protected position = 0
  protected lineStart = 0
  /** The column of the first character of the line; -1 at the end of the text. */
  protected indent = 0

  constructor(protected readonly text: string) {}

  /** A text between quotes, which may have several lines. */
  protected readQuoted(parent: number): YamlScalar {
    const { text, position: offset } = this
    const quote = text[offset]!
    let end = text.indexOf(quote, offset + 1)
    if (quote === "'") while (end !== -1 && text[end + 1] === quote) end = text.indexOf(quote, end + 2)
    else while (end !== -1 && isEscaped(text, end)) end = text.indexOf(quote, end + 1)
    if (end === -1) this.fail()
    const quoted = text.slice(offset, end + 1)
    const value = unquote(quoted)
    if (value === undefined) this.fail()
    this.position = end + 1
    const start = text.lastIndexOf('\n', end) + 1
    if (start > offset) {
      const isIndented = (line: string) => line === '' || /[^ ]|$/.exec(line)!.index > parent
      if (!quoted.split('\n').slice(1).every(isIndented)) this.fail()
      this.lineStart = start
    }
    return { type: 'scalar', offset, value }
  }

  /** A text without quotes, up to the end of its line at most. */
  protected readPlain(pattern: RegExp): string {
    const start = this.position
    if (!this.take(pattern)) this.fail()
    while (this.text[this.position - 1] === ' ') this.position--
    return this.text.slice(start, this.position)
  }

  /** The rest of a text without quotes that may have several lines. */
  protected readPlainLines(first: string, offset: number, parent: number): YamlScalar {
    let text = first
    let isOver = false
    while (!isOver && this.take(blankLine)) {
      let breaks = 1
      while (this.take(blankLine)) breaks++
      const next = this.position
      this.toContent()
      isOver = this.lineStart !== next /* a comment was in between */ || this.indent <= parent
      if (!isOver) text += breaksOf(breaks) + this.readPlain(plainLine)
    }
    if (!isOver) this.toNextLine()
    return text === first ? toScalar(text, offset) : { type: 'scalar', offset, value: text }
  }

  /** A text behind `|` or `>`. */
  protected readBlockScalar(parent: number): YamlScalar {
    const offset = this.position
    if (!this.take(blockHeader)) this.fail()
    const header = this.text.slice(offset, this.position)
    this.take(lineEnd)
    const lines: string[] = []
    let column: number | undefined
    this.lineStart = this.position
    while (this.position < this.text.length) {
      this.take(spaces)
      const indent = this.position - this.lineStart
      const end = this.text.indexOf('\n', this.position)
      if (end === -1 && this.position === this.text.length) this.fail(this.lineStart)
      const isBlank = end === this.position
      if (!isBlank && indent < (column ?? parent + 1)) break
      if (this.text[this.position] === '\t') this.fail()
      if (isBlank && column === undefined && indent > parent + 1) this.fail()
      if (!isBlank) column ??= indent
      lines.push(this.text.slice(this.lineStart + (column ?? indent), end === -1 ? undefined : end))
      this.position = end === -1 ? this.text.length : end + 1
      this.lineStart = this.position
    }
    this.position = this.lineStart
    this.toContent()
    return { type: 'scalar', offset, value: blockText(header, lines) }
  }

  /** Goes from the end of a part to the next line with content. */
  protected toNextLine(): void {
    if (!this.take(lineEnd)) this.fail()
    this.toContent()
  }

  /** Goes from the start of a line to the next content. */
  protected toContent(): void {
    while (this.position < this.text.length && this.take(emptyLine));
    this.lineStart = this.position
    this.take(spaces)
    this.indent = this.position < this.text.length ? this.position - this.lineStart : -1
  }

  protected isAtDash(): boolean {
    const following = this.text[this.position + 1]
    return (
      this.text[this.position] === '-' && (following === ' ' || following === '\n' || following === undefined)
    )
  }

  protected isAtQuote(): boolean {
    const character = this.text[this.position]
    return character === '"' || character === "'"
  }

  protected isAtLineEnd(): boolean {
    const character = this.text[this.position]
    return character === '\n' || character === '#' || character === undefined
  }

  protected take(pattern: RegExp): boolean {
    pattern.lastIndex = this.position
    if (!pattern.test(this.text)) return false
    this.position = pattern.lastIndex
    return true
  }

  protected fail(offset = this.position): never {
    throw new YamlError('this is not simple YAML.', undefined, offset)
  }
}

function isEscaped(text: string, index: number): boolean {
  let start = index
  while (text[start - 1] === '\\') start--
  return (index - start) % 2 === 1
}

export function toScalar(source: string, offset: number): YamlScalar {
  const value = resolvePlain(source)
  return typeof value === 'number'
    ? { type: 'scalar', offset, value, source }
    : { type: 'scalar', offset, value }
}
