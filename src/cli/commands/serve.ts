import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { networkInterfaces } from 'node:os'
import { dirname, resolve } from 'node:path'
import { createProxyServer } from 'httpxy'
import { reasonOf } from '../../core/values/thrown.ts'
import { isPageRequest } from '../../server/origins/insert-script.ts'
import type { Options } from '../../core/options/options.ts'
import { resolveOptions, resolveOrigins } from '../../core/options/resolve-options.ts'
import { isInside } from '../../files/paths.ts'
import { inspectorAddress } from '../../inspector/inspector-folder.ts'
import { startMockServer } from '../../server/mock-server.ts'
import { createLastInLine } from '../../server/node/last-in-line.ts'
import { createReporter } from '../../server/report.ts'
import { originOf } from '../../wire/node/listening-origin.ts'
import { paint } from '../../wire/node/paint.ts'
import { optionsOfConfig } from '../code/plugin-options.ts'
import { projectFolder } from '../places.ts'
import { UsageError, exitCodes, type ExitCode, type Terminal } from '../terminal.ts'

export interface ServeOptions {
  root?: string
  port: number
  /** `true` for all addresses of the machine. */
  host?: string | true
  base?: string
  scenario?: string
  cors?: string[]
  allowedHosts?: string[]
  /** The origin that gets what no route answers. */
  passOn?: string
}

/** Ends with Ctrl-C. */
export async function serve(
  terminal: Terminal,
  place: string | undefined,
  given: ServeOptions,
): Promise<ExitCode> {
  const served = await startServing(terminal, place, given)
  await new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())
  })
  await served.close()
  return exitCodes.fine
}

/** @throws Error when the port is in use */
export async function startServing(
  terminal: Terminal,
  place: string | undefined,
  given: ServeOptions,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const logger = { info: terminal.note, warn: terminal.note, error: terminal.note }
  const options = findOptions(terminal, place, given)
  const resolved = resolveOptions(options, { root: options.root, logger, paint })
  const { cors = [], allowedHosts = [] } = given
  const origins = {
    ...resolveOrigins({ cors: cors.includes('*') ? true : cors, allowedHosts }),
    options: { origins: 'the option --cors', hosts: 'the option --allowed-hosts' },
  }
  const { passOn } = given
  if (passOn !== undefined && !/^https?:\/\/./.test(passOn))
    throw new UsageError(
      `--pass-on needs the address of a server, such as http://localhost:8000, not ${passOn}.`,
    )
  const mock = startMockServer({ ...resolved, badge: passOn !== undefined })
  const lastInLine = createLastInLine(
    () => mock.store.current?.table.endpoints ?? [],
    origins,
    createReporter(resolved),
  )
  const proxy = passOn === undefined ? undefined : createPassOn(passOn)
  const server = createServer((req, res) =>
    handler(req, res, (error) =>
      proxy && error === undefined ? proxy.pass(req, res) : lastInLine(req, res)(error),
    ),
  )
  if (proxy) server.on('upgrade', proxy.upgrade)
  const handler = mock.createHandler('', origins, {
    server,
    insertsBadge: true,
    nextIsBackend: passOn !== undefined,
  })
  const close = async () => {
    await mock.close()
    await new Promise((closed) => server.close(closed).closeAllConnections())
  }
  try {
    await Promise.all([listen(server, given), mock.store.ready])
  } catch (error) {
    await close()
    throw error
  }
  terminal.note(mock.summary())
  const origin = originOf(server, hostOf(given))!
  const inspector = inspectorAddress(origin, resolved.base)
  terminal.print(`Mock API:  ${origin}${resolved.base}/`)
  if (resolved.inspector.dev) terminal.print(`Inspector: ${inspector}`)
  if (resolved.inspector.dev && mock.hasAgent) terminal.print(`Agents:    ${inspector}mcp`)
  for (const address of given.host === true ? networkAddresses(server) : [])
    terminal.print(`Network:   ${address}${resolved.base}/`)
  terminal.note('Press Ctrl-C to stop it.')
  return { origin, close }
}

function findOptions(
  terminal: Terminal,
  place: string | undefined,
  { root, base, scenario }: ServeOptions,
): Options & { root: string } {
  const folder = projectFolder(terminal, root)
  const path = place === undefined ? undefined : resolve(terminal.cwd, place)
  if (path !== undefined && !existsSync(path)) throw new UsageError(`There is no folder or file ${path}.`)
  const flags = { fixtures: path, base, scenario }
  const isGiven = (name: string) => flags[name as keyof typeof flags] !== undefined
  // Recording needs a dev server around it; routes with `from: backend` need only the target.
  const unused = ['enabled', 'record', 'build', 'logger', 'overlay', 'badge', 'watch']
  const config = optionsOfConfig(terminal, folder, (name) => !isGiven(name) && !unused.includes(name))
  const { record } = config
  const own = path === undefined || isInside(folder, path) || path === folder
  return {
    ...config,
    ...Object.fromEntries(Object.entries(flags).filter(([name]) => isGiven(name))),
    enabled: true,
    build: undefined,
    logger: undefined,
    watch: true,
    record: typeof record === 'object' ? { ...record, enabled: false } : undefined,
    // Body files have to be in the root.
    ...(!own && { root: statSync(path).isDirectory() ? path : dirname(path) }),
  }
}

/** Passes requests and WebSockets on to another server, with its own host name, which dev servers check. */
function createPassOn(target: string) {
  const proxy = createProxyServer({ target, changeOrigin: true, autoRewrite: true, ws: true })
  return {
    pass(req: IncomingMessage, res: ServerResponse) {
      // The badge goes into pages as they are.
      if (isPageRequest(req)) delete req.headers['accept-encoding']
      proxy.web(req, res).catch((error: unknown) => {
        if (!res.headersSent) res.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' })
        res.end(`${target} does not answer: ${reasonOf(error)}. Start it, or correct --pass-on.\n`)
      })
    },
    upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) =>
      void proxy.ws(req, socket as Socket, {}, head).catch(() => socket.destroy()),
  }
}

/** @see https://vite.dev/config/server-options#server-host */
function hostOf({ host = 'localhost' }: ServeOptions): string | undefined {
  return host === true ? undefined : host
}

async function listen(server: Server, given: ServeOptions): Promise<void> {
  const { port } = given
  await once(server.listen(port, hostOf(given)), 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(`Port ${port} is in use. Name another one, such as --port ${port + 1}.`)
  })
}

function networkAddresses(server: Server): string[] {
  const { port } = server.address() as AddressInfo
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => `http://${address}:${port}`)
}
