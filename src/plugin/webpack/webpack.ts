import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Compiler, MultiCompiler } from 'webpack'
import { diagnoseSetup } from '../../core/diagnostics/setup-texts.ts'
import type { Options } from '../../core/options/options.ts'
import { compilerDefaults } from './compiler-defaults.ts'
import { provideModule } from './compiler-module.ts'
import type { RequestHandler } from '../../wire/node/request-handler.ts'
import { announceWhenListening, type ListeningServer } from '../inspector-address.ts'
import { webpackOrigins } from '../../server/origin-policies.ts'
import { showInOverlay } from '../overlay/server-overlay.ts'
import { addInstance, instancesOf, PluginInstance } from '../plugin-instance.ts'
import { addToBuild } from './webpack-build.ts'

/** One item of webpack-dev-server's list of middlewares, as `setupMiddlewares` gets it. */
type Middleware = { name?: string; middleware: RequestHandler } | RequestHandler
type SetupMiddlewares = (middlewares: Middleware[], server: DevServer) => Middleware[]

/** The part of webpack-dev-server's `Server` that is the same in its versions 5 and 6. */
interface DevServer {
  compiler: Compiler | MultiCompiler
  options: {
    setupMiddlewares?: SetupMiddlewares
    devMiddleware?: { publicPath?: unknown }
    allowedHosts?: unknown
    historyApiFallback?: unknown
    proxy?: unknown
  }
  server?: ListeningServer | null
  setupMiddlewares: () => unknown
}
type DevServerClass = { prototype: DevServer }

const pluginName = 'unplugin-mock-api'

/** The part of the plugin for webpack. Without a dev server, it only has `virtual:mock-api`. */
export function webpackHook(options: Options): (compiler: Compiler) => void {
  return (compiler) => {
    const instance = new PluginInstance(options, compilerDefaults(compiler))
    provideModule(compiler, instance.options)
    if (!instance.options.enabled || !addInstance(compiler, instance)) return
    addToBuild(compiler, 'webpack', instance.options)
    if (instancesOf(compiler).length === 1) watchForServer(compiler)
    // `server.stop()` ends watching, `compiler.close()` ends the compiler. After `stop()`, a server can be started again.
    compiler.hooks.watchClose.tap(pluginName, () => void instance.stop())
    compiler.hooks.shutdown.tapPromise(pluginName, () => instance.stop())
  }
}

/**
 * webpack has no hook for dev servers, but each of them taps `invalid` before it sets up its middlewares.
 *
 * @see https://github.com/webpack/webpack-dev-server/blob/v5.2.6/lib/Server.js#L1932
 */
function watchForServer(compiler: Compiler): void {
  let hasServer = false
  compiler.hooks.invalid.intercept({
    register(tap) {
      hasServer ||= /dev-?(server|middleware)$/i.test(tap.name)
      if (tap.name === 'webpack-dev-server') extendCallingServer()
      return tap
    },
  })
  compiler.hooks.done.tap(pluginName, () => {
    const [first] = instancesOf(compiler)
    if (hasServer && !first!.isServed) first!.warn(diagnoseSetup('server-unreachable', {}, {}))
    hasServer = false
  })
}

const extended = new WeakSet<DevServerClass>()

/**
 * Patches the class of the server that is just starting, so that the middleware is in the list it builds. Changing
 * `compiler.options.devServer` does not work: webpack-dev-server 6 copies it before there is a compiler, and the Node API of
 * both versions never reads it.
 *
 * @see https://github.com/webpack/webpack-dev-server/blob/v5.2.6/lib/Server.js#L1990
 */
function extendCallingServer(): void {
  const Server = findCallingServer()
  if (!Server || extended.has(Server)) return
  extended.add(Server)
  const original = Server.prototype.setupMiddlewares
  Server.prototype.setupMiddlewares = function (this: DevServer) {
    this.options = extendOptions(this.options)
    return original.call(this)
  }
}

const ours = new WeakSet<SetupMiddlewares>()

/** Extends the option `setupMiddlewares`. A copy, since the object may be the user's and shared with another server. */
function extendOptions(options: DevServer['options']): DevServer['options'] {
  const { setupMiddlewares: own } = options
  if (own && ours.has(own)) return options // the server was started again
  const setupMiddlewares: SetupMiddlewares = (middlewares, server) =>
    insert(own ? own.call(options, middlewares, server) : middlewares, server)
  ours.add(setupMiddlewares)
  return { ...options, setupMiddlewares }
}

/** After the server's own host check and CORS, before everything that answers: build, proxy, static files, fallback. */
function insert(middlewares: Middleware[], server: DevServer): Middleware[] {
  const names = middlewares.map((entry) => entry.name ?? '')
  const build = names.findIndex((name) => name.endsWith('dev-middleware'))
  // It is missing if the user's `setupMiddlewares` has replaced it.
  const at = build === -1 ? names.indexOf('cross-origin-header-check') + 1 : build
  const own = createHandlers(server).map((middleware) => ({ name: 'mock-api', middleware }))
  return middlewares.toSpliced(at, 0, ...own)
}

/** The instances of all configs of a server; configs with the same options share one. */
function createHandlers(devServer: DevServer): RequestHandler[] {
  const { compiler, options, server } = devServer
  const answering: PluginInstance[] = []
  const handlers: RequestHandler[] = []
  const origins = webpackOrigins(options.allowedHosts)
  const hasPages = Boolean(options.historyApiFallback)
  for (const child of 'compilers' in compiler ? compiler.compilers : [compiler]) {
    const publicPath = options.devMiddleware?.publicPath ?? child.options.output.publicPath
    for (const instance of instancesOf(child)) {
      instance.isServed = true
      if (answering.some((other) => other.isLike(instance))) continue
      answering.push(instance)
      const hostBase = isPath(publicPath) ? publicPath : ''
      handlers.push(instance.createHandler(hostBase, origins, { hasPages, proxy: options.proxy }))
      instance.refuseUpgrades(server, hostBase)
      announceWhenListening(instance, server, answering.length === 1 ? hostBase : undefined)
    }
  }
  showInOverlay(devServer, answering)
  return handlers
}

/** Whether a public path is a path: not `auto`, a function, or a URL of another origin. */
function isPath(publicPath: unknown): publicPath is string {
  return typeof publicPath === 'string' && /^\/(?!\/)/.test(publicPath)
}

const load = createRequire(import.meta.url)

/**
 * The class whose method is on the call stack. The project decides which package it is from, and whether it is imported or
 * required, and Node has no list of loaded ES modules. `load` returns the already loaded module of either kind.
 */
function findCallingServer(): DevServerClass | undefined {
  const file = callingFiles().find((name) => /[\\/]Server\.js$/.test(name))
  if (!file) return undefined
  try {
    const module = load(file.startsWith('file:') ? fileURLToPath(file) : file) as object
    const Server = ('default' in module ? module.default : module) as Partial<DevServerClass>
    return typeof Server.prototype?.setupMiddlewares === 'function' ? (Server as DevServerClass) : undefined
  } catch {
    return undefined // the warning `server-unreachable` then says what to do
  }
}

function callingFiles(): string[] {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is only put back
  const { prepareStackTrace, stackTraceLimit } = Error
  try {
    Error.stackTraceLimit = 50
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '')
    return new Error().stack as unknown as string[]
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  }
}
