/* What was answered with 201 is kept, however a dev server ends. Needs `npm run build`. */
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { sendTo } from '../http.ts'
import { binOf, runCommand, type RunningCommand } from './command.ts'
import { projectOfTest } from './of-test.ts'
import { closeServer, listen } from './serve.ts'
import { createProjectInPackage, type TestProject } from './test-project.ts'

const fixtures = {
  'fixtures/orders.yaml': '- { path: /orders, collection: { items: [{ id: 1 }], persist: true } }',
  'fixtures/ends.mjs': `export default [
    { path: '/exit', response: () => process.exit(0) },
    { path: '/throw', response: () => setImmediate(() => { throw new Error('elsewhere') }) && { body: {} } },
  ]`,
}
const importing = (host: string) => `import mockApi from 'unplugin-mock-api/${host}'\n`
const bundled = `{ mode: 'development', entry: './main.js', plugins: [mockApi()] }`
const atAnyPort = ['--host', '127.0.0.1', '--port', '0']

interface Host {
  name: string
  file: [name: string, text: string]
  command: [script: string, ...args: string[]]
  env?: Record<string, string>
}

const vite = (name: string): Host => ({
  name,
  file: ['vite.config.mjs', `${importing('vite')}export default { plugins: [mockApi()] }\n`],
  command: [binOf(name, 'vite'), ...atAnyPort],
})
const webpack = (name: string): Host => ({
  name,
  file: ['webpack.config.mjs', `${importing('webpack')}export default ${bundled}`],
  command: [binOf('webpack-cli', 'webpack-cli'), 'serve', ...atAnyPort],
  env: { WEBPACK_DEV_SERVER_PACKAGE: name },
})
const hosts: Host[] = [
  vite('vite'),
  vite('vite-5'),
  webpack('webpack-dev-server-6'),
  {
    name: 'rspack',
    file: ['rspack.config.mjs', `${importing('rspack')}export default ${bundled}`],
    command: [binOf('@rspack/cli', 'rspack'), 'dev', ...atAnyPort],
  },
  {
    name: 'rsbuild',
    file: [
      'rsbuild.config.mjs',
      `${importing('rsbuild')}export default { plugins: [mockApi()], source: { entry: { index: './main.js' } } }`,
    ],
    command: [binOf('@rsbuild/core', 'rsbuild'), 'dev', '--host', '127.0.0.1'],
  },
  {
    name: 'node:http',
    file: [
      'serve.mjs',
      `import { createServer } from 'node:http'
      import { createMiddleware } from 'unplugin-mock-api/connect'
      const handle = createMiddleware()
      const server = createServer((req, res) => handle(req, res, () => res.end())).listen(0, '127.0.0.1', () =>
        console.log('ready at http://127.0.0.1:' + server.address().port))`,
    ],
    command: ['serve.mjs'],
  },
]

async function start({ command, env = {} }: Host, { root }: TestProject) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const running = runCommand(root, ...command)
  vi.unstubAllEnvs()
  onTestFinished(async () => void (await running.stop('SIGKILL')))
  const [, origin] = await running.seen(/(http:\/\/(?:localhost|127\.0\.0\.1):\d+)/)
  await running.seen(/\d routes|ready/)
  return { running, send: sendTo(origin!) }
}
type Send = ReturnType<typeof sendTo>

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
    const [name, text] = host.file
    const project = projectOfTest({ ...fixtures, [name]: text }, createProjectInPackage)
    const { running, send } = await start(host, project)
    expect((await create(send)).status).toBe(201)
    expect((await create(send)).status).toBe(201)
    await end(running, send)
    expect(await itemsAfter(project)).toEqual([{ id: 1 }, { kept: true, id: 2 }, { kept: true, id: 3 }])
  })
})
