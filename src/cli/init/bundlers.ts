/** A kind of config that the plugin can be added to. */
export interface Bundler {
  name: string
  /** The name of its config files, without the extension. */
  config: string
  /** The entry of this package for it. */
  entry: 'vite' | 'webpack' | 'rspack' | 'rsbuild'
  /** The keys from the exported object to the object that has the list `plugins`. */
  path: readonly string[]
  /** Its option for the folder of the project, which `fixtures` is in. */
  root?: string
  /** What is added to that list. */
  call: (name: string) => string
}

const plainCall = (name: string) => `${name}()`

/** In the order in which they are looked for: a framework uses Vite, but has a config of its own. */
export const bundlers: readonly Bundler[] = [
  {
    name: 'Nuxt',
    config: 'nuxt.config',
    entry: 'vite',
    path: ['vite'],
    // The root of its Vite is the folder of the application's code.
    call: (name) => `${name}({ root: import.meta.dirname })`,
  },
  { name: 'Astro', config: 'astro.config', entry: 'vite', path: ['vite'], call: plainCall },
  { name: 'Rsbuild', root: 'root', config: 'rsbuild.config', entry: 'rsbuild', path: [], call: plainCall },
  { name: 'Rspack', root: 'context', config: 'rspack.config', entry: 'rspack', path: [], call: plainCall },
  { name: 'Vite', root: 'root', config: 'vite.config', entry: 'vite', path: [], call: plainCall },
  { name: 'webpack', root: 'context', config: 'webpack.config', entry: 'webpack', path: [], call: plainCall },
]

export const configExtensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'] as const
