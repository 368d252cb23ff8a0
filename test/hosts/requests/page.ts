import type { Group } from './row.ts'

const introduction = `# What requests are answered with

What a dev server gets is not only what browsers send. Below is what comes of everything else. Every row is tried by
\`test/hosts/requests.test.ts\`: on \`node:http\` and on Vite with HTTPS (HTTP/1.1 and HTTP/2), and through the fetch handler where it
can get such a request at all. What a host can change, targets, pages, bodies and what is passed on, is tried on webpack-dev-server,
Rspack and Rsbuild too. The test writes this page: \`npx vitest run test/hosts/requests.test.ts -u\`.

Three things hold in every row: the dev server lives, the next request is answered, and nothing is logged but what is said
here. A body that is refused with 400, 413 or 415 is refused with JSON, which names the reason and the fix, and the same is
logged; on the GraphQL endpoint in the shape of GraphQL errors. That is for endpoints where a selector or a function
may look at the body. Elsewhere it is not read at all.

*Decided by* says whose answer it is: the package's, Node's HTTP parser's (before any middleware sees the request), or
that of the host, or of whoever comes behind the package.
`

/** The page that says what the rows show. */
export function pageOf(groups: readonly Group[]): string {
  const sections = groups.map(({ title, rows }) => {
    const lines = rows.map(({ request, answer, by = 'package' }) => `| ${request} | ${answer} | ${by} |`)
    return `## ${title}\n\n| Request | What comes of it | Decided by |\n| --- | --- | --- |\n${lines.join('\n')}\n`
  })
  return [introduction, ...sections].join('\n')
}
