/* Ways to use the plugin with Rspack that the suites of all hosts do not test. The CLI runs the built package. */
import { createServer, type ServerResponse } from 'node:http'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rspack, type Compiler, type MultiCompiler, type RspackOptions } from '@rspack/core'
import webpackDevMiddleware from 'webpack-dev-middleware'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as mockServers from '../../src/server/mock-server.ts'
import { mockApi } from '../../src/rspack.ts'
import { sendTo } from '../http.ts'
import { binOf, runCommand, type RunningCommand } from './command.ts'
import { rspackConfig, rspackServerOptions, startRspackServer } from './rspack-hosts.ts'
import { closeServer, listen } from './serve.ts'
import { createProjectInPackage, createTestProject, type TestProject } from './test-project.ts'

vi.mock('../../src/server/mock-server.ts', { spy: true })

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  vi.clearAllMocks()
})

const fixture = (path: string, text: string) => `- { path: ${path}, response: { body: ${text} } }`

function project(files: Record<string, string> = {}, create = createTestProject): TestProject {
  const created = create(files)
  cleanups.push(() => created.close())
  return created
}

async function start(
  compiler: Compiler | MultiCompiler,
  log: string[] = [],
  options = rspackServerOptions(),
): Promise<ReturnType<typeof sendTo>> {
  const running = await startRspackServer(options, compiler, log)
  cleanups.push(() => running.close())
  return sendTo(running.origin)
}

const warnings = (log: string[]) => log.filter((line) => line.startsWith('<w> [mock-api]'))

describe('Rspack through its Node API', () => {
  it('goes after the host check, and before a proxy for everything', async () => {
    const server = createServer((req, res) => req.pipe(res.writeHead(203)))
    cleanups.push(() => closeServer(server))
    const upstream = await listen(server)
    const options = { ...rspackServerOptions(), proxy: [{ context: ['/'], target: upstream }] }
    const send = await start(rspack(rspackConfig(project(), [])), [], options)
    expect((await send({ url: '/items?page=3' })).headers['x-mock-route']).toBe('items, page 3')
    const passedOn = await send({ method: 'POST', url: '/orders', body: 'every byte — é' })
    expect([passedOn.status, passedOn.text]).toEqual([203, 'every byte — é'])
    const foreign = await send({ url: '/items', headers: { host: 'attacker.example' } })
    expect([foreign.status, foreign.text]).toEqual([403, 'Invalid Host header'])
  })

  it("keeps the user's own setupMiddlewares, for each server that gets the same options", async () => {
    const own = {
      name: 'own',
      path: '/own',
      middleware: (_: unknown, res: ServerResponse) => void res.end('own'),
    }
    const setupMiddlewares = <T>(middlewares: T[]) => [own as T, ...middlewares] // before the HTML fallback
    const options = { ...rspackServerOptions(), setupMiddlewares }
    for (const name of ['one', 'two']) {
      const { root } = project({ 'fixtures/a.yaml': fixture('/name', name) })
      const config = rspackConfig({ root } as TestProject, [])
      const send = await start(rspack(config), [], options)
      options.port = 0 // the server writes its own into it
      expect((await send({ url: '/own' })).text).toBe('own')
      expect((await send({ url: '/name' })).text).toBe(name)
    }
    expect(options.setupMiddlewares).toBe(setupMiddlewares)
    expect(mockServers.startMockServer).toHaveBeenCalledTimes(2)
  })

  it('answers from the fixtures of each config of an array, through one server', async () => {
    const log: string[] = []
    const files = {
      'a/routes.yaml': fixture('/a', 'A'),
      'b/routes.yaml': fixture('/b', 'B'),
      'b.js': '',
    }
    const both = project(files)
    const config = (name: string): RspackOptions => ({
      ...rspackConfig(both, log),
      name,
      plugins: [mockApi({ fixtures: name })],
      output: { path: join(both.root, 'dist', name) },
    })
    const send = await start(rspack([config('a'), config('b')]), log)
    expect((await send({ url: '/a' })).text).toBe('A')
    expect((await send({ url: '/b' })).text).toBe('B')
    expect(warnings(log)).toEqual([])
  })

  it('adds one middleware when the configs of an array share their plugins', async () => {
    const { root } = project()
    const shared = mockApi()
    const config = (name: string): RspackOptions => ({
      ...rspackConfig({ root } as TestProject, []),
      name,
      plugins: [shared],
      output: { path: join(root, 'dist', name) },
    })
    const send = await start(rspack([config('a'), config('b')]))
    expect((await send({ url: '/items?page=2' })).headers['x-mock-route']).toBe('items, page 2')
    expect(mockServers.startMockServer).toHaveBeenCalledTimes(1)
  })

  it('listed twice: one middleware, one warning', async () => {
    const log: string[] = []
    const config = rspackConfig(project(), log)
    config.plugins!.push(mockApi(), mockApi())
    const send = await start(rspack(config), log)
    expect((await send({ url: '/items' })).status).toBe(200)
    expect(mockServers.startMockServer).toHaveBeenCalledTimes(1)
    expect(warnings(log)).toHaveLength(1)
    expect(warnings(log)[0]).toContain('listed twice')
  })

  it('listed twice with different bases: both answer, and what is wrong with the files is logged once', async () => {
    const log: string[] = []
    const config = rspackConfig(project({ 'fixtures/items.yalm': '' }), log)
    config.plugins!.push(mockApi({ base: '/one' }), mockApi({ base: '/two' }))
    const send = await start(rspack(config), log)
    const asked = ['/items', '/one/items', '/two/items'].map((url) => send({ url }))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(warnings(log)).toEqual([expect.stringContaining('fixtures/items.yalm is not read')])
  })

  it('closes with the server', async () => {
    const { root } = project()
    const compiler = rspack(rspackConfig({ root } as TestProject, []))
    const running = await startRspackServer(rspackServerOptions(), compiler, [])
    const mockServer = vi.mocked(mockServers.startMockServer).mock.results[0]!.value as mockServers.MockServer
    const closed = vi.spyOn(mockServer, 'close')
    await running.close()
    expect(closed).toHaveBeenCalledOnce()
  })

  it('says what to write when a server can not be hooked', async () => {
    const log: string[] = []
    const compiler = rspack(rspackConfig(project(), log))
    const middleware = webpackDevMiddleware(compiler as never)
    cleanups.push(() => new Promise<void>((resolve) => void middleware.close(() => resolve())))
    await new Promise<void>((resolve) => void middleware.waitUntilValid(() => resolve()))
    expect(warnings(log)).toHaveLength(1)
    expect(warnings(log)[0]).toContain('Nothing is mocked')
    expect(warnings(log)[0]).toContain("import { createMiddleware } from 'unplugin-mock-api/connect'")
  })
})

