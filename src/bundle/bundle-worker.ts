import { MockApiError } from '../core/diagnostics/format.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { FetchOptions, ResolvedOptions } from '../core/options/options.ts'
import { bundleModule } from './bundle-module.ts'
import { writeRoutesModule } from './write-module.ts'

/** A worker for a runtime that answers a `Request` with a `Response`. */
export interface BundledWorker {
  /** One ES module without imports, whose default export has a function `fetch`. */
  code: string
  /** Name and version of the bundler that was used. */
  bundler: string
  warnings: readonly Diagnostic[]
}

const routesName = 'unplugin-mock-api/routes'

/**
 * What a worker does with a request that no route has: it asks for a file, if the platform has files for it
 * (`ASSETS`, Cloudflare's usual name), and otherwise says why there is no answer.
 */
const source = `import { handler } from '${routesName}'
export default {
  async fetch(request, env) {
    const answer = await handler(request)
    if (answer) return answer
    if (env?.ASSETS) return env.ASSETS.fetch(request)
    const { pathname } = new URL(request.url)
    const error = {
      code: 'route-missing',
      message: \`No route of the mock API is for \${request.method} \${pathname}.\`,
      fix: 'Add a route with this method and path to a fixture file, bundle it again, and deploy it.',
    }
    return Response.json({ error }, { status: 404 })
  },
}`

/**
 * Bundles the fixture files into a worker, with the bundler of the project.
 *
 * @param minify whether the code is minified
 * @param origins which pages of other origins it answers
 * @throws MockApiError for an invalid fixture, and for one that can't be bundled
 */
export async function bundleWorker(
  options: ResolvedOptions,
  { minify, origins }: { minify: boolean; origins: Pick<FetchOptions, 'cors'> },
): Promise<BundledWorker> {
  const { root, graphql } = options
  const { code, diagnostics } = await writeRoutesModule(options, {
    hasNode: false,
    origins: { allowedHosts: true, ...origins },
  })
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new MockApiError(errors)
  const needsSchema = graphql.strict || graphql.schema.length > 0 || code.includes('schemasOf(')
  const modules = { [routesName]: code }
  const bundled = await bundleModule({ root, source, modules, format: 'module', minify, needsSchema })
  return { ...bundled, warnings: diagnostics }
}
