import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Vite from 'vite'
import type { Compiler } from 'webpack'
import { diagnoseSetup } from '../core/diagnostics/setup-texts.ts'
import { MockApiError } from '../core/diagnostics/format.ts'
import type { ModuleWorld } from '../core/options/module-world.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { displayPath } from '../files/paths.ts'
import { isOther, writeOther } from '../loader/module/other-modules.ts'
import { createResolver } from '../loader/module/resolve-import.ts'
import { resolvePlaces } from './resolve-places.ts'
import { packageFolder } from '../files/package-folder.ts'

export interface ModuleToBundle {
  /** Bare names are resolved from here; the project's bundler is used. */
  root: string
  world: ModuleWorld
  /** JavaScript that imports files by absolute path, and this package by its name. */
  source: string
  /** `module` has the module's own exports; `script` is a classic script without exports. */
  format: 'module' | 'script'
  /** Default `true`. */
  minify?: boolean | undefined
  /** Routes need graphql-js with a schema, or in strict mode. Default `false`, which leaves it out. */
  needsSchema?: boolean | undefined
  bundler?: Bundler | undefined
}

/** The part of webpack that Rspack's module has too. */
type Webpack = Compiler['webpack']

export type Bundler =
  /** `name` has the version, for messages. */
  | { name: string; kind: 'vite'; vite: typeof Vite }
  | { name: string; kind: 'webpack' | 'rspack'; webpack: Webpack }

type Load = (resolve: NodeJS.Require) => Promise<Bundler | undefined>

/** Vite, else Rspack (which Rsbuild has too), else webpack. */
export async function findBundler(root: string): Promise<Bundler> {
  // Finally next to this package, which has them as peer dependencies.
  const places = [...resolvePlaces(root), fileURLToPath(import.meta.url)]
  for (const load of [loadVite, loadRspack, loadWebpack]) {
    for (const place of places) {
      const bundler = await load(createRequire(place))
      if (bundler) return bundler
    }
  }
  throw new MockApiError([diagnoseSetup('bundler-missing', {}, { root })])
}

const loadVite: Load = async (require) => {
  const found = findPackage(require, 'vite')
  if (!found) return undefined
  // Not by its name: `require` of Vite 5 and 6 finds their deprecated CommonJS build.
  const vite = (await importFile(join(found.folder, 'dist/node/index.js'))) as typeof Vite
  return { kind: 'vite', name: `Vite ${found.version}`, vite }
}

const loadRspack: Load = async (require) => {
  const rsbuild = findPackage(require, '@rsbuild/core')
  const from = findPackage(require, '@rspack/core')
    ? require
    : rsbuild && createRequire(join(rsbuild.folder, 'package.json'))
  const found = from && findPackage(from, '@rspack/core')
  if (!found) return undefined
  const { rspack } = (await importFile(from.resolve('@rspack/core'))) as { rspack: Webpack }
  return { kind: 'rspack', name: `Rspack ${found.version}`, webpack: rspack }
}

const loadWebpack: Load = async (require) => {
  const found = findPackage(require, 'webpack')
  if (!found) return undefined
  const { default: webpack } = (await importFile(require.resolve('webpack'))) as { default: Webpack }
  return { kind: 'webpack', name: `webpack ${found.version}`, webpack }
}

function importFile(path: string): Promise<unknown> {
  return import(pathToFileURL(path).href)
}

function findPackage(require: NodeJS.Require, name: string) {
  try {
    const path = require.resolve(`${name}/package.json`)
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
    return { folder: dirname(path), version }
  } catch {
    return undefined // not installed there
  }
}

/** The built entries that a worker may import, whatever copy of the package the project has. */
function workerEntries(): Record<string, string> {
  const entries = ['fetch', 'fixture', 'service-worker']
  return Object.fromEntries(
    entries.map((name) => [`unplugin-mock-api/${name}`, join(packageFolder(), `dist/${name}.js`)]),
  )
}

/** Imports of `createFetchHandler` for a schema: a chunk, and the whole of graphql-js. */
const schemaImports = /\/create-checker-[A-Z0-9]+\.js$|^graphql\/(?:index|validation\/validate)\.js$/

/** Finds what the bundler does not find itself: a path, or the source of a module. */
export function createProjectImports({ root, world, needsSchema = false }: ModuleToBundle) {
  const { resolve } = createResolver(root, world)
  const own = workerEntries()
  return (specifier: string, importer: string): { path: string } | { source: string } | undefined => {
    if (Object.hasOwn(own, specifier)) return { path: own[specifier]! }
    if ((importer + specifier).includes('\0')) return undefined // a module that the bundler itself has made
    if (!needsSchema && schemaImports.test(specifier)) return { source: '' }
    const { to, query, isMapped } = resolve(specifier, importer)
    if (to === undefined) return { source: 'export default {}' }
    if (isAbsolute(to) && isOther(to, query)) return { source: writeOther(to, query, root, world.base) }
    return isMapped ? { path: to } : undefined
  }
}

/** Values for the bundler's `define`. It would find `import.meta.env` itself, but has another mode. */
export function definitionsOf({ define, env }: ModuleWorld): Record<string, string> {
  const text = (value: unknown) =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  const own = Object.entries(define).map(([name, value]) => [name, text(value)])
  const shown = Object.entries(env).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)])
  return Object.fromEntries([...shown, ...own]) as Record<string, string>
}

export function bundleFailed(bundler: string, error: unknown): MockApiError {
  const reason = reasonOf(error).replaceAll(/\x1B\[[\d;]*m/g, '')
  return new MockApiError([diagnoseSetup('bundle-failed', {}, { bundler, reason })])
}

/** @param chain the modules from the fixture file to the one that imports a part of Node */
export function nodeModule(root: string, module: string, chain: readonly string[]): MockApiError {
  const shown = chain.map((path) => displayPath(root, path))
  return new MockApiError([
    diagnoseSetup('fixture-needs-node', { file: shown[0] ?? '' }, { chain: [...shown, module] }),
  ])
}
