import { parse, type DocumentNode } from '@humanwhocodes/momoa'

export type JsonDialect = 'json' | 'jsonc' | 'json5'

/** @throws the parser's error, with `line` and `column` */
export function parseJsonDialect(
  text: string,
  mode: JsonDialect,
  allowTrailingCommas = mode === 'jsonc',
): DocumentNode {
  // The parser loops forever on a text that ends with a backslash, as a file does that is saved half.
  const ended = text.endsWith('\\') ? `${text}\n` : text
  return parse(ended, { mode, allowTrailingCommas })
}

interface JsonError {
  reason: string
  fix?: string | undefined
  line: number
  column: number
}

const tokens: Readonly<Record<string, string>> = {
  LBrace: '{',
  RBrace: '}',
  LBracket: '[',
  RBracket: ']',
  Colon: ':',
  Comma: ',',
}

type Explanation = [reason: string, fix?: string]

export function explainJson(text: string, file: string, mode: JsonDialect, error: unknown): JsonError {
  const { message, line = 1, column = 1 } = error as Error & { line?: number; column?: number }
  if (/^\s*(?:export|module\.exports|import|const|let)\b/.test(text)) {
    const fix = `Rename the file to ${renamed(file, 'ts')}, or write the list alone.`
    return { reason: 'this is JavaScript, not JSON.', fix, line: 1, column: 1 }
  }
  const offset = offsetOf(text, { line, column })
  const end = offset + (text[offset] === '\\' ? 1 : 0)
  const [escape] = /\\(?:u[\da-f]*)?$/i.exec(text.slice(0, end)) ?? []
  if (escape !== undefined) {
    const start = end - escape.length
    const shown = text.slice(start, start + 2)
    const reason = `${mode === 'json5' ? 'JSON5' : 'JSON'} has no such escape as "${shown}".`
    return { reason, fix: `Write a backslash twice: "\\${shown}".`, line, column: column - (offset - start) }
  }
  const dialect = mode === 'json' ? findDialect(text) : undefined
  const [reason, fix] = dialect
    ? explainDialect(text[offset] ?? '', dialect, file)
    : (explainAt(text, offset) ?? [inWords(message)])
  return { reason, fix, line, column }
}

/** Explains an error by the text where the parser has stopped; `undefined` if that does not show the mistake. */
function explainAt(text: string, offset: number): Explanation | undefined {
  const found = text[offset] ?? ''
  const open = findOpenBracket(text)
  if (open && text.slice(offset + 1).trim() === '')
    return [`the file ends before its "${open}" is closed.`, `Add "${closingOf(open)}".`]
  const before = withoutComments(text.slice(0, offset)).trimEnd()
  if (/[[{"'\w-]/.test(found) && /[\]}"'\w]$/.test(before)) {
    const isKey = findOpenBracket(before) === '{' && /[{,]\s*(?:"[^"\n]*"|'[^'\n]*'|[\w$]+)$/.test(before)
    return isKey
      ? ['a colon is missing in front of this.', 'Write key: value.']
      : ['a comma is missing in front of this.', 'Add a comma after the previous value.']
  }
  const [word] = /^[A-Za-z_]\w*|^0\d+/.exec(text.slice(offset)) ?? []
  if (word !== undefined && /^\s*:/.test(text.slice(offset + word.length)))
    return ['JSON keys must be in double quotes.', `Write "${word}".`]
  if (word !== undefined)
    return [
      `"${word}" is not a value of JSON.`,
      'Write true, false, null, a number without zeros in front, or a text in double quotes.',
    ]
  if (found === ']' || found === '}') {
    if (/:\s*$/.test(text.slice(0, offset)))
      return ['a value is missing in front of this.', 'Write a value after the colon, such as null.']
    const opened = findOpenBracket(text.slice(0, offset))
    if (opened === undefined) return [`"${found}" closes nothing.`, 'Remove it.']
    const closing = closingOf(opened)
    if (closing !== found) return [`"${opened}" is not closed in front of "${found}".`, `Add "${closing}".`]
  }
  return undefined
}

function closingOf(open: string): string {
  return open === '{' ? '}' : ']'
}

/** Removes comments, and texts in strings that look like one. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
}

function inWords(message: string): string {
  const token = tokens[/token (\w+) found/.exec(message)?.[1] ?? '']
  if (token !== undefined) return `"${token}" is not expected here.`
  const text = message.replace(/ \(\d+:\d+\)$/, '').replace(/ found\.?$/, '')
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}.`
}

function findDialect(text: string): 'jsonc' | 'json5' | undefined {
  for (const mode of ['jsonc', 'json5'] as const)
    try {
      parseJsonDialect(text, mode, true)
      return mode
    } catch {
      // Not in this one.
    }
  return undefined
}

function explainDialect(found: string, dialect: 'jsonc' | 'json5', file: string): Explanation {
  const rename = `or rename the file to ${renamed(file, dialect)}`
  if (found === '/')
    return ['JSON has no comments.', `Remove the comment, ${rename}, which may have comments.`]
  if (found === ']' || found === '}')
    return [
      `JSON allows no comma in front of "${found}".`,
      `Remove the comma, ${rename}, which may have trailing commas.`,
    ]
  if (found === "'") return ['JSON has only double quotes.', `Write " instead of ', ${rename}.`]
  if (/[\w$]/.test(found))
    return ['JSON keys must be in double quotes.', `Write the key in double quotes, ${rename}.`]
  return [`JSON does not allow "${found}" here.`, `Write it as in JSON, ${rename}.`]
}

function renamed(file: string, extension: string): string {
  return `"${file.replace(/^.*[\\/]|\.\w+$/g, '')}.${extension}"`
}

function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  let offset = 0
  for (let number = 1; number < line; number++) offset = text.indexOf('\n', offset) + 1
  return offset + column - 1
}

function findOpenBracket(text: string): string | undefined {
  const open: string[] = []
  for (const [token] of text.matchAll(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*|\/\*[^]*?\*\/|[[\]{}]/g,
  )) {
    if (token === '[' || token === '{') open.push(token)
    else if (token === ']' || token === '}') open.pop()
  }
  return open.at(-1)
}
