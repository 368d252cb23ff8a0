export interface Piece {
  text: string
  kind?: 'key' | 'comment' | 'string' | 'number' | 'word'
}

const tokens =
  /(?<comment>#.*)|(?<string>"(?:[^"\\]|\\.)*"?)|(?<word>[$@]\w+|\b(?:query|mutation|subscription|fragment|on|true|false|null)\b)|(?<key>\b\w+(?=\s*:))|(?<number>-?\b\d[\w.]*)/g

/** The parts of a GraphQL document. Names before a colon are aliases and arguments. */
export function graphqlPieces(document: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: text, index, groups } of document.matchAll(tokens)) {
    const [kind] = Object.entries(groups!).find(([, found]) => found !== undefined)!
    pieces.push({ text: document.slice(end, index) }, { text, kind: kind as NonNullable<Piece['kind']> })
    end = index + text.length
  }
  return [...pieces, { text: document.slice(end) }]
}
