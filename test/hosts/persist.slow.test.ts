/* What was answered with 201 is kept, however a dev server ends. Needs `npm run build`. */
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import type { Send } from '../contract.ts'
import type { RunningCommand } from './command.ts'
import {
  rsbuildDev,
  rspackDev,
  startCommand,
  viteServe,
  webpackServe,
  type CommandHost,
} from './command-hosts.ts'
import { closeServer, listen } from './serve.ts'
import type { TestProject } from './test-project.ts'

const fixtures = {
  'fixtures/orders.yaml': '- { path: /orders, collection: { items: [{ id: 1 }], persist: true } }',
  'fixtures/ends.mjs': `export default [
    { path: '/exit', response: () => process.exit(0) },
    { path: '/throw', response: () => setImmediate(() => { throw new Error('elsewhere') }) && { body: {} } },
  ]`,
}
const nodeHttp: CommandHost = {
  name: 'node:http',
  command: ['serve.mjs'],
  config: [
    'serve.mjs',
    `import { createServer } from 'node:http'
    import { createMiddleware } from 'unplugin-mock-api/connect'
    const handle = createMiddleware()
    const server = createServer((req, res) => handle(req, res, () => res.end())).listen(0, '127.0.0.1', () =>
      console.log('ready at http://127.0.0.1:' + server.address().port))`,
  ],
}
const hosts = [viteServe('vite'), viteServe('vite-5'), webpackServe('webpack-dev-server-6'), rspackDev(), rsbuildDev, nodeHttp] // prettier-ignore

const create = (send: Send) => send({ method: 'POST', url: '/orders', body: '{"kept":true}' })

/** What another server of the folder has. */
async function itemsAfter({ root }: TestProject): Promise<unknown> {
  const middleware = createMiddleware({ root, watch: false, logger: { info() {}, warn() {}, error() {} } })
  const server = createServer((req, res) => middleware(req, res, () => res.end()))
  onTestFinished(() => middleware.close())
  onTestFinished(() => closeServer(server))
  return (await fetch(`${await listen(server)}/orders`)).json()
}

type End = (running: RunningCommand, send: Send) => Promise<unknown>
const ends: [string, End][] = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const).map((signal): [string, End] => [
    signal,
    (running) => running.stop(signal),
  ]),
  // Hosts that live on are then ended by force.
  ...['/exit', '/throw'].map((url): [string, End] => [
    url,
    async (running, send) => {
      await send({ url }).catch(() => undefined)
      await running.stop('SIGKILL')
    },
  ]),
]

describe.each(hosts)('$name', (host) => {
  it.each(ends)('keeps what it has answered, and ends by %s', async (_, end) => {
    const { running, send, project } = await startCommand(host, fixtures)
    expect((await create(send)).status).toBe(201)
    expect((await create(send)).status).toBe(201)
    await end(running, send)
    expect(await itemsAfter(project)).toEqual([{ id: 1 }, { kept: true, id: 2 }, { kept: true, id: 3 }])
  })
})
