/* What webpack and Rspack share: their compilers and dev servers are forks. */
import type { IncomingMessage, Server } from 'node:http'
import { join } from 'node:path'
import type { Compiler, MultiCompiler } from 'webpack'
import type { WriteForLoader } from '../../bundle/routes-loader.ts'
import type { Options } from '../../core/options/options.ts'
import { isRecord } from '../../core/values/values.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { oncePerObject } from '../../core/values/collections.ts'
import { hash32 } from '../../core/values/hash.ts'
import { socketOrigins, webpackOrigins } from '../../server/origin-policies.ts'
import { inspectorAddress } from '../../inspector/inspector-folder.ts'
import { originOf, type ListeningServer } from '../../wire/node/listening-origin.ts'
import type { RequestHandler } from '../../wire/node/request-handler.ts'
import { hasBadge } from '../badge/with-badge.ts'
import { showInOverlay, type OverlayServer } from '../overlay/server-overlay.ts'
import { addInstance, instancesOf, PluginInstance, pluginName } from '../plugin-instance.ts'
import type { CompilerKind } from './compiler-build.ts'
import { compilerWorld } from './compiler-world.ts'
import { packageFolder } from '../../files/package-folder.ts'

/** A dev server taps the hook `invalid` under such a name when it starts. */
export const serverTap = /dev-?(?:server|middleware)$/i

/** Each call of `getInfrastructureLogger` makes another logger. */
const loggerOf = oncePerObject((compiler: Compiler) => compiler.getInfrastructureLogger('mock-api'))

/** @returns `undefined` if the instance answers no requests: it is disabled, or a duplicate */
export function setUpCompiler(
  compiler: Compiler,
  kind: CompilerKind,
  given: Options,
): PluginInstance | undefined {
  // The infrastructure logger puts the name in front of each message. Vue CLI and Docusaurus silence it; ours has its own level.
  const isSilent = ['none', 'error', 'warn'].includes(compiler.options.infrastructureLogging.level!)
  const log = isSilent ? { logger: console } : { logger: loggerOf(compiler), namesUs: true }
  const host = { root: compiler.context, ...log }
  const world = () => compilerWorld(compiler, `the config of ${kind === 'webpack' ? 'webpack' : 'Rspack'}`)
  const instance = new PluginInstance(given, { ...host, world })
  provideModule(compiler, instance.options)
  if (!instance.options.enabled || !addInstance(compiler, instance)) return undefined
  addToBuild(compiler, kind, instance.options)
  addToClient(compiler, instance.options)
  ignoreReport(compiler)
  // `server.stop()` ends watching, and the server can be started again; `compiler.close()` ends the compiler.
  compiler.hooks.watchClose.tap(pluginName, () => void instance.stop())
  compiler.hooks.shutdown.tapPromise(pluginName, () => instance.stop())
  return instance
}

const writerKey = Symbol.for('unplugin-mock-api.routes-module')

/**
 * `virtual:mock-api` is a file of this package with a loader that returns another source: nothing is written anywhere.
 * The request is replaced before webpack looks at its unknown scheme. Of several plugins, the first one's routes are in it.
 */
export function provideModule(compiler: Compiler, options: ResolvedOptions): void {
  if (writerKey in compiler) return
  const write: WriteForLoader = async (context) => {
    const { writeForCompiler } = await import('./compiler-build.ts')
    return writeForCompiler(context, compiler, options)
  }
  Object.defineProperty(compiler, writerKey, { value: write })
  const dist = join(packageFolder(), 'dist')
  // The options are part of the request, and so of the key in a cache on disk.
  const key = hash32(JSON.stringify({ ...options, logger: undefined })).toString(36)
  const request = `!!${join(dist, 'bundle/routes-loader.js')}?${key}!${join(dist, 'bundle/entry.js')}`
  new compiler.webpack.NormalModuleReplacementPlugin(/^virtual:mock-api$/, request).apply(compiler)
}

/** A dev server answers itself. */
export function addToBuild(compiler: Compiler, kind: CompilerKind, options: ResolvedOptions): void {
  if (!options.build || !options.enabled) return
  compiler.hooks.make.tapPromise(pluginName, async (compilation) => {
    const serves = process.env['WEBPACK_SERVE'] || process.env['RSPACK_SERVE']
    if (compilation.compiler !== compiler || compiler.options.mode === 'development' || serves) return
    const { addDemo } = await import('./compiler-build.ts')
    await addDemo(compilation, kind, options)
  })
}

/** Clients of webpack-dev-server, Rspack and Rsbuild. Only a dev server adds them to a build. */
const clients =
  /[\\/](?:webpack-dev-(?:server|middleware)|@rspack[\\/]dev-server)[\\/]client[\\/]index\.js$|[\\/]@rsbuild[\\/]core[\\/]dist[\\/]client[\\/]hmr\.js$/

/** Adds overlay and badge to the client, once, also for several plugins. */
export function addToClient({ options: { module } }: Compiler, options: ResolvedOptions): void {
  if (!options.enabled) return
  const dist = join(packageFolder(), 'dist/plugin')
  const loaders = [
    ...(options.overlay ? [join(dist, 'overlay/note-loader.js')] : []),
    ...(hasBadge(options) ? [join(dist, 'badge/badge-loader.js')] : []),
  ]
  for (const loader of loaders) {
    const isAdded = module.rules.some((rule) => typeof rule === 'object' && rule?.loader === loader)
    if (!isAdded) module.rules.push({ test: clients, loader })
  }
}

