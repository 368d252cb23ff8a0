/* What needs a process of its own: the commands of the hosts, and builds that end. Needs `npm run build`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sendTo } from '../http.ts'
import { binOf, runCommand } from './command.ts'
import { projectOfTest } from './of-test.ts'
import { createProjectInPackage } from './test-project.ts'
import { inThisRun } from './this-run.ts'

const rspackBin = binOf('@rspack/cli', 'rspack')
const rsbuildBin = binOf('@rsbuild/core', 'rsbuild')
const webpackBin = binOf('webpack-cli', 'webpack-cli')
const plugins = "[new HtmlRspackPlugin({ template: './index.html' }), mockApi()]"
const rspackHead = `import { HtmlRspackPlugin } from '@rspack/core'\nimport mockApi from 'unplugin-mock-api/rspack'\n`
const rspackConfig = `${rspackHead}export default { entry: './main.js', plugins: ${plugins} }`
const rsbuildConfig = `import mockApi from 'unplugin-mock-api/rsbuild'
export default { plugins: [mockApi()], source: { entry: { index: './main.js' } }, html: { template: './index.html' } }`

interface Serving {
  name: string
  command: [script: string, ...args: string[]]
  config: [file: string, text: string]
  /** The paths where the page of the project is. */
  pages?: string[]
  env?: Record<string, string>
}
const atAnyPort = ['--host', '127.0.0.1', '--port', '0']

const webpackServe = (devServer: string): Serving[] =>
  [
    {
      name: 'a config without devServer',
      config: [
        'webpack.config.mjs',
        `import mockApi from 'unplugin-mock-api/webpack'
        export default { mode: 'development', entry: './main.js', plugins: [mockApi()] }`,
      ] as Serving['config'],
    },
    {
      name: 'an array of configs, as CommonJS',
      config: [
        'webpack.config.cjs',
        `const mockApi = require('unplugin-mock-api/webpack')
        module.exports = ['one', 'two'].map((name) => ({
          name,
          mode: 'development',
          entry: './main.js',
          output: { filename: name + '.js' },
          plugins: name === 'two' ? [mockApi()] : [],
          ...(name === 'two' && { devServer: { hot: false } }),
        }))`,
      ] as Serving['config'],
    },
  ].map(({ name, config }) => ({
    name: `webpack serve with ${devServer}, ${name}`,
    command: [webpackBin, 'serve', ...atAnyPort],
    config,
    env: { WEBPACK_DEV_SERVER_PACKAGE: devServer },
  }))

it.each(
  inThisRun<Serving>({
    quick: [
      webpackServe('webpack-dev-server-6')[0]!,
      {
        name: 'rspack dev',
        command: [rspackBin, 'dev', ...atAnyPort],
        config: ['rspack.config.mjs', rspackConfig],
        pages: ['/'],
      },
      {
        name: 'rsbuild dev',
        command: [rsbuildBin, 'dev', '--host', '127.0.0.1'],
        config: ['rsbuild.config.ts', rsbuildConfig],
        pages: ['/'],
      },
    ],
    slow: [
      ...webpackServe('webpack-dev-server'),
      webpackServe('webpack-dev-server-6')[1]!,
      {
        name: 'rspack dev, an array of configs',
        command: [rspackBin, 'dev', ...atAnyPort],
        config: [
          'rspack.config.mjs',
          `${rspackHead}export default ['a', 'b'].map((name) => ({
            name,
            entry: './main.js',
            output: { path: import.meta.dirname + '/dist/' + name, publicPath: '/' + name },
            plugins: ${plugins},
          }))`,
        ],
        pages: ['/a/', '/b/'],
      },
    ],
  }),
)('$name answers, and ends on Ctrl-C', async ({ command, config: [file, text], pages = [], env = {} }) => {
  const { root } = projectOfTest({ [file]: text }, createProjectInPackage)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const server = runCommand(root, ...command)
  vi.unstubAllEnvs()
  onTestFinished(async () => void (await server.stop()))
  const [, origin] = await server.seen(/(http:\/\/(?:localhost|127\.0\.0\.1):\d+)/)
  await server.seen(/5 routes from the starter templates/)
  const send = sendTo(origin!)
  expect((await send({ url: '/items?page=3' })).headers['x-mock-route']).toBe('items, page 3')
  const failing = { method: 'POST', url: '/graphql', body: '{"operationName":"FailingQuery"}' }
  expect((await send(failing)).headers['x-mock-route']).toBe('failing query')
  for (const url of pages)
    await expect.poll(async () => (await send({ url })).text).toContain('the page of the project')
  await server.stop()
  expect(server.output().match(/routes from/g)).toHaveLength(1)
  expect(server.output()).not.toMatch(/Fix:|<[we]>.*mock/i)
})

