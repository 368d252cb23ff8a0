import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import connect from 'connect'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import webpack, { type Compiler, type Configuration } from 'webpack'
import devMiddleware from 'webpack-dev-middleware'
import WebpackDevServer6 from 'webpack-dev-server-6'
import * as mockServers from '../../src/server/mock-server.ts'
import type { MockServer } from '../../src/server/mock-server.ts'
import { mockApi } from '../../src/webpack.ts'
import { sendTo } from '../http.ts'
import { createTestProject, type TestProject } from './test-project.ts'
import {
  devServers,
  originOf,
  quickServer,
  startDevServer,
  webpackConfig,
  type DevServerOptions,
} from './webpack-hosts.ts'

type SetupMiddlewares = NonNullable<DevServerOptions['setupMiddlewares']>

vi.mock('../../src/server/mock-server.ts', { spy: true })

/** Every mock server that the plugin has started. */
const started = () =>
  vi.mocked(mockServers.startMockServer).mock.results.map(({ value }) => value as MockServer)

const route = (path: string, body: string) => `- { path: ${path}, response: { body: ${body} } }\n`
const fixtures = Object.fromEntries(
  ['fixtures', 'one', 'two'].map((folder) => [
    `${folder}/a.yaml`,
    route('/text', folder) + route(`/only-in-${folder}`, folder),
  ]),
)

let project: TestProject
let log: string[]
let closers: (() => unknown)[]
beforeEach(() => {
  project = createTestProject(fixtures)
  log = []
  closers = []
  vi.mocked(mockServers.startMockServer).mockClear()
})
afterEach(async () => {
  for (const close of closers) await close()
  project.close()
})

const config = (...plugins: Configuration['plugins'] & object): Configuration => ({
  ...webpackConfig(project, log),
  plugins,
})
const answer = (text: string) => (_req: IncomingMessage, res: ServerResponse) => void res.end(text)
const warnings = () => log.filter((line) => line.includes('Fix:'))
/** How often each was closed. */
const countClosing = () => {
  const spies = started().map((server) => vi.spyOn(server, 'close'))
  return () => spies.map((spy) => spy.mock.calls.length)
}

describe.each(devServers)('$name', ({ DevServer }) => {
  async function start(configs: Configuration | Configuration[], options = quickServer()) {
    const running = await startDevServer(DevServer, configs, options)
    closers.push(running.close)
    const send = sendTo(running.origin)
    return { ...running, send, get: async (url: string) => (await send({ url })).text }
  }

  it('stops watching when the server stops, not before', async () => {
    const { get, close } = await start(config(mockApi()))
    expect(await get('/text')).toBe('fixtures')
    const closed = countClosing()
    expect(closed()).toEqual([0])
    await close()
    expect(closed()).toEqual([1])
  })

  it('answers again after the server was started again', async () => {
    const { server } = await start(config(mockApi()))
    await server.stop()
    project.write('fixtures/a.yaml', route('/text', 'changed'))
    await server.start()
    expect((await sendTo(originOf(server))({ url: '/text' })).text).toBe('changed')
    expect(started()).toHaveLength(2)
  })

  it("runs after the server's own host and cross-origin checks", async () => {
    const { send } = await start(config(mockApi()))
    const foreign = await send({ url: '/text', headers: { host: 'rebound.example' } })
    expect([foreign.status, foreign.text]).toEqual([403, 'Invalid Host header'])
    const headers = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' }
    expect((await send({ url: '/text', headers: { ...headers, host: 'rebound.example' } })).status).toBe(403)
  })

  it("runs before the proxy, and sends the server's own headers too", async () => {
    const headersAndProxy = {
      headers: { 'x-own': 'header' },
      proxy: [{ context: ['/text'], target: 'http://127.0.0.1:9' }],
    }
    const { send } = await start(config(mockApi()), quickServer(headersAndProxy))
    const { text: body, headers } = await send({ url: '/text' })
    expect([body, headers['x-own']]).toEqual(['fixtures', 'header'])
  })

  it("keeps the user's own setupMiddlewares, and leaves the user's options as they are", async () => {
    const setupMiddlewares = vi.fn<SetupMiddlewares>((middlewares) => [
      { name: 'first', path: '/first', middleware: answer('first') },
      ...middlewares,
      { name: 'last', path: '/last', middleware: answer('last') },
    ])
    const options = quickServer({ setupMiddlewares })
    const { server, get } = await start(config(mockApi()), options)
    expect([await get('/first'), await get('/text'), await get('/last')]).toEqual([
      'first',
      'fixtures',
      'last',
    ])
    expect(setupMiddlewares).toHaveBeenCalledOnce()
    expect(setupMiddlewares.mock.calls[0]![1]).toBe(server)
    expect(options.setupMiddlewares).toBe(setupMiddlewares)
  })

  it("finds its place when the user's setupMiddlewares removes the dev middleware", async () => {
    const setupMiddlewares: SetupMiddlewares = (middlewares) => [
      ...middlewares.filter((entry) => entry.name?.endsWith('-check')),
      answer('everything else'),
    ]
    const compiler = webpack(config(mockApi()))
    const server = new DevServer(quickServer({ setupMiddlewares }), compiler)
    closers.push(() => server.stop())
    await server.start() // there is no build to wait for
    const send = sendTo(originOf(server))
    expect((await send({ url: '/text' })).text).toBe('fixtures')
    expect((await send({ url: '/text', headers: { host: 'rebound.example' } })).status).toBe(403)
    expect((await send({ url: '/' })).text).toBe('everything else')
  })

  it('serves two servers with the same options object from their own fixtures', async () => {
    const options = quickServer()
    const one = await start(config(mockApi({ fixtures: 'one' })), options)
    const two = await start(config(mockApi({ fixtures: 'two' })), options)
    expect([await one.get('/text'), await two.get('/text')]).toEqual(['one', 'two'])
    expect((await one.send({ url: '/only-in-two' })).status).toBe(404)
    const closed = countClosing()
    await one.close()
    expect(closed()).toEqual([1, 0])
  })

  it('listed twice: answers once, and warns once', async () => {
    const { get } = await start(config(mockApi({ fixtures: 'one' }), mockApi({ fixtures: 'two' })))
    expect(await get('/text')).toBe('one')
    expect(started()).toHaveLength(1)
    expect(warnings()).toHaveLength(1)
    expect(warnings()[0]).toContain('[mock-api] The plugin "unplugin-mock-api" is listed twice')
  })

  it('listed twice with different bases: both answer', async () => {
    const one = mockApi({ fixtures: 'one', base: '/one' })
    const { get } = await start(config(one, mockApi({ fixtures: 'two', base: '/two' })))
    expect([await get('/one/text'), await get('/two/text')]).toEqual(['one', 'two'])
    expect(warnings()).toEqual([])
    expect(log.filter((line) => /2 routes from .*, below \/(one|two)$/.test(line))).toHaveLength(2)
  })

  it('does not count a plugin with enabled: false as a second one', async () => {
    const { get } = await start(config(mockApi({ enabled: false }), mockApi({ fixtures: 'two' })))
    expect(await get('/text')).toBe('two')
    expect(warnings()).toEqual([])
  })

  describe('with an array of configs', () => {
    it('answers from the fixtures of each', async () => {
      const configs = ['one', 'two'].map((name) => ({ ...config(mockApi({ fixtures: name })), name }))
      const { get, close } = await start(configs)
      expect([await get('/only-in-one'), await get('/only-in-two')]).toEqual(['one', 'two'])
      const closed = countClosing()
      await close()
      expect(closed()).toEqual([1, 1])
      expect(warnings()).toEqual([])
    })

    it('loads the fixtures once for configs that share the plugin', async () => {
      const plugin = mockApi()
      const { get } = await start([config(plugin), { ...config(plugin), target: 'node' }])
      expect(await get('/text')).toBe('fixtures')
      expect(started()).toHaveLength(1)
      expect(log.filter((line) => line.includes('2 routes from'))).toHaveLength(1)
    })

    it('answers where only the second config has the plugin', async () => {
      const { get } = await start([config(), { ...config(mockApi()), target: 'node' }])
      expect(await get('/text')).toBe('fixtures')
    })
  })
})

