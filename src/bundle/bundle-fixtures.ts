/* The fixture files as one script: a worker for an edge runtime, and the service worker of a demo build. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { formatDiagnostic, MockApiError } from '../core/diagnostics/format.ts'
import type { FetchOptions } from '../core/options/options.ts'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { worldOf } from './fixtures.ts'
import { findBundler, type Bundler, type ModuleToBundle } from './bundler.ts'
import { writePath } from './source-code.ts'
import { bundleWithVite } from './with-vite.ts'
import { bundleWithWebpack } from './with-webpack.ts'
import { writeRoutesModule, type ModuleTarget } from './write-module.ts'
import { errorsIn } from '../core/diagnostics/severity.ts'
import { packageFolder, readPackageFile } from '../files/package-folder.ts'

/**
 * @returns the code, and name and version of the bundler, such as `Vite 8.3.8`
 * @throws MockApiError `bundler-missing`, `bundle-failed`, or `fixture-needs-node`
 */
export async function bundleModule(module: ModuleToBundle): Promise<{ code: string; bundler: string }> {
  const bundler = module.bundler ?? (await findBundler(module.root))
  const { name, kind } = bundler
  const bundled =
    kind === 'vite' ? bundleWithVite(bundler.vite, name, module) : bundleWithWebpack(bundler, module)
  return { code: await bundled, bundler: name }
}

type Bundle = Pick<ModuleToBundle, 'format' | 'minify' | 'bundler'> &
  Pick<ModuleTarget, 'origins'> & { main: string }

async function bundleRoutes(options: ResolvedOptions, { main, origins, ...bundle }: Bundle) {
  const { root, graphql } = options
  const { code, diagnostics, files } = await writeRoutesModule(options, { hasNode: false, main, origins })
  const errors = errorsIn(diagnostics)
  if (errors.length > 0) throw new MockApiError(errors)
  const needsSchema = graphql.strict || graphql.schema.length > 0 || code.includes('schemasOf(')
  const world = worldOf(options)
  const bundled = await bundleModule({ root, world, ...bundle, source: code, needsSchema })
  return { ...bundled, warnings: diagnostics, files }
}

/** A request without a route gets a file of the platform (`ASSETS` is Cloudflare's usual name), or the reason. */
const workerSource =
  () => `import { answerByClient, stateClass } from ${writePath(join(packageFolder(), 'dist/bundle/worker-state.js'))}
export const MockApiState = stateClass(() => createFetchHandler(routes, fetchOptions()))
export default {
  async fetch(request, env) {
    const answer = await answerByClient(handler, request, env?.MOCK_API_STATE)
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
 * One ES module without imports, whose default export has a function `fetch`.
 *
 * @throws MockApiError for an invalid fixture, and for one that can't be bundled
 */
export function bundleWorker(
  options: ResolvedOptions,
  { minify, origins }: { minify: boolean; origins: Pick<FetchOptions, 'cors'> },
) {
  const hosts = { allowedHosts: true, ...origins } as const
  return bundleRoutes(options, { main: workerSource(), format: 'module', minify, origins: hosts })
}

/** The file is in the root of the build, since a service worker's folder is its scope. */
export const workerFile = 'mock-api-worker.js'

const serviceWorkerSource = `import { answerFetchEvents } from 'unplugin-mock-api/service-worker'
answerFetchEvents(routes, fetchOptions(), { version: self.mockApiVersion, file: '${workerFile}' })`

/** @throws MockApiError for an invalid fixture, and for one that can't be bundled */
export async function buildDemo(options: ResolvedOptions, host: { bundler?: Bundler; minify: boolean }) {
  const { logger, build } = options
  const { code, warnings, files } = await bundleRoutes(options, {
    main: serviceWorkerSource,
    format: 'script',
    ...host,
  })
  for (const warning of warnings) logger.warn(formatDiagnostic(warning))
  const version = createHash('sha256').update(code).digest('hex').slice(0, 16)
  const worker = `self.mockApiVersion='${version}';\n${code}`
  const script = readPackageFile('dist/service-worker-page/start.js')
  const kilobytes = Math.ceil(Buffer.byteLength(worker) / 1000)
  return {
    worker,
    version,
    /**
     * The first code of each page: it registers the worker, and holds requests back until it answers.
     *
     * @param root an expression: the URL of a file in the root of the build
     */
    page(root: string): string {
      const url = `new URL(${JSON.stringify(build?.importedBy ?? workerFile)}, ${root})`
      const settings = `{ url: ${url}, version: '${version}', badge: ${build?.badge ?? false} }`
      return `(() => {\n${script}\nmockApi.startMockApi(${settings})\n})()\n`
    },
    files,
    summary: `this build contains the mock API: its pages get their answers from ${workerFile} (${kilobytes} kB)`,
  }
}
