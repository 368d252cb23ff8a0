/* Ways to use the plugin with Rsbuild that the suites of all hosts do not test. The CLI runs the built package. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { RsbuildConfig, ServerConfig } from '@rsbuild/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as mockServers from '../../src/server/mock-server.ts'
import { mockApi } from '../../src/rsbuild.ts'
import { sendTo } from '../http.ts'
import { binOf, runCommand, type RunningCommand } from './command.ts'
import { createTestRsbuild, rsbuildConfig, runningRsbuild } from './rsbuild-hosts.ts'
import { closeServer, listen } from './serve.ts'
import { createProjectInPackage, createTestProject, type TestProject } from './test-project.ts'

type ServerSetup = Extract<ServerConfig['setup'], (...args: never[]) => unknown>

vi.mock('../../src/server/mock-server.ts', { spy: true })

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  vi.clearAllMocks()
})

function project(files: Record<string, string> = {}, create = createTestProject): TestProject {
  const created = create(files)
  cleanups.push(() => created.close())
  return created
}

const ways = ['dev', 'preview'] as const

/** Starts a server with the plugin; a preview after a build by the same instance. */
async function start(way: (typeof ways)[number], config: RsbuildConfig, { root } = project()) {
  const mode = way === 'dev' ? 'development' : 'production'
  const rsbuild = await createTestRsbuild({ root } as TestProject, mode, config)
  if (way === 'preview') await (await rsbuild.build()).close()
  const server = way === 'dev' ? await rsbuild.startDevServer() : await rsbuild.preview()
  const running = runningRsbuild(server, [])
  cleanups.push(() => running.close())
  return { send: sendTo(running.origin), close: running.close }
}

describe.each(ways)('Rsbuild %s through its Node API', (way) => {
  it('goes after the host check and CORS, and before a proxy for everything', async () => {
    const upstream = createServer((req, res) => req.pipe(res.writeHead(203)))
    cleanups.push(() => closeServer(upstream))
    const config = rsbuildConfig([])
    config.server = { ...config.server, allowedHosts: [], proxy: { '/': await listen(upstream) } }
    const { send } = await start(way, config)

    const ours = await send({ url: '/items?page=3', headers: { origin: 'http://localhost:4000' } })
    expect(ours.headers['x-mock-route']).toBe('items, page 3')
    expect(ours.headers['access-control-allow-origin']).toBe('http://localhost:4000')
    const passedOn = await send({ method: 'POST', url: '/orders', body: 'every byte — é' })
    expect([passedOn.status, passedOn.text]).toEqual([203, 'every byte — é'])
    const foreign = await send({ url: '/items', headers: { host: 'attacker.example' } })
    expect(foreign.status).toBe(403)
    expect(foreign.headers['x-mock-route']).toBeUndefined()
  })

  it.each(['a function', 'a list'])("keeps the user's own server.setup: %s", async (kind) => {
    const config = rsbuildConfig([])
    const own: ServerSetup = ({ server }) => {
      server.middlewares.use('/own', (_: unknown, res: ServerResponse) => void res.end('own'))
    }
    const setup = kind === 'a list' ? [own] : own
    const { send } = await start(way, { ...config, server: { ...config.server, setup } })
    expect((await send({ url: '/own' })).text).toBe('own')
    expect((await send({ url: '/items?page=3' })).headers['x-mock-route']).toBe('items, page 3')
  })

  it('listed twice: one middleware, one warning', async () => {
    const log: string[] = []
    const config = rsbuildConfig(log)
    config.plugins!.push(mockApi(), mockApi())
    const { send } = await start(way, config)
    expect((await send({ url: '/items' })).status).toBe(200)
    expect(mockServers.startMockServer).toHaveBeenCalledTimes(1)
    expect(log.filter((line) => line.includes('listed twice'))).toHaveLength(1)
  })

  it('listed twice with different bases: both answer', async () => {
    const log: string[] = []
    const config = rsbuildConfig(log)
    config.plugins!.push(mockApi({ base: '/other' }))
    const { send } = await start(way, config)
    const asked = ['/items', '/other/items'].map((url) => send({ url }))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200])
    expect(log.filter((line) => line.includes('listed twice'))).toEqual([])
  })

  it('answers from the fixtures of each config in one process, and closes with each server', async () => {
    const fixture = (text: string) => ({ 'fixtures/a.yaml': `- { path: /a, response: { body: ${text} } }` })
    const one = await start(way, rsbuildConfig([]), project(fixture('one')))
    const two = await start(way, rsbuildConfig([]), project(fixture('two')))
    expect((await one.send({ url: '/a' })).text).toBe('one')
    expect((await two.send({ url: '/a' })).text).toBe('two')
    const closed = vi
      .mocked(mockServers.startMockServer)
      .mock.results.map(({ value }) => vi.spyOn(value as mockServers.MockServer, 'close'))
    await one.close()
    expect(closed.map((close) => close.mock.calls.length)).toEqual([1, 0])
  })
})

