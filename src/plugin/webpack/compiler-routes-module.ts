import { statSync } from 'node:fs'
import type { LoaderContext } from '../../bundle/routes-loader.ts'
import { writeRoutesModule } from '../../bundle/write-module.ts'
import { formatDiagnostic } from '../../core/diagnostics/format.ts'
import type { ResolvedOptions } from '../../core/options/options.ts'

/** The options of a compiler that say what it builds for. */
export interface CompilerTarget {
  externalsPresets?: { node?: boolean }
}

/** Writes `virtual:mock-api` for webpack or Rspack. */
export async function writeForCompiler(
  context: LoaderContext,
  { externalsPresets }: CompilerTarget,
  options: ResolvedOptions,
): Promise<string> {
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
