import {
  createLogger,
  createRsbuild,
  type RsbuildConfig,
  type RsbuildInstance,
  type RsbuildPlugin,
} from '@rsbuild/core'
import { mockApi } from '../../src/rsbuild.ts'
import type { Host, RunningHost, Start } from './hosts.ts'
import { portForServer } from './serve.ts'
import { withoutEntry, type TestProject } from './test-project.ts'

const entryOnce: RsbuildPlugin = { name: 'test', setup: (api) => api.modifyHTML(withoutEntry) }

/** A config that logs to the list. */
export function rsbuildConfig(
  log: string[],
  { options, upstream, sockets, hostBase, config }: Start = {},
): RsbuildConfig {
  const write = (...parts: unknown[]) => void log.push(parts.join(' '))
  const { source, ...given } = (config?.rsbuild ?? {}) as RsbuildConfig
  return {
    ...given,
    plugins: [mockApi(options), entryOnce],
    customLogger: createLogger({ console: { log: write, warn: write, error: write } }),
    source: { ...source, entry: { index: './main.js' } },
    html: { template: './index.html' },
    dev: { hmr: false, liveReload: sockets !== undefined },
    performance: { printFileSize: false },
    server: {
      host: '127.0.0.1',
      port: portForServer(), // with 0, Rsbuild asks for a port before it builds, and another may have it after
      base: hostBase ?? '/',
      ...(upstream !== undefined && { proxy: { '/upstream': upstream, '/graphql': upstream } }),
      ...(sockets !== undefined && {
        proxy: {
          '/theirs': { target: sockets, ws: true },
          '/chat': { target: sockets, ws: true },
          '/graphql': { target: sockets, ws: true },
        },
      }),
    },
  }
}

export function createTestRsbuild(
  project: TestProject,
  mode: 'development' | 'production',
  config: RsbuildConfig,
): Promise<RsbuildInstance> {
  // Rsbuild reads NODE_ENV otherwise, which is `test` here.
  return createRsbuild({ cwd: project.root, config: { mode, ...config } })
}

export function runningRsbuild(
  { port, server }: Awaited<ReturnType<RsbuildInstance['startDevServer' | 'preview']>>,
  log: string[],
): RunningHost {
  return { origin: `http://127.0.0.1:${port}`, log, close: () => server.close() }
}

/** Rsbuild asks for a token. */
function hotPathOf({ server }: Awaited<ReturnType<RsbuildInstance['startDevServer']>>): string {
  const { web } = server.environments as unknown as Record<string, { context: { webSocketToken: string } }>
  return `/rsbuild-hmr?token=${web!.context.webSocketToken}`
}

export const rsbuildHosts: Host[] = [
  {
    name: 'Rsbuild dev',
    hasHtmlFallback: true,
    hasBase: true,
    async start(project, start) {
      const log: string[] = []
      const rsbuild = await createTestRsbuild(project, 'development', rsbuildConfig(log, start))
      const running = await rsbuild.startDevServer()
      return { ...runningRsbuild(running, log), hotReload: { path: hotPathOf(running) } }
    },
  },
  {
    name: 'Rsbuild preview',
    hasHtmlFallback: true,
    hasBase: true,
    async start(project, start) {
      const log: string[] = []
      const rsbuild = await createTestRsbuild(project, 'production', rsbuildConfig(log, start))
      const { close } = await rsbuild.build()
      await close()
      log.length = 0
      return runningRsbuild(await rsbuild.preview(), log)
    },
  },
]
