/* One plugin or several, in one server or several, on every bundler. */
import { createServer, type ServerResponse } from 'node:http'
import type { ServerConfig } from '@rsbuild/core'
import { rspack } from '@rspack/core'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import webpack from 'webpack'
import type { Options } from '../../src/core/options/options.ts'
import { mockApi as rsbuildPlugin } from '../../src/rsbuild.ts'
import { mockApi as rspackPlugin } from '../../src/rspack.ts'
import * as mockServers from '../../src/server/mock-server.ts'
import type { MockServer } from '../../src/server/mock-server.ts'
import { mockApi as vitePlugin } from '../../src/vite.ts'
import { mockApi as webpackPlugin } from '../../src/webpack.ts'
import { sendTo } from '../http.ts'
import type { RunningHost } from './hosts.ts'
import { projectOfTest } from './of-test.ts'
import { createTestRsbuild, rsbuildConfig, runningRsbuild } from './rsbuild-hosts.ts'
import { rspackConfig, rspackServerOptions, startRspackServer } from './rspack-hosts.ts'
import { closeServer, listen } from './serve.ts'
import type { TestProject } from './test-project.ts'
import { originOf, viteConfig, viteVersions } from './vite-hosts.ts'
import { devServers, quickServer, startDevServer, webpackConfig } from './webpack-hosts.ts'
import { inThisRun } from './this-run.ts'

const starts = vi.spyOn(mockServers, 'startMockServer')
afterEach(() => void starts.mockClear())
afterAll(() => starts.mockRestore())

/** Every mock server that a plugin has started. */
const mockServersStarted = () => starts.mock.results.map(({ value }) => value as MockServer)

interface Bundler {
  name: string
  /** Starts a server with a plugin for each of the options, and a proxy to the origin for everything. */
  start: (project: TestProject, plugins: Options[], proxy?: string) => Promise<RunningHost>
}
type ServerSetup = Extract<ServerConfig['setup'], (...args: never[]) => unknown>

const vites: Bundler[] = viteVersions.flatMap(({ name, load }) =>
  (['dev', 'preview'] as const).map((way) => ({
    name: `${name} ${way}`,
    async start(project, plugins, proxy) {
      const { config, log } = viteConfig(project)
      const server = { ...config.server, ...(proxy !== undefined && { proxy: { '/': proxy } }) }
      const all = {
        ...config,
        plugins: plugins.map((options) => vitePlugin(options)),
        server,
        preview: server,
      }
      const { createServer, preview } = await load()
      if (way === 'preview') {
        const running = await preview(all)
        return { origin: originOf(running), log, close: () => running.close() }
      }
      const running = await createServer(all)
      await running.listen()
      return { origin: originOf(running), log, close: () => running.close() }
    },
  })),
)
const webpacks: Bundler[] = devServers.map(({ name, DevServer }) => ({
  name,
  async start(project, plugins, proxy) {
    const log: string[] = []
    const config = {
      ...webpackConfig(project, log),
      plugins: plugins.map((options) => webpackPlugin(options)),
    }
    const server = quickServer({ ...(proxy !== undefined && { proxy: [{ context: ['/'], target: proxy }] }) })
    return { ...(await startDevServer(DevServer, config, server)), log }
  },
}))
const rspackDev: Bundler = {
  name: 'Rspack',
  start(project, plugins, proxy) {
    const log: string[] = []
    const config = { ...rspackConfig(project, log), plugins: plugins.map((options) => rspackPlugin(options)) }
    const server = rspackServerOptions()
    if (proxy !== undefined) server.proxy = [{ context: ['/'], target: proxy }]
    return startRspackServer(server, rspack(config), log)
  },
}
const rsbuilds: Bundler[] = (['development', 'production'] as const).map((mode) => ({
  name: `Rsbuild, ${mode}`,
  async start(project, plugins, proxy) {
    const log: string[] = []
    const config = { ...rsbuildConfig(log), plugins: plugins.map((options) => rsbuildPlugin(options)) }
    config.server = {
      ...config.server,
      allowedHosts: [],
      ...(proxy !== undefined && { proxy: { '/': proxy } }),
    }
    const rsbuild = await createTestRsbuild(project, mode, config)
    if (mode === 'development') return runningRsbuild(await rsbuild.startDevServer(), log)
    await (await rsbuild.build()).close()
    return runningRsbuild(await rsbuild.preview(), log)
  },
}))

const route = (text: string) => ({
  [`${text}/a.yaml`]: `- { path: /a, response: { body: ${text} } }\n- { path: /of-${text}, response: { body: ${text} } }`,
  [`${text}/dark.yaml`]: `- { path: /dark, scenario: ${text}-dark }`,
})
const tested = inThisRun({
  quick: [...vites, ...webpacks, rspackDev, ...rsbuilds],
  slow: [...vites, ...webpacks],
})

