import { basename } from 'node:path'
import { parse, type DocumentNode } from '@humanwhocodes/momoa'

export type JsonDialect = 'json' | 'jsonc' | 'json5'

/** @throws the parser's error, with `line` and `column` */
export function parseJson(
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

export function explainJson(text: string, file: string, mode: JsonDialect, error: unknown): JsonError {
  const { message, line = 1, column = 1 } = error as Error & { line?: number; column?: number }
  const place = { line, column }
  if (/^\s*(?:export|module\.exports|import|const|let)\b/.test(text)) {
    const fix = `Rename the file to ${renamed(file, 'ts')}, or write the list alone.`
    return { reason: 'this is JavaScript, not JSON.', fix, line: 1, column: 1 }
  }
  const offset = offsetOf(text, place)
  const found = text[offset] ?? ''
  const [escape] = /\\(?:u[\da-f]*)?$/i.exec(text.slice(0, offset + (found === '\\' ? 1 : 0))) ?? []
  if (escape !== undefined) {
    const start = offset + (found === '\\' ? 1 : 0) - escape.length
    const shown = text.slice(start, start + 2)
    const fix = `Write a backslash twice: "\\${shown}".`
    const reason = `${mode === 'json5' ? 'JSON5' : 'JSON'} has no such escape as "${shown}".`
    return { reason, fix, line, column: column - (offset - start) }
  }
  if (mode === 'json') {
    const dialect = findDialect(text)
    if (dialect) return { ...explainDialect(found, dialect, file), ...place }
  }
  const open = findOpenBracket(text)
  if (open && text.slice(offset + 1).trim() === '') {
    const closing = open === '{' ? '}' : ']'
    return { reason: `the file ends before its "${open}" is closed.`, fix: `Add "${closing}".`, ...place }
  }
  const before = withoutComments(text.slice(0, offset)).trimEnd()
  if (/[[{"'\w-]/.test(found) && /[\]}"'\w]$/.test(before)) {
    const isKey = findOpenBracket(before) === '{' && /[{,]\s*(?:"[^"\n]*"|'[^'\n]*'|[\w$]+)$/.test(before)
    return isKey
      ? { reason: 'a colon is missing in front of this.', fix: 'Write key: value.', ...place }
      : {
          reason: 'a comma is missing in front of this.',
          fix: 'Add a comma after the previous value.',
          ...place,
        }
  }
  const [word] = /^[A-Za-z_]\w*|^0\d+/.exec(text.slice(offset)) ?? []
  if (word !== undefined && /^\s*:/.test(text.slice(offset + word.length)))
    return { reason: 'JSON keys must be in double quotes.', fix: `Write "${word}".`, ...place }
  if (word !== undefined) {
    const fix = 'Write true, false, null, a number without zeros in front, or a text in double quotes.'
    return { reason: `"${word}" is not a value of JSON.`, fix, ...place }
  }
  if (found === ']' || found === '}') {
    if (/:\s*$/.test(text.slice(0, offset)))
      return {
        reason: 'a value is missing in front of this.',
        fix: 'Write a value after the colon, such as null.',
        ...place,
      }
    const opened = findOpenBracket(text.slice(0, offset))
    if (opened === undefined) return { reason: `"${found}" closes nothing.`, fix: 'Remove it.', ...place }
    const closing = opened === '{' ? '}' : ']'
    if (closing !== found)
      return {
        reason: `"${opened}" is not closed in front of "${found}".`,
        fix: `Add "${closing}".`,
        ...place,
      }
  }
  const [, token] = /token (\w+) found/.exec(message) ?? []
  const reason = token && tokens[token] ? `"${tokens[token]}" is not expected here.` : inWords(message)
  return { reason, ...place }
}

/** What looks like a comment in a string is removed, too. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
}

function inWords(message: string): string {
  const text = message.replace(/ \(\d+:\d+\)$/, '').replace(/ found\.?$/, '')
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}.`
}

function findDialect(text: string): 'jsonc' | 'json5' | undefined {
  for (const mode of ['jsonc', 'json5'] as const) {
    try {
      parseJson(text, mode, true)
      return mode
    } catch {
      // Not in this one.
    }
  }
  return undefined
}

function explainDialect(found: string, dialect: 'jsonc' | 'json5', file: string) {
  const rename = `or rename the file to ${renamed(file, dialect)}`
  if (found === '/')
    return { reason: 'JSON has no comments.', fix: `Remove the comment, ${rename}, which may have comments.` }
  if (found === ']' || found === '}') {
    const fix = `Remove the comma, ${rename}, which may have trailing commas.`
    return { reason: `JSON allows no comma in front of "${found}".`, fix }
  }
  if (found === "'")
    return { reason: 'JSON has only double quotes.', fix: `Write " instead of ', ${rename}.` }
  if (/[\w$]/.test(found))
    return {
      reason: 'JSON keys must be in double quotes.',
      fix: `Write the key in double quotes, ${rename}.`,
    }
  return { reason: `JSON does not allow "${found}" here.`, fix: `Write it as in JSON, ${rename}.` }
}

function renamed(file: string, extension: string): string {
  return `"${basename(file).replace(/\.\w+$/, '')}.${extension}"`
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
