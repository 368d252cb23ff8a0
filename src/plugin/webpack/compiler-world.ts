import { resolve as resolvePath } from 'node:path'
import type { Compiler } from 'webpack'
import { readAliases, type ModuleWorld } from '../../core/options/module-world.ts'
import { isRecord } from '../../core/values/values.ts'

interface Settings {
  /** Where the aliases are, for messages. */
  source: string
  root: string
  resolve: Resolve
  define: Record<string, unknown>
  publicPath: unknown
}

export function compilerWorld({ context, options }: Compiler, source: string): ModuleWorld {
  const { resolve, plugins, output } = options
  const define = Object.assign({}, ...plugins.map(pluginDefinitions)) as ReturnType<typeof pluginDefinitions>
  return worldOfCompiler({
    source,
    root: context,
    resolve: resolve,
    define,
    publicPath: output.publicPath,
  })
}

/** The world of webpack, Rspack and Rsbuild, whose settings have the same form. */
export function worldOfCompiler({ source, root, resolve, define, publicPath }: Settings): ModuleWorld {
  const { alias, modules = [], tsConfig } = resolve
  return {
    source,
    aliases: readAliases(alias),
    folders: modules.filter((name) => name !== 'node_modules').map((name) => resolvePath(root, name)),
    tsconfig: typeof tsConfig === 'object' ? tsConfig.configFile : tsConfig || undefined,
    define: flatten(define),
    env: {},
    envFiles: [],
    base: typeof publicPath === 'string' && publicPath.startsWith('/') ? publicPath : '/',
  }
}

interface Resolve {
  alias?: unknown
  modules?: string[]
  /** Rspack. */
  tsConfig?: string | { configFile: string } | false | undefined
}

/** The argument of a `DefinePlugin`, which webpack and Rspack keep under different names, or the defaults of an `EnvironmentPlugin`. */
export function pluginDefinitions(plugin: unknown): Record<string, unknown> {
  const { definitions, _args, defaultValues } = (plugin ?? {}) as {
    definitions?: Record<string, unknown>
    _args?: Record<string, unknown>[]
    defaultValues?: Record<string, unknown>
  }
  const name = plugin?.constructor?.name
  if (name === 'DefinePlugin') return definitions ?? _args?.[0] ?? {}
  if (name !== 'EnvironmentPlugin') return {}
  const unset = Object.entries(defaultValues ?? {}).filter(([key]) => process.env[key] === undefined)
  return Object.fromEntries(unset.map(([key, value]) => [`process.env.${key}`, JSON.stringify(value)]))
}

/** Names with dots for what is nested. A value that is made at run time is left out. */
function flatten(definitions: Record<string, unknown>, before = ''): Record<string, unknown> {
  const flat: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(definitions)) {
    if (isRecord(value) && value.constructor === Object)
      Object.assign(flat, flatten(value, `${before}${name}.`))
    else if (typeof value !== 'object') flat[`${before}${name}`] = value
  }
  return flat
}
