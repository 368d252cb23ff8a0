import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import connect from 'connect'
import { build, createServer as createViteServer, preview, type InlineConfig, type Logger } from 'vite'
import { createMiddleware } from '../../src/connect.ts'
import type { Options } from '../../src/core/options.ts'
import { mockApi } from '../../src/vite.ts'
import type { TestProject } from './test-project.ts'

export interface RunningHost {
  origin: string
  /** What was logged, a line each. */
  log: string[]
  close: () => Promise<void>
}

export interface Start {
  options?: Options
  /** Where `/upstream` is proxied to, by hosts that can. */
  upstream?: string
  /** The host's own base path, where it has one. */
  hostBase?: string
}

export interface Host {
  name: string
  /** Serves the page of the project for paths that nobody answers, as a host with an HTML fallback does. */
  hasHtmlFallback: boolean
  hasBase: boolean
  start: (project: TestProject, start?: Start) => Promise<RunningHost>
}

function recorder() {
  const log: string[] = []
  const write = (message: string) => void log.push(message)
  return { log, logger: { info: write, warn: write, error: write } }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** Answers what the middleware passes on: with the body it got, byte for byte. */
function echo(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('x-passed-on', req.method ?? '')
  req.pipe(res)
}

function nodeHost(
  name: string,
  createServer: (handler: ReturnType<typeof createMiddleware>) => Server,
): Host {
  return {
    name,
    hasHtmlFallback: false,
    hasBase: false,
    async start(project, { options } = {}) {
      const { log, logger } = recorder()
      const middleware = createMiddleware({ root: project.root, logger, ...options })
      const server = createServer(middleware)
      const origin = await listen(server)
      return {
        origin,
        log,
        async close() {
          await middleware.close()
          await closeServer(server)
        },
      }
    },
  }
}

function viteConfig(project: TestProject, { options, upstream, hostBase }: Start): [InlineConfig, string[]] {
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
  }
  const config: InlineConfig = {
    root: project.root,
    configFile: false,
    customLogger,
    base: hostBase ?? '/',
    cacheDir: join(project.root, '.cache'),
    plugins: [mockApi(options)],
    server,
    preview: server,
  }
  return [config, log]
}

export const hosts: Host[] = [
  nodeHost('node:http', (middleware) =>
    createHttpServer((req, res) => middleware(req, res, () => echo(req, res))),
  ),
  nodeHost('connect', (middleware) => {
    const app = connect()
    app.use(middleware)
    app.use(echo)
    return createHttpServer(app)
  }),
  {
    name: 'Vite dev',
    hasHtmlFallback: true,
    hasBase: true,
    async start(project, start = {}) {
      const [config, log] = viteConfig(project, start)
      const server = await createViteServer(config)
      await server.listen()
      server.printUrls()
      const { port } = server.httpServer!.address() as AddressInfo
      return { origin: `http://127.0.0.1:${port}`, log, close: () => server.close() }
    },
  },
  {
    name: 'Vite preview',
    hasHtmlFallback: true,
    hasBase: true,
    async start(project, start = {}) {
      const [config, log] = viteConfig(project, start)
      await build({ ...config, logLevel: 'silent' })
      log.length = 0
      const server = await preview(config)
      server.printUrls()
      const { port } = server.httpServer.address() as AddressInfo
      return { origin: `http://127.0.0.1:${port}`, log, close: () => server.close() }
    },
  },
]
