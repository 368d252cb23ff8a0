import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Compiler, MultiCompiler } from 'webpack'
import { diagnose } from '../core/diagnostics/diagnostic.ts'
import { resolveOptions, type HostDefaults, type Options } from '../core/options/options.ts'
import { webpackOrigins } from './origin-policies.ts'
import { toLogger } from './infrastructure-logger.ts'
import { startMockServer, type MockServer } from './mock-server.ts'
import type { RequestHandler } from './node/node-http.ts'
import { showInOverlay } from './overlay/stats-overlay.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import { summarise } from '../loader/fixture-state.ts'

/** What the plugin keeps for one compiler. */
interface Mock {
  options: Options
  host: HostDefaults
  running?: MockServer | undefined
  /** Whether a dev server has taken the middleware. */
  taken: boolean
  listedAgain: boolean
}

/** One item of webpack-dev-server's list of middlewares, as `setupMiddlewares` gets it. */
type Middleware = { name?: string; middleware: RequestHandler } | RequestHandler
type SetupMiddlewares = (middlewares: Middleware[], server: DevServer) => Middleware[]

/** What of webpack-dev-server's `Server` is the same in its versions 5 and 6. */
interface DevServer {
  compiler: Compiler | MultiCompiler
  options: {
    setupMiddlewares?: SetupMiddlewares
    devMiddleware?: { publicPath?: unknown }
    allowedHosts?: unknown
    historyApiFallback?: unknown
  }
  setupMiddlewares: () => unknown
}
type DevServerClass = { prototype: DevServer }

const pluginName = 'unplugin-mock-api'

/** By compiler, since that is what a dev server knows of the configs it serves. */
const mocks = new WeakMap<Compiler, Mock>()

/** The part of the plugin that webpack alone understands. Until a dev server comes, it does nothing. */
export function webpackHook(options: Options): (compiler: Compiler) => void {
  return (compiler) => {
    if (options.enabled === false) return
    const known = mocks.get(compiler)
    if (known) {
      known.listedAgain = true
      return
    }
    const host = { root: compiler.context, logger: toLogger(compiler) }
    const mock: Mock = { options, host, taken: false, listedAgain: false }
    mocks.set(compiler, mock)

    let served = false
    // No hook of webpack's tells of a dev server, but each one taps this hook, and before it sets up its middlewares.
    compiler.hooks.invalid.intercept({
      register(tap) {
        served ||= /dev-?(server|middleware)$/i.test(tap.name)
        if (tap.name === 'webpack-dev-server') extendCallingServer()
        return tap
      },
    })
    compiler.hooks.done.tap(pluginName, () => {
      if (served && !mock.taken) warnUntaken(mock)
      served = false
    })
    // `server.stop()` ends the watching, `compiler.close()` the compiler; a server may be started again after the first.
    compiler.hooks.watchClose.tap(pluginName, () => void stop(mock))
    compiler.hooks.shutdown.tapPromise(pluginName, () => stop(mock))
  }
}

async function stop(mock: Mock): Promise<void> {
  const { running } = mock
  mock.running = undefined
  await running?.close()
}

const extended = new WeakSet<DevServerClass>()

/**
 * The patch: the class of the server that is just starting gets our middleware into the list it builds. It is not done
 * through `compiler.options.devServer`, which webpack-dev-server 6 copies before there is a compiler and which the Node
 * API of both never reads.
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

/** Adds to the public option of that name. A copy, since the object may be the user's, and serve another server too. */
function extendOptions(options: DevServer['options']): DevServer['options'] {
  const { setupMiddlewares: own } = options
  if (own && ours.has(own)) return options // the server is started again
  const setupMiddlewares: SetupMiddlewares = (middlewares, server) =>
    insert(own ? own.call(options, middlewares, server) : middlewares, server)
  ours.add(setupMiddlewares)
  return { ...options, setupMiddlewares }
}

/** After the server's own host check and CORS, before everything that answers: build, proxy, static files, fallback. */
function insert(middlewares: Middleware[], server: DevServer): Middleware[] {
  const names = middlewares.map((entry) => entry.name ?? '')
  const build = names.findIndex((name) => name.endsWith('dev-middleware'))
  // Without it, the user's `setupMiddlewares` has put something of its own in its place.
  const at = build === -1 ? names.indexOf('cross-origin-header-check') + 1 : build
  const own = createHandlers(server).map((middleware) => ({ name: 'mock-api', middleware }))
  return middlewares.toSpliced(at, 0, ...own)
}

/** One for each config of the server that has the plugin; configs with the same options share one. */
function createHandlers({ compiler, options }: DevServer): RequestHandler[] {
  const answering: Mock[] = []
  const handlers = ('compilers' in compiler ? compiler.compilers : [compiler]).flatMap((child) => {
    const mock = mocks.get(child)
    if (!mock) return []
    mock.taken = true
    const same = (other: Mock) =>
      other.host.root === mock.host.root && isDeepStrictEqual(other.options, mock.options)
    if (answering.some(same)) return []
    answering.push(mock)
    mock.running ??= start(mock)
    const publicPath = options.devMiddleware?.publicPath ?? child.options.output.publicPath
    return [
      mock.running.createHandler(
        isPath(publicPath) ? publicPath : '',
        webpackOrigins(options.allowedHosts),
        Boolean(options.historyApiFallback),
      ),
    ]
  })
  showInOverlay(
    compiler,
    answering.map(({ running }) => running!),
  )
  return handlers
}

/** Whether a public path is neither `auto`, nor a function, nor on another origin. */
function isPath(publicPath: unknown): publicPath is string {
  return typeof publicPath === 'string' && /^\/(?!\/)/.test(publicPath)
}

function start({ options, host, listedAgain }: Mock): MockServer {
  const server = startMockServer(options, host)
  const { logger } = server.options
  if (listedAgain) {
    logger.warn(`[mock-api] ${formatDiagnostic(diagnose('plugin-duplicate', {}))}`)
  }
  void server.store.ready.then(() => logger.info(`[mock-api] ${summarise(server.store.current!)}`))
  return server
}

function warnUntaken({ options, host }: Mock): void {
  const text = formatDiagnostic(diagnose('server-unreachable', {}, {}))
  resolveOptions(options, host).logger.warn(`[mock-api] ${text}`)
}

const load = createRequire(import.meta.url)

/**
 * The class whose method is on the call stack. Of which package it is, and whether it was imported or required, is up to
 * the project, and Node lists no loaded ES modules; `load` gives back the module that is already there, of either kind.
 */
function findCallingServer(): DevServerClass | undefined {
  const file = callingFiles().find((name) => /[\\/]Server\.js$/.test(name))
  if (!file) return undefined
  try {
    const module = load(file.startsWith('file:') ? fileURLToPath(file) : file) as object
    const Server = ('default' in module ? module.default : module) as Partial<DevServerClass>
    return typeof Server.prototype?.setupMiddlewares === 'function' ? (Server as DevServerClass) : undefined
  } catch {
    return undefined // warnUntaken says what to do then
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
