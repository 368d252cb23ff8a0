import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { findBundler, type Bundler } from './find-bundler.ts'

/*
 * Bundles one module into one file, with the bundler that the project has: for what is not part of the host's own build,
 * such as a service worker and a worker for an edge runtime.
 */

export interface ModuleToBundle {
  /** The project's folder. What the module imports by a bare name is resolved from here, and its bundler is used. */
  root: string
  /** The JavaScript source of the module. It imports files by absolute path, and this package by its name. */
  source: string
  /** `module`: an ES module with the module's own exports. `script`: a classic script, without exports. */
  format: 'module' | 'script'
  /** Whether the code is minified. Default `true`. */
  minify?: boolean | undefined
  /** Whether the routes need graphql-js: with a schema, or in strict mode. Default `false`, which leaves it out. */
  needsSchema?: boolean | undefined
  /** The bundler of the host. Default: the one that is found in the project. */
  bundler?: Bundler | undefined
}

export interface BundledModule {
  code: string
  /** Name and version of the bundler, such as `Vite 8.3.8`. */
  bundler: string
}

/**
 * Bundles a module into one file.
 *
 * @throws MockApiError when the project has no bundler (`bundler-missing`), when a module can't be bundled
 * (`bundle-failed`), and when one imports a part of Node (`node-module`)
 */
export async function bundleModule(module: ModuleToBundle): Promise<BundledModule> {
  const bundler = module.bundler ?? (await findBundler(module.root))
  const { name, kind } = bundler
  if (kind === 'vite') {
    const { bundleWithVite } = await import('./with-vite.ts')
    return { code: await bundleWithVite(bundler.vite, name, module), bundler: name }
  }
  const { bundleWithWebpack } = await import('./with-webpack.ts')
  return { code: await bundleWithWebpack(bundler, module), bundler: name }
}

/** The folder of this package: found by its name, since the source and the built files are in different places. */
export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('unplugin-mock-api/package.json'))
}

/** Where the built files of the entries are that a worker may import, whatever copy of the package the project has. */
export function workerEntries(): Record<string, string> {
  const entries = ['fetch', 'fixture', 'service-worker']
  return Object.fromEntries(
    entries.map((name) => [`unplugin-mock-api/${name}`, join(packageFolder(), `dist/${name}.js`)]),
  )
}

/** The chunk of `createFetchHandler` that needs the whole of graphql-js. */
export const schemaChunk = /[\\/]create-checker-[A-Z0-9]+\.js$/