type Middleware = { name?: string; middleware: RequestHandler } | RequestHandler
type SetupMiddlewares = (middlewares: Middleware[], server: DevServer) => Middleware[]

/** Common to webpack-dev-server 5 and 6 and to Rspack. */
export interface DevServer extends OverlayServer {
  compiler: Compiler | MultiCompiler
  options: {
    setupMiddlewares?: SetupMiddlewares
    static?: unknown
    devMiddleware?: { publicPath?: unknown }
    allowedHosts?: unknown
    host?: unknown
    historyApiFallback?: unknown
    webSocketServer?: { options?: { path?: string } } | false
    proxy?: unknown
  }
  server?: ListeningServer | null
}

export function compilersOf({ compiler }: Pick<DevServer, 'compiler'>): Compiler[] {
  return 'compilers' in compiler ? compiler.compilers : [compiler]
}

const ours = new WeakSet<SetupMiddlewares>()

/** A copy: the object may be the user's, and shared with another server. */
export function extendOptions(options: DevServer['options']): DevServer['options'] {
  const { setupMiddlewares: own } = options
  if (own && ours.has(own)) return options // the server was started again
  const setupMiddlewares: SetupMiddlewares = (middlewares, server) =>
    addMiddlewares(own ? own.call(options, middlewares, server) : middlewares, server)
  ours.add(setupMiddlewares)
  return {
    ...options,
    setupMiddlewares,
    ...('static' in options && { static: withoutReport(options.static) }),
  }
}

const report = /[\\/]mock-api-report(?:[\\/]|$)/

/** A report of `explore` in a folder that a module depends on, as with Tailwind, is no reason to build again. */
export function ignoreReport({ hooks, options }: Compiler): void {
  // The bundler has its defaults by then.
  hooks.initialize.tap(pluginName, () => {
    const { ignored } = options.watchOptions
    const isPattern = ignored === undefined || ignored instanceof RegExp
    options.watchOptions.ignored = isPattern
      ? new RegExp([ignored, report].flatMap((one) => one?.source ?? []).join('|'), ignored?.flags)
      : [ignored, '**/mock-api-report'].flat()
  })
}

/** A report of `explore` in a folder of static files is no reason to reload a page. */
function withoutReport(files: unknown): unknown {
  if (Array.isArray(files)) return files.map(withoutReport)
  if (typeof files === 'string') return { directory: files, watch: { ignored: [report] } }
  if (!isRecord(files) || files['watch'] === false) return files
  const watch = isRecord(files['watch']) ? files['watch'] : {}
  return { ...files, watch: { ...watch, ignored: [watch['ignored'] ?? [], report].flat() } }
}

/** Adds ours after host check and CORS, and before everything that answers: build, proxy, static files, fallback. */
function addMiddlewares(middlewares: Middleware[], server: DevServer): Middleware[] {
  const names = middlewares.map((entry) => entry.name ?? '')
  const build = names.findIndex((name) => name.endsWith('dev-middleware'))
  // The user's `setupMiddlewares` may have removed it.
  const at = build === -1 ? names.indexOf('cross-origin-header-check') + 1 : build
  const own = createHandlers(server).map((middleware) => ({ name: 'mock-api', middleware }))
  return middlewares.toSpliced(at, 0, ...own)
}

/** Configs with the same options share a handler. */
function createHandlers(devServer: DevServer): RequestHandler[] {
  const { options } = devServer
  const answering: PluginInstance[] = []
  const handlers: RequestHandler[] = []
  const origins = webpackOrigins(options.allowedHosts)
  const hasPages = Boolean(options.historyApiFallback)
  const { path = '/ws' } = (options.webSocketServer || undefined)?.options ?? {}
  const sockets = {
    origins: socketOrigins(origins, { ...options, named: 'devServer.allowedHosts' }),
    isOfHost: ({ url = '' }: IncomingMessage) =>
      options.webSocketServer !== false && url.split('?', 1)[0] === path,
  }
  for (const compiler of compilersOf(devServer)) {
    const publicPath = options.devMiddleware?.publicPath ?? compiler.options.output.publicPath
    // Not `auto`, a function, or a URL of another origin.
    const hostBase = typeof publicPath === 'string' && /^\/(?!\/)/.test(publicPath) ? publicPath : ''
    for (const instance of instancesOf(compiler)) {
      instance.isServed = true
      if (answering.some((other) => other.isLike(instance))) continue
      answering.push(instance)
      handlers.push(
        instance.createHandler(hostBase, origins, {
          hasPages,
          proxy: options.proxy,
          sockets,
          // webpack-dev-server 4 creates it right after this: it is read when the mock server has started.
          get server() {
            return devServer.server as Server | null | undefined
          },
        }),
      )
      const isInspected = answering.length === 1 && instance.options.inspector.dev
      const announce = () =>
        void instance.announce(
          isInspected ? inspectorAddress(originOf(devServer.server), hostBase) : undefined,
        )
      queueMicrotask(() => (devServer.server ? devServer.server.once('listening', announce) : announce()))
    }
  }
  showInOverlay(devServer, answering)
  return handlers
}
