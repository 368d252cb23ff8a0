/* The report of `explore` may be written into a folder that a dev server watches. Its pages, which `explore` has open, do not reload. */
import { rspack } from '@rspack/core'
import { createServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import webpack from 'webpack'
import WebSocket from 'ws'
import { mockApi } from '../../src/webpack.ts'
import mockApiOfVite from '../../src/vite.ts'
import { projectOfTest } from './of-test.ts'
import { createTestRsbuild, rsbuildConfig } from './rsbuild-hosts.ts'
import { rspackConfig, rspackServerOptions, startRspackServer } from './rspack-hosts.ts'
import type { TestProject } from './test-project.ts'
import { devServers, quickServer, startDevServer, webpackConfig } from './webpack-hosts.ts'

const report = 'mock-api-report/report.html'
const other = 'other/page.html'

/** @returns what is added to when a file has changed of which pages are told */
type Watch = (project: TestProject) => Promise<string[]>

/** Of webpack-dev-server and Rspack. */
async function listenTo(origin: string): Promise<string[]> {
  const changed: string[] = []
  const client = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { origin })
  onTestFinished(() => client.terminate())
  client.on('message', (message: Buffer) => {
    const { type, data } = JSON.parse(message.toString()) as { type: string; data?: string }
    if (type === 'static-changed') changed.push(data!)
  })
  await new Promise((resolve, reject) => client.once('open', resolve).once('error', reject))
  return changed
}

const hosts: [name: string, watch: Watch][] = [
  [
    'Vite',
    async ({ root }) => {
      const changed: string[] = []
      const server = await createServer({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [mockApiOfVite()],
        server: { port: 0 },
      })
      onTestFinished(() => server.close())
      server.watcher.on('change', (file) => changed.push(file))
      await new Promise<void>((resolve) => server.watcher.once('ready', resolve))
      return changed
    },
  ],
  ...devServers.map(({ name, DevServer }): [string, Watch] => [
    name,
    async (project) => {
      const config = { ...webpackConfig(project, []), plugins: [mockApi()] }
      const options = quickServer({ webSocketServer: 'ws', static: project.root })
      const { origin, close } = await startDevServer(DevServer, config, options)
      onTestFinished(close)
      return listenTo(origin)
    },
  ]),
  [
    'Rspack',
    async (project) => {
      const options = {
        ...rspackServerOptions(),
        webSocketServer: 'ws',
        liveReload: true,
        static: project.root,
      } as const
      const { origin, close } = await startRspackServer(options, rspack(rspackConfig(project, [])), [])
      onTestFinished(close)
      return listenTo(origin)
    },
  ],
]

it.each(hosts)('%s tells pages of other files', async (_, watch) => {
  const project = projectOfTest({ [report]: 'before', [other]: 'before', 'main.js': '' })
  const changed = await watch(project)
  await expect.poll(() => {
    project.write(report, `after ${Math.random()}`)
    project.write(other, `after ${Math.random()}`)
    return changed.length
  }).toBeGreaterThan(2)
  expect(new Set(changed)).toEqual(new Set([`${project.root}/${other}`]))
}) // prettier-ignore

/** What `watchOptions.ignored` becomes. */
const ignored: [given: string | string[] | RegExp | undefined, ignored: unknown][] = [
  [undefined, /[\\/]mock-api-report(?:[\\/]|$)/],
  [/\.tmp$/i, /\.tmp$|[\\/]mock-api-report(?:[\\/]|$)/i],
  ['**/tmp', ['**/tmp', '**/mock-api-report']],
  [['**/tmp'], ['**/tmp', '**/mock-api-report']],
]

it.each(ignored)('webpack, Rspack and Rsbuild, told to ignore %o, do not build again for a report', async (given, expected) => {
  const project = projectOfTest({ 'main.js': '' })
  const watchOptions = { ...(given !== undefined && { ignored: given }) }
  const compiler = webpack({ ...webpackConfig(project, []), plugins: [mockApi()], watchOptions })
  expect(compiler.options.watchOptions.ignored).toEqual(expected)
  const own = rspack({ ...rspackConfig(project, []), watchOptions })
  expect(own.options.watchOptions.ignored).toEqual(expected)
  const rsbuild = await createTestRsbuild(project, 'development', { ...rsbuildConfig([]), tools: { rspack: { watchOptions } } })
  const compilerOfRsbuild = await rsbuild.createCompiler()
  expect(compilerOfRsbuild.options).toMatchObject({ watchOptions: { ignored: expected } })
}) // prettier-ignore
