import { join } from 'node:path'
import { rspack } from '@rspack/core'
import HtmlWebpackPlugin from 'html-webpack-plugin'
import webpack, { type Configuration } from 'webpack'
import type { Options } from '../../src/core/options/options.ts'
import { mockApi as rspackPlugin } from '../../src/rspack.ts'
import { mockApi as webpackPlugin } from '../../src/webpack.ts'
import { createTestRsbuild, rsbuildConfig } from '../hosts/rsbuild-hosts.ts'
import type { TestProject } from '../hosts/test-project.ts'
import { viteConfig, type Vite } from '../hosts/vite-hosts.ts'

interface Build {
  options?: Options
  base: string
  /** Below the project. */
  outDir: string
}

export interface Builder {
  name: string
  /** @returns what was logged */
  build: (project: TestProject, build: Build) => Promise<string[]>
}

const vites: Record<string, () => Promise<unknown>> = {
  'Vite 8': () => import('vite'),
  'Vite 7': () => import('vite-7'),
  'Vite 6': () => import('vite-6'),
  'Vite 5': () => import('vite-5'),
}

const viteBuilders: Builder[] = Object.entries(vites).map(([name, load]) => ({
  name,
  async build(project, { options = {}, base, outDir }) {
    const { config, log } = viteConfig(project, { options, hostBase: base })
    await ((await load()) as Vite).build({ ...config, build: { outDir, minify: false } })
    return log
  },
}))

function compilerConfig(project: TestProject, log: string[], { base, outDir }: Build): Configuration {
  const write = (...message: unknown[]) => void log.push(message.map(String).join(' '))
  return {
    mode: 'production',
    context: project.root,
    entry: './main.js',
    output: { path: join(project.root, outDir), publicPath: base, clean: true },
    optimization: { minimize: false },
    stats: 'none',
    infrastructureLogging: { console: { ...console, log: write, info: write, warn: write, error: write } },
  }
}

async function runCompiler(compiler: webpack.Compiler): Promise<void> {
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    compiler.run((error, stats) => (error ? reject(error) : resolve(stats)))
  })
  await new Promise<void>((resolve) => compiler.close(() => resolve()))
  if (stats?.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }))
}

const template = '<!doctype html><title>the app</title><body></body>'

export const builders: Builder[] = [
  ...viteBuilders,
  {
    name: 'webpack',
    async build(project, build) {
      const log: string[] = []
      const config = compilerConfig(project, log, build)
      const plugins = [webpackPlugin(build.options), new HtmlWebpackPlugin({ templateContent: template })]
      await runCompiler(webpack({ ...config, plugins }))
      return log
    },
  },
  {
    name: 'Rspack',
    async build(project, build) {
      const log: string[] = []
      const config = compilerConfig(project, log, build) as object
      const plugins = [
        rspackPlugin(build.options),
        new rspack.HtmlRspackPlugin({ templateContent: template }),
      ]
      await runCompiler(rspack({ ...config, plugins } as never) as never)
      return log
    },
  },
  {
    name: 'Rsbuild',
    async build(project, { options = {}, base, outDir }) {
      const log: string[] = []
      const rsbuild = await createTestRsbuild(project, 'production', {
        ...rsbuildConfig(log, { options, hostBase: base === './' ? '/' : base }),
        html: { template: './template.html' },
        output: { distPath: { root: outDir }, assetPrefix: base, minify: false },
      })
      const { close } = await rsbuild.build()
      await close()
      return log
    },
  },
]
