/** A piece of a line of YAML, and what it is coloured as. */
export interface Piece {
  text: string
  kind?: 'key' | 'comment'
}

/** Splits YAML into lines of pieces: enough to set keys and comments apart, in what the server has written. */
export function yamlLines(yaml: string): Piece[][] {
  return yaml.replace(/\n$/, '').split('\n').map(piecesOf)
}

function piecesOf(line: string): Piece[] {
  if (/^\s*#/.test(line)) return [{ text: line, kind: 'comment' }]
  const [, indent, key, rest] = /^([\s-]*)([\w$./-]+|"[^"]*"|'[^']*')(:(?:\s.*)?)$/.exec(line) ?? []
  if (indent === undefined) return withComment(line)
  return [{ text: indent }, { text: key!, kind: 'key' }, ...withComment(rest!)]
}

/** A comment at the end of a line. In a quoted text, a `#` behind a space is none. */
function withComment(text: string): Piece[] {
  const at = /["']/.test(text) ? text.search(/ # [^"']*$/) : text.search(/ #/)
  if (at === -1) return [{ text }]
  return [{ text: text.slice(0, at) }, { text: text.slice(at), kind: 'comment' }]
}
