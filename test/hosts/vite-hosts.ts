import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import connect from 'connect'
import type * as vite from 'vite'
import type { InlineConfig, Logger } from 'vite'
import { mockApi } from '../../src/vite.ts'
import type { Host, RunningHost, Start } from './hosts.ts'
import { closeServer, listen, recorder } from './serve.ts'
import type { TestProject } from './test-project.ts'
import { inThisRun } from './this-run.ts'

/** The part of Vite's API that the tests use, the same in all versions. */
export type Vite = Pick<typeof vite, 'build' | 'createServer' | 'preview'>

interface ViteVersion {
  name: string
  /** Loaded when a server starts, since loading all versions takes a second. */
  load: () => Promise<Vite>
}

const vite8: ViteVersion = { name: 'Vite 8', load: () => import('vite') }
const older: ViteVersion[] = [
  { name: 'Vite 7', load: async () => (await import('vite-7')) as unknown as Vite },
  { name: 'Vite 6', load: async () => (await import('vite-6')) as unknown as Vite },
  { name: 'Vite 5', load: async () => (await import('vite-5')) as unknown as Vite },
]
/** The major versions of this test run. */
export const viteVersions: ViteVersion[] = inThisRun({ quick: [vite8], slow: older })

/** A config as users write it, and what is logged with it. */
export function viteConfig(
  project: TestProject,
  { options, upstream, sockets, hostBase, config: given }: Start = {},
): { config: InlineConfig; log: string[] } {
  const { log, logger } = recorder()
  const customLogger: Logger = {
    ...logger,
    warnOnce: logger.warn,
    clearScreen: () => {},
    hasErrorLogged: () => false,
    hasWarned: false,
  }
  const server = {
    host: '127.0.0.1',
    port: 0,
    ...(upstream !== undefined && { proxy: { '/upstream': upstream, '/graphql': upstream } }),
    ...(sockets !== undefined && {
      proxy: { '^/(theirs|chat|graphql)': { target: sockets, ws: true } },
    }),
  }
  const config: InlineConfig = {
    ...given?.vite,
    root: project.root,
    configFile: false,
    customLogger,
    base: hostBase ?? '/',
    cacheDir: join(project.root, '.cache'),
    css: { postcss: {} }, // Vite 5 would look for a config of PostCSS also after the folder is gone
    plugins: [mockApi(options)],
    server,
    preview: server,
  }
  return { config, log }
}

export const originOf = ({ httpServer }: { httpServer: { address: () => unknown } | null }) =>
  `http://127.0.0.1:${(httpServer!.address() as AddressInfo).port}`

/** Vite asks pages for a token. */
function hotPathOf({ config }: vite.ViteDevServer): string {
  return `${config.base}?token=${(config as unknown as { webSocketToken: string }).webSocketToken}`
}

function viteHost(name: string, start: Host['start']): Host {
  return { name, hasHtmlFallback: true, hasBase: true, start }
}

function devHost({ name, load }: ViteVersion): Host {
  return viteHost(`${name} dev`, async (project, start) => {
    const { config, log } = viteConfig(project, start)
    const server = await (await load()).createServer(config)
    await server.listen()
    server.printUrls()
    const hotReload = { path: hotPathOf(server), protocol: 'vite-hmr' }
    return { origin: originOf(server), log, hotReload, close: () => server.close() }
  })
}

function previewHost({ name, load }: ViteVersion): Host {
  return viteHost(`${name} preview`, async (project, start) => {
    const { config, log } = viteConfig(project, start)
    const { build, preview } = await load()
    await build({ ...config, logLevel: 'silent' })
    log.length = 0
    const server = await preview(config)
    server.printUrls()
    return { origin: originOf(server), log, close: () => server.close() }
  })
}

/** Vite as a middleware of a connect server. */
function middlewareHost({ name, load }: ViteVersion): Host {
  const host = viteHost(`${name} in middleware mode`, async (project, start): Promise<RunningHost> => {
    const { config, log } = viteConfig(project, start)
    const app = connect()
    const server = createHttpServer(app)
    const open = new Set<Socket>() // with a WebSocket that no one has answered, a server does not close
    server.on('connection', (socket) => open.add(socket))
    const { createServer } = await load()
    const vite = await createServer({
      ...config,
      server: { ...config.server, middlewareMode: true, hmr: { server } },
    })
    app.use(vite.middlewares)
    return {
      origin: await listen(server),
      log,
      hotReload: { path: hotPathOf(vite), protocol: 'vite-hmr' },
      async close() {
        await vite.close()
        for (const socket of open) socket.destroy()
        await closeServer(server)
      },
    }
  })
  return { ...host, hasSocketProxy: false }
}

export const viteHosts: Host[] = [devHost(vite8), previewHost(vite8), middlewareHost(vite8)]
export const olderViteHosts: Host[] = older.map(devHost)
