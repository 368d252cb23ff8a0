/** Characters of a piece, about: enough that its overhead does not matter, few enough that it is soon garbage. */
const pieceLength = 8_000

/** Comments and blank lines in front of a list. */
const onlyComments = /^(?:[ \t]*(?:#.*)?\r?\n)*$/
/** The marks and directives of documents, and what an anchor or alias may be: with these, entries depend on each other. */
const dependent = /^(?:---|\.\.\.|%)|(?:^|[\s[{,])[&*][^\s,[\]{}]/m

/**
 * The offsets at which the text of a long list can be cut, so that each piece is a list by itself: parsed piece by
 * piece, it takes a third of the time and a fraction of the memory. `undefined` when the text is short, is no list, or
 * its entries depend on each other.
 *
 * A line that begins with `- ` in the first column begins an entry: inside a text or a flow collection it would be an
 * error, with or without the cut.
 */
export function splitList(text: string): number[] | undefined {
  if (text.length <= pieceLength || dependent.test(text)) return undefined
  const starts: number[] = []
  for (const { index } of text.matchAll(/^-(?=[ \t\r\n])/gm)) {
    if (starts.length === 0 || index - starts.at(-1)! >= pieceLength) starts.push(index)
  }
  return starts.length > 0 && onlyComments.test(text.slice(0, starts[0])) ? starts : undefined
}
