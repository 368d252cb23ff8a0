import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import type { Compilation, Compiler, Configuration, RuleSetRule } from 'webpack'
import {
  bundleFailed,
  createProjectImports,
  definitionsOf,
  nodeModule,
  type Bundler,
  type ModuleToBundle,
} from './bundler.ts'
import { envName } from '../loader/module/env-name.ts'
import { packageFolder } from '../files/package-folder.ts'

type WebpackLike = Extract<Bundler, { webpack: unknown }>

const outputFile = 'bundle.js'

/** Runs a compiler of its own, without the application's loaders. */
export async function bundleWithWebpack(bundler: WebpackLike, module: ModuleToBundle): Promise<string> {
  const { webpack } = bundler
  const { root, source, minify = true } = module
  const isModule = module.format === 'module'
  const folder = packageFolder()
  const entry = join(folder, 'dist/bundle/entry.js')
  const loader = join(folder, 'dist/bundle/module-loader.js')
  const typescript = [/\.[cm]?ts$/, /\.[cm]?[jt]sx$/].map((test, tsx): RuleSetRule => {
    const parser = { syntax: 'typescript', tsx: tsx === 1, decorators: true }
    const jsc = { parser, target: 'es2022', transform: { legacyDecorator: true } }
    return bundler.kind === 'rspack'
      ? { test, type: 'javascript/auto', loader: 'builtin:swc-loader', options: { jsc } }
      : { test, type: 'javascript/auto', loader }
  })
  const findImport = createProjectImports(module)
  /** Aliases, and modules that are made from other files. */
  const replace = (request: { request: string; contextInfo: { issuer: string } }) => {
    const { issuer } = request.contextInfo
    const found = issuer ? findImport(request.request, issuer) : undefined
    if (!found) return
    request.request =
      'path' in found ? found.path : `data:text/javascript,${encodeURIComponent(found.source)}`
  }
  const values = Object.entries(definitionsOf(module.world))
  const isEnv = ([name]: [string, string]) => name.startsWith('import.meta.env.')
  const shown = values.filter(isEnv).map(([name, code]) => `${JSON.stringify(name.slice(16))}: ${code}`)
  const env = `({ ${shown.join(', ')} })`
  const others = Object.fromEntries(values.filter((value) => !isEnv(value)))
  const configuration: Configuration = {
    context: root,
    mode: 'production',
    devtool: false,
    cache: false,
    entry,
    target: ['webworker', 'es2022'],
    output: {
      filename: outputFile,
      ...(isModule && { module: true, library: { type: 'module' }, chunkFormat: 'module' }),
    },
    ...(isModule && { experiments: { outputModule: true } }),
    optimization: { minimize: minify },
    performance: { hints: false },
    resolve: {
      extensions: ['.ts', '.tsx', '.mts', '.jsx', '.js', '.mjs', '.cjs', '.json'],
      extensionAlias: { '.js': ['.js', '.ts'], '.mjs': ['.mjs', '.mts'] },
    },
    module: {
      rules: [{ resource: entry, type: 'javascript/auto', loader, options: { source } }, ...typescript],
    },
    externals: [
      ({ request = '' }, callback) =>
        isBuiltin(request) ? callback(undefined, `var undefined /*${request}*/`) : callback(),
    ],
    plugins: [
      new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 }),
      new webpack.NormalModuleReplacementPlugin(/./, replace),
      new webpack.DefinePlugin({ [envName]: env, 'import.meta.env': env, ...others }),
    ],
  }
  const compiler = webpack(configuration)
  if (!compiler) throw bundleFailed(bundler.name, new Error('it has made no compiler'))
  compiler.hooks.shouldEmit.tap('unplugin-mock-api', () => false)
  const compilation = await run(bundler, compiler)
  const external = findExternal(compilation)
  if (external) throw nodeModule(root, ...external)
  return compilation.getAsset(outputFile)!.source.source().toString()
}

function run({ name: bundler }: WebpackLike, compiler: Compiler): Promise<Compilation> {
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      // What can't be released does not matter: nothing is watched or cached.
      compiler.close(() => {})
      if (!stats) return reject(bundleFailed(bundler, error))
      const { errors = [] } = stats.toJson({ all: false, errors: true, errorDetails: false })
      if (errors.length === 0) return resolve(stats.compilation)
      reject(bundleFailed(bundler, new Error(errors.map(({ message }) => message).join('\n'))))
    })
  })
}

/** The first part of Node, with the modules that lead to it. */
function findExternal({ modules, moduleGraph }: Compilation): [request: string, chain: string[]] | undefined {
  for (const external of modules) {
    const [, request] = /^external .*undefined \/\*(.+)\*\//.exec(external.identifier()) ?? []
    if (request === undefined) continue
    const chain: string[] = []
    for (let at = moduleGraph.getIssuer(external); at; at = moduleGraph.getIssuer(at))
      chain.unshift(at.nameForCondition() ?? at.identifier())
    return [request, chain.slice(1)] // without the entry
  }
  return undefined
}