it('Rsbuild in middleware mode answers in a server of the user', async () => {
  const config = rsbuildConfig([])
  config.server = { ...config.server, middlewareMode: true }
  const rsbuild = await createTestRsbuild(project(), 'development', config)
  const devServer = await rsbuild.createDevServer()
  cleanups.push(() => devServer.close())
  const server = createServer(devServer.middlewares)
  cleanups.push(() => closeServer(server))
  const send = sendTo(await listen(server))
  expect((await send({ url: '/items?page=3' })).headers['x-mock-route']).toBe('items, page 3')
})

describe('Rsbuild through its CLI', () => {
  const rsbuildBin = binOf('@rsbuild/core', 'rsbuild')
  const config = `
    import { defineConfig } from '@rsbuild/core'
    import mockApi from 'unplugin-mock-api/rsbuild'
    export default defineConfig({
      plugins: [mockApi()],
      source: { entry: { index: './main.js' } },
      html: { template: './index.html' },
    })`

  async function serve(root: string, command: 'dev' | 'preview') {
    const running: RunningCommand = runCommand(root, rsbuildBin, command, '--host', '127.0.0.1')
    cleanups.push(() => running.stop())
    const [, origin] = await running.seen(/(http:\/\/127\.0\.0\.1:\d+)/)
    await running.seen(/\[mock-api\] 5 routes from the starter templates/)
    const send = sendTo(origin!)
    expect((await send({ url: '/items?page=3' })).headers['x-mock-route']).toBe('items, page 3')
    const failing = { method: 'POST', url: '/graphql', body: '{"operationName":"FailingQuery"}' }
    expect((await send(failing)).headers['x-mock-route']).toBe('failing query')
    expect((await send({ url: '/' })).text).toContain('the page of the project')
  }

  it('dev: answers', async () => {
    await serve(project({ 'rsbuild.config.ts': config }, createProjectInPackage).root, 'dev')
  })

  it('build: ends by itself and contains nothing of the plugin; preview: answers', async () => {
    const created = project({ 'rsbuild.config.ts': config }, createProjectInPackage)
    const { root } = created
    created.write('fixtures/a.yaml', '- path: /a\n  respnse: {}\n')
    const build = runCommand(root, rsbuildBin, 'build')
    expect(await build.ended).toBe(0)
    created.remove('fixtures')
    expect(build.output()).not.toMatch(/\[mock-api\]|respnse|warning/i)
    const files = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    const built = files.map((file) => readFileSync(file, 'utf8')).join('')
    expect(built).toContain('the app')
    expect(files.filter((file) => /mock|yaml/.test(file.slice(root.length)))).toEqual([])
    expect(built).not.toMatch(/mock-api|Skywalker|Item 1/)
    await serve(root, 'preview')
  })
})
