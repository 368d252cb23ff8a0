/*
 * Fresh projects, as their scaffolders make them, end with a mocked answer after `unplugin-mock-api init`: with the packed
 * package, installed from the registry. Needs `npm run build`.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sendTo } from '../http.ts'
import { pack } from '../installed/install.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'scaffolds-')))
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 3 }))

const run = (command: string, args: readonly string[], cwd = folder) =>
  promisify(execFile)(command, args, { cwd, shell: process.platform === 'win32', maxBuffer: 10_000_000 })
const scaffold = (...args: string[]) => run('npm', ['exec', '--yes', '--', ...args])

interface Scaffold {
  create: (name: string) => Promise<unknown>
  /** The config that the plugin is added to. */
  config: string
  /** Starts the dev server. */
  dev: string[]
}

const vite = (template: string): Scaffold => ({
  create: (name) => scaffold('create-vite@9', name, '--template', template, '--no-interactive'),
  config: 'vite.config.ts',
  dev: ['vite'],
})

/** By the name of the folder. */
const scaffolds: Record<string, Scaffold> = {
  'vite-vanilla': vite('vanilla-ts'),
  'vite-react': vite('react-ts'),
  'vite-vue': vite('vue-ts'),
  rsbuild: {
    create: (name) => scaffold('create-rsbuild@~2.1.0', '--dir', name, '--template', 'react-ts'),
    config: 'rsbuild.config.ts',
    dev: ['rsbuild', 'dev'],
  },
  rspack: {
    create: (name) => scaffold('create-rspack@2', '--dir', name, '--template', 'react-ts'),
    config: 'rspack.config.ts',
    dev: ['rspack', 'dev'],
  },
  webpack: {
    create: (name) => {
      write(name, {
        'package.json': JSON.stringify({
          name,
          private: true,
          devDependencies: { webpack: '^5', 'webpack-cli': '*', 'webpack-dev-server': '^5' },
        }),
        'src/index.js': 'document.body.append("the app")\n',
        'webpack.config.js':
          "module.exports = {\n  mode: 'development',\n  devServer: { host: '127.0.0.1' },\n};\n",
      })
      return Promise.resolve()
    },
    config: 'webpack.config.js',
    dev: ['webpack', 'serve'],
  },
}

function write(project: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, project, name)), { recursive: true })
    writeFileSync(join(folder, project, name), text)
  }
}

let tarball: string
beforeAll(async () => {
  tarball = await pack(folder)
})

it.each(Object.entries(scaffolds))('%s', async (name, { create, config, dev }) => {
  await create(name)
  const project = join(folder, name)
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  await run('npm', ['install', '--save-dev', ...options, tarball], project)
  const init = await run('npx', ['unplugin-mock-api', 'init', '--yes'], project)
  expect(init.stdout).toContain(`Written: ${config}, fixtures/graphql.yaml, fixtures/items.yaml\n`)

  const port = String(await freePort())
  const child = spawn('npx', [...dev, '--port', port], {
    cwd: project,
    env: { ...process.env, BROWSER: 'none', NO_COLOR: '1' },
    detached: true, // its own process group, so that the server ends with npx
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  try {
    const send = sendTo(`http://localhost:${port}`)
    const items = await vi.waitFor(() => send({ url: '/items?page=3' }), { timeout: 60_000, interval: 200 })
    expect([items.status, JSON.parse(items.text)]).toEqual([
      200,
      expect.objectContaining({ page: 3, has_more: false }),
    ])
    const failed = await send({ method: 'POST', url: '/graphql', body: '{"operationName":"FailingQuery"}' })
    expect([failed.status, JSON.parse(failed.text)]).toEqual([
      200,
      expect.objectContaining({ errors: expect.any(Array) as unknown }),
    ])
    expect(output).toContain('5 routes from fixtures/graphql.yaml, fixtures/items.yaml')
  } finally {
    process.kill(-child.pid!)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
