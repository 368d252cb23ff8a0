import type { HostDefaults } from '../../core/options/options.ts'
import { oncePerObject } from '../../core/values/collections.ts'

interface NamedCompiler {
  context: string
  getInfrastructureLogger: (name: string) => HostDefaults['logger']
}

/** Defaults from a webpack or Rspack compiler. Its infrastructure logger puts the name in front of each message. */
export function compilerDefaults(compiler: NamedCompiler): HostDefaults {
  return { root: compiler.context, logger: loggerOf(compiler), namesUs: true }
}

/** One for all instances of the plugin: each call of `getInfrastructureLogger` makes another one. */
const loggerOf = oncePerObject((compiler: NamedCompiler) => compiler.getInfrastructureLogger('mock-api'))
