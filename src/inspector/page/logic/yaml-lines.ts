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
  if (indent === undefined) return [{ text: line }]
  return [{ text: indent }, { text: key!, kind: 'key' }, { text: rest! }]
}
