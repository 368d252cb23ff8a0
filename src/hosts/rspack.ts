import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Compiler } from '@rspack/core'
import type { RspackDevServer } from '@rspack/dev-server'
import { diagnose, type Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { resolveOptions, type HostDefaults, type Options } from '../core/options/options.ts'
import { webpackOrigins } from './origin-policies.ts'
import { toLogger } from './infrastructure-logger.ts'
import type { MockServer } from './mock-server.ts'
import { showInOverlay } from './overlay/stats-overlay.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'

/** The plugin on one compiler. */
interface AppliedPlugin {
  options: Options
  host: HostDefaults
  compiler: Compiler
  /** Whether a dev server has asked for the middleware. */
  taken: boolean
  listedAgain: boolean
}

type DevServerClass = typeof RspackDevServer
type Middlewares = Parameters<NonNullable<RspackDevServer['options']['setupMiddlewares']>>[0]

const appliedPlugins = new WeakMap<Compiler, AppliedPlugin>()
const hookedClasses = new WeakSet<DevServerClass>()

/** The part of the plugin that Rspack alone understands: it serves where a dev server runs, and nowhere else. */
export function rspackHook(options: Options): (compiler: Compiler) => void {
  return (compiler) => {
    if (options.enabled === false) return
    const known = appliedPlugins.get(compiler)
    if (known) {
      known.listedAgain = true
      return
    }
    const host = { root: compiler.context, logger: toLogger(compiler) }
    const plugin: AppliedPlugin = { options, host, compiler, taken: false, listedAgain: false }
    appliedPlugins.set(compiler, plugin)
    if (isServing()) for (const DevServer of findDevServers(compiler)) hookStart(DevServer)
    warnWhenNotTaken(plugin)
  }
}

/**
 * Rspack has no hook for its dev server's middlewares, and the options that the server gets are not to be found from
 * a plugin: the CLI copies them, the Node API takes its own. What every way has in common is `start()`.
 */
function hookStart(DevServer: DevServerClass): void {
  if (hookedClasses.has(DevServer)) return
  hookedClasses.add(DevServer)
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the server as `this`
  const { start } = DevServer.prototype
  DevServer.prototype.start = async function (this: RspackDevServer) {
    const plugins = pluginsOf(this)
    if (plugins.length === 0) return start.call(this)
    const { startMockServer } = await import('./mock-server.ts') // a build must not pay for loading it
    const { options } = this
    const { setupMiddlewares } = options
    options.setupMiddlewares = (middlewares, server) => {
      const own = setupMiddlewares ? setupMiddlewares.call(options, middlewares, server) : middlewares
      const mockServers: MockServer[] = []
      const entries = plugins.map((plugin) => {
        if (plugin.listedAgain) warn(plugin, diagnose('plugin-duplicate', {}))
        const mockServer = startMockServer(plugin.options, plugin.host)
        mockServers.push(mockServer)
        server.server?.once('listening', () => void announce(mockServer))
        server.server?.once('close', () => void mockServer.close())
        return {
          name: 'mock-api',
          middleware: mockServer.createHandler(
            basePath(server, plugin),
            webpackOrigins(server.options.allowedHosts),
            Boolean(server.options.historyApiFallback),
          ),
        }
      })
      showInOverlay(server.compiler, mockServers)
      return insert(own, entries)
    }
    try {
      await start.call(this)
    } finally {
      // Another server may get the same options object.
      if (setupMiddlewares) options.setupMiddlewares = setupMiddlewares
      else delete options.setupMiddlewares
    }
  }
}

/** Those of all compilers that the server serves, each once: configs of an array often share their plugins. */
function pluginsOf({ compiler }: RspackDevServer): AppliedPlugin[] {
  const compilers: Compiler[] = 'compilers' in compiler ? compiler.compilers : [compiler]
  const plugins: AppliedPlugin[] = []
  for (const plugin of compilers.flatMap((one) => appliedPlugins.get(one) ?? [])) {
    plugin.taken = true
    const known = plugins.some(
      ({ host, options }) => host.root === plugin.host.root && isDeepStrictEqual(options, plugin.options),
    )
    if (!known) plugins.push(plugin)
  }
  return plugins
}

/** Pages of an app below a path ask below it, or at the root: both are answered. */
function basePath(server: RspackDevServer, { compiler }: AppliedPlugin): string {
  const publicPath = server.options.devMiddleware?.publicPath ?? compiler.options.output.publicPath
  return typeof publicPath === 'string' && publicPath.startsWith('/') ? publicPath : ''
}

/** After the host checks and the user's headers, before assets, proxy and history fallback. */
function insert(middlewares: Middlewares, entries: Middlewares): Middlewares {
  const assets = middlewares.findIndex((entry) => entry.name?.endsWith('dev-middleware'))
  const place = assets === -1 ? middlewares.length : assets
  return [...middlewares.slice(0, place), ...entries, ...middlewares.slice(place)]
}

async function announce({ store, options }: MockServer): Promise<void> {
  await store.ready
  const { summarise } = await import('../loader/fixture-state.ts')
  options.logger.info(`[mock-api] ${summarise(store.current!)}`)
}

/** Every dev server taps this hook as it starts: the one that is hooked has taken the middleware by then. */
function warnWhenNotTaken(plugin: AppliedPlugin): void {
  plugin.compiler.hooks.invalid.intercept({
    name: 'unplugin-mock-api',
    register(tap) {
      if (!plugin.taken && /dev-?(?:server|middleware)$/i.test(tap.name)) {
        plugin.taken = true // told once is enough
        const hint = 'Or, with RspackDevServer: import it before the compiler is created.'
        warn(plugin, diagnose('server-unreachable', {}, { hint }))
      }
      return tap
    },
  })
}

function warn({ options, host }: AppliedPlugin, diagnostic: Diagnostic): void {
  resolveOptions(options, host).logger.warn(`[mock-api] ${formatDiagnostic(diagnostic)}`)
}

/**
 * `@rspack/dev-server` says so as soon as it is loaded, which the CLI does before it reads the config; version 1 does it
 * by the second name. A build must not load it.
 */
function isServing(): boolean {
  return Boolean(process.env['RSPACK_SERVE'] ?? process.env['WEBPACK_SERVE'])
}

/** The class as the project, the working directory and the running CLI resolve it: mostly one and the same. */
function findDevServers(compiler: Compiler): Set<DevServerClass> {
  const found = new Set<DevServerClass>()
  const cli = process.argv[1]
  for (const folder of [compiler.context, process.cwd(), cli && dirname(realPath(cli))]) {
    if (!folder) continue
    try {
      const requireHere = createRequire(join(folder, 'resolve-from-here.js'))
      found.add((requireHere('@rspack/dev-server') as { RspackDevServer: DevServerClass }).RspackDevServer)
    } catch {
      // Not installed there.
    }
  }
  return found
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
