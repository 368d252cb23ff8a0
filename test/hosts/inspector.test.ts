/* The inspector on the hosts: where it is announced, that it is served there and nowhere else, and closed to other sites. */
import { request } from 'node:http'
import type { CLIShortcut, ViteDevServer } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ToolHooks } from '../../src/plugin/vite/vite-tools.ts'
import { mockApi } from '../../src/vite.ts'
import { exchange } from '../http.ts'
import { hosts, hostsNamed, startFor, startOnce, type RunningHost } from './hosts.ts'
import { projectOfTest } from './of-test.ts'
import { recorder } from './serve.ts'
import { viteConfig, viteVersions } from './vite-hosts.ts'

const files = { 'fixtures/a.yaml': '- { path: /a, response: { body: a } }\n' }
const api = '/__mock-api/api'
const own = { 'x-mock-api': '1', 'content-type': 'application/json' }

/** The announced address; `undefined` if there is none once everything else has been announced. */
async function announced({ log }: RunningHost): Promise<string | undefined> {
  await vi.waitFor(() => expect(log.join('\n')).toMatch(/routes? from /), 30_000)
  await new Promise(setImmediate)
  // Host names in addresses differ; the port and the path say where it is.
  return /inspector: http:\/\/[^:/]+(\S+)/i.exec(log.join('\n'))?.[1]
}

describe.each(hosts)('$name', (host) => {
  const base = host.hasBase ? '/app' : ''
  const started = startOnce(host, files, {
    options: { inspector: { preview: true } },
    ...(host.hasBase && { hostBase: '/app/' }),
  })
  async function ask(method: string, url: string, headers: Record<string, string> = {}, body?: string) {
    const { response, bytes } = await exchange(started.origin, {
      method,
      url,
      headers,
      ...(body !== undefined && { body }),
    })
    return { status: response.statusCode, headers: response.headers, text: bytes.toString() }
  }

  const prints = host.hasHtmlFallback && !host.name.endsWith('middleware mode')
  it.runIf(prints)('announces the inspector', async () => {
    expect(await announced(started)).toBe(`:${new URL(started.origin).port}${base}/__mock-api/`)
  })

  it.runIf(host.name.endsWith('middleware mode'))('announces it with the first request', async () => {
    await ask('GET', '/a')
    expect(await announced(started)).toBe(`:${new URL(started.origin).port}/__mock-api/`)
  })

  it('serves page, script and control API at the root and below its base', async () => {
    for (const at of new Set(['', base]))
      for (const [path, type, text] of [
        ['', 'text/html; charset=utf-8', 'inspector.js'],
        ['inspector.js', 'text/javascript; charset=utf-8', ''],
        ['api/routes', 'application/json; charset=utf-8', '"GET /a #1"'],
      ] as const) {
        const answer = await ask('GET', `${at}/__mock-api/${path}`)
        expect([path, answer.status, answer.headers['content-type']]).toEqual([path, 200, type])
        expect(answer.text).toContain(text)
      }
    expect((await ask('GET', `${api}/nothing`)).text).toContain('"api-path-unknown"')
    expect((await ask('DELETE', `${api}/scenario`, own)).text).toContain('"api-method-unknown"')
  })

  it('answers agents, at the root and below its base', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_routes' },
    })
    const headers = { 'content-type': 'application/json' }
    for (const at of new Set(['', base])) {
      const { status, text } = await ask('POST', `${at}/__mock-api/mcp`, headers, body)
      const { result } = JSON.parse(text) as { result: object }
      expect([status, result]).toMatchObject([
        200,
        { structuredContent: { routes: [{ name: 'GET /a #1' }] } },
      ])
    }
  })

  it('streams events at once', async () => {
    const first = await new Promise<string>((resolve, reject) => {
      const headers = { 'accept-encoding': 'gzip, br' }
      const url = `${started.origin}${api}/requests/stream`
      const sent = request(url, { headers, agent: false }, (response) => {
        response.once('data', (chunk: Buffer) => {
          resolve(chunk.toString())
          sent.destroy()
        })
      })
      sent.on('error', reject).end()
    })
    expect(first).toContain('retry: 1000')
  })

  it.each<[what: string, headers: Record<string, string>]>([
    ['a foreign host name', { host: 'evil.example' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of another port', { origin: 'http://localhost:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['a script tag of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['a script of another port of this machine', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ])('refuses %s', async (_, headers) => {
    for (const [method, path, body] of [
      ['GET', `${api}/requests`],
      ['PUT', `${api}/scenario`, '{"scenario":["a"]}'],
      ['POST', '/__mock-api/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ] as const) {
      const answer = await ask(method, path, { ...own, ...headers }, body)
      expect([method, answer.status]).toEqual([method, 403])
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      expect(answer.text).not.toContain('"requests"')
    }
    expect(JSON.parse((await ask('GET', `${api}/scenario`)).text)).toMatchObject({ scenario: [] })
  })

  it('changes nothing without its header, and lets its own pages in', async () => {
    const body = '{ "offline": true }'
    const page = { origin: started.origin, 'sec-fetch-site': 'same-origin' }
    const refused = await ask('PUT', `${api}/overrides`, { 'content-type': 'text/plain' }, body)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('api-header-missing')])
    const answer = await ask('PUT', `${api}/overrides`, { ...own, ...page }, body)
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { offline: true }])
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    await ask('POST', `${api}/reset`, { ...own, ...page })
  })
})