it('webpack-dev-server 6 as a plugin, listed before or after ours', async () => {
  for (const place of ['before', 'after']) {
    const server = new WebpackDevServer6(quickServer() as never)
    const plugins = [server, mockApi()] as Configuration['plugins'] & object
    const compiler = webpack(config(...(place === 'before' ? plugins : plugins.toReversed())))
    await new Promise<void>((resolve) => {
      Object.assign(server.options, { onListening: () => resolve() })
      compiler.watch({}, () => {})
    })
    expect((await sendTo(originOf(server))({ url: '/text' })).text).toBe('fixtures')
    const closed = countClosing()
    await closeCompiler(compiler)
    expect(closed().at(-1)).toBe(1)
  }
  expect(warnings()).toEqual([])
})

describe('a dev server that the plugin cannot hook into', () => {
  it('webpack-dev-middleware alone: one warning says what to write', async () => {
    const compiler = webpack(config(mockApi()))
    const middleware = devMiddleware(compiler)
    const app = connect().use(middleware as unknown as connect.NextHandleFunction)
    const server = createHttpServer(app).listen(0, '127.0.0.1')
    for (let builds = 0; builds < 2; builds++) {
      await new Promise<void>((resolve) => void middleware.waitUntilValid(() => resolve()))
      await new Promise<void>((resolve) => void middleware.invalidate(() => resolve()))
    }
    await new Promise<void>((resolve) => void middleware.close(() => resolve()))
    await new Promise((resolve) => server.close(resolve))
    expect(warnings()).toHaveLength(1)
    expect(warnings()[0]).toContain("import { createMiddleware } from 'unplugin-mock-api/connect'")
    expect(started()).toEqual([])
  })

  it('logs nothing with logLevel: silent', async () => {
    const middleware = devMiddleware(webpack(config(mockApi({ logLevel: 'silent' }))))
    await new Promise<void>((resolve) => void middleware.waitUntilValid(() => resolve()))
    await new Promise<void>((resolve) => void middleware.close(() => resolve()))
    expect(warnings()).toEqual([])
  })

  it('webpack --watch, which serves nothing, gets no warning', async () => {
    const compiler = webpack(config(mockApi()))
    await new Promise((resolve) => compiler.watch({}, resolve))
    await closeCompiler(compiler)
    expect(log.filter((line) => line.includes('mock-api'))).toEqual([])
    expect(started()).toEqual([])
  })
})

function closeCompiler(compiler: Compiler): Promise<void> {
  return new Promise((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())))
}

it('a plugin that is not called is an error', () => {
  expect(() => webpack({ entry: './x.js', plugins: [mockApi as never] })).toThrow(
    'Call it: write mockApi() instead of mockApi.',
  )
})
