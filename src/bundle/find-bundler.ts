import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { diagnoseSetup } from '../core/diagnostics/setup-texts.ts'
import { MockApiError } from '../core/diagnostics/format.ts'
import type * as Vite from 'vite'
import type { Compiler } from 'webpack'
import { resolvePlaces } from './package-files.ts'

/** The part of webpack's module that Rspack's has too. */
type Webpack = Compiler['webpack']

/** A bundler that is loaded. */
export type Bundler =
  /** `name` has the version, for messages. */
  | { name: string; kind: 'vite'; vite: typeof Vite }
  | { name: string; kind: 'webpack' | 'rspack'; webpack: Webpack }

type Load = (resolve: NodeJS.Require) => Promise<Bundler | undefined>

/** Finds the bundler of a project: Vite, else Rspack (which Rsbuild has too), else webpack. */
export async function findBundler(root: string): Promise<Bundler> {
  // At last beside this package, which has them as peers.
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
