import { createRequire } from 'node:module'
import type { Compiler } from '@rspack/core'
import type { RspackDevServer } from '@rspack/dev-server'
import { resolvePlaces } from '../../bundle/package-files.ts'
import { diagnoseSetup } from '../../core/diagnostics/setup-texts.ts'
import type { Options } from '../../core/options/options.ts'
import { instancesOf, pluginName, type PluginInstance } from '../plugin-instance.ts'
import { addMiddlewares, compilersOf, serverTap, setUpCompiler, type DevServer } from '../webpack/compiler.ts'

type DevServerClass = typeof RspackDevServer

const hookedClasses = new WeakSet<DevServerClass>()

/** Without a dev server, there is only `virtual:mock-api`. */
export function rspackHook(options: Options): (compiler: Compiler) => void {
  return (compiler) => {
    const instance = setUpCompiler(compiler as never, 'rspack', options)
    if (!instance || instancesOf(compiler)[0] !== instance) return
    if (isServing()) for (const Server of findDevServers(compiler)) hookStart(Server)
    warnWhenNotServed(compiler, instance)
  }
}

/** Patches `start()`: Rspack has no hook for middlewares, and plugins can't reach the options of the server. */
function hookStart(Server: DevServerClass): void {
  if (hookedClasses.has(Server)) return
  hookedClasses.add(Server)
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the server as `this`
  const { start } = Server.prototype
  Server.prototype.start = async function (this: RspackDevServer) {
    const { options } = this as unknown as DevServer
    const instances = compilersOf(this as unknown as DevServer).flatMap(instancesOf)
    if (instances.length === 0) return start.call(this)
    for (const instance of instances) instance.isServed = true
    const { setupMiddlewares: own } = options
    options.setupMiddlewares = (middlewares, server) =>
      addMiddlewares(own ? own.call(options, middlewares, server) : middlewares, server)
    try {
      await start.call(this)
    } finally {
      // Another server may be given the same options object.
      if (own) options.setupMiddlewares = own
      else delete options.setupMiddlewares
    }
  }
}

/** Every dev server taps this hook at its start; a patched one has added the plugin by then. */
function warnWhenNotServed(compiler: Compiler, instance: PluginInstance): void {
  compiler.hooks.invalid.intercept({
    name: pluginName,
    register(tap) {
      if (!instance.isServed && serverTap.test(tap.name)) {
        instance.isServed = true // warn only once
        const hint = 'Or, with RspackDevServer: import it before the compiler is created.'
        instance.warn(diagnoseSetup('server-unreachable', {}, { hint }))
      }
      return tap
    },
  })
}

/** `@rspack/dev-server` sets this variable when it is loaded, version 1 the second one. A build must not load it. */
function isServing(): boolean {
  return Boolean(process.env['RSPACK_SERVE'] ?? process.env['WEBPACK_SERVE'])
}

/** Project, working directory and CLI usually resolve the same class. */
function findDevServers(compiler: Compiler): Set<DevServerClass> {
  const found = new Set<DevServerClass>()
  for (const place of resolvePlaces(compiler.context)) {
    try {
      const load = createRequire(place)
      found.add((load('@rspack/dev-server') as { RspackDevServer: DevServerClass }).RspackDevServer)
    } catch {
      // Not installed there.
    }
  }
  return found
}
