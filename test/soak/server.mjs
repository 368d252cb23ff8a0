/*
 * The process that is soaked: `node --expose-gc server.mjs <host> <folder of the projects>`, with an IPC channel. It has
 * the built package, and behind it an echo that shows what was passed on. It measures itself when asked to, and after
 * `close` has to end by itself.
 */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { createMiddleware } from '../../dist/connect.js'
import mockApi from '../../dist/vite.js'
import { modes } from './project.mjs'

const [hostName, folder] = process.argv.slice(2)
const troubles = []
const logged = {}

for (const event of ['unhandledRejection', 'uncaughtException', 'warning'])
  process.on(event, (error) => troubles.push(`${event}: ${error?.stack ?? error}`))

const hosts = {
  async node(options) {
    const middleware = createMiddleware(options)
    const server = createServer((req, res) =>
      middleware(req, res, () => echo(req, res, () => res.writeHead(404).end('not ours'))),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    await middleware.ready
    const close = async () => {
      await middleware.close()
      await new Promise((resolve) => server.close(resolve))
    }
    return { server, close }
  },

  async vite({ root, ...options }) {
    const { createServer: createViteServer } = await import('vite')
    const { warn } = options.logger
    const silent = { info() {}, clearScreen() {}, hasErrorLogged: () => false }
    const vite = await createViteServer({
      root,
      configFile: false,
      customLogger: { ...silent, warn, error: warn, warnOnce: warn },
      cacheDir: join(root, '.cache'),
      plugins: [
        mockApi(options),
        { name: 'echo', configureServer: ({ middlewares }) => void middlewares.use(echo) },
      ],
      optimizeDeps: { noDiscovery: true },
      server: { host: '127.0.0.1', port: 0 },
    })
    await vite.listen()
    return { server: vite.httpServer, close: () => vite.close() }
  },
}

/** Answers requests that were passed on with their own body. */
function echo(req, res, next) {
  if (!/^\/(?:echo|only|itemz|orders|version)\b/.test(req.originalUrl ?? req.url)) return next()
  res.setHeader('x-passed-on', req.method)
  req.on('error', () => {}) // the client may leave
  req.pipe(res)
}

/** Counts log lines, and reports their codes. */
function loggerOf(mode) {
  const write = (message) => {
    const [, code = /\breloaded\b.*:/.test(message) ? 'reloaded' : 'other'] =
      /\[([a-z-]+)\]$/.exec(message) ?? []
    logged[code] = (logged[code] ?? 0) + 1
    if (code === 'other' && !/Mock API|\[mock-api\] (?:\d+ routes|inspector: )/.test(message))
      troubles.push(`logged in ${mode}: ${message}`)
    process.send({ type: 'log', mode, code })
  }
  return { info: write, warn: write, error: write }
}

/** Kinds of libuv's handles that Node uses itself now and then. (Timers that keep the process alive are resources.) */
const ofNode = ['loop', 'timer', 'idle', 'check', 'prepare', 'async']
// Newer versions of Node would else look up the names of all addresses.
process.report.excludeNetwork = true

/** Also those that do not keep the process alive, such as watchers. */
function countHandles() {
  const types = process.report.getReport().libuv.map(({ type }) => type)
  return countBy(types.filter((type) => !ofNode.includes(type)))
}

function countBy(names) {
  const counts = {}
  for (const name of names.sort()) counts[name] = (counts[name] ?? 0) + 1
  return JSON.stringify(counts)
}

/** Memory after garbage collection. Weakly held objects need several turns. */
async function measureMemory() {
  let lowest = Infinity
  for (let turn = 0, calm = 0; turn < 20 && calm < 3; turn++) {
    await nextTurn()
    globalThis.gc()
    const { heapUsed } = process.memoryUsage()
    calm = heapUsed < lowest - 1024 ? 0 : calm + 1
    lowest = Math.min(lowest, heapUsed)
  }
  const { heapUsed, external } = process.memoryUsage()
  return { heapUsed, external }
}

/** Resolves when no client is connected, or waiting to be accepted. */
async function whenAlone() {
  for (let turns = 0; turns < 3; turns++) {
    await nextTurn()
    if (sockets.size > 0) turns = 0
    await Promise.all([...sockets].map((socket) => once(socket, 'close')))
  }
}

/** Resolves when no more watchers are added: fixture files are watched some time after they were loaded. */
async function whenWatching() {
  for (let before, now; (now = countHandles()) !== before; before = now) await setTimeout(1000)
}

const commands = {
  async measure() {
    await whenAlone()
    const emitters = [process, ...servers.map(({ server }) => server)]
    const listeners = emitters.flatMap((emitter) =>
      emitter.eventNames().map((name) => emitter.listenerCount(name)),
    )
    return {
      ...(await measureMemory()),
      resources: countBy(process.getActiveResourcesInfo()),
      handles: countHandles(),
      descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : undefined,
      listeners: listeners.reduce((sum, count) => sum + count, 0),
    }
  },
  async close() {
    process.removeListener('disconnect', leave)
    for (const { server } of servers) server.keepAliveTimeout = 1
    await Promise.all(servers.map(({ close }) => close()))
    await whenAlone()
    const resources = countBy(process.getActiveResourcesInfo())
    return { handles: countHandles(), handlesBefore, resources, troubles, logged }
  },
}

// Without its parent it would wait for ever.
const leave = () => process.exit(1)
process.once('disconnect', leave)
process.on('message', async (command) => {
  const answer = await commands[command]()
  process.send({ type: command, answer }, () => command === 'close' && process.disconnect())
})

void [process.stdout, process.stderr] // opened with their first use, such as a look for colours
const handlesBefore = countHandles()
const servers = []
const sockets = new Set()
const origins = {}
for (const [mode, options] of Object.entries(modes)) {
  const root = join(folder, mode)
  const running = await hosts[hostName]({ root, ...options, logger: loggerOf(mode) })
  const { server } = running
  // The client keeps connections open for longer than it waits; only what it closes is closed.
  Object.assign(server, { keepAliveTimeout: 600_000, requestTimeout: 0, headersTimeout: 0 })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  servers.push(running)
  origins[mode] = `http://127.0.0.1:${server.address().port}`
}
await whenWatching()
process.send({ type: 'ready', answer: origins })
