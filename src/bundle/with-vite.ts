import { isBuiltin } from 'node:module'
import type * as Vite from 'vite'
import type { Plugin } from 'vite'
import { MockApiError } from '../core/diagnostics/format.ts'
import {
  bundleFailed,
  createProjectImports,
  definitionsOf,
  nodeModule,
  type ModuleToBundle,
} from './bundler.ts'

/** Id without an extension, so that no other plugin takes it for a file. */
const entryId = '\0unplugin-mock-api:entry'

export async function bundleWithVite(
  vite: typeof Vite,
  name: string,
  module: ModuleToBundle,
): Promise<string> {
  const { root, format, minify = true } = module
  try {
    const built = await vite.build({
      root,
      configFile: false,
      publicDir: false,
      logLevel: 'silent',
      define: { 'process.env.NODE_ENV': '"production"', ...definitionsOf(module.world) },
      plugins: [entryPlugin(module)],
      build: {
        write: false,
        target: 'es2022',
        minify,
        modulePreload: false,
        reportCompressedSize: false,
        rollupOptions: {
          input: entryId,
          preserveEntrySignatures: 'strict',
          output: { format: format === 'module' ? 'es' : 'iife', ...oneFile(vite) },
        },
      },
    })
    const [{ output }] = [built].flat() as [Vite.Rollup.RollupOutput]
    return output[0].code
  } catch (error) {
    throw error instanceof MockApiError ? error : bundleFailed(name, error)
  }
}

/** Rolldown since Vite 8, Rollup before. */
function oneFile(vite: typeof Vite): object {
  return 'rolldownVersion' in vite ? { codeSplitting: false } : { inlineDynamicImports: true }
}

function entryPlugin(module: ModuleToBundle): Plugin {
  const { root, source } = module
  const findImport = createProjectImports(module)
  /** Modules that are made from other files. */
  const made = new Map<string, string>()
  /** The first importer of each module. */
  const importers = new Map<string, string>()
  const chainTo = (id: string): string[] => {
    const chain: string[] = []
    for (
      let at: string | undefined = id;
      at && !at.startsWith('\0') && !chain.includes(at);
      at = importers.get(at)
    )
      chain.unshift(at)
    return chain
  }
  return {
    name: 'unplugin-mock-api:entry',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      if (id === entryId) return id
      if (isBuiltin(id) && importer !== undefined) throw nodeModule(root, id, chainTo(importer))
      const found = importer === undefined ? undefined : findImport(id, importer)
      if (found && 'source' in found) {
        const name = `\0${id}.js?${made.size}`
        made.set(name, found.source)
        return name
      }
      const resolved = await this.resolve(
        found?.path ?? id,
        importer?.startsWith('\0') ? undefined : importer,
        { ...options, skipSelf: true },
      )
      if (!resolved) return null
      if (importer !== undefined && !importers.has(resolved.id)) importers.set(resolved.id, importer)
      return resolved
    },
    load(id) {
      return id === entryId ? source : made.get(id)
    },
  }
}
