import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Compiler } from '@rspack/core'
import type { RspackDevServer } from '@rspack/dev-server'
import { diagnoseSetup } from '../../core/diagnostics/setup-texts.ts'
import type { Options } from '../../core/options/options.ts'
import { compilerDefaults } from '../webpack/compiler-defaults.ts'
import { provideModule } from '../webpack/compiler-module.ts'
import { announceWhenListening } from '../inspector-address.ts'
import { webpackOrigins } from '../../server/origin-policies.ts'
import { showInOverlay } from '../overlay/server-overlay.ts'
import { addInstance, instancesOf, PluginInstance } from '../plugin-instance.ts'
import { addToBuild } from '../webpack/webpack-build.ts'

type DevServerClass = typeof RspackDevServer
type Middlewares = Parameters<NonNullable<RspackDevServer['options']['setupMiddlewares']>>[0]

const hookedClasses = new WeakSet<DevServerClass>()

/** The part of the plugin for Rspack. Without a dev server, it only has `virtual:mock-api`. */
export function rspackHook(options: Options): (compiler: Compiler) => void {
  return (compiler) => {
    const instance = new PluginInstance(options, compilerDefaults(compiler))
    provideModule(compiler, instance.options)
    if (!instance.options.enabled || !addInstance(compiler, instance)) return
    addToBuild(compiler as never, 'rspack', instance.options)
    if (instancesOf(compiler).length > 1) return
    if (isServing()) for (const DevServer of findDevServers(compiler)) hookStart(DevServer)
    warnWhenNotServed(compiler, instance)
  }
}

/**
 * Rspack has no hook for its dev server's middlewares, and a plugin can't access the options of the server: the CLI copies
 * them, and the Node API takes its own. Both call `start()`, which is patched.
 */
function hookStart(DevServer: DevServerClass): void {
  if (hookedClasses.has(DevServer)) return
  hookedClasses.add(DevServer)
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the server as `this`
  const { start } = DevServer.prototype
  DevServer.prototype.start = async function (this: RspackDevServer) {
    const served = servedBy(this)
    if (served.length === 0) return start.call(this)
    const { options } = this
    const { setupMiddlewares } = options
    options.setupMiddlewares = (middlewares, server) => {
      const given = setupMiddlewares ? setupMiddlewares.call(options, middlewares, server) : middlewares
      const origins = webpackOrigins(options.allowedHosts)
      const hasPages = Boolean(options.historyApiFallback)
      const own = served.map(({ instance, compiler }, index) => {
        const hostBase = basePath(server, compiler)
        announceWhenListening(instance, server.server, index === 0 ? hostBase : undefined)
        server.server?.once('close', () => void instance.stop())
        instance.refuseUpgrades(server.server, hostBase)
        const middleware = instance.createHandler(hostBase, origins, { hasPages, proxy: options.proxy })
        return { name: 'mock-api', middleware }
      })
      showInOverlay(
        server,
        served.map(({ instance }) => instance),
      )
      return insert(given, own)
    }
    try {
      await start.call(this)
    } finally {
      // Another server may be given the same options object.
      if (setupMiddlewares) options.setupMiddlewares = setupMiddlewares
      else delete options.setupMiddlewares
    }
  }
}

interface Served {
  instance: PluginInstance
  compiler: Compiler
}

/** The instances of all configs of a server; configs with the same options share one. */
function servedBy({ compiler }: RspackDevServer): Served[] {
  const served: Served[] = []
  for (const child of 'compilers' in compiler ? compiler.compilers : [compiler]) {
    for (const instance of instancesOf(child)) {
      instance.isServed = true
      if (!served.some((other) => other.instance.isLike(instance))) served.push({ instance, compiler: child })
    }
  }
  return served
}

/** The pages of an app with a public path send requests below it or at the root: both are answered. */
function basePath(server: RspackDevServer, compiler: Compiler): string {
  const publicPath = server.options.devMiddleware?.publicPath ?? compiler.options.output.publicPath
  return typeof publicPath === 'string' && publicPath.startsWith('/') ? publicPath : ''
}

/** After the host checks and the user's headers, before assets, proxy and history fallback. */
function insert(middlewares: Middlewares, entries: Middlewares): Middlewares {
  const assets = middlewares.findIndex((entry) => entry.name?.endsWith('dev-middleware'))
  const place = assets === -1 ? middlewares.length : assets
  return [...middlewares.slice(0, place), ...entries, ...middlewares.slice(place)]
}

/** Every dev server taps this hook when it starts. A patched one has added the plugin by then. */
function warnWhenNotServed(compiler: Compiler, instance: PluginInstance): void {
  compiler.hooks.invalid.intercept({
    name: 'unplugin-mock-api',
    register(tap) {
      if (!instance.isServed && /dev-?(?:server|middleware)$/i.test(tap.name)) {
        instance.isServed = true // warn only once
        const hint = 'Or, with RspackDevServer: import it before the compiler is created.'
        instance.warn(diagnoseSetup('server-unreachable', {}, { hint }))
      }
      return tap
    },
  })
}

/**
 * `@rspack/dev-server` sets this variable as soon as it is loaded, which the CLI does before it reads the config; version 1
 * uses the second name. A build must not load it.
 */
function isServing(): boolean {
  return Boolean(process.env['RSPACK_SERVE'] ?? process.env['WEBPACK_SERVE'])
}

/** The class as the project, the working directory and the running CLI resolve it: usually the same one. */
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
