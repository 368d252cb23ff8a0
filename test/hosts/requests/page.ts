import type { Group, Row } from './row.ts'

const introduction = `# Unusual and hostile requests

This page lists how unusual, malformed and hostile requests are answered. In each case, the dev server keeps running,
the next request is answered, and only refused and unmatched requests are logged. A 400, 413 or 415 has a JSON body, on
the GraphQL endpoint a GraphQL error, that states the reason and the fix. The body of a request is only read where a
selector or a response function of the endpoint may use it.

Unless an entry says otherwise, this package decides. "Node" is Node's HTTP parser, which comes before any middleware,
and closes the connection with a 400 or 431. "The host" is the dev server or the middleware behind this package.
`

/** The Markdown of `docs/requests.md`. */
export function pageOf(groups: readonly Group[]): string {
  const sections = groups.map(({ title, rows }) => `## ${title}\n\n${rows.map(entryOf).join('\n')}\n`)
  return [introduction, ...sections].join('\n')
}

function entryOf({ request, answer, by }: Row): string {
  const decided = by === 'Node' ? ' _(Node)_' : by === 'host' ? ' _(the host)_' : ''
  return `- ${wrap(`**${request}**: ${answer}${/[.)]$/.test(answer) ? '' : '.'}${decided}`)}`
}

const width = 116

/** Breaks the lines of an entry, but not within code. */
function wrap(text: string): string {
  const words = text.match(/(?:`[^`]*`|\S)+/g) ?? []
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1)!
    if (line && line.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = line ? `${line} ${word}` : word
  }
  return lines.join('\n  ')
}
