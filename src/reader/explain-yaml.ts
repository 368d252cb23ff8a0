import { Composer, Lexer, Parser } from 'yaml'
import { maxDepth, type YamlProblem } from './yaml-reader.ts'

type Explanation = [reason: string, fix: string]

const indentedWithTab: Explanation = [
  'this line is indented with a tab.',
  'Indent with spaces: YAML allows no tabs there.',
]

const explanations: [pattern: RegExp, explain: (...groups: string[]) => Explanation][] = [
  [/^Tabs are not allowed/, () => indentedWithTab],
  [/tab character/, () => ['this value begins with a tab.', 'Use spaces: YAML allows no tabs there.']],
  [
    /^(?:Nested mappings are not allowed|Implicit keys need|A block sequence may not|All mapping items must start|All sequence items must start|Sequence item without)/,
    () => [
      'the indentation does not fit the lines around it, or a value contains ": ".',
      'Align the keys of a route with each other, and put a value that contains ": " in quotes.',
    ],
  ],
  [
    /^Block collections are not allowed within flow/,
    () => [
      'a value between braces or brackets contains ": ", or begins with "- ".',
      'Put the value in quotes, or write each key on a line of its own, without braces.',
    ],
  ],
  [
    /^Unexpected .* at node end/,
    () => [
      'the value before this has ended already.',
      'Align this line with the lines around it, or put the whole value in quotes.',
    ],
  ],
  [
    /^(?:Alias cannot be an empty string|Plain value cannot start with .* (\S)(?: at line|$))/,
    (character = '*') => [
      `a value without quotes can't begin with "${character}".`,
      'Put the value in quotes.',
    ],
  ],
  [
    /^Implicit map keys need/,
    () => ['a ":" is missing after this key.', 'Write "key: value", with a space after the colon.'],
  ],
  [
    /must be sufficiently indented and end with a ([\]}])/,
    (end) => [`"${end === ']' ? '[' : '{'}" is not closed.`, `Add "${end}" where the list or object ends.`],
  ],
  [
    /expected .*to end with ([\]}])/i,
    (end) => [`"${end === ']' ? '[' : '{'}" is not closed.`, `Add "${end}" where it ends.`],
  ],
  [
    /^Missing closing (["'])quote/,
    (quote) => ['a quote is not closed.', `Add ${quote} where the value ends.`],
  ],
  [
    /^Source contains multiple documents/,
    () => ['the file holds multiple documents.', 'Write one list, without "---" between its routes.'],
  ],
]

/** `undefined` if the library finds no error. */
export function explainYaml(text: string): YamlProblem | undefined {
  const error = withoutStackTraces(() => findError(text))
  if (!error) return undefined
  const offset = error.pos[0]
  const [reason, fix] = explainError(error.message, text, offset)
  return { reason, fix, offset }
}

function findError(text: string): { message: string; pos: readonly [number, ...number[]] } | undefined {
  const composer = new Composer({ schema: 'core', merge: true, resolveKnownTags: false, uniqueKeys: false })
  let isFirst = true
  for (const document of composer.compose(tokensOf(text), true, text.length)) {
    if (!isFirst) return { message: 'Source contains multiple documents', pos: document.range }
    const [error] = document.errors
    if (error) return error.code === 'RESOURCE_EXHAUSTION' ? undefined : error
    isFirst = false
  }
  return undefined
}

function* tokensOf(text: string) {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > maxDepth) return
  }
  yield* parser.end()
}

/** The library creates an error object per mistake, and a text can have a hundred thousand of them. */
function withoutStackTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The hints of the library are about its own API, and do not help in a fixture file. */
function explainError(message: string, text: string, offset: number): [reason: string, fix?: string] {
  // After a plain value, the library does not say that the tab is the cause.
  if (message.includes('at node end') && isIndentedWithTab(text, offset)) return indentedWithTab
  const slip = explainLine(text, offset)
  if (slip) return slip
  if (message.startsWith('Invalid escape sequence')) return explainEscape(text, offset)
  for (const [pattern, explain] of explanations) {
    const match = pattern.exec(message)
    if (match) return explain(...match.slice(1))
  }
  return [`${message.replace('tag:yaml.org,2002:', '!!').replace(/\.$/, '')}.`]
}

/** Explains a line with an error: characters that are often left out, or written as in JSON. */
function explainLine(text: string, position: number): Explanation | undefined {
  const start = text.lastIndexOf('\n', position - 1) + 1
  const [line] = /.*/.exec(text.slice(start))!
  const [, dash = '', key, value] = /^\s*(- +)?([\w-]+):([^\s:'"].*)$/.exec(line) ?? []
  if (key !== undefined && !/: /.test(line))
    return ['a space is missing after the colon.', `Write "${dash}${key}: ${value!.trimEnd()}".`]
  if (/:\s*[|>][-+\d]*\s*$/.test(text.slice(0, Math.max(start - 1, 0))))
    return [
      'the text of a block is not indented.',
      'Indent it with more spaces than the key that it belongs to.',
    ]
  if (/^\s*-[A-Za-z]\w*:(?:\s|$)/.test(line))
    return ['a space is missing after the dash.', `Write "${line.trim().replace('-', '- ')}".`]
  if (text[position] === ',')
    return ['a comma ends this value.', 'Remove the comma: in YAML, lines end without one.']
  if (text[position - 1] === "'" && /\w/.test(text[position] ?? ''))
    return [
      'a single quote ends the value here.',
      "Write it twice, as in 'it''s', or put the value in double quotes.",
    ]
  return undefined
}

/** @param position that of the backslash, in a value in double quotes */
function explainEscape(text: string, position: number): Explanation {
  const reason = `in double quotes, a backslash begins an escape, and YAML has no escape "${text.slice(position, position + 2)}".`
  const [before] = /(?:\\.|[^"\\\n])*$/.exec(text.slice(0, position))!
  const [after] = /^(?:\\.|[^"\\\n])*/.exec(text.slice(position))!
  // What is an escape would change its meaning.
  const isPlain = !/\\["\\]/.test(before + after) && text[position + after.length] === '"'
  const quoted = isPlain ? `: '${(before + after).replaceAll("'", "''")}'` : ''
  return [reason, `Put the value in single quotes, which keep each backslash as it is${quoted}.`]
}

function isIndentedWithTab(text: string, position: number): boolean {
  const indentation = text.slice(text.lastIndexOf('\n', position - 1) + 1, position)
  return /^\s*\t\s*$/.test(indentation)
}
