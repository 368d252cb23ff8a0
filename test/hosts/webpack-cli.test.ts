/* What needs a process of its own: the CLI, and a build that ends. Needs `npm run build`, which `npm test` runs first. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendTo } from '../http.ts'
import { binOf, runCommand } from './command.ts'
import { createProjectInPackage, type TestProject } from './test-project.ts'
import { inThisRun } from './this-run.ts'

const fixture = (name: string) => `- { path: /${name}, response: { body: from the fixture ${name} } }`

let project: TestProject
beforeEach(() => {
  project = createProjectInPackage({ 'one/a.yaml': fixture('one'), 'two/a.yaml': fixture('two') })
})
afterEach(() => {
  vi.unstubAllEnvs()
  project.close()
})

const devServers = inThisRun({ quick: ['webpack-dev-server-6'], slow: ['webpack-dev-server'] })

describe.each(devServers)('webpack serve with %s', (devServer) => {
  it.each([
    {
      name: 'a config without devServer',
      file: 'webpack.config.mjs',
      config: `import mockApi from 'unplugin-mock-api/webpack'
        export default { mode: 'development', entry: './main.js', plugins: [mockApi({ fixtures: ['one', 'two'] })] }`,
    },
    {
      name: 'an array of configs, as CommonJS',
      file: 'webpack.config.cjs',
      config: `const mockApi = require('unplugin-mock-api/webpack')
        module.exports = ['one', 'two'].map((name) => ({
          name,
          mode: 'development',
          entry: './main.js',
          output: { filename: name + '.js' },
          plugins: [mockApi({ fixtures: name })],
          ...(name === 'two' && { devServer: { hot: false } }),
        }))`,
    },
  ])('$name', async ({ file, config }) => {
    project.write(file, config)
    vi.stubEnv('WEBPACK_DEV_SERVER_PACKAGE', devServer)
    const webpack = binOf('webpack-cli', 'webpack-cli')
    const server = runCommand(project.root, webpack, 'serve', '--host', '127.0.0.1', '--port', '0')
    try {
      const [, origin] = await server.seen(/Loopback: (http:\S+)\//)
      for (const name of ['one', 'two']) {
        expect((await sendTo(origin!)({ url: `/${name}` })).text).toBe(`from the fixture ${name}`)
      }
      expect(server.output()).not.toContain('Fix:')
    } finally {
      await server.stop()
    }
  })
})

describe('a build', () => {
  it('contains nothing of the plugin, reads no fixture file, loads no dev server, and ends', async () => {
    project.write('one/broken.yaml', '- path: /a\n  respnse: {}\n')
    project.write(
      'build.mjs',
      `import { createRequire } from 'node:module'
      import webpack from 'webpack'
      import mockApi from 'unplugin-mock-api/webpack'
      const require = createRequire(import.meta.url)
      const build = (path, plugins) =>
        new Promise((resolve, reject) => {
          const output = { path: import.meta.dirname + path }
          const config = { mode: 'production', context: import.meta.dirname, entry: './main.js', output, plugins }
          const hasProblems = (stats) => stats.hasErrors() || stats.hasWarnings()
          const done = (error, stats) => (error || hasProblems(stats) ? reject(error ?? stats) : resolve())
          webpack(config, done)
        })
      await build('/without', [])
      await build('/with', [mockApi({ fixtures: 'one' })])
      const loaded = Object.keys(require.cache).filter((file) => /dev-?(server|middleware)/.test(file))
      console.log(JSON.stringify({ loaded, active: process.getActiveResourcesInfo() }))`,
    )
    const build = runCommand(project.root, 'build.mjs')
    expect(await build.ended, build.output()).toBe(0)
    const { loaded, active } = JSON.parse(build.output()) as { loaded: string[]; active: string[] }
    expect(loaded).toEqual([])
    expect(active).not.toContain('FSEventWrap')
    expect(filesIn('with')).toEqual(filesIn('without'))
  })

  function filesIn(folder: string): [string, string][] {
    const path = join(project.root, folder)
    return readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')])
  }
})
