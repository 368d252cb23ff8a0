/* virtual:mock-api while a bundler watches: an edit, a new file, an error, its correction, and a deleted file. */
import { existsSync, readFileSync } from 'node:fs'
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
import { projectOfTest } from './of-test.ts'
import { createProjectInPackage, type TestProject } from './test-project.ts'

const logger = { info() {}, warn() {}, error() {} }

const createProject = () =>
  projectOfTest(
    {
      'main.js': "import { routes } from 'virtual:mock-api'\nconsole.log(routes)\n",
      'fixtures/a.yaml': '- path: /first\n',
      'fixtures/b.js': "export default [{ path: '/code' }]\n",
    },
    createProjectInPackage,
  )

/** What is saved, or deleted, and what the module then has or says. */
const steps: [name: string, file: string, text: string | undefined, expected: RegExp][] = [
  ['an edit', 'a.yaml', '- path: /second\n', /\/second/],
  ['a new file', 'c.yaml', '- path: /third\n', /\/third/],
  ['an error', 'c.yaml', '- path: /third\n  respones: 1\n', /fixtures\/c\.yaml:2/],
  ['its correction', 'c.yaml', '- path: /fourth\n', /\/fourth/],
  ['an import that browsers do not have', 'b.js', "import 'node:fs'\nexport default []\n", /b\.js → node:fs/],
  ['an edit of code', 'b.js', "\n\nexport default [{ path: '/code' }]\n", /^(?!.*node:fs)/s],
  ['a deleted file', 'c.yaml', undefined, /^(?!.*(?:fourth|fixtures\/c))/s],
]
function take([, file, text]: (typeof steps)[number], { write, remove }: TestProject): void {
  if (text === undefined) remove(`fixtures/${file}`)
  else write(`fixtures/${file}`, text)
}
const patience = { timeout: 20_000 }

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
    for (const step of steps) {
      reloads.mockClear()
      take(step, project)
      await vi.waitFor(() => expect(reloads, step[0]).toHaveBeenCalled(), patience)
      await vi.waitFor(async () => expect(await moduleText(), step[0]).toMatch(step[3]), patience)
    }
    // The second save comes within the 50 ms for which Vite's watcher reports nothing more about the file.
    for (let round = 0; round < 10; round++) {
      reloads.mockClear()
      project.write('fixtures/a.yaml', `- path: /begun${round}\n`)
      await vi.waitFor(() => expect(reloads).toHaveBeenCalled(), { ...patience, interval: 1 })
      await moduleText()
      project.write('fixtures/a.yaml', `- path: /done${round}\n`)
      await vi.waitFor(async () => expect(await moduleText()).toContain(`/done${round}`), patience)
    }
  })
})

interface WatchCompiler {
  watch: (
    options: object,
    done: (error: Error | null, stats?: { toString: (options: object) => string }) => void,
  ) => { close: (done: () => void) => void }
  close: (done: () => void) => void
}

function watch(compiler: WatchCompiler) {
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

const compilers: Record<string, (root: string) => unknown> = {
  webpack: (root) => webpack({ ...config(root), plugins: [webpackPlugin({ logger })] }),
  Rspack: (root) => rspack({ ...config(root), plugins: [rspackPlugin({ logger }) as never] }),
  async Rsbuild(root) {
    const rsbuildConfig = {
      mode: 'development',
      logLevel: 'silent',
      source: { entry: { main: './main.js' } },
      output: { distPath: { root: 'dist', js: '' } },
      tools: { htmlPlugin: false, rspack: { devtool: false, optimization: { splitChunks: false } } },
      plugins: [rsbuildPlugin({ logger })],
    }
    return (await createRsbuild({ cwd: root, rsbuildConfig } as never)).createCompiler()
  },
}

it.each(Object.keys(compilers))('%s builds the module again', async (name) => {
  const project = createProject()
  const { errors, close } = watch((await compilers[name]!(project.root)) as WatchCompiler)
  onTestFinished(close)
  const built = () => {
    const path = join(project.root, 'dist/main.js')
    return existsSync(path) ? `${errors()}${readFileSync(path, 'utf8')}` : ''
  }
  await vi.waitFor(() => expect(built()).toContain('/first'), patience)
  for (const step of steps) {
    take(step, project)
    await vi.waitFor(() => expect(built(), step[0]).toMatch(step[3]), patience)
  }
})
