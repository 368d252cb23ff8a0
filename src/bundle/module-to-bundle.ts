import type { Bundler } from './find-bundler.ts'

export interface ModuleToBundle {
  /** The project's folder. What the module imports by a bare name is resolved from here, and its bundler is used. */
  root: string
  /** The JavaScript source of the module. It imports files by absolute path, and this package by its name. */
  source: string
  /** Modules that exist only in memory: their sources, by the names under which they are imported. */
  modules?: Readonly<Record<string, string>> | undefined
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
