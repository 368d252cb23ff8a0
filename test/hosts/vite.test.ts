/* What only Vite does, on every supported version. */
import { join } from 'node:path'
import honoServer from '@hono/vite-dev-server'
import type { Connect, InlineConfig, Plugin } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { mockApi } from '../../src/vite.ts'
import { sendTo } from '../http.ts'
import { projectOfTest } from './of-test.ts'
import { originOf, viteConfig, viteVersions } from './vite-hosts.ts'
import { connectPage } from './vite-page.ts'

const route = (text: string) => `- { path: /a, response: { body: ${text} } }`
const broken = '- path: /a\n  respnse: {}\n'

describe.each(viteVersions)('$name', ({ load }) => {
  async function startDev(config: InlineConfig) {
    const server = await (await load()).createServer(config)
    onTestFinished(() => server.close())
    await server.listen()
    return { server, send: sendTo(originOf(server)) }
  }
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
      const project = projectOfTest({
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
      onTestFinished(() => previewServer.close())
      const send = sendTo(originOf(previewServer))
      expect([(await send({ url: '/a' })).text, (await send({ url: '/other' })).text]).toEqual([
        'ours',
        'theirs',
      ])
    },
  )

  it('a route answers OPTIONS, also if it is the first request and the fixtures are not read yet', async () => {
    const project = projectOfTest({
      'fixtures/a.yaml': `- { path: /a, method: OPTIONS, response: { body: ours } }`,
    })
    const { send } = await startDev(viteConfig(project).config)
    expect((await send({ url: '/a', method: 'OPTIONS' })).text).toBe('ours')
    expect((await send({ url: '/other', method: 'OPTIONS' })).status).toBe(204)
  })

  it('one plugin for two servers: it watches until the last one closes', async () => {
    const project = projectOfTest({ 'fixtures/a.yaml': route('one') })
    const { config, log } = viteConfig(project)
    const [first, second] = [await startDev(config), await startDev(config)]
    await first.server.close()
    project.write('fixtures/a.yaml', route('two'))
    await vi.waitFor(async () => expect((await second.send({ url: '/a' })).text).toBe('two'), 30_000)
    expect(log.filter((line) => line.includes('reloaded'))).toHaveLength(1)
  })

  it('after a restart: still answers and watches', async () => {
    const project = projectOfTest({ 'fixtures/a.yaml': route('one') })
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
    const project = projectOfTest({ 'fixtures/a.yaml': route('one') })
    const { config, log } = viteConfig(project)
    const { server } = await startDev(config)
    const { payloads, close } = await connectPage(originOf(server))
    onTestFinished(close)

    project.write('fixtures/a.yaml', `${broken}- path: /b\n  bdy: {}\n`)
    await vi.waitFor(() => expect(payloads.map(({ type }) => type)).toContain('error'), 30_000)
    expect(payloads.find(({ type }) => type === 'error')).toEqual({
      type: 'error',
      err: {
        message: expect.stringMatching(
          /^Unknown key "respnse"\.\nDid you mean "response"\? .* \[fixture-unknown-key\]$/,
        ) as string,
        stack: `And 1 more error:\n\n${join(project.root, 'fixtures/a.yaml')}:4:3\n  Unknown key "bdy".`,
        plugin: 'unplugin-mock-api',
        id: join(project.root, 'fixtures/a.yaml'),
        loc: { file: join(project.root, 'fixtures/a.yaml'), line: 2, column: 3 },
        frame: '\u200b  1 | - path: /a\n> 2 |   respnse: {}\n    |   ^\n  3 | - path: /b\n  4 |   bdy: {}',
      },
    })
    expect(log.filter((line) => line.includes('reloaded'))).toEqual([
      expect.stringContaining('reloaded with 2 errors: 1 route from fixtures/a.yaml'),
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
    const project = projectOfTest({ 'fixtures/a.yaml': broken })
    const { config, log } = viteConfig(project)
    const { server } = await startDev(config)
    await vi.waitFor(() => expect(log.join('\n')).toContain('Unknown key'), 30_000)
    project.write('fixtures/a.yaml', route('one'))
    await vi.waitFor(() => expect(log.join('\n')).toContain('reloaded'), 30_000)
    const { payloads, close } = await connectPage(originOf(server))
    onTestFinished(close)
    await vi.waitFor(() => expect(payloads).toEqual([{ type: 'connected' }]), 30_000)
  })
})
