/* What needs a process of its own: the commands of the hosts, and builds that end. Needs `npm run build`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { binOf, runCommand } from './command.ts'
import {
  rsbuildBin,
  rsbuildConfig,
  rsbuildDev,
  rspackBin,
  rspackConfig,
  rspackDev,
  rspackHead,
  rspackPlugins,
  startCommand,
  viteConfig,
  webpackServe,
  type CommandHost,
} from './command-hosts.ts'
import { projectOfTest } from './of-test.ts'
import { createProjectInPackage } from './test-project.ts'
import { inThisRun } from './this-run.ts'

/** As CommonJS. */
const severalOfWebpack = `const mockApi = require('unplugin-mock-api/webpack')
module.exports = ['one', 'two'].map((name) => ({
  name,
  mode: 'development',
  entry: './main.js',
  output: { filename: name + '.js' },
  plugins: name === 'two' ? [mockApi()] : [],
  ...(name === 'two' && { devServer: { hot: false } }),
}))`
const severalOfRspack = `${rspackHead}export default ['a', 'b'].map((name) => ({
  name,
  entry: './main.js',
  output: { path: import.meta.dirname + '/dist/' + name, publicPath: '/' + name },
  plugins: ${rspackPlugins},
}))`

it.each(
  inThisRun<CommandHost>({
    quick: [webpackServe('webpack-dev-server-6'), rspackDev(), rsbuildDev],
    slow: [
      webpackServe('webpack-dev-server'),
      ...['webpack-dev-server', 'webpack-dev-server-6'].map((name) => webpackServe(name, ['webpack.config.cjs', severalOfWebpack])), // prettier-ignore
      rspackDev(severalOfRspack, ['/a/', '/b/']),
    ],
  }),
)('$name answers, and ends on Ctrl-C', async (host) => {
  const { running, send, open } = await startCommand(host)
  expect(running.output()).toContain('5 routes from the starter templates')
  expect((await send({ url: '/items?page=3' })).headers['x-mock-route']).toBe('items, page 3')
  const failing = { method: 'POST', url: '/graphql', body: '{"operationName":"FailingQuery"}' }
  expect((await send(failing)).headers['x-mock-route']).toBe('failing query')
  for (const url of host.pages ?? [])
    await expect.poll(async () => (await open({ url })).text).toContain('the page of the project')
  await running.stop()
  expect(running.output().match(/routes from/g)).toHaveLength(1)
  expect(running.output()).not.toMatch(/Fix:|<[we]>.*mock/i)
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

interface Building extends CommandHost {
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
      slow: [
        ...['vite-7', 'vite-6', 'vite-5'].map(viteBuild),
        {
          name: 'webpack',
          command: ['build.mjs'],
          config: ['build.mjs', webpackBuild],
          output: 'loaded: 0, active: false',
        },
      ],
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
