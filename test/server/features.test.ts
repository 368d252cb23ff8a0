import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import WebSocket from 'ws'
import { createMiddleware } from '../../src/connect.ts'
import { createFetchHandler } from '../../src/fetch.ts'
import { features } from '../../src/server/features.ts'
import type { Feature } from '../../src/server/feature.ts'
import { projectOfTest } from '../hosts/of-test.ts'
import { closeServer, listen } from '../hosts/serve.ts'

const ofTest: Feature = { headers: () => ['x-mock-age', '7'] }
beforeAll(() => void (features as Feature[]).push(ofTest))
afterAll(() => void (features as Feature[]).pop())

const routes = [
  { path: '/a', response: { body: 1 } },
  { path: '/stream', response: { stream: { events: [{ data: 1 }] } } },
  { path: '/missed', when: { query: { id: 1 } }, response: { body: 1 } },
  { path: '/socket', websocket: { open: { send: 'hi' } } },
]
const rows = ['/a', '/stream', '/missed', '/nothing'].map((path) => [path, path === '/nothing' ? null : '7'])

it('a feature of the list adds its headers to every answer of Node, and to that of a handshake', async () => {
  const project = projectOfTest({ 'fixtures/a.json': JSON.stringify(routes) })
  const middleware = createMiddleware({ root: project.root, logLevel: 'silent' })
  const server = createServer(middleware).on('upgrade', middleware.upgrade)
  onTestFinished(async () => {
    await closeServer(server)
    await middleware.close()
  })
  const origin = await listen(server)
  for (const [path, age] of rows)
    expect([path, (await fetch(`${origin}${path}`)).headers.get('x-mock-age')]).toEqual([path, age])
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`)
  const headers = new Promise((resolve) => socket.once('upgrade', (answer) => resolve(answer.headers)))
  await new Promise((resolve) => socket.once('message', resolve))
  socket.close()
  expect(await headers).toMatchObject({ 'x-mock-age': '7', 'x-mock-route': 'WEBSOCKET /socket #1' })
})

it('and to every answer of the web standards', async () => {
  const handler = createFetchHandler(routes.slice(0, 3))
  for (const [path, age] of rows) {
    const answer = await handler(new Request(`http://localhost${path}`))
    expect([path, answer?.headers.get('x-mock-age') ?? null]).toEqual([path, age])
  }
})
