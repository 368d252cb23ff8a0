import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import type { Options } from '../core/options/options.ts'
import { toPosix } from '../loader/paths.ts'

/** The part of Vitest's context for plugins that is used here. */
interface Context {
  vitest: { config: { forceRerunTriggers?: string[] } }
  project: {
    config: { root: string }
    provide: (key: string, value: unknown) => void
  }
}

/**
 * In Vitest, the plugin gives its options to the setup file (`unplugin-mock-api/vitest`), and in watch mode an edit of a
 * fixture file runs the tests again.
 */
export function vitestHook(options: Options): Partial<Plugin> {
  const hook = {
    configureVitest({ vitest, project }: Context) {
      const root = resolve(project.config.root, options.root ?? '')
      project.provide('unplugin-mock-api', { root, options: dataOf(options) })
      const { fixtures = 'fixtures' } = options
      for (const entry of [fixtures].flat()) {
        const path = toPosix(resolve(root, entry))
        if (!entry.startsWith('!')) vitest.config.forceRerunTriggers?.push(path, `${path}/**`)
      }
    },
  }
  return hook as Partial<Plugin>
}

/** Options of the dev server alone. */
const ofServers = ['root', 'watch', 'inspector', 'logger', 'record']

/** The options without functions, which can't be sent to the process of a test. */
function dataOf(options: Options): unknown {
  const own = Object.entries(options).filter(([name]) => !ofServers.includes(name))
  return JSON.parse(JSON.stringify(Object.fromEntries(own)))
}
