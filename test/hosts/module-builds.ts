import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createRsbuild } from '@rsbuild/core'
import { rspack } from '@rspack/core'
import { build as viteBuild } from 'vite'
import webpack from 'webpack'
import { mockApi as rsbuildPlugin } from '../../src/rsbuild.ts'
import { mockApi as rspackPlugin } from '../../src/rspack.ts'
import { mockApi as vitePlugin } from '../../src/vite.ts'
import { mockApi as webpackPlugin } from '../../src/webpack.ts'
import type { Options } from '../../src/core/options/options.ts'

export interface BuildOptions {
  /** Whether the plugin is in the config. Default `true`. */
  plugin?: boolean
  options?: Options
  /** Whether the build is for Node. Default `false`. */
  node?: boolean
  minify?: boolean
}

/**
 * Builds `main.ts` of a project as a library, with `dist/main.mjs` as its entry.
 *
 * @throws Error with the messages of the bundler
 */
export type Build = (root: string, options?: BuildOptions) => Promise<void>

const logger = { info() {}, warn() {}, error() {} }

const withVite: Build = async (root, { plugin = true, options, node = false, minify = false } = {}) => {
  await viteBuild({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: plugin ? [vitePlugin({ logger, ...options })] : [],
    build: {
      minify,
      ssr: node,
      modulePreload: false,
      rollupOptions: {
        input: join(root, 'main.ts'),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'main.mjs' },
      },
    },
    ...(node && { ssr: { noExternal: true } }),
  })
}

function compilerConfig(root: string, { node = false, minify = false }: BuildOptions) {
  return {
    context: root,
    mode: 'production' as const,
    devtool: false as const,
    entry: './main.ts',
    target: node ? 'node20' : 'web',
    experiments: { outputModule: true },
    output: { path: join(root, 'dist'), filename: 'main.mjs', library: { type: 'module' as const } },
    optimization: { minimize: minify },
    resolve: { extensions: ['.ts', '.js'] },
  }
}

interface Stats {
  hasErrors: () => boolean
  toString: (options: object) => string
}

function run(compiler: {
  run: (done: (error: Error | null, stats?: Stats) => void) => void
  close: (done: () => void) => void
}) {
  return new Promise<void>((resolve, reject) =>
    compiler.run((error, stats) =>
      compiler.close(() => {
        if (error) reject(error)
        else if (stats!.hasErrors()) reject(new Error(stats!.toString({ all: false, errors: true })))
        else resolve()
      }),
    ),
  )
}

const withWebpack: Build = async (root, { plugin = true, ...rest } = {}) => {
  const config = compilerConfig(root, rest)
  await run(
    webpack({
      ...config,
      module: { rules: [{ test: /\.ts$/, loader: 'esbuild-loader' }] },
      plugins: plugin ? [webpackPlugin({ logger, ...rest.options })] : [],
    }),
  )
}

const withRspack: Build = async (root, { plugin = true, ...rest } = {}) => {
  const config = compilerConfig(root, rest)
  await run(
    rspack({
      ...config,
      experiments: {},
      output: { ...config.output, module: true },
      module: { rules: [{ test: /\.ts$/, loader: 'builtin:swc-loader', type: 'javascript/auto' }] },
      plugins: plugin ? [rspackPlugin({ logger, ...rest.options }) as never] : [],
    } as never),
  )
}

const withRsbuild: Build = async (root, { plugin = true, options, node = false, minify = false } = {}) => {
  const rsbuild = await createRsbuild({
    cwd: root,
    rsbuildConfig: {
      mode: 'production', // without it, it is that of NODE_ENV, which is `test`
      logLevel: 'silent',
      source: { entry: { main: './main.ts' } },
      output: {
        target: node ? 'node' : 'web',
        filename: { js: '[name].mjs' },
        distPath: { root: 'dist', js: '' },
        filenameHash: false,
        minify,
      },
      tools: {
        htmlPlugin: false,
        rspack: {
          output: {
            module: true,
            chunkFormat: 'module',
            chunkLoading: 'import',
            library: { type: 'module' },
          },
          optimization: { splitChunks: false },
        },
      },
      plugins: plugin ? [rsbuildPlugin({ logger, ...options }) as never] : [],
    },
  } as never)
  await run(await rsbuild.createCompiler())
}

export const builds: Record<string, Build> = {
  Vite: withVite,
  webpack: withWebpack,
  Rspack: withRspack,
  Rsbuild: withRsbuild,
}

/** The files of a build, sorted by name. */
export function builtFiles(root: string): string[] {
  const dist = join(root, 'dist')
  const names = readdirSync(dist, { recursive: true }) as string[]
  return names.filter((name) => statSync(join(dist, name)).isFile()).sort()
}
