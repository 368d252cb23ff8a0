import type { Group } from './row.ts'

const introduction = `# Unusual and hostile requests

Browsers are not the only clients of a dev server. This page lists how unusual, malformed and hostile requests are answered.
\`test/hosts/requests.test.ts\` sends every row to \`node:http\`, to Vite over HTTPS (HTTP/1.1 and HTTP/2), and to the fetch handler
where a fetch runtime can receive such a request. Rows that depend on the host (targets, browser requests, bodies, and requests
that are passed on) are also sent to webpack-dev-server, Rspack and Rsbuild. The test generates this page:
\`npx vitest run test/hosts/requests.test.ts -u\`.

In every row, the dev server keeps running, the next request is answered, and only refused and unmatched requests are logged.
A response with status 400, 413 or 415 has a JSON body that states the reason and the fix, and the same text is logged. On the
GraphQL endpoint the body is a GraphQL error. The body of a request is only read where a selector or a response function of the
endpoint may use it.

*Decided by* is \`package\` for this package, \`Node\` for Node's HTTP parser (before any middleware runs), and \`host\` for the
dev server or the middleware behind this package.
`

/** The Markdown of `docs/requests.md`. */
export function pageOf(groups: readonly Group[]): string {
  const sections = groups.map(({ title, rows }) => {
    const lines = rows.map(({ request, answer, by = 'package' }) => `| ${request} | ${answer} | ${by} |`)
    return `## ${title}\n\n| Request | Answer | Decided by |\n| --- | --- | --- |\n${lines.join('\n')}\n`
  })
  return [introduction, ...sections].join('\n')
}
