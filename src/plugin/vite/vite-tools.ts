/* Vitest and Vite DevTools call hooks of their own. Nothing of them is imported. */
import { resolve, sep } from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'
import type { ModuleWorld } from '../../core/options/module-world.ts'
import type { Options } from '../../core/options/options.ts'
import { inspectorFolder } from '../../inspector/inspector-folder.ts'
import { vitestDefines, viteWorld } from './vite-world.ts'

/** The used part of Vitest's plugin context. */
interface VitestContext {
  vitest: { config: { forceRerunTriggers?: string[] } }
  project: {
    config: { root: string; defines?: object }
    provide: (key: string, value: unknown) => void
  }
}

/** The used part of an experimental API. */
interface DevToolsContext {
  docks: {
    register: (dock: { id: string; title: string; icon: string; type: 'iframe'; url: string }) => unknown
  }
  viteConfig: { base: string }
}

export interface ToolHooks {
  configureVitest: (context: VitestContext) => void
  devtools: { setup: (context: DevToolsContext) => void }
}

export function toolHooks(
  options: Options,
  configOf: () => ResolvedConfig,
  isInspected: () => boolean,
): Partial<Plugin> {
  const hooks: ToolHooks = {
    configureVitest: (context) => {
      const config = configOf()
      vitestDefines.set(config, context.project.config.defines ?? {})
      configureVitest(context, options, viteWorld(config))
    },
    devtools: {
      setup(context) {
        if (isInspected()) dockInspector(context)
      },
    },
  }
  return hooks as Partial<Plugin>
}

/** The setup file (`unplugin-mock-api/vitest`) gets the options. In watch mode, an edited fixture runs the tests again. */
function configureVitest({ vitest, project }: VitestContext, options: Options, given: ModuleWorld): void {
  const root = resolve(project.config.root, options.root ?? '')
  const world = { ...given, define: JSON.parse(JSON.stringify(given.define)) as object }
  project.provide('unplugin-mock-api', { root, options: dataOf(options), world })
  const { fixtures = 'fixtures' } = options
  for (const entry of [fixtures].flat()) {
    const path = resolve(root, entry).replaceAll(sep, '/')
    if (!entry.startsWith('!')) vitest.config.forceRerunTriggers?.push(path, `${path}/**`)
  }
}

const ofServers = ['root', 'watch', 'inspector', 'logger', 'record', 'overlay', 'badge', 'build', 'outgoing']

/** Functions can't be sent to the process of a test. */
function dataOf(options: Options): unknown {
  const own = Object.entries(options).filter(([name]) => !ofServers.includes(name))
  return JSON.parse(JSON.stringify(Object.fromEntries(own)))
}

/** @see https://devtools.vite.dev/kit/ */
function dockInspector({ docks, viteConfig }: DevToolsContext): void {
  const url = `${viteConfig.base.replace(/\/?$/, '/')}${inspectorFolder}/`
  docks.register({ id: 'mock-api', title: 'Mock API', icon, type: 'iframe', url })
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230b6b61'/%3E%3Cpath d='M12 9 7 16l5 7m8-14 5 7-5 7' fill='none' stroke='%23fff' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"
