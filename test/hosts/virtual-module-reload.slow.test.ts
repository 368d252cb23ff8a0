/* virtual:mock-api while a bundler watches: an edit, a new file, an error, its correction, and a deleted file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRsbuild } from '@rsbuild/core'
import { rspack } from '@rspack/core'
import * as vite8 from 'vite'
import * as vite5 from 'vite-5'
import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import webpack from 'webpack'
import { mockApi as rsbuildPlugin } from '../../src/rsbuild.ts'
import { mockApi as rspackPlugin } from '../../src/rspack.ts'
import { mockApi as vitePlugin } from '../../src/vite.ts'
import { mockApi as webpackPlugin } from '../../src/webpack.ts'
import { createProjectInPackage, type TestProject } from './test-project.ts'

const logger = { info() {}, warn() {}, error() {} }

function createProject(): TestProject {
  const project = createProjectInPackage({
    'main.js': "import { routes } from 'virtual:mock-api'\nconsole.log(routes)\n",
    'fixtures/a.yaml': '- path: /first\n',
    'fixtures/b.js': "export default [{ path: '/code' }]\n",
  })
  onTestFinished(project.close)
  return project
}

/** What is done to the project, and what the module then has or says. */
const steps: [name: string, change: (project: TestProject) => void, expected: (text: string) => boolean][] = [
  [
    'an edit',
    ({ write }) => write('fixtures/a.yaml', '- path: /second\n'),
    (text) => text.includes('/second'),
  ],
  [
    'a new file',
    ({ write }) => write('fixtures/c.yaml', '- path: /third\n'),
    (text) => text.includes('/third'),
  ],
  [
    'an error',
    ({ write }) => write('fixtures/c.yaml', '- path: /third\n  respones: 1\n'),
    (text) => text.includes('fixtures/c.yaml:2'),
  ],
  [
    'its correction',
    ({ write }) => write('fixtures/c.yaml', '- path: /fourth\n'),
    (text) => text.includes('/fourth'),
  ],
  [
    'an import of a module that browsers do not have',
    ({ write }) => write('fixtures/b.js', "import 'node:fs'\nexport default [{ path: '/code' }]\n"),
    (text) => text.includes('fixtures/b.js → node:fs'),
  ],
  [
    'an edit of code',
    ({ write }) => write('fixtures/b.js', "\n\nexport default [{ path: '/code' }]\n"),
    (text) => !text.includes('node:fs'),
  ],
  ['a deleted file', ({ remove }) => remove('fixtures/c.yaml'), (text) => !/fourth|fixtures\/c/.test(text)],
]

describe.each([
  ['8', vite8],
  ['7', vite7],
  ['6', vite6],
  ['5', vite5],
] as [string, typeof vite8][])('Vite %s', (_, { createServer }) => {
  it('tells the page, and has a new module', async () => {
    const project = createProject()
    const server = await createServer({
      root: project.root,
      configFile: false,
      logLevel: 'silent',
      plugins: [vitePlugin({ logger }) as never],
    })
    onTestFinished(() => server.close())
    await server.listen(0)
    const reloads = vi.fn()
    const send = server.ws.send.bind(server.ws)
    server.ws.send = (...sent: [unknown]) => {
      if ((sent[0] as { type?: string }).type === 'full-reload') reloads()
      return send(...(sent as [never]))
    }
    const moduleText = async () => {
      await server.transformRequest('/main.js')
      const made = server.transformRequest('\0virtual:mock-api')
      return (await made.catch((error: Error) => ({ code: error.message })))!.code
    }
    expect(await moduleText()).toContain('/first')
    await server.transformRequest('/fixtures/b.js')
    for (const [name, change, expected] of steps) {
      reloads.mockClear()
      change(project)
      await vi.waitFor(() => expect(reloads, name).toHaveBeenCalled(), { timeout: 20_000 })
      await vi.waitFor(async () => expect(expected(await moduleText()), name).toBe(true), { timeout: 20_000 })
    }
    // The second save comes within the 50 ms for which Vite's watcher reports nothing more about the file.
    for (let round = 0; round < 10; round++) {
      reloads.mockClear()
      project.write('fixtures/a.yaml', `- path: /begun${round}\n`)
      await vi.waitFor(() => expect(reloads).toHaveBeenCalled(), { timeout: 20_000, interval: 1 })
      await moduleText()
      project.write('fixtures/a.yaml', `- path: /done${round}\n`)
      await vi.waitFor(async () => expect(await moduleText()).toContain(`/done${round}`), { timeout: 20_000 })
    }
  })
})

interface Watching {
  errors: () => string
  close: () => Promise<unknown>
}
type Watch = (root: string) => Promise<Watching>

interface WatchCompiler {
  watch: (
    options: object,
    done: (error: Error | null, stats?: { toString: (options: object) => string }) => void,
  ) => {
    close: (done: () => void) => void
  }
  close: (done: () => void) => void
}

function watch(compiler: WatchCompiler): Watching {
  let errors = ''
  const watching = compiler.watch({ aggregateTimeout: 5 }, (error, stats) => {
    errors = error?.message ?? stats!.toString({ all: false, errors: true })
  })
  return {
    errors: () => errors,
    close: () => new Promise<void>((resolve) => watching.close(() => compiler.close(resolve))),
  }
}

const config = (root: string) => ({
  context: root,
  mode: 'development' as const,
  devtool: false as const,
  entry: './main.js',
  output: { path: join(root, 'dist'), filename: 'main.js' },
})

const watches: Record<string, Watch> = {
  webpack: (root) =>
    Promise.resolve(
      watch(webpack({ ...config(root), plugins: [webpackPlugin({ logger }) as never] }) as never),
    ),
  Rspack: (root) =>
    Promise.resolve(
      watch(rspack({ ...config(root), plugins: [rspackPlugin({ logger }) as never] }) as never),
    ),
  async Rsbuild(root) {
    const rsbuild = await createRsbuild({
      cwd: root,
      rsbuildConfig: {
        mode: 'development',
        logLevel: 'silent',
        source: { entry: { main: './main.js' } },
        output: { distPath: { root: 'dist', js: '' } },
        tools: { htmlPlugin: false, rspack: { devtool: false, optimization: { splitChunks: false } } },
        plugins: [rsbuildPlugin({ logger }) as never],
      },
    } as never)
    return watch(await rsbuild.createCompiler())
  },
}

describe.each(Object.keys(watches))('%s', (name) => {
  it('builds the module again', async () => {
    const project = createProject()
    const { errors, close } = await watches[name]!(project.root)
    onTestFinished(async () => void (await close()))
    const built = () => {
      try {
        return `${errors()}${readFileSync(join(project.root, 'dist/main.js'), 'utf8')}`
      } catch {
        return ''
      }
    }
    await vi.waitFor(() => expect(built().includes('/first')).toBe(true), { timeout: 20_000 })
    for (const [step, change, expected] of steps) {
      change(project)
      await vi.waitFor(() => expect(expected(built()), step).toBe(true), { timeout: 20_000 })
    }
  })
})
