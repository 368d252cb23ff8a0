import type { HostDefaults } from '../core/options/options.ts'

interface NamedCompiler {
  context: string
  getInfrastructureLogger: (name: string) => HostDefaults['logger']
}

/** Defaults from a webpack or Rspack compiler. Its infrastructure logger puts the name in front of each message. */
export function compilerDefaults(compiler: NamedCompiler): HostDefaults {
  return { root: compiler.context, logger: compiler.getInfrastructureLogger('mock-api'), namesUs: true }
}