describe.each(tested)('$name', ({ start }) => {
  async function started(plugins: Options[], proxy?: string) {
    const running = await start(
      projectOfTest({ ...route('one'), ...route('two'), 'one/b.yalm': '' }),
      plugins,
      proxy,
    )
    let closing: Promise<unknown> | undefined
    const close = () => (closing ??= running.close())
    onTestFinished(async () => void (await close()))
    const send = sendTo(running.origin)
    const warnings = () => running.log.filter((line) => line.includes('listed twice'))
    return { ...running, close, send, warnings, get: async (url: string) => (await send({ url })).text }
  }

  it('answers after the host check and CORS, and before a proxy for everything', async () => {
    const upstream = createServer((req, res) => req.pipe(res.writeHead(203)))
    onTestFinished(() => closeServer(upstream))
    const { send } = await started([{ fixtures: 'one' }], await listen(upstream))
    const page = await send({ url: '/a', headers: { origin: 'http://localhost:4000' } })
    expect([page.text, page.headers['access-control-allow-origin']]).toEqual(['one', 'http://localhost:4000'])
    const passedOn = await send({ method: 'POST', url: '/orders', body: 'every byte — é' })
    expect([passedOn.status, passedOn.text]).toEqual([203, 'every byte — é'])
    const foreign = await send({ url: '/a', headers: { host: 'rebound.example' } })
    expect([foreign.status, foreign.headers['x-mock-route']]).toEqual([403, undefined])
    const site = await send({ url: '/a', headers: { origin: 'https://evil.example' } })
    expect(site.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('listed twice: the first one answers, with one warning; a disabled one does not count', async () => {
    const off = { enabled: false }
    const { get, warnings } = await started([
      off,
      { fixtures: 'one' },
      { fixtures: 'two' },
      { fixtures: 'two' },
    ])
    expect(await get('/a')).toBe('one')
    expect(mockServersStarted()).toHaveLength(1)
    expect(warnings()).toEqual([expect.stringContaining('"unplugin-mock-api" is listed twice')])
  })

  it('listed twice with different bases: both answer, and a mistake in the files is reported once', async () => {
    const plugins = ['/one', '/two'].map((base) => ({ fixtures: 'one', base }))
    const { get, send, warnings, log } = await started([...plugins, { fixtures: 'two', base: '/three' }])
    expect([await get('/one/a'), await get('/two/a'), await get('/three/a')]).toEqual(['one', 'one', 'two'])
    for (const headers of [{ 'x-mock-scenario': 'one-dark,two-dark' }, { 'x-mock-scenario': 'typo' }])
      for (const url of ['/one/a', '/three/a', '/one/dark', '/three/dark']) await send({ url, headers })
    expect(log.filter((line) => line.includes('the scenario "typo"'))).not.toHaveLength(0)
    expect(log.filter((line) => /names the scenario "(?:one|two)-dark"/.test(line))).toEqual([])
    expect(warnings()).toEqual([])
    expect(log.filter((line) => line.includes('one/b.yalm is not read'))).toHaveLength(1)
    expect(log.filter((line) => /inspector: /i.test(line)).length).toBeLessThan(2)
  })

  it('two servers in one process: each answers from its own fixtures, and closes its own', async () => {
    const [one, two] = [await started([{ fixtures: 'one' }]), await started([{ fixtures: 'two' }])]
    expect([await one.get('/a'), await two.get('/a')]).toEqual(['one', 'two'])
    expect((await one.send({ url: '/of-two' })).headers['x-mock-route']).toBeUndefined()
    const closed = mockServersStarted().map((server) => vi.spyOn(server, 'close'))
    await one.close()
    expect(closed.map((close) => close.mock.calls.length)).toEqual([1, 0])
  })
})

it.each([
  [
    'Vite',
    async () =>
      (await viteVersions[0]!.load()).createServer({ configFile: false, plugins: [vitePlugin as never] }),
  ],
  ['webpack', () => webpack({ entry: './x.js', plugins: [webpackPlugin as never] })],
  ['Rspack', () => rspack({ entry: './x.js', plugins: [rspackPlugin as never] })],
])('a plugin of %s that is not called is an error', async (_, create: () => unknown) => {
  await expect(Promise.resolve().then(create)).rejects.toThrow('Call it: write mockApi() instead of mockApi.')
})

const own: ServerSetup = ({ server }) => {
  server.middlewares.use('/own', (_: unknown, res: ServerResponse) => void res.end('own'))
}
it.each([
  ['development', own],
  ['development', [own]],
  ['production', own],
] as const)("Rsbuild keeps the user's own server.setup: %s, %j", async (mode, setup) => {
  const config = rsbuildConfig([])
  config.server = { ...config.server, setup: setup as ServerSetup }
  const rsbuild = await createTestRsbuild(projectOfTest(), mode, config)
  if (mode === 'production') await (await rsbuild.build()).close()
  const server = mode === 'production' ? await rsbuild.preview() : await rsbuild.startDevServer()
  const { origin, close } = runningRsbuild(server, [])
  onTestFinished(close)
  const send = sendTo(origin)
  expect((await send({ url: '/own' })).text).toBe('own')
  expect((await send({ url: '/items?page=3' })).headers['x-mock-route']).toBe('items, page 3')
})

it('Rsbuild in middleware mode answers in a server of the user', async () => {
  const config = rsbuildConfig([])
  config.server = { ...config.server, middlewareMode: true }
  const rsbuild = await createTestRsbuild(projectOfTest(), 'development', config)
  const devServer = await rsbuild.createDevServer()
  onTestFinished(() => devServer.close())
  const server = createServer(devServer.middlewares)
  onTestFinished(() => closeServer(server))
  const send = sendTo(await listen(server))
  expect((await send({ url: '/items?page=3' })).headers['x-mock-route']).toBe('items, page 3')
})
