import { createRequire } from 'node:module'
import type { Compiler } from '@rspack/core'
import type { RspackDevServer } from '@rspack/dev-server'
import { resolvePlaces } from '../../bundle/resolve-places.ts'
import { diagnoseSetup } from '../../core/diagnostics/setup-texts.ts'
import type { Options } from '../../core/options/options.ts'
import { oncePerObject } from '../../core/values/collections.ts'
import { instancesOf, pluginName, type PluginInstance } from '../plugin-instance.ts'
import { compilersOf, extendOptions, serverTap, setUpCompiler, type DevServer } from '../webpack/compiler.ts'

type DevServerClass = typeof RspackDevServer

const hookOnce = oncePerObject(hookStart)

/** Without a dev server, there is only `virtual:mock-api`. */
export function rspackHook(options: Options): (compiler: Compiler) => void {
  return (compiler) => {
    const instance = setUpCompiler(compiler as never, 'rspack', options)
    if (!instance || instancesOf(compiler)[0] !== instance) return
    // `@rspack/dev-server` sets a variable when it is loaded, version 1 the second one. A build must not load it.
    if (process.env['RSPACK_SERVE'] ?? process.env['WEBPACK_SERVE'])
      findDevServers(compiler).forEach(hookOnce)
    warnWhenNotServed(compiler, instance)
  }
}

/** Patches `start()`: Rspack has no hook for middlewares, and plugins can't reach the options of the server. */
function hookStart({ prototype }: DevServerClass): () => Promise<void> {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the server as `this`
  const { start } = prototype
  prototype.start = function (this: RspackDevServer) {
    const server = this as unknown as DevServer
    for (const instance of compilersOf(server).flatMap(instancesOf)) instance.isServed = true
    server.options = extendOptions(server.options)
    return start.call(this)
  }
  return start
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

/** Project, working directory and CLI usually resolve the same class. */
function findDevServers(compiler: Compiler): Set<DevServerClass> {
  const found = new Set<DevServerClass>()
  for (const place of resolvePlaces(compiler.context))
    try {
      const load = createRequire(place)
      found.add((load('@rspack/dev-server') as { RspackDevServer: DevServerClass }).RspackDevServer)
    } catch {
      // Not installed there.
    }
  return found
}