it.each(hostsNamed('Vite 8 dev', 'webpack-dev-server 6, Node API'))(
  '$name names the address for agents where one has started it',
  async (host) => {
    vi.stubEnv('AI_AGENT', 'claude')
    onTestFinished(() => void vi.unstubAllEnvs())
    const started = await startFor(host, files)
    expect(await announced(started)).toBeDefined()
    const addresses = [...started.log.join('\n').matchAll(/agents: http:\/\/[^:/]+(\S+)/gi)].map(
      ([, at]) => at,
    )
    expect(addresses).toEqual([`:${new URL(started.origin).port}/__mock-api/mcp`])
  },
)

const withNone = [
  ...hostsNamed('node:http', 'Vite 8 dev', 'webpack-dev-server 6, Node API', 'Rspack dev', 'Rsbuild dev').map(
    (host) => ({ host, name: `${host.name}, inspector: false`, options: { inspector: false } }),
  ),
  ...hostsNamed('Vite 8 preview', 'Rsbuild preview').map((host) => ({ host, name: host.name, options: {} })),
]
it.each(withNone)('$name has none', async ({ host, options }) => {
  const started = await startFor(host, files, { options })
  expect(await announced(started)).toBeUndefined()
  // The page of the application, what comes next, or the host's own 404.
  expect((await started.send({ url: '/__mock-api/' })).text).not.toContain('inspector.js')
  expect((await started.send({ url: `${api}/routes` })).text).not.toContain('GET /a #1')
})

describe.each(viteVersions)('$name', ({ load }) => {
  async function createServer(config: object): Promise<ViteDevServer> {
    const server = await (await load()).createServer(config)
    onTestFinished(() => server.close())
    return server
  }

  it('opens the inspector with m + enter, beside the shortcuts of the user', async () => {
    const { config } = viteConfig(projectOfTest())
    const bound: CLIShortcut<ViteDevServer>[][] = []
    // A terminal is what the shortcuts need; here their list is enough.
    config.plugins!.unshift({
      name: 'terminal',
      configureServer: {
        order: 'pre',
        handler(server: ViteDevServer) {
          server.bindCLIShortcuts = (options) => void bound.push([...(options?.customShortcuts ?? [])])
        },
      },
    })
    const server = await createServer(config)
    await server.listen()
    const own = { key: 'p', description: 'print', action() {} }
    server.bindCLIShortcuts({ print: true, customShortcuts: [own] })
    expect(bound.map((shortcuts) => shortcuts.map(({ key }) => key))).toEqual([['p', 'm']])
    const { open } = server.config.server
    const opened: unknown[] = []
    server.openBrowser = () => void opened.push(server.config.server.open)
    await bound[0]![1]!.action!(server)
    expect(opened).toEqual([`${server.resolvedUrls!.local[0]}__mock-api/`])
    expect(server.config.server.open).toBe(open)
  })

  it.each([
    ['the inspector', {}, [{ id: 'mock-api', type: 'iframe', url: '/app/__mock-api/' }]],
    ['nothing without it', { inspector: false }, []],
    ['nothing of a disabled plugin', { enabled: false }, []],
  ])('Vite DevTools dock %s', async (_, options, expected) => {
    const plugin = mockApi(options) as ReturnType<typeof mockApi> & ToolHooks
    const { config } = viteConfig(projectOfTest(), { hostBase: '/app' })
    const server = await createServer({ ...config, plugins: [plugin] })
    const docked: object[] = []
    const register = ({ id, type, url }: Record<'id' | 'type' | 'url', string>) =>
      docked.push({ id, type, url })
    plugin.devtools.setup({ docks: { register }, viteConfig: server.config })
    expect(docked).toEqual(expected)
  })

  it('two plugins on one server have one inspector, that of the first, and know their scenarios', async () => {
    const { log, logger } = recorder()
    const inOne = (scenario: string) =>
      `- { path: /a, scenario: ${scenario}, response: { body: ${scenario} } }`
    const files = { 'one/a.yaml': inOne('dark'), 'two/a.yaml': inOne('down') }
    const { config } = viteConfig(projectOfTest(files))
    const plugins = ['one', 'two'].map((name) => mockApi({ logger, fixtures: name, base: `/${name}` }))
    const server = await createServer({ ...config, plugins })
    await server.listen()
    server.printUrls()
    await vi.waitFor(() => expect(log.filter((line) => line.includes('Mock API:'))).toHaveLength(2), 30_000)
    await new Promise(setImmediate)
    expect(log.filter((line) => line.includes('Inspector:'))).toHaveLength(1)

    const { port } = server.httpServer!.address() as { port: number }
    const get = async (path: string, scenario: string) => {
      const headers = { 'x-mock-scenario': scenario }
      return (
        await exchange(`http://127.0.0.1:${port}`, { method: 'GET', url: path, headers })
      ).bytes.toString()
    }
    expect([await get('/one/a', 'dark,down'), await get('/two/a', 'dark,down')]).toEqual(['dark', 'down'])
    const unknown = () => log.filter((line) => line.includes('[scenario-unknown]'))
    expect(unknown()).toEqual([])
    expect([await get('/one/a', 'dark,drk'), await get('/two/a', 'down,drk')]).toEqual(['dark', 'down'])
    expect(unknown()).toHaveLength(1)
  })
})
