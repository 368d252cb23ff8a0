/* Ways to use the plugin with webpack and Rspack that the suites of all hosts do not test. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import connect from 'connect'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import webpack, { type Compiler, type Configuration } from 'webpack'
import devMiddleware from 'webpack-dev-middleware'
import WebpackDevServer6 from 'webpack-dev-server-6'
import { WebSocket } from 'ws'
import type { Options } from '../../src/core/options/options.ts'
import { mockApi as rspackPlugin } from '../../src/rspack.ts'
import * as mockServers from '../../src/server/mock-server.ts'
import type { MockServer } from '../../src/server/mock-server.ts'
import { mockApi } from '../../src/webpack.ts'
import { sendTo } from '../http.ts'
import { projectOfTest } from './of-test.ts'
import { rspackConfig, rspackServerOptions, startRspackServer } from './rspack-hosts.ts'
import type { TestProject } from './test-project.ts'
import { inThisRun } from './this-run.ts'
import {
  devServers,
  originOf,
  quickServer,
  startDevServer,
  version6,
  webpackConfig,
  type DevServerOptions,
} from './webpack-hosts.ts'

type SetupMiddlewares = NonNullable<DevServerOptions['setupMiddlewares']>

const starts = vi.spyOn(mockServers, 'startMockServer')
afterEach(() => void starts.mockClear())
afterAll(() => starts.mockRestore())

/** Every mock server that the plugin has started. */
const started = () => starts.mock.results.map(({ value }) => value as MockServer)