it('Rspack: says what to write if the compiler was created before the dev server was imported', async () => {
  const script = `
    import { rspack } from '@rspack/core'
    import mockApi from 'unplugin-mock-api/rspack'
    const compiler = rspack({ mode: 'development', context: import.meta.dirname, entry: './main.js', plugins: [mockApi()] })
    const { RspackDevServer } = await import('@rspack/dev-server')
    await new RspackDevServer({ host: '127.0.0.1', port: 0 }, compiler).start()`
  const { root } = projectOfTest({ 'serve.mjs': script }, createProjectInPackage)
  const command = runCommand(root, 'serve.mjs')
  onTestFinished(async () => void (await command.stop()))
  await command.seen(/import it before the compiler is created/)
})

/** A build by webpack's API, which says what has been loaded and what is still active. */
const webpackBuild = `
  import { createRequire } from 'node:module'
  import webpack from 'webpack'
  import mockApi from 'unplugin-mock-api/webpack'
  const context = import.meta.dirname
  const config = { mode: 'production', context, entry: './main.js', output: { path: context + '/dist' }, plugins: [mockApi()] }
  const stats = await new Promise((resolve, reject) => webpack(config, (error, stats) => (error ? reject(error) : resolve(stats))))
  const { cache } = createRequire(import.meta.url)
  const loaded = Object.keys(cache).filter((file) => /dev-?(server|middleware)/.test(file))
  if (stats.hasErrors() || stats.hasWarnings()) throw stats
  console.log('loaded: ' + loaded.length + ', active: ' + process.getActiveResourcesInfo().includes('FSEventWrap'))`
/** Rspack's command sets the variable when it loads its dev server. */
const report = `{ apply: (compiler) => compiler.hooks.done.tap('test', () =>
  console.log('dev server: ' + (process.env.RSPACK_SERVE ?? 'not loaded'))) }`
const viteConfig = `import mockApi from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi()] }\n`

interface Building {
  name: string
  command: [script: string, ...args: string[]]
  config: [file: string, text: string]
  output?: string
}
const viteBuild = (name: string): Building => ({
  name: `${name} build`,
  command: [binOf(name, 'vite'), 'build'],
  config: ['vite.config.mjs', viteConfig],
  output: 'built in',
})

describe('a build ends, reads no fixture file, loads no dev server, and contains nothing of the plugin:', () => {
  it.each(
    inThisRun<Building>({
      quick: [
        viteBuild('vite'),
        {
          name: 'webpack',
          command: ['build.mjs'],
          config: ['build.mjs', webpackBuild],
          output: 'loaded: 0, active: false',
        },
        {
          name: 'rspack build',
          command: [rspackBin, 'build'],
          config: [
            'rspack.config.mjs',
            rspackConfig.replace('mockApi()]', `mockApi(), mockApi(), ${report}]`),
          ],
          output: 'dev server: not loaded',
        },
        {
          name: 'rsbuild build',
          command: [rsbuildBin, 'build'],
          config: ['rsbuild.config.ts', rsbuildConfig],
        },
      ],
      slow: ['vite-7', 'vite-6', 'vite-5'].map(viteBuild),
    }),
  )('$name', async ({ command, config: [file, text], output = '' }) => {
    const fixture = '- path: /a\n  respnse: { body: a-text-of-the-fixture }\n'
    const { root } = projectOfTest({ [file]: text, 'fixtures/a.yaml': fixture }, createProjectInPackage)
    const build = runCommand(root, ...command)
    expect(await build.ended, build.output()).toBe(0)
    expect(build.output()).toContain(output)
    expect(build.output()).not.toMatch(/\[mock-api\]|respnse|warning/i)
    const files = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    expect(files.filter((path) => /mock|yaml/.test(path.slice(root.length)))).toEqual([])
    const built = files.map((path) => readFileSync(path, 'utf8')).join('\n')
    expect(built).toContain('the app')
    expect(built).not.toMatch(/mock-?api|a-text-of-the-fixture|Skywalker|Item 1/i)
  })
})
