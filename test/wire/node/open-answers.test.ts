import { Agent, createServer, get } from 'node:http'
import type { Socket } from 'node:net'
import connect from 'connect'
import { createServer as createViteServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../hosts/command.ts'
import { projectOfTest, serve } from '../../hosts/of-test.ts'
import { listen } from '../../hosts/serve.ts'
import { createProjectInPackage } from '../../hosts/test-project.ts'
import { viteConfig } from '../../hosts/vite-hosts.ts'
import { openWire, requestText, type Wire } from '../../hosts/wire.ts'

const fixture = `export default [
  { path: '/ok', response: { body: 'whole' } },
  { path: '/stalled', response: { body: 'a body', fault: 'stalled' } },
  { path: '/silent', response: { fault: 'silent' } },
  { path: '/dribbled', response: { body: 'a body', fault: { dribble: 2_000_000 } } },
  { path: '/delayed', response: { delay: 2_000_000 } },
  { path: '/hanging', response: () => new Promise(() => {}) },
  { path: '/late', response: () => new Promise((resolve) => setTimeout(resolve, 100, { delay: 2_000_000 })) },
]
`
const paths = ['/stalled', '/silent', '/dribbled', '/delayed', '/hanging', '/late']

/** Sends every request that does not end, and waits until the server has begun to answer each. */
async function openAll(origin: string): Promise<Wire[]> {
  // The first request on a connection has been answered when the second is read.
  const wires = paths.map((path) => openWire(origin, requestText('GET', '/ok'), requestText('GET', path)))
  await Promise.all(wires.map((wire) => wire.seen('whole')))
  return wires
}

/** A server that closes on request, and prints what keeps its process alive then. */
const server = `
import { createServer } from 'node:http'
import { createMiddleware } from 'unplugin-mock-api/connect'

const logger = { info() {}, warn: console.error, error: console.error }
const middleware = createMiddleware({ root: import.meta.dirname, logger, watch: process.argv[2] === 'close' })
const server = createServer((req, res) =>
  middleware(req, res, async () => {
    if (process.argv[2] === 'close') await middleware.close()
    server.close(() => console.log('closed'))
    res.setHeader('connection', 'close').end()
  }),
)
process.on('warning', console.error)
process.once('beforeExit', () => console.log('left', JSON.stringify(process.getActiveResourcesInfo())))
await middleware.ready
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))
`

it.each(['close', 'leave'])(
  'answers that never end are over, and nothing of them is left, when all clients or the middleware %s',
  async (way) => {
    const project = projectOfTest({ 'fixtures/a.ts': fixture, 'server.mjs': server }, createProjectInPackage)
    const child = runCommand(project.root, 'server.mjs', way)
    const [origin] = await child.seen(/http:\/\/\S+/)
    const wires = await openAll(origin)
    if (way === 'leave') for (const { socket } of wires) socket.destroy()
    openWire(origin, requestText('GET', '/close'))
    await child.seen(/closed/)
    const [, left] = await child.seen(/left (.*)/)
    const handles = JSON.parse(left!) as string[]
    expect(handles.filter((name) => name !== 'PipeWrap')).toEqual([]) // what it writes to
    expect(await child.ended).toBe(0)
    expect(child.output().split('\n')).toHaveLength(4)
  },
)

it('Vite in another server ends open answers when it closes, so that the other server can close', async () => {
  // Without a time limit, or a function that hangs would be answered with an error.
  const options = { functionTimeout: 0 }
  const { config, log } = viteConfig(projectOfTest({ 'fixtures/a.ts': fixture }), { options })
  const app = connect()
  const outer = createServer(app)
  const server = { ...config.server, middlewareMode: true, hmr: { server: outer } }
  const vite = await createViteServer({ ...config, server })
  app.use(vite.middlewares)
  const origin = await listen(outer)
  onTestFinished(() => outer.closeAllConnections())
  const wires = await openAll(origin)
  await vite.close()
  await Promise.all(wires.map((wire) => wire.ended))
  await new Promise((resolve) => outer.close(resolve))
  expect(log.filter((line) => /error/i.test(line))).toEqual([])
})

it('leaves no listener on a connection that is kept', async () => {
  const fixture = `
- { path: /dribbled, response: { body: abc, fault: { dribble: 3 } } }
- { path: /delayed, response: { body: abc, delay: 2 } }`
  let socket: Socket | undefined
  const { origin } = await serve({ 'fixtures/a.yaml': fixture }, {}, (middleware) => (req, res) => {
    socket ??= req.socket
    middleware(req, res, () => res.end('next'))
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask = (path: string) =>
    new Promise((resolve) => get(`${origin}${path}`, { agent }, (res) => res.resume().on('end', resolve)))
  const listeners = () => socket!.eventNames().map((name) => [name, socket!.listenerCount(name)])
  await ask('/next')
  const before = listeners()
  for (let i = 0; i < 12; i++) for (const path of ['/dribbled', '/delayed']) await ask(path)
  await ask('/next')
  expect(listeners()).toEqual(before)
})
