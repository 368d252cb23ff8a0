/*
 * The minimal types that each bundler's config requires of a plugin. The full types differ between the versions of a
 * bundler, and a project has installed only some of the bundlers.
 */

/** A plugin for the `plugins` of a Vite config, of any version. */
export type VitePlugin = {
  /** The name that Vite shows in messages. */
  name: string
}

/** A plugin for the `plugins` of a webpack or an Rspack config. */
export type CompilerPlugin = {
  /** Called by the compiler that has the plugin. */
  apply: (compiler: unknown) => void
}

/** A plugin for the `plugins` of an Rsbuild config. */
export type RsbuildPlugin = {
  /** The name that Rsbuild shows in messages. */
  name: string
  /** Called by Rsbuild when it starts. */
  setup: (api: unknown) => void | Promise<void>
}
