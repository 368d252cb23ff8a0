import type { SourceLocation } from 'graphql'

export interface LinePart {
  text: string
  marked: boolean
}

// A name, a number, or one other character: enough of GraphQL's grammar to see where a token ends.
const TOKEN = /[\w$@]+|./y

/** Splits a text into lines, and each line so that the tokens which start at a location stand alone. */
export function markLocations(text: string, locations: readonly SourceLocation[]): LinePart[][] {
  return text.split('\n').map((line, index) => {
    const starts = locations.filter((at) => at.line === index + 1).map((at) => at.column - 1)
    return markTokens(
      line,
      [...new Set(starts)].sort((a, b) => a - b),
    )
  })
}

function markTokens(line: string, starts: number[]): LinePart[] {
  const parts: LinePart[] = []
  let done = 0
  for (const start of starts) {
    TOKEN.lastIndex = start
    const token = TOKEN.exec(line)?.[0]
    if (!token || start < done) continue
    parts.push({ text: line.slice(done, start), marked: false }, { text: token, marked: true })
    done = start + token.length
  }
  return [...parts, { text: line.slice(done), marked: false }]
}
