import { resolve, sep } from 'node:path'
import type { Options } from '../../core/options/options.ts'

/** The part of Vitest's context for plugins that is used here. */
export interface VitestContext {
  vitest: { config: { forceRerunTriggers?: string[] } }
  project: {
    config: { root: string }
    provide: (key: string, value: unknown) => void
  }
}

/**
 * Gives the options to the setup file (`unplugin-mock-api/vitest`). In watch mode, an edit of a fixture file runs the tests
 * again.
 */
export function configureVitest({ vitest, project }: VitestContext, options: Options): void {
  const root = resolve(project.config.root, options.root ?? '')
  project.provide('unplugin-mock-api', { root, options: dataOf(options) })
  const { fixtures = 'fixtures' } = options
  for (const entry of [fixtures].flat()) {
    const path = resolve(root, entry).replaceAll(sep, '/')
    if (!entry.startsWith('!')) vitest.config.forceRerunTriggers?.push(path, `${path}/**`)
  }
}

/** Options of the dev server alone. */
const ofServers = ['root', 'watch', 'inspector', 'logger', 'record']

/** The options without functions, which can't be sent to the process of a test. */
function dataOf(options: Options): unknown {
  const own = Object.entries(options).filter(([name]) => !ofServers.includes(name))
  return JSON.parse(JSON.stringify(Object.fromEntries(own)))
}
