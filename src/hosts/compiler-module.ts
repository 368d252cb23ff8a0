import { statSync } from 'node:fs'
import { join } from 'node:path'
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import { packageFolder } from '../bundle/package-files.ts'
import type { LoaderContext, WriteForLoader } from '../bundle/routes-loader.ts'
import { addToHash, hashStart } from '../core/values/hash.ts'

/** The part of a compiler of webpack or Rspack that is used. */
interface ModuleCompiler {
  options: { externalsPresets?: { node?: boolean } }
  webpack: {
    NormalModuleReplacementPlugin: new (
      request: RegExp,
      replacement: string,
    ) => { apply: (compiler: never) => void }
  }
}

const writerKey = Symbol.for('unplugin-mock-api.routes-module')

/**
 * Gives a compiler `virtual:mock-api`. It is a file of this package with a loader that returns another source, so nothing is
 * written anywhere. The request is replaced before webpack looks at its scheme, which it would not know.
 *
 * A second call for the same compiler does nothing: with several plugins, the module has the routes of the first.
 */
export function provideModule(compiler: ModuleCompiler, options: ResolvedOptions): void {
  if (writerKey in compiler) return
  const write: WriteForLoader = (context) => writeModule(context, compiler, options)
  Object.defineProperty(compiler, writerKey, { value: write })
  const dist = join(packageFolder(), 'dist')
  // The options are a part of the request, and so of the key in a cache on the disk.
  const request = `!!${join(dist, 'bundle/routes-loader.js')}?${keyOf(options)}!${join(dist, 'bundle/entry.js')}`
  new compiler.webpack.NormalModuleReplacementPlugin(/^virtual:mock-api$/, request).apply(compiler as never)
}

/** Data options that are the same have the same key. */
function keyOf(options: ResolvedOptions): string {
  const data = JSON.stringify({ ...options, logger: undefined })
  return (addToHash(hashStart, data) >>> 0).toString(36)
}

async function writeModule(
  context: LoaderContext,
  { options: { externalsPresets } }: ModuleCompiler,
  options: ResolvedOptions,
): Promise<string> {
  const { writeRoutesModule } = await import('../bundle/write-module.ts')
  const hasNode = externalsPresets?.node === true
  const { code, diagnostics, files, places } = await writeRoutesModule(options, {
    hasNode,
    assetUrl: hasNode ? undefined : assetUrl,
  })
  for (const file of files) (isThere(file) ? context.addDependency : context.addMissingDependency)(file)
  for (const place of places) {
    if (!isThere(place)) context.addMissingDependency(place)
    else if (!files.includes(place)) context.addContextDependency(place)
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw withoutStack(errors.map(formatDiagnostic).join('\n'))
  return code
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function assetUrl(path: string) {
  return { expression: `new URL(${JSON.stringify(path)}, import.meta.url).href` }
}

/** The stack of our own code says nothing about a fixture file. */
function withoutStack(message: string): Error {
  return Object.assign(new Error(message), { stack: message, hideStack: true })
}
