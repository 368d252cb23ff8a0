/* WebSockets on the path of a route: every host refuses them where no other listener accepts them. */
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { hostsNamed, startFor } from './hosts.ts'
import { serve } from './of-test.ts'
import * as upgrades from '../../src/server/upgrades/upgrades.ts'
import { closeServer, listen } from './serve.ts'
import { inThisRun } from './this-run.ts'
import { openWire } from './wire.ts'

const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='
const webSocket = ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', key]

/** The status line that an upgrade is answered with. */
async function upgrade(origin: string, path: string, asked = webSocket): Promise<string> {
  const wire = openWire(origin, [`GET ${path} HTTP/1.1`, 'host: localhost', ...asked, '', ''].join('\r\n'))
  await wire.find((received, isEnded) => isEnded || received.includes('\r\n\r\n') || undefined)
  wire.socket.destroy()
  return wire.received().split('\r\n', 1)[0]!
}

const testedHosts = inThisRun({
  quick: hostsNamed('node:http', 'Vite 8 dev', 'webpack-dev-server 6, Node API', 'Rspack dev', 'Rsbuild dev'),
  slow: hostsNamed('Vite 5 dev', 'webpack-dev-server 5, Node API'),
})

// Vite's client may accept a WebSocket at any time, so the tests do not wait as long for it as users do.
const { takeUpgrades } = upgrades
const impatient = vi
  .spyOn(upgrades, 'takeUpgrades')
  .mockImplementation((server, taker, patience = 100) => takeUpgrades(server, taker, patience))
afterAll(() => impatient.mockRestore())

it.each(testedHosts)('$name refuses a WebSocket on the path of a route', async (host) => {
  const { origin, log, send } = await startFor(host)
  await send({ url: '/items' }) // the fixtures are loaded
  expect(await upgrade(origin, '/items')).toBe('HTTP/1.1 501 Not Implemented')
  await expect.poll(() => log.filter((line) => line.includes('[upgrade-refused]')).length).toBe(1)
})

it('leaves a WebSocket to a listener that accepts it, immediately or later', async () => {
  const told: string[] = []
  const seen: string[] = []
  const server = createServer()
  const taker = {
    take: ({ url }: IncomingMessage, socket: Duplex) => {
      if (url === '/taken') socket.end('HTTP/1.1 101 Ours\r\n\r\n')
      return url === '/taken'
    },
    refuses: ({ url = '' }: IncomingMessage) => url.startsWith('/ours'),
    tell: ({ url = '' }: IncomingMessage) => void told.push(url),
  }
  takeUpgrades(server, taker, 200)
  server.on('upgrade', (req, socket) => {
    seen.push(req.url!)
    const accept = () => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    if (req.url === '/ours?now' || req.url === '/theirs') accept()
    // Like a proxy, before its backend has answered.
    else if (req.url !== '/ours?nobody') socket.on('error', () => {})
    if (req.url === '/ours?later') setTimeout(accept, 20)
  })
  onTestFinished(() => closeServer(server))
  const origin = await listen(server)
  expect(await upgrade(origin, '/theirs')).toContain(' 101 ')
  expect(await upgrade(origin, '/taken')).toBe('HTTP/1.1 101 Ours')
  expect(await upgrade(origin, '/ours?now')).toContain(' 101 ')
  expect(await upgrade(origin, '/ours?later')).toContain(' 101 ')
  expect(await upgrade(origin, '/ours?nobody')).toContain(' 501 ')
  expect(await upgrade(origin, '/ours?never')).toContain(' 501 ')
  expect(told).toEqual(['/ours?nobody', '/ours?never'])
  expect(seen).not.toContain('/taken')
  const wire = openWire(
    origin,
    ['GET /nobody HTTP/1.1', 'host: localhost', ...webSocket, '', ''].join('\r\n'),
  )
  await expect.poll(() => told.at(-1)).toBe('/nobody')
  expect(wire.received()).toBe('')
  wire.reset()
})

it('survives an error of a connection that no one answers', async () => {
  const server = createServer()
  takeUpgrades(server, { take: () => false, refuses: () => false, tell: () => {} })
  server.on('upgrade', (_req, socket) => socket.destroy(new Error('read ECONNRESET')))
  onTestFinished(() => closeServer(server))
  const origin = await listen(server)
  const wire = openWire(origin, ['GET /a HTTP/1.1', 'host: localhost', ...webSocket, '', ''].join('\r\n'))
  expect(await wire.ended).toBe('closed')
})

it('ignores upgrades to other protocols than WebSocket', async () => {
  const { origin } = await serve()
  const h2c = ['connection: upgrade, close', 'upgrade: h2c']
  expect(await upgrade(origin, '/items', h2c)).toBe('HTTP/1.1 200 OK')
})
