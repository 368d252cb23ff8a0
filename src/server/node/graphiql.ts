import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type { Diagnostic, Report } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseGraphQL } from '../../core/diagnostics/graphql-texts.ts'
import { describeValue } from '../../core/values/describe-value.ts'
import { prepareResponse, type PreparedResponse } from '../../core/response/prepare-response.ts'
import { escapeHtml } from '../../wire/escape-html.ts'

/* GraphiQL comes from a package that the user installs: it has 9 MB, and most projects never open it. */

interface GraphiQLPackage {
  renderGraphiQL: (options: Readonly<Record<string, string>>) => string
}

const packageName = '@graphql-yoga/render-graphiql'

/** Makes the page, and never throws. Navigations look for the package until it is found: after its installation, reloading the page is enough. */
export function createGraphiQL(root: string, report: Report): () => PreparedResponse {
  let rendered: PreparedResponse | undefined

  function render(): PreparedResponse {
    const path = findPackage([resolve(root, 'resolve-from-here.js'), import.meta.url])
    if (path === undefined)
      return explain(501, diagnoseGraphQL('graphiql-not-installed', {}, { packageName }))
    try {
      const graphiql = createRequire(import.meta.url)(path) as GraphiQLPackage
      return (rendered = toResponse(200, renderPage(graphiql)))
    } catch (error) {
      const reason = error instanceof Error ? error.message : `it threw ${describeValue(error)}`
      return explain(500, diagnoseGraphQL('graphiql-failed', {}, { packageName, reason }))
    }
  }

  function explain(status: number, diagnostic: Diagnostic): PreparedResponse {
    report(diagnostic)
    return toResponse(status, explanation(diagnostic))
  }

  return () => rendered ?? render()
}

/** Other sites may not show the page in a frame (clickjacking). */
function toResponse(status: number, html: string): PreparedResponse {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "frame-ancestors 'self'",
    'x-content-type-options': 'nosniff',
  }
  return prepareResponse({ status, body: html, headers })
}

/**
 * GraphiQL's own fetcher would remove the line breaks of documents and hide the `locations` of errors. The
 * path of the page is correct with any base and behind a proxy.
 */
const fetcher = `async (payload, options) => {
  const response = await fetch(location.origin + location.pathname, {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json, application/json',
      'content-type': 'application/json',
      ...options?.headers,
    },
    body: JSON.stringify(payload),
  })
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('HTTP ' + response.status + ' without JSON: ' + text)
  }
}`
const fetcherMark = 'the fetcher of unplugin-mock-api'

function renderPage({ renderGraphiQL }: GraphiQLPackage): string {
  const options = { title: 'GraphiQL' }
  const parts = renderGraphiQL({ ...options, fetcher: fetcherMark }).split(`"${fetcherMark}"`)
  // A function is not JSON, so it replaces a string. Without that string, GraphiQL uses its own fetcher.
  return parts.length === 2 ? parts.join(fetcher) : renderGraphiQL(options)
}

function findPackage(requiringFiles: readonly string[]): string | undefined {
  for (const file of requiringFiles) {
    try {
      return createRequire(file).resolve(packageName)
    } catch {
      // Try the next one.
    }
  }
  return undefined
}

function explanation({ message, fix, code }: Diagnostic): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>GraphiQL</title>
    <link rel="icon" href="data:," />
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
      body { margin: 15vh auto 0; max-width: 42rem; padding: 0 1rem; overflow-wrap: anywhere; }
      h1 { font-size: 1.25rem; }
      code { font-family: ui-monospace, monospace; }
      p > code { background: color-mix(in srgb, currentColor 10%, transparent); padding: 0.15em 0.35em; border-radius: 0.25em; }
    </style>
  </head>
  <body>
    <main>
      <h1>${toHtml(message)}</h1>
      <p>${toHtml(fix)}</p>
      <p><code>${toHtml(code)}</code></p>
    </main>
  </body>
</html>
`
}

/** Text between backticks becomes code. */
function toHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
