/*
 * What each bundler's config needs to know of the plugin, and no more. The full types of the bundlers differ between their
 * versions, and a project has only those of its own.
 */

/** A plugin for the `plugins` of a Vite config, of any version. */
export type VitePlugin = { name: string }

/** A plugin for the `plugins` of a webpack or an Rspack config. */
export type CompilerPlugin = { apply: (compiler: unknown) => void }

/** A plugin for the `plugins` of an Rsbuild config. */
export type RsbuildPlugin = { name: string; setup: (api: unknown) => void | Promise<void> }
