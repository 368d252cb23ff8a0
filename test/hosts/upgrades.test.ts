/* WebSockets on the path of a route: every host refuses them where no other listener accepts them. */
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { hostsNamed } from './hosts.ts'
import type * as RefuseUpgrades from '../../src/server/node/refuse-upgrades.ts'
import { refuseUpgrades } from '../../src/server/node/refuse-upgrades.ts'
import { closeServer, listen } from './serve.ts'
import { createTestProject } from './test-project.ts'
import { inThisRun } from './this-run.ts'

/** The status line that an upgrade is answered with. */
function upgrade(origin: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(origin)
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (data) => (text += data.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(text.split('\r\n', 1)[0]!))
    socket.setEncoding('latin1')
    socket.on('data', () => /\r\n\r\n/.test(text) && socket.destroy())
    const head = ['host: localhost', 'connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13']
    const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='
    socket.write([`GET ${path} HTTP/1.1`, ...head, key, '', ''].join('\r\n'))
  })
}

const testedHosts = inThisRun({
  quick: hostsNamed('node:http', 'Vite 8 dev', 'webpack-dev-server 6, Node API', 'Rspack dev', 'Rsbuild dev'),
  slow: hostsNamed('Vite 5 dev', 'webpack-dev-server 5, Node API'),
})

// Vite's client may accept a WebSocket at any time, so the tests do not wait as long for it as users do.
vi.mock('../../src/server/node/refuse-upgrades.ts', async (importOriginal) => {
  const original = await importOriginal<typeof RefuseUpgrades>()
  const refuseUpgrades: typeof original.refuseUpgrades = (server, isOurs, report, patience = 100) =>
    original.refuseUpgrades(server, isOurs, report, patience)
  return { ...original, refuseUpgrades }
})

it.each(testedHosts)('$name refuses a WebSocket on the path of a route', async (host) => {
  const project = createTestProject()
  const { origin, log, close } = await host.start(project)
  try {
    await fetch(`${origin}/items`) // the fixtures are loaded
    expect(await upgrade(origin, '/items')).toBe('HTTP/1.1 501 Not Implemented')
    await expect.poll(() => log.filter((line) => line.includes('[upgrade-refused]')).length).toBe(1)
  } finally {
    await close()
    project.close()
  }
})

it('leaves a WebSocket to a listener that accepts it, immediately or later', async () => {
  const refused: string[] = []
  const server = createServer()
  refuseUpgrades(
    server,
    (url) => url.startsWith('/ours'),
    ({ message }) => refused.push(message),
    200,
  )
  server.on('upgrade', (req, socket) => {
    const accept = () => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    if (req.url === '/ours?now' || req.url === '/theirs') accept()
    // Like a proxy, before its backend has answered.
    else if (req.url !== '/ours?nobody') socket.on('error', () => {})
    if (req.url === '/ours?later') setTimeout(accept, 20)
  })
  onTestFinished(() => closeServer(server))
  const origin = await listen(server)
  expect(await upgrade(origin, '/theirs')).toContain(' 101 ')
  expect(await upgrade(origin, '/ours?now')).toContain(' 101 ')
  expect(await upgrade(origin, '/ours?later')).toContain(' 101 ')
  expect(await upgrade(origin, '/ours?nobody')).toContain(' 501 ')
  expect(await upgrade(origin, '/ours?never')).toContain(' 501 ')
  expect(refused).toHaveLength(2)
})

it('ignores upgrades to other protocols than WebSocket', async () => {
  const project = createTestProject()
  const middleware = createMiddleware({ root: project.root, watch: false, logLevel: 'silent' })
  const server = createServer(middleware)
  onTestFinished(async () => {
    await middleware.close()
    await closeServer(server)
    project.close()
  })
  const { port } = new URL(await listen(server))
  const text = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('data', (data) => resolve(data.toString()))
    socket.write(
      'GET /items HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n\r\n',
    )
  })
  expect(text).toContain('HTTP/1.1 200 OK')
})
