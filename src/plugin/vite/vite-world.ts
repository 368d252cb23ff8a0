import type { ResolvedConfig } from 'vite'
import type { ModuleWorld } from '../../core/options/module-world.ts'
import { displayPath } from '../../files/paths.ts'

/** Names without dots, with values in place of code: Vitest takes them out of a config. */
export const vitestDefines = new WeakMap<ResolvedConfig, object>()

/** Vite starts again when its config or a file of variables changes. */
export function viteWorld(config: ResolvedConfig): ModuleWorld {
  const { root, configFile, resolve, define, env, base } = config
  const ofVitest = Object.entries(vitestDefines.get(config) ?? {}).map(([name, value]) => [
    name,
    JSON.stringify(value),
  ])
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
