/* What modules of an application import, fixture files can import: each row in each host, and in each other way to load fixtures. */
import { join } from 'node:path'
import { DefinePlugin } from '@rspack/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServing } from '../../src/cli/commands/serve.ts'
import { loadRoutes } from '../../src/load.ts'
import { runIn } from '../cli/test-terminal.ts'
import { sendTo } from '../http.ts'
import { hosts, type Start } from './hosts.ts'
import { files, fixture, routeFiles, rows, tsconfig } from './module-world-rows.ts'
import { projectOfTest } from './of-test.ts'

const below = (...path: string[]) => path.join('/')
const settings = (root: string): Required<Pick<Start, 'config'>> => {
  const alias = { '@': below(root, 'src'), lib: [below(root, 'nowhere'), below(root, 'shared/lib')] }
  return {
    config: {
      vite: {
        resolve: {
          alias: [
            { find: /^@\/(.*)/, replacement: `${root}/src/$1` },
            { find: 'lib', replacement: '/shared/lib' },
            { find: 'exact', replacement: './src/exact.ts' },
            { find: /^only\//, replacement: `${root}/roots/only/` },
          ],
        },
        define: { __VERSION__: '"1.2"', 'process.env.API_URL': '"/api"', 'process.env.API_KEY': '"key"' },
      },
      compiler: {
        resolve: {
          alias: { ...alias, exact$: below(root, 'src/exact.ts') },
          modules: [join(root, 'roots'), 'node_modules'],
        },
      },
      define: {
        __VERSION__: '"1.2"',
        'process.env': { API_URL: '"/api"' },
        'import.meta.env.MODE': '"development"',
      },
      defaults: { API_KEY: 'key', PATH: 'none' },
      rsbuild: {
        resolve: { alias: { ...alias, exact$: './src/exact.ts' } },
        source: { define: { __VERSION__: '"1.2"', 'process.env.API_URL': '"/api"' } },
        tools: {
          rspack: {
            resolve: { alias: { only: './roots/only' } },
            plugins: [new DefinePlugin({ 'process.env.API_KEY': '"key"' })],
          },
        },
      },
    },
  }
}

const loading = hosts.filter(({ name }) => /^(?:node:http|Vite \d dev|webpack|Rspack|Rsbuild dev)/.test(name))

const withConfig = { 'fixtures/config.ts': fixture("import { config } from '../src/config'", 'config') }

describe.each(loading)('$name', ({ name, start }) => {
  it('imports what the application does, with the values of define and of import.meta.env', async () => {
    const own = name === 'node:http' ? tsconfig : withConfig
    const project = projectOfTest({ ...files, ...own, ...routeFiles })
    const running = await start(project, settings(project.root))
    onTestFinished(() => running.close())
    const send = sendTo(running.origin)
    await send({ url: '/value/0' })
    expect(running.log.join('\n')).not.toMatch(/\[fixture-/)
    for (const [index, [row, , , expected]] of rows.entries()) {
      const { text } = await send({ url: `/value/${index}` })
      expect([row, text]).toEqual([row, JSON.stringify({ value: expected })])
    }
    if (own !== withConfig) return
    const { text } = await send({ url: '/value' })
    expect(text).toBe('{"value":["1.2","string","/api","key","development","import.meta.url"]}')
  })
})

const values = (all: unknown[]) => all.map((value, index) => [rows[index]![0], value])
const expected = values(rows.map(([, , , value]) => value))
const projectWith = (more: Record<string, string> = {}) =>
  projectOfTest({ ...files, ...tsconfig, ...routeFiles, ...more })

it('loadRoutes imports what the application does', async () => {
  const project = projectWith()
  const routes = await loadRoutes('fixtures', { root: project.root })
  const byPath = new Map(
    routes.map(({ path, response }) => [path, (response as { body: { value: unknown } }).body.value]),
  )
  expect(values(rows.map((_, index) => byPath.get(`/value/${index}`)))).toEqual(expected)
})

it('a library of the workspace imports by the paths of the application', async () => {
  const { root } = projectOfTest({
    'paths.json': '{ "compilerOptions": { "paths": { "@org/*": ["./libs/*"] } } }',
    'app/tsconfig.json': '{ "extends": "../paths.json" }',
    'app/fixtures/a.ts': fixture("import { first } from '@org/first'", 'first'),
    'libs/first.ts': "export { second as first } from '@org/second'",
    'libs/second.ts': "export const second = 'libs/second'",
  })
  const routes = await loadRoutes('fixtures', { root: join(root, 'app') })
  expect(routes).toMatchObject([{ response: { body: { value: 'libs/second' } } }])
})

it('check imports what the application does', async () => {
  const { stdout, exitCode } = await runIn(projectWith().root, ['check'])
  expect([stdout, exitCode]).toEqual([expect.stringContaining('0 errors, 0 warnings'), 0])
  expect(stdout).toContain(`${rows.length} routes`)
})

it.each([
  ['tsconfig.json', {}],
  [
    'vite.config.ts',
    {
      'tsconfig.json': '{}',
      'vite.config.ts': `import { fileURLToPath } from 'node:url'
export default { resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)), lib: '/shared/lib', exact: '/src/exact.ts', only: '/roots/only' } } }`,
    },
  ],
])('serve imports what the application does, by %s', async (_, more) => {
  const { root } = projectWith(more)
  const terminal = {
    ...{ cwd: root, isInteractive: false, style: (_: unknown, text: string) => text },
    ...{ print() {}, note() {}, confirm: () => Promise.resolve(false) },
  }
  const served = await startServing(terminal, undefined, { port: 0 })
  onTestFinished(served.close)
  const answers = await Promise.all(
    rows.map(
      async (_, index) =>
        ((await (await fetch(`${served.origin}/value/${index}`)).json()) as { value: unknown }).value,
    ),
  )
  expect(values(answers)).toEqual(expected)
})
