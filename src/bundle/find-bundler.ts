import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { diagnoseSetup } from '../core/diagnostics/setup-texts.ts'
import { MockApiError } from '../core/diagnostics/format.ts'
import type * as Vite from 'vite'
import type { Compiler } from 'webpack'

/** The part of webpack's module that Rspack's has too. */
type Webpack = Compiler['webpack']

/** A bundler that is loaded. */
export type Bundler =
  /** `name` has the version, for messages. */
  | { name: string; kind: 'vite'; vite: typeof Vite }
  | { name: string; kind: 'webpack' | 'rspack'; webpack: Webpack }

/**
 * Where a bundler is looked for: in the project, in the working directory, where the running command is installed (a
 * framework may have the bundler as a dependency of its own), and beside this package, which has them as peers.
 */
function places(root: string): string[] {
  const command = process.argv[1]
  const folders = [root, process.cwd(), ...(command ? [dirname(realPath(command))] : [])]
  return [...folders.map((folder) => join(folder, 'resolve-from-here.js')), fileURLToPath(import.meta.url)]
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

type Load = (resolve: NodeJS.Require) => Promise<Bundler | undefined>

/** Finds the bundler of a project: Vite, else Rspack (which Rsbuild has too), else webpack. */
export async function findBundler(root: string): Promise<Bundler> {
  for (const load of [loadVite, loadRspack, loadWebpack]) {
    for (const place of places(root)) {
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
