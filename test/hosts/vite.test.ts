/* What only Vite does, on every supported version. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import honoServer from '@hono/vite-dev-server'
import type { Connect, InlineConfig, Plugin, PreviewServer, ViteDevServer } from 'vite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { mockApi } from '../../src/vite.ts'
import { sendTo } from '../http.ts'
import { createProjectInPackage, createTestProject } from './test-project.ts'
import { viteConfig, viteVersions } from './vite-hosts.ts'
import { connectPage } from './vite-page.ts'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const route = (text: string) => `- { path: /a, response: { body: ${text} } }`
const broken = '- path: /a\n  respnse: {}\n'

describe.each(viteVersions)('$name', ({ name, load }) => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  function createProject(files: Record<string, string>, create = createTestProject) {
    const project = create(files)
    closing.push(project.close)
    return project
  }
  async function startDev(config: InlineConfig) {
    const server = await (await load()).createServer(config)
    closing.push(() => server.close())
    await server.listen()
    return { server, send: sendTo(originOf(server)) }
  }
  const originOf = ({ httpServer }: ViteDevServer | PreviewServer) =>
    `http://127.0.0.1:${(httpServer!.address() as AddressInfo).port}`

  it('a plugin that is not called is an error', async () => {
    const config = { configFile: false as const, plugins: [mockApi as unknown as Plugin] }
    await expect(startDev(config)).rejects.toThrow('Call it: write mockApi() instead of mockApi.')
  })

  it('listed twice: the first one answers, with one warning', async () => {
    const project = createProject({ 'one/a.yaml': route('one'), 'two/a.yaml': route('two') })
    const { config, log } = viteConfig(project)
    const plugins = () => ['one', 'two', 'two'].map((fixtures) => mockApi({ fixtures }))
    const { server, send } = await startDev({ ...config, plugins: plugins() })
    expect((await send({ url: '/a' })).text).toBe('one')
    const warnings = log.filter((line) => line.includes('listed twice'))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(
      /"unplugin-mock-api".*only the first one answers\.\n {2}Fix: Remove one of the two/,
    )
    const { stack } = server.middlewares
    expect(
      stack.filter(({ handle }) => (handle as { name?: string }).name === 'mockApiMiddleware'),
    ).toHaveLength(1)

    const { preview } = await load()
    log.length = 0
    const previewServer = await preview({ ...config, plugins: plugins() })
    closing.push(() => previewServer.close())
    expect(log.filter((line) => line.includes('listed twice'))).toHaveLength(1)
  })

  it('listed twice with different bases: both answer, in dev and in preview', async () => {
    const project = createProject({ 'one/a.yaml': route('one'), 'two/a.yaml': route('two') })
    const { config, log } = viteConfig(project)
    const plugins = ['one', 'two'].map((name) => mockApi({ fixtures: name, base: `/${name}` }))
    const { send } = await startDev({ ...config, plugins })
    const { preview } = await load()
    const previewServer = await preview({ ...config, plugins })
    closing.push(() => previewServer.close())
    for (const ask of [send, sendTo(originOf(previewServer))]) {
      expect([(await ask({ url: '/one/a' })).text, (await ask({ url: '/two/a' })).text]).toEqual([
        'one',
        'two',
      ])
    }
    expect(log.filter((line) => line.includes('listed twice'))).toEqual([])
  })

  it.each(['first', 'last'])(
    'listed %s, it answers before a plugin that answers everything',
    async (place) => {
      const answerAll: Connect.NextHandleFunction = (_req, res) => void res.end('theirs')
      const greedy: Plugin = {
        name: 'greedy',
        configureServer: ({ middlewares }) => void middlewares.use(answerAll),
        configurePreviewServer: ({ middlewares }) => void middlewares.use(answerAll),
      }
      const hono = honoServer({ entry: 'app.js' })
      const project = createProject({
        'fixtures/a.yaml': route('ours'),
        'app.js': 'export default { fetch: () => new Response("theirs") }',
      })
      const { preview } = await load()
      for (const other of [greedy, hono]) {
        const { config } = viteConfig(project)
        const plugins = place === 'first' ? [mockApi(), other] : [other, mockApi()]
        const { send } = await startDev({ ...config, plugins })
        expect([(await send({ url: '/a' })).text, (await send({ url: '/other' })).text]).toEqual([
          'ours',
          'theirs',
        ])
        // After Vite's own host check, all the same.
        expect((await send({ url: '/a', headers: { host: 'rebound.example' } })).status).toBe(403)
      }
      const { config } = viteConfig(project)
      const plugins = place === 'first' ? [mockApi(), greedy] : [greedy, mockApi()]
      const previewServer = await preview({ ...config, plugins })
      closing.push(() => previewServer.close())
      const send = sendTo(originOf(previewServer))
      expect([(await send({ url: '/a' })).text, (await send({ url: '/other' })).text]).toEqual([
        'ours',
        'theirs',
      ])
    },
  )

  it('two servers in one process: each answers from its own fixtures', async () => {
    const start = async (text: string) => {
      const project = createProject({ 'fixtures/a.yaml': route(text) })
      return { project, ...(await startDev(viteConfig(project).config)) }
    }
    const [one, two] = [await start('one'), await start('two')]
    const servers = [one, two]
    const texts = () => Promise.all(servers.map(async ({ send }) => (await send({ url: '/a' })).text))
    expect(await texts()).toEqual(['one', 'two'])
    one.project.write('fixtures/a.yaml', route('edited'))
    await vi.waitFor(async () => expect(await texts()).toEqual(['edited', 'two']), 30_000)
    await one.server.close()
    two.project.write('fixtures/a.yaml', route('edited'))
    await vi.waitFor(async () => expect((await two.send({ url: '/a' })).text).toBe('edited'), 30_000)
  })

  it('one plugin for two servers: it watches until the last one closes', async () => {
    const project = createProject({ 'fixtures/a.yaml': route('one') })
    const { config, log } = viteConfig(project)
    const [first, second] = [await startDev(config), await startDev(config)]
    await first.server.close()
    project.write('fixtures/a.yaml', route('two'))
    await vi.waitFor(async () => expect((await second.send({ url: '/a' })).text).toBe('two'), 30_000)
    expect(log.filter((line) => line.includes('reloaded'))).toHaveLength(1)
  })

  it('after a restart: still answers and watches', async () => {
    const project = createProject({ 'fixtures/a.yaml': route('one') })
    const { config, log } = viteConfig(project)
    const { server } = await startDev(config)
    await server.restart()
    await server.restart()
    const text = async () => (await sendTo(originOf(server))({ url: '/a' })).text
    expect(await text()).toBe('one')
    project.write('fixtures/a.yaml', route('two'))
    await vi.waitFor(async () => expect(await text()).toBe('two'), 30_000)
    expect(log.filter((line) => line.includes('reloaded'))).toHaveLength(1)
    expect(log.filter((line) => line.includes('listed twice'))).toEqual([])

    const other = await startDev(viteConfig(project).config)
    await server.close()
    log.length = 0
    project.write('fixtures/a.yaml', route('three'))
    const seenByOther = async () => expect((await other.send({ url: '/a' })).text).toBe('three')
    await vi.waitFor(seenByOther, 30_000)
    expect(log.filter((line) => line.includes('reloaded'))).toEqual([])
  })

  it('the overlay shows a broken fixture file, and disappears once the file is fixed', async () => {
    const project = createProject({ 'fixtures/a.yaml': route('one') })
    const { config, log } = viteConfig(project)
    const { server } = await startDev(config)
    const { payloads, close } = await connectPage(originOf(server))
    closing.push(close)

    project.write('fixtures/a.yaml', broken)
    await vi.waitFor(() => expect(payloads.map(({ type }) => type)).toContain('error'), 30_000)
    expect(payloads.find(({ type }) => type === 'error')).toEqual({
      type: 'error',
      err: {
        message: expect.stringMatching(
          /^Unknown key "respnse"\.\nDid you mean "response"\? .* \[fixture-unknown-key\]$/,
        ) as string,
        stack: '',
        plugin: 'unplugin-mock-api',
        id: join(project.root, 'fixtures/a.yaml'),
        loc: { file: join(project.root, 'fixtures/a.yaml'), line: 2, column: 3 },
        frame: '1 | - path: /a\n2 |   respnse: {}\n  |   ^',
      },
    })
    expect(log.filter((line) => line.includes('reloaded'))).toEqual([
      expect.stringContaining('reloaded with 1 error: 1 route from fixtures/a.yaml'),
    ])
    // A page that is opened later gets the error too.
    for (let times = 0; times < 2; times++) {
      const late = await connectPage(originOf(server))
      await vi.waitFor(() => expect(late.payloads.map(({ type }) => type)).toContain('error'), 30_000)
      late.close()
    }
    payloads.length = 0
    project.write('fixtures/a.yaml', route('two'))
    // The application may listen to the second one.
    const reload = { type: 'custom', event: 'mock-api:reload', data: { routeCount: 1, errors: 0 } }
    await vi.waitFor(() => expect(payloads).toEqual([{ type: 'update', updates: [] }, reload]), 30_000)
  })

  it('a fixture file that is fixed before a page is opened leaves no overlay', async () => {
    const project = createProject({ 'fixtures/a.yaml': broken })
    const { config, log } = viteConfig(project)
    const { server } = await startDev(config)
    await vi.waitFor(() => expect(log.join('\n')).toContain('Unknown key'), 30_000)
    project.write('fixtures/a.yaml', route('one'))
    await vi.waitFor(() => expect(log.join('\n')).toContain('reloaded'), 30_000)
    const { payloads, close } = await connectPage(originOf(server))
    closing.push(close)
    await vi.waitFor(() => expect(payloads).toEqual([{ type: 'connected' }]), 30_000)
  })

  it.each(['dev', 'preview'])("Vite's own host check and CORS come first in %s", async (mode) => {
    const project = createProject({})
    const { config } = viteConfig(project)
    const startPreview = async () => {
      const { build, preview } = await load()
      await build({ ...config, logLevel: 'silent' })
      const server = await preview(config)
      closing.push(() => server.close())
      return sendTo(`http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}`)
    }
    const send = mode === 'dev' ? (await startDev(config)).send : await startPreview()
    const foreignHost = await send({ url: '/items', headers: { host: 'evil.example' } })
    expect(foreignHost.status).toBe(403)
    expect(foreignHost.text).toContain('This host ("evil.example") is not allowed')
    const page = { url: '/items', headers: { origin: 'http://localhost:3000' } }
    const answered = await send(page)
    expect(answered.headers['access-control-allow-origin']).toBe(page.headers.origin)
    expect(answered.headers['x-mock-route']).toBe('items, page 1')
    const foreignPage = await send({ url: '/items', headers: { origin: 'https://evil.example' } })
    expect(foreignPage.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('vite build ends by itself, and nothing of the plugin or of a fixture file is in what it writes', async () => {
    const project = createProject(
      {
        'vite.config.mjs': `import mockApi from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi()] }\n`,
        'fixtures/a.yaml': route('a-text-of-the-fixture'),
      },
      createProjectInPackage,
    )
    const alias = name === 'Vite 8' ? 'vite' : name.toLowerCase().replace(' ', '-')
    const cli = join(packageRoot, 'node_modules', alias, 'bin/vite.js')
    const { stdout } = await run(process.execPath, [cli, 'build'], { cwd: project.root })
    expect(stdout).toContain('built in')
    const written = readdirSync(join(project.root, 'dist'), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
      .join('\n')
    expect(written).toContain('the app')
    expect(written).not.toMatch(/mock-?api|a-text-of-the-fixture|fixtures?\//i)
    expect(existsSync(join(project.root, 'dist/fixtures'))).toBe(false)
  })
})
