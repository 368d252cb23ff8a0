import type { UnpluginOptions } from 'unplugin'

/**
 * What the function given to unplugin returns: a name, and the hooks of one bundler. unplugin's own hooks, such as `load`, are
 * not part of it: scripts/build/packages.ts leaves out the code for them.
 */
export type BundlerPart<Bundler extends keyof UnpluginOptions> = Pick<UnpluginOptions, 'name' | Bundler>
