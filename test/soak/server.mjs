/*
 * The process that is soaked: `node --expose-gc server.mjs <host> <folder of the projects>`, with an IPC channel. It says
 * when fixtures are reloaded, measures itself when asked to, and after `close` has to end by itself.
 */
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { hosts } from './hosts.mjs'
import { countDescriptors, countHandles, countListeners, countResources, measureMemory } from './measure.mjs'
import { modes } from './project.mjs'

const [hostName, folder] = process.argv.slice(2)
const troubles = []
const logged = {}

for (const event of ['unhandledRejection', 'uncaughtException', 'warning']) {
  process.on(event, (error) => troubles.push(`${event}: ${error?.stack ?? error}`))
}

/** Counts log lines, and reports reloads and fixture files with errors. */
function loggerOf(mode) {
  const write = (message) => {
    const code =
      /\[([a-z-]+)\]$/.exec(message)?.[1] ?? (/\breloaded\b.*:/.test(message) ? 'reloaded' : 'other')
    logged[code] = (logged[code] ?? 0) + 1
    const isUnheardOf = code === 'other' && !/Mock API|\[mock-api\] \d+ routes/.test(message)
    if (isUnheardOf) troubles.push(`logged in ${mode}: ${message}`)
    if (/^(?:reloaded|fixture-|schema-|body-file-)/.test(code))
      process.send({ type: 'log', mode, code, message })
  }
  return { info: write, warn: write, error: write }
}

void [process.stdout, process.stderr] // opened with their first use, such as a look for colours
const handlesBefore = countHandles()
const servers = []
const ports = {}
for (const [mode, options] of Object.entries(modes)) {
  const running = await hosts[hostName](join(folder, mode), { ...options, logger: loggerOf(mode) })
  // The client keeps connections open for longer than it waits; only what it closes is closed.
  running.server.keepAliveTimeout = 600_000
  running.server.requestTimeout = 0
  running.server.headersTimeout = 0
  countSockets(running)
  servers.push(running)
  ports[mode] = running.server.address().port
}
await Promise.all(servers.map(({ ready }) => ready))
await whenWatching()

/** Resolves when no more watchers are added: fixture files are watched some time after they were loaded. */
async function whenWatching() {
  for (let before = '', now; (now = JSON.stringify(countHandles())) !== before; before = now)
    await setTimeout(1000)
}

function countSockets(running) {
  running.sockets = new Set()
  running.server.on('connection', (socket) => {
    running.sockets.add(socket)
    socket.once('close', () => running.sockets.delete(socket))
  })
}

/** Resolves when no client is connected, or waiting to be accepted. */
async function whenAlone() {
  for (let turns = 0; turns < 3; turns++) {
    await nextTurn()
    const sockets = servers.flatMap((running) => [...running.sockets])
    if (sockets.length > 0) turns = 0
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  }
}

async function measure() {
  await whenAlone()
  return {
    ...(await measureMemory()),
    resources: countResources(),
    handles: countHandles(),
    descriptors: countDescriptors(),
    listeners: countListeners([process, ...servers.map(({ server }) => server)]),
    sockets: servers.reduce((sum, { sockets }) => sum + sockets.size, 0),
  }
}

async function close() {
  isClosing = true
  for (const { server } of servers) server.keepAliveTimeout = 1
  await Promise.all(servers.map((running) => running.close()))
  await whenAlone()
  return { handles: countHandles(), handlesBefore, resources: countResources(), troubles, logged }
}

let isClosing = false
// Without its parent it would wait for ever.
process.once('disconnect', () => isClosing || process.exit(1))
process.on('message', async (command) => {
  const answer = command === 'measure' ? await measure() : await close()
  process.send({ type: command, answer }, () => command === 'close' && process.disconnect())
})
process.send({ type: 'ready', ports })
