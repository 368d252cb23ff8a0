import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatDiagnostic, MockApiError } from '../core/diagnostics/format.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import { bundleModule } from './bundle-module.ts'
import type { Bundler } from './find-bundler.ts'
import { packageFolder } from './package-files.ts'
import { writeRoutesModule } from './write-module.ts'

/** The script of the worker, in the root of the build: its folder is its scope. */
export const workerFile = 'mock-api-worker.js'

/** How a script of the page finds the root of the build. */
type PageScript =
  /** A classic script beside the worker. */
  | { kind: 'script' }
  /** An ES module beside the worker. */
  | { kind: 'module' }
  /** A part of a bundle. `root` is an expression: the URL of the root, relative to the page or absolute. */
  | { kind: 'bundled'; root: string }

/** What a build with the mock API consists of. */
export interface DemoBuild {
  /** The code of `mock-api-worker.js`. */
  worker: string
  /** Changes when the worker does. */
  version: string
  /** The code that each page runs first: it registers the worker, and holds requests back until it answers. */
  page: (script: PageScript) => string
  /** Absolute paths of the files that the worker was made of. */
  files: readonly string[]
  /** A line for the log. */
  summary: string
}

const routesName = 'unplugin-mock-api/routes'

/**
 * Bundles the fixtures into a service worker.
 *
 * @param host its bundler, by default the one that is found in the project, and whether it minifies
 * @throws MockApiError for an invalid fixture, and for one that can't be bundled
 */
export async function buildDemo(
  options: ResolvedOptions,
  { bundler, minify }: { bundler?: Bundler; minify: boolean },
): Promise<DemoBuild> {
  const { root, logger, build, graphql } = options
  const { code, diagnostics, files } = await writeRoutesModule(options, { hasNode: false })
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new MockApiError(errors)
  for (const warning of diagnostics) logger.warn(formatDiagnostic(warning))
  const bundled = await bundleModule({
    root,
    format: 'script',
    source: `import { answerFetchEvents } from 'unplugin-mock-api/service-worker'
import { fetchOptions, routes } from '${routesName}'
answerFetchEvents(routes, fetchOptions(), { version: self.mockApiVersion, file: '${workerFile}' })`,
    modules: { [routesName]: code },
    needsSchema: graphql.strict || graphql.schema.length > 0 || code.includes('schemasOf('),
    minify,
    bundler,
  })
  const version = createHash('sha256').update(bundled.code).digest('hex').slice(0, 16)
  const worker = `self.mockApiVersion='${version}';\n${bundled.code}`
  const script = readFileSync(join(packageFolder(), 'dist/service-worker-page/start.global.js'), 'utf8')
  const kilobytes = Math.ceil(Buffer.byteLength(worker) / 1000)
  return {
    worker,
    version,
    page(kind) {
      const url = `new URL(${JSON.stringify(build?.importedBy ?? workerFile)}, ${rootOf(kind)})`
      const settings = `{ url: ${url}, version: '${version}', badge: ${build?.badge ?? false} }`
      return `(() => {\n${script}\nmockApi.startMockApi(${settings})\n})()\n`
    },
    files,
    summary: `this build contains the mock API: its pages get their answers from ${workerFile} (${kilobytes} kB)`,
  }
}

function rootOf(script: PageScript): string {
  switch (script.kind) {
    case 'script':
      return 'document.currentScript.src'
    case 'module':
      return 'import.meta.url'
    case 'bundled':
      return `new URL(${script.root}, location.href)`
  }
}