const fixtures = Object.fromEntries(
  ['fixtures', 'one', 'two'].map((folder) => [
    `${folder}/a.yaml`,
    ['/text', `/only-in-${folder}`]
      .map((path) => `- { path: ${path}, response: { body: ${folder} } }\n`)
      .join(''),
  ]),
)
const answer = (text: string) => (_req: IncomingMessage, res: ServerResponse) => void res.end(text)
const warningsIn = (log: string[]) =>
  log.filter((line) => line.includes('Fix:') || /<w> \[mock-api/.test(line))
/** How often each was closed. */
const countClosing = () => {
  const spies = started().map((server) => vi.spyOn(server, 'close'))
  return () => spies.map((spy) => spy.mock.calls.length)
}

interface Kind {
  name: string
  plugin: (options?: Options) => unknown
  options: (more?: object) => object
  config: (project: TestProject, log: string[], plugins: unknown[]) => object
  /** Starts a server through its Node API. */
  start: (configs: object | object[], log: string[], options: object) => Promise<Running>
  compile: (config: object) => Compiler
}
interface Running {
  origin: string
  close: () => Promise<void>
}

const kinds: Kind[] = [
  ...devServers.map(({ name, DevServer }): Kind => ({
    name,
    plugin: (options) => mockApi(options),
    options: (more) => quickServer(more),
    config: (project, log, plugins) => ({ ...webpackConfig(project, log), plugins }),
    start: (configs, _, options) => startDevServer(DevServer, configs, options),
    compile: (config) => webpack(config as Configuration),
  })),
  ...inThisRun<Kind>({
    quick: [
      {
        name: 'Rspack',
        plugin: (options) => rspackPlugin(options),
        options: (more) => ({ ...rspackServerOptions(), ...more }),
        config: (project, log, plugins) => ({ ...rspackConfig(project, log), plugins }),
        start: (configs, log, options) => startRspackServer(options, rspack(configs as never), log),
        compile: (config) => rspack(config as never) as unknown as Compiler,
      },
    ],
    slow: [],
  }),
]

describe.each(kinds)('$name', ({ plugin, options, config, start, compile }) => {
  function newProject() {
    const log: string[] = []
    const project = projectOfTest({ ...fixtures, 'b.js': '' })
    const withPlugins = (...plugins: unknown[]) => config(project, log, plugins)
    async function run(configs: object | object[], server = options()) {
      const running = await start(configs, log, server)
      let closed: Promise<void> | undefined
      const close = () => (closed ??= running.close())
      onTestFinished(close)
      const send = sendTo(running.origin)
      return { send, close, get: async (url: string) => (await send({ url })).text }
    }
    const named = (name: string, ...plugins: unknown[]) => ({
      ...withPlugins(...plugins),
      name,
      output: { path: join(project.root, 'dist', name) },
    })
    return { log, run, withPlugins, named }
  }

  it('stops watching when the server stops, not before', async () => {
    const { run, withPlugins } = newProject()
    const { get, close } = await run(withPlugins(plugin()))
    expect(await get('/text')).toBe('fixtures')
    const closed = countClosing()
    expect(closed()).toEqual([0])
    await close()
    expect(closed()).toEqual([1])
  })

  it("keeps the user's own setupMiddlewares and options, for each server that gets them", async () => {
    const setupMiddlewares = vi.fn<SetupMiddlewares>((middlewares) => [
      { name: 'first', path: '/first', middleware: answer('first') },
      ...middlewares,
    ])
    const server = options({ setupMiddlewares, headers: { 'x-own': 'header' } }) as { port?: number | string }
    for (const fixtures of ['one', 'two']) {
      server.port = 0 // the server writes its own into it
      const { run, withPlugins } = newProject()
      const { send, get } = await run(withPlugins(plugin({ fixtures })), server)
      expect(await get('/first')).toBe('first')
      const { text, headers } = await send({ url: '/text' })
      expect([text, headers['x-own']]).toEqual([fixtures, 'header'])
    }
    expect(setupMiddlewares).toHaveBeenCalledTimes(2)
    expect(server).toHaveProperty('setupMiddlewares', setupMiddlewares)
    expect(started()).toHaveLength(2)
  })

  it('answers from the fixtures of each config of an array, through one server', async () => {
    const { run, named, log } = newProject()
    const configs = ['one', 'two'].map((name) => named(name, plugin({ fixtures: name })))
    const { get, close } = await run(configs)
    expect([await get('/only-in-one'), await get('/only-in-two')]).toEqual(['one', 'two'])
    const closed = countClosing()
    await close()
    expect(closed()).toEqual([1, 1])
    expect(warningsIn(log)).toEqual([])
  })

  it('loads the fixtures once for configs that share the plugin', async () => {
    const { run, named } = newProject()
    const shared = plugin()
    const { get } = await run([named('a'), named('b', shared), named('c', shared)])
    expect(await get('/text')).toBe('fixtures')
    expect(started()).toHaveLength(1)
  })

  it.each<[Options, number]>([
    [{}, 1],
    [{ logLevel: 'silent' }, 0],
  ])('webpack-dev-middleware alone, with %j: %i warnings say what to write', async (own, count) => {
    const { withPlugins, log } = newProject()
    const middleware = devMiddleware(compile(withPlugins(plugin(own))))
    const app = connect().use(middleware as unknown as connect.NextHandleFunction)
    const server = createServer(app).listen(0, '127.0.0.1')
    for (let builds = 0; builds < 2; builds++) {
      await new Promise<void>((resolve) => void middleware.waitUntilValid(() => resolve()))
      await new Promise<void>((resolve) => void middleware.invalidate(() => resolve()))
    }
    await new Promise<void>((resolve) => void middleware.close(() => resolve()))
    await new Promise((resolve) => server.close(resolve))
    const connected = /Nothing is mocked[^]*import \{ createMiddleware \} from 'unplugin-mock-api\/connect'/
    expect(warningsIn(log)).toEqual(
      Array.from({ length: count }, () => expect.stringMatching(connected) as string),
    )
    expect(started()).toEqual([])
  })
})

describe.each(devServers)('$name', ({ DevServer }) => {
  it('answers again after the server was started again', async () => {
    const project = projectOfTest(fixtures)
    const config = { ...webpackConfig(project, []), plugins: [mockApi()] }
    const { server, close } = await startDevServer(DevServer, config)
    onTestFinished(close)
    await server.stop()
    project.write('fixtures/a.yaml', '- { path: /text, response: { body: changed } }')
    await server.start()
    expect((await sendTo(originOf(server))({ url: '/text' })).text).toBe('changed')
    expect(started()).toHaveLength(2)
  })

  it("finds its place when the user's setupMiddlewares removes the dev middleware", async () => {
    const setupMiddlewares: SetupMiddlewares = (middlewares) => [
      ...middlewares.filter((entry) => entry.name?.endsWith('-check')),
      answer('everything else'),
    ]
    const compiler = webpack({ ...webpackConfig(projectOfTest(fixtures), []), plugins: [mockApi()] })
    const server = new DevServer(quickServer({ setupMiddlewares }), compiler)
    onTestFinished(() => server.stop())
    await server.start() // there is no build to wait for
    const send = sendTo(originOf(server))
    expect((await send({ url: '/text' })).text).toBe('fixtures')
    expect((await send({ url: '/text', headers: { host: 'rebound.example' } })).status).toBe(403)
    expect((await send({ url: '/' })).text).toBe('everything else')
  })
})

const closeCompiler = (compiler: Compiler) =>
  new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())))

