import type { Plugin } from 'vite'
import type { Options } from '../../core/options/options.ts'
import type { DevToolsContext } from './vite-devtools.ts'
import type { VitestContext } from './vitest-hook.ts'

/** Hooks that tools on top of Vite call: Vitest, and Vite DevTools. What they do is loaded when they are called. */
export interface ToolHooks {
  configureVitest: (context: VitestContext) => Promise<void>
  devtools: { setup: (context: DevToolsContext) => Promise<void> }
}

/** @param isInspected whether a server has the inspector */
export function toolHooks(options: Options, isInspected: () => boolean): Partial<Plugin> {
  const hooks: ToolHooks = {
    async configureVitest(context) {
      const { configureVitest } = await import('./vitest-hook.ts')
      configureVitest(context, options)
    },
    devtools: {
      async setup(context) {
        if (!isInspected()) return
        const { dockInspector } = await import('./vite-devtools.ts')
        dockInspector(context)
      },
    },
  }
  return hooks as Partial<Plugin>
}
