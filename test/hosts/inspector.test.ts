/* The inspector on the hosts: where it is announced, and that it is served there and nowhere else. */
import type { CLIShortcut, ViteDevServer } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ToolHooks } from '../../src/plugin/vite/vite-tools.ts'
import { mockApi } from '../../src/vite.ts'
import { hostsNamed, type Start } from './hosts.ts'
import { recorder } from './serve.ts'
import { createTestProject } from './test-project.ts'
import { viteConfig, viteVersions } from './vite-hosts.ts'

const devHosts = hostsNamed(
  'Vite 8 dev',
  'Vite 5 dev',
  'webpack-dev-server 5, Node API',
  'Rspack dev',
  'Rsbuild dev',
)
const previewHosts = hostsNamed('Vite 8 preview', 'Rsbuild preview')

async function start(host: (typeof devHosts)[number], options: Start = {}) {
  const project = createTestProject()
  const running = await host.start(project, options)
  onTestFinished(async () => {
    await running.close()
    project.close()
  })
  /** The announced address; `undefined` if there is none once everything else has been announced. */
  const address = async () => {
    await vi.waitFor(
      () => expect(running.log.join('\n')).toMatch(/routes from the starter templates/),
      30_000,
    )
    await new Promise(setImmediate)
    return /inspector: (\S+)/i.exec(running.log.join('\n'))?.[1]
  }
  return { ...running, address }
}

/** Host names in addresses differ; the port and the path say where it is. */
const withoutHost = (url: string) => url.replace(/^http:\/\/(?:localhost|127\.0\.0\.1)/, '')

describe.each(devHosts)('$name', (host) => {
  it('announces the inspector and serves it, below its base too', async () => {
    const { origin, address } = await start(host, { hostBase: '/app/' })
    const found = (await address())!
    expect(withoutHost(found)).toBe(withoutHost(`${origin}/app/__mock-api/`))
    for (const page of [`${origin}/app/__mock-api/`, `${origin}/__mock-api/`]) {
      const response = await fetch(page)
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ])
      expect(await response.text()).toContain('inspector.js')
      const script = await fetch(`${page}inspector.js`)
      expect(script.headers.get('content-type')).toContain('text/javascript')
      expect((await fetch(`${page}api/routes`)).status).toBe(200)
    }
  })

  it('has neither with inspector: false', async () => {
    const { origin, address } = await start(host, { options: { inspector: false } })
    expect(await address()).toBeUndefined()
    // The page of the application, or the host's own 404.
    expect(await (await fetch(`${origin}/__mock-api/`)).text()).not.toContain('inspector.js')
    const routes = await fetch(`${origin}/__mock-api/api/routes`)
    expect(routes.headers.get('content-type') ?? '').not.toContain('json')
  })
})

describe.each(previewHosts)('$name', (host) => {
  it('has the inspector only when asked', async () => {
    const { origin, address } = await start(host)
    expect(await address()).toBeUndefined()
    expect(await (await fetch(`${origin}/__mock-api/`)).text()).not.toContain('inspector.js')
  })

  it('has it with preview: true', async () => {
    const { origin, address } = await start(host, { options: { inspector: { preview: true } } })
    expect(withoutHost((await address())!)).toBe(withoutHost(`${origin}/__mock-api/`))
    expect(await (await fetch(`${origin}/__mock-api/`)).text()).toContain('inspector.js')
  })
})

describe.each(viteVersions)('$name', ({ load }) => {
  it('opens the inspector with m + enter, beside the shortcuts of the user', async () => {
    const project = createTestProject()
    const { config } = viteConfig(project)
    const bound: CLIShortcut<ViteDevServer>[][] = []
    // A terminal is what the shortcuts need; here their list is enough.
    const terminal = {
      name: 'terminal',
      configureServer: {
        order: 'pre' as const,
        handler(server: ViteDevServer) {
          server.bindCLIShortcuts = (options) => void bound.push([...(options?.customShortcuts ?? [])])
        },
      },
    }
    config.plugins!.unshift(terminal)
    const server = await (await load()).createServer(config)
    onTestFinished(async () => {
      await server.close()
      project.close()
    })
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
})

describe('Vite DevTools', () => {
  type Docked = { id: string; type: string; url: string }

  it.each([
    ['the inspector', {}, [{ id: 'mock-api', type: 'iframe', url: '/app/__mock-api/' }]],
    ['nothing without it', { inspector: false }, []],
    ['nothing of a disabled plugin', { enabled: false }, []],
  ])('dock %s', async (_, options, expected) => {
    const project = createTestProject()
    const plugin = mockApi(options) as ReturnType<typeof mockApi> & ToolHooks
    const { config } = viteConfig(project, { hostBase: '/app' })
    const [vite8] = viteVersions
    const server = await (await vite8!.load()).createServer({ ...config, plugins: [plugin] })
    onTestFinished(async () => {
      await server.close()
      project.close()
    })
    const docked: Docked[] = []
    const docks = { register: ({ id, type, url }: Docked) => docked.push({ id, type, url }) }
    plugin.devtools.setup({ docks, viteConfig: server.config })
    expect(docked).toEqual(expected)
  })
})

it('two plugins on one server have one inspector, that of the first', async () => {
  const project = createTestProject()
  const { log, logger } = recorder()
  const { config } = viteConfig(project)
  const plugins = [mockApi({ logger }), mockApi({ logger, base: '/two' })]
  const server = await (await viteVersions[0]!.load()).createServer({ ...config, plugins })
  onTestFinished(async () => {
    await server.close()
    project.close()
  })
  await server.listen()
  server.printUrls()
  await vi.waitFor(() => expect(log.filter((line) => line.includes('Mock API:'))).toHaveLength(2), 30_000)
  await new Promise(setImmediate)
  expect(log.filter((line) => line.includes('Inspector:'))).toHaveLength(1)
})
