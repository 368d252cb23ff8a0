/*
 * The minimal types that each bundler's config requires of a plugin. The full types differ between the versions of a
 * bundler, and a project has installed only some of the bundlers.
 */

/** A plugin for the `plugins` of a Vite config, of any version. */
export type VitePlugin = { name: string }

/** A plugin for the `plugins` of a webpack or an Rspack config. */
export type CompilerPlugin = { apply: (compiler: unknown) => void }

/** A plugin for the `plugins` of an Rsbuild config. */
export type RsbuildPlugin = { name: string; setup: (api: unknown) => void | Promise<void> }