it.each(['before', 'after'])('webpack-dev-server 6 as a plugin, listed %s ours', async (place) => {
  const log: string[] = []
  const server = new WebpackDevServer6(quickServer() as never)
  const plugins = [server, mockApi()] as Configuration['plugins'] & object
  const config = webpackConfig(projectOfTest(fixtures), log)
  const compiler = webpack({ ...config, plugins: place === 'before' ? plugins : plugins.toReversed() })
  await new Promise<void>((resolve) => {
    Object.assign(server.options, { onListening: () => resolve() })
    compiler.watch({}, () => {})
  })
  expect((await sendTo(originOf(server))({ url: '/text' })).text).toBe('fixtures')
  const closed = countClosing()
  await closeCompiler(compiler)
  expect(closed()).toEqual([1])
  expect(warningsIn(log)).toEqual([])
})

it('a server that is created after its middlewares, as by webpack-dev-server 4, has WebSockets at once', async () => {
  const log: string[] = []
  const socket = '- { path: /socket, websocket: { open: { send: hello } } }'
  const project = projectOfTest({ 'main.js': '', 'fixtures/a.yaml': socket })
  const setupMiddlewares: SetupMiddlewares = (middlewares, devServer) => {
    const { server } = devServer
    devServer.server = undefined
    queueMicrotask(() => (devServer.server = server))
    return middlewares
  }
  const config = { ...webpackConfig(project, log), plugins: [mockApi()] }
  const options = quickServer({ setupMiddlewares, webSocketServer: 'ws' })
  const { origin, close } = await startDevServer(version6.DevServer, config, options)
  onTestFinished(close)
  await expect.poll(() => log.join()).toContain('1 route from')
  const client = new WebSocket(`${origin.replace('http', 'ws')}/socket`)
  const [message] = (await once(client, 'message')) as [Buffer]
  expect(message.toString()).toBe('hello')
  client.terminate()
})

it('webpack --watch, which serves nothing, gets no warning', async () => {
  const log: string[] = []
  const compiler = webpack({ ...webpackConfig(projectOfTest(fixtures), log), plugins: [mockApi()] })
  await new Promise((resolve) => compiler.watch({}, resolve))
  await closeCompiler(compiler)
  expect(log.filter((line) => line.includes('mock-api'))).toEqual([])
  expect(started()).toEqual([])
})

it.each(['none', 'error', 'warn'] as const)(
  'a log with the level "%s" is one for the console',
  async (level) => {
    const print = vi.spyOn(console, 'info').mockImplementation(() => {})
    onTestFinished(() => print.mockRestore())
    const project = projectOfTest(fixtures)
    const config = { ...webpackConfig(project, []), infrastructureLogging: { level }, plugins: [mockApi()] }
    const { close } = await startDevServer(devServers[0]!.DevServer, config)
    await expect.poll(() => print.mock.calls.join('\n')).toMatch(/\[mock-api\] inspector: http/)
    await close()
  },
)
