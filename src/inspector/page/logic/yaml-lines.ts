/** A piece of a line of YAML, and what it is coloured as. */
interface Piece {
  text: string
  kind?: 'key' | 'comment'
}

/** Splits YAML into lines of pieces, to highlight keys and comments. Covers what the server writes. */
export function yamlLines(yaml: string): Piece[][] {
  return yaml.replace(/\n$/, '').split('\n').map(piecesOf)
}

function piecesOf(line: string): Piece[] {
  if (/^\s*#/.test(line)) return [{ text: line, kind: 'comment' }]
  const [, indent, key, rest] = /^([\s-]*)([\w$./-]+|"[^"]*"|'[^']*')(:(?:\s.*)?)$/.exec(line) ?? []
  if (indent === undefined) return withComment(line)
  return [{ text: indent }, { text: key!, kind: 'key' }, ...withComment(rest!)]
}

/** Splits off a comment at the end of a line. A `#` inside quotes does not begin one. */
function withComment(text: string): Piece[] {
  const at = /["']/.test(text) ? text.search(/ # [^"']*$/) : text.search(/ #/)
  if (at === -1) return [{ text }]
  return [{ text: text.slice(0, at) }, { text: text.slice(at), kind: 'comment' }]
}
