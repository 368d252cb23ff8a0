import type { Plugin, ResolvedConfig } from 'vite'
import type { Options } from '../../core/options/options.ts'
import type { ViteDemo } from './vite-demo.ts'

/** The part of a plugin context that is used, which differs between the versions of Vite. */
interface Context {
  environment?: { config: { consumer: string } }
}

/** Adds the mock API to a production build, if the option `build` says so. What does it is loaded when a build starts. */
export function viteBuildHooks(options: Options): {
  hooks: Partial<Plugin>
  /** To be called with the resolved config. */
  use: (config: ResolvedConfig) => void
} {
  if (options.build === undefined) return { hooks: {}, use: () => {} }
  let config: ResolvedConfig
  let demo: ViteDemo | undefined
  const isPart = ({ environment }: Context) =>
    config.command === 'build' && (environment ? environment.config.consumer === 'client' : !config.build.ssr)

  const hooks: Partial<Plugin> = {
    async buildStart() {
      if (!isPart(this)) return
      const { buildViteDemo } = await import('./vite-demo.ts')
      demo = await buildViteDemo(this, options, config)
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { path }) => demo?.tagsOf(path),
    },
    // Entries without a page of Vite: the first import of a module runs before everything else.
    banner(chunk) {
      return (isPart(this) && demo?.importOf(chunk)) || ''
    },
    generateBundle(_, bundle) {
      if (isPart(this)) demo?.emit(this, bundle)
    },
  }
  return {
    hooks,
    use(resolved) {
      config = resolved
    },
  }
}
