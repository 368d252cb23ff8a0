import type { ResolvedConfig } from 'vite'
import type { ModuleWorld } from '../../core/options/module-world.ts'
import { displayPath } from '../../files/paths.ts'

/** Vite starts again when its config or a file of variables changes. */
export function viteWorld({
  root,
  configFile,
  resolve,
  define = {},
  env,
  base,
}: ResolvedConfig): ModuleWorld {
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
