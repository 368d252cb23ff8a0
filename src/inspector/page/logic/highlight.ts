export interface Piece {
  text: string
  kind?: 'key' | 'comment' | 'string' | 'number' | 'word'
}

/** Covers the YAML that the server writes, no more. */
export function yamlLines(yaml: string): Piece[][] {
  return yaml.replace(/\n$/, '').split('\n').map(piecesOf)
}

function piecesOf(line: string): Piece[] {
  if (/^\s*#/.test(line)) return [{ text: line, kind: 'comment' }]
  const [, indent, key, rest] = /^([\s-]*)([\w$./-]+|"[^"]*"|'[^']*')(:(?:\s.*)?)$/.exec(line) ?? []
  if (indent === undefined) return withComment(line)
  return [{ text: indent }, { text: key!, kind: 'key' }, ...withComment(rest!)]
}

/** A `#` inside quotes does not begin a comment. */
function withComment(text: string): Piece[] {
  const at = /["']/.test(text) ? text.search(/ # [^"']*$/) : text.search(/ #/)
  if (at === -1) return [{ text }]
  return [{ text: text.slice(0, at) }, { text: text.slice(at), kind: 'comment' }]
}

const graphqlTokens =
  /(?<comment>#.*)|(?<string>"(?:[^"\\]|\\.)*"?)|(?<word>[$@]\w+|\b(?:query|mutation|subscription|fragment|on|true|false|null)\b)|(?<key>\b\w+(?=\s*:))|(?<number>-?\b\d[\w.]*)/g

export function graphqlLines(document: string): Piece[][] {
  return document.split('\n').map(graphqlPieces)
}

/** Names before a colon are aliases and arguments. */
function graphqlPieces(line: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: text, index, groups } of line.matchAll(graphqlTokens)) {
    const kind = Object.entries(groups!).find(([, found]) => found !== undefined)![0] as NonNullable<
      Piece['kind']
    >
    pieces.push({ text: line.slice(end, index) }, { text, kind })
    end = index + text.length
  }
  return [...pieces, { text: line.slice(end) }]
}

/** A document in one line gets one of its own for each field. One that has lines stays, since errors name their places. */
export function formatDocument(document: string): string {
  if (document.trim().includes('\n')) return document
  let depth = 0
  let open = 0
  const parts = document.match(/"(?:[^"\\]|\\.)*"|\.\.\.|[{}()[\]]|[^\s{}()[\]".,]+|[.,]/g) ?? []
  let text = ''
  const newLine = () => `\n${'  '.repeat(depth)}`
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1] ?? ''
    if (part === '(' || part === '[') open++
    if (part === ')' || part === ']') open--
    if (open === 0 && part === ',') continue
    if (depth === 0 && before === '}') text += '\n\n'
    if (open === 0 && part === '}') {
      depth--
      text += newLine() + part
    } else if (open === 0 && part === '{') {
      depth++
      text += `${/\S$/.test(text) ? ' ' : ''}{`
    } else if (open === 0 && depth > 0 && startsField(part, before)) text += newLine() + part
    else text += (needsSpace(part, before) ? ' ' : '') + part
  }
  return text
}

/** Not an argument, a directive, what is behind an alias, nor the type behind `... on`. */
function startsField(part: string, before: string): boolean {
  if (/^[([@:)\]]/.test(part)) return false
  return !(/:$|^@|^\.\.\.$/.test(before) || before === 'on')
}

function needsSpace(part: string, before: string): boolean {
  return !/^[)\]([:,!]/.test(part) && !/^[([}]?$|\.\.\.$/.test(before)
}
