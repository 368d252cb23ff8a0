import type { ResolvedConfig } from 'vite'
import type { ModuleWorld } from '../../core/options/module-world.ts'
import { displayPath } from '../../files/paths.ts'

/** Vite starts again when its config or a file of variables changes. */
export function viteWorld(config: ResolvedConfig): ModuleWorld {
  const { root, configFile, resolve, define, env, base } = config
  // Vitest takes the names without dots out, with their values in place of code.
  const { defines = {} } = (config as { test?: { defines?: object } }).test ?? {}
  const ofVitest = Object.entries(defines).map(([name, value]) => [name, JSON.stringify(value)])
  return {
    source: configFile ? displayPath(root, configFile) : "Vite's config",
    aliases: resolve.alias.map(({ find, replacement }) => ({ find, to: [replacement] })),
    folders: [],
    define: { ...define, ...(Object.fromEntries(ofVitest) as object) },
    env,
    envFiles: [],
    base,
  }
}