describe('Rspack through its CLI', () => {
  const rspackBin = binOf('@rspack/cli', 'rspack')
  const head = `import { HtmlRspackPlugin } from '@rspack/core'\nimport mockApi from 'unplugin-mock-api/rspack'\n`
  const single = `${head}export default {
    entry: './main.js',
    plugins: [new HtmlRspackPlugin({ template: './index.html' }), mockApi()],
  }`
  const array = `${head}
    const config = (name) => ({
      name,
      entry: './main.js',
      output: { path: import.meta.dirname + '/dist/' + name, publicPath: '/' + name },
      plugins: [new HtmlRspackPlugin({ template: './index.html' }), mockApi()],
    })
    const own = { name: 'own', path: '/own', middleware: (req, res) => res.end('own') }
    const devServer = { setupMiddlewares: (list) => [...list, own] }
    export default [config('a'), { ...config('b'), devServer }]`

  async function serve(config: string): Promise<[ReturnType<typeof sendTo>, RunningCommand]> {
    const { root } = project({ 'rspack.config.mjs': config }, createProjectInPackage)
    const command = runCommand(root, rspackBin, 'dev', '--host', '127.0.0.1', '--port', '0')
    cleanups.push(() => command.stop())
    const [, origin] = await command.seen(/(http:\/\/127\.0\.0\.1:\d+)/)
    await command.seen(/5 routes from the starter templates/)
    await command.seen(/compiled/)
    return [sendTo(origin!), command]
  }

  it('dev: answers without a devServer key, and ends on Ctrl-C', async () => {
    const [send, command] = await serve(single)
    expect((await send({ url: '/items?page=3' })).headers['x-mock-route']).toBe('items, page 3')
    const failing = { method: 'POST', url: '/graphql', body: '{"operationName":"FailingQuery"}' }
    expect((await send(failing)).headers['x-mock-route']).toBe('failing query')
    expect((await send({ url: '/' })).text).toContain('the page of the project')
    expect(await command.stop()).toBe(0)
    expect(command.output()).not.toMatch(/<[we]>.*mock|warning/i)
  })

  it('dev: answers for an array of configs, and keeps its setupMiddlewares', async () => {
    const [send, command] = await serve(array)
    expect((await send({ url: '/items?page=3' })).headers['x-mock-route']).toBe('items, page 3')
    expect((await send({ url: '/own' })).text).toBe('own')
    for (const name of ['a', 'b'])
      expect((await send({ url: `/${name}/` })).text).toContain('the page of the project')
    expect(command.output().match(/routes from/g)).toHaveLength(1)
  })

  it('build: ends by itself, loads no dev server, and contains nothing of the plugin', async () => {
    const report = `{ apply: (compiler) => compiler.hooks.done.tap('test', () =>
      console.log('dev server: ' + (process.env.RSPACK_SERVE ?? 'not loaded'))) }`
    const files = {
      'rspack.config.mjs': single.replace('mockApi()]', `mockApi(), mockApi(), ${report}]`),
      'fixtures/a.yaml': '- path: /a\n  respnse: {}\n',
    }
    const { root } = project(files, createProjectInPackage)
    const command = runCommand(root, rspackBin, 'build')
    expect(await command.ended).toBe(0)
    expect(command.output()).toContain('dev server: not loaded')
    expect(command.output()).not.toMatch(/mock|respnse|warning/i)
    const names = readdirSync(join(root, 'dist'))
    expect(names.sort()).toEqual(['index.html', 'main.js'])
    const built = names.map((file) => readFileSync(join(root, 'dist', file), 'utf8')).join('')
    expect(built).toContain('the app')
    expect(built).not.toMatch(/mock|Skywalker|Item 1/)
  })

  it('explains what to write if the compiler was created before the dev server was imported', async () => {
    const script = `
      import { rspack } from '@rspack/core'
      import mockApi from 'unplugin-mock-api/rspack'
      const compiler = rspack({ mode: 'development', context: import.meta.dirname, entry: './main.js', plugins: [mockApi()] })
      const { RspackDevServer } = await import('@rspack/dev-server')
      await new RspackDevServer({ host: '127.0.0.1', port: 0 }, compiler).start()`
    const { root } = project({ 'serve.mjs': script }, createProjectInPackage)
    const command = runCommand(root, join(root, 'serve.mjs'))
    cleanups.push(() => command.stop())
    await command.seen(/import it before the compiler is created/)
  })
})

it('a plugin that is not called is an error', () => {
  expect(() => rspack({ entry: './x.js', plugins: [mockApi as never] })).toThrow(
    'Call it: write mockApi() instead of mockApi.',
  )
})
