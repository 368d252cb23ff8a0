import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Compiler } from 'webpack'
import { diagnoseSetup } from '../../core/diagnostics/setup-texts.ts'
import type { Options } from '../../core/options/options.ts'
import { instancesOf, pluginName } from '../plugin-instance.ts'
import { extendOptions, serverTap, setUpCompiler, type DevServer } from './compiler.ts'

type DevServerClass = { prototype: DevServer & Record<(typeof steps)[number], () => unknown> }

/** Steps of a starting server, in order: it watches static files before it has middlewares. */
const steps = ['setupWatchStaticFiles', 'setupMiddlewares'] as const

/** Without a dev server, there is only `virtual:mock-api`. */
export function webpackHook(options: Options): (compiler: Compiler) => void {
  return (compiler) => {
    const instance = setUpCompiler(compiler, 'webpack', options)
    if (instance && instancesOf(compiler)[0] === instance) watchForServer(compiler)
  }
}

/**
 * webpack has no hook for dev servers, but each taps `invalid` before it sets up its middlewares.
 *
 * @see https://github.com/webpack/webpack-dev-server/blob/v5.2.6/lib/Server.js#L1932
 */
function watchForServer(compiler: Compiler): void {
  let hasServer = false
  compiler.hooks.invalid.intercept({
    register(tap) {
      hasServer ||= serverTap.test(tap.name)
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
 * Patches the class of the starting server. `compiler.options.devServer` is too late: webpack-dev-server 6 copies it before
 * there is a compiler, and the Node API never reads it.
 *
 * @see https://github.com/webpack/webpack-dev-server/blob/v5.2.6/lib/Server.js#L1990
 */
function extendCallingServer(): void {
  const Server = findCallingServer()
  if (!Server || extended.has(Server)) return
  extended.add(Server)
  for (const step of steps) {
    const original = Server.prototype[step]
    Server.prototype[step] = function (this: DevServer) {
      this.options = extendOptions(this.options)
      return original.call(this)
    }
  }
}

const load = createRequire(import.meta.url)

/** The class is found by the call stack: Node has no list of loaded ES modules. `load` returns a loaded module of either kind. */
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
