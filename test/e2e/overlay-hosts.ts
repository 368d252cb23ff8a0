import { relative } from 'node:path'
import { rspack, type RspackOptions } from '@rspack/core'
import HtmlWebpackPlugin from 'html-webpack-plugin'
import type { Configuration } from 'webpack'
import { mockApi } from '../../src/webpack.ts'
import type { RunningHost } from '../hosts/hosts.ts'
import { createTestRsbuild, rsbuildConfig, runningRsbuild } from '../hosts/rsbuild-hosts.ts'
import { rspackConfig, rspackServerOptions, startRspackServer } from '../hosts/rspack-hosts.ts'
import type { TestProject } from '../hosts/test-project.ts'
import { startDevServer, version5, version6, webpackConfig } from '../hosts/webpack-hosts.ts'

/** One build of the application. */
export interface Build {
  /** The files whose change it is owed to, relative to the project. */
  changed: string[]
  /** Its own errors and warnings, as the terminal gets them. */
  problems: string
}

export interface OverlayHost<Server = RunningHost> {
  name: string
  /** Where its overlay is in the page. */
  overlay: string
  /** What is clicked there to open the editor. */
  link: string
  start: (project: TestProject) => Promise<Server>
}

/** A host that builds, and whose builds are written down. */
export interface BuildingHost extends OverlayHost<RunningHost & { builds: Build[] }> {
  /** Starts it with an array of two configs, both with the plugin, and without hot updates. */
  startSeveral?: (project: TestProject) => Promise<RunningHost>
}

interface Stats {
  toString: (options: { all: false; errors: true; warnings: true }) => string
}
interface Compiler {
  modifiedFiles?: ReadonlySet<string> | undefined
  hooks: { done: { tap: (name: string, listener: (stats: Stats) => void) => void } }
}

/** A plugin of webpack and Rspack. */
const listBuilds = ({ root }: TestProject, builds: Build[]) => ({
  apply(compiler: Compiler) {
    compiler.hooks.done.tap('test', (stats) => {
      const changed = [...(compiler.modifiedFiles ?? [])].map((path) => relative(root, path))
      builds.push({ changed, problems: stats.toString({ all: false, errors: true, warnings: true }) })
    })
  },
})

const webpackServer = { host: '127.0.0.1', port: 0, setupExitSignals: false, static: false } as const

const webpackOverlayHosts: BuildingHost[] = [version5, version6].map(({ name, DevServer }) => ({
  name,
  overlay: '#webpack-dev-server-client-overlay',
  link: '[data-can-open], [data-open-file]',
  async start(project) {
    const log: string[] = []
    const builds: Build[] = []
    const plugins = [
      new HtmlWebpackPlugin({ template: './index.html' }),
      mockApi(),
      listBuilds(project, builds),
    ]
    const config = { ...webpackConfig(project, log), plugins }
    const { origin, close } = await startDevServer(DevServer, config, webpackServer)
    return { origin, log, builds, close }
  },
  async startSeveral(project) {
    const log: string[] = []
    const shared = mockApi()
    const configs: Configuration[] = [
      {
        ...webpackConfig(project, log),
        name: 'page',
        plugins: [new HtmlWebpackPlugin({ template: './index.html' }), shared],
      },
      { ...webpackConfig(project, log), name: 'other', plugins: [shared], output: { filename: 'other.js' } },
    ]
    const { origin, close } = await startDevServer(DevServer, configs, { ...webpackServer, hot: false })
    return { origin, log, close }
  },
}))

// The overlay as Rspack's CLI sets it, so also in a fresh create-rspack app.
const rspackServer = {
  ...rspackServerOptions(),
  client: { overlay: { errors: true, warnings: false } },
  webSocketServer: 'ws',
}

const rspackOverlayHost: BuildingHost = {
  name: 'Rspack',
  overlay: '#rspack-dev-server-client-overlay',
  link: '[data-can-open]',
  async start(project) {
    const log: string[] = []
    const builds: Build[] = []
    const config = rspackConfig(project, log)
    config.plugins!.push(listBuilds(project, builds))
    const running = await startRspackServer({ ...rspackServer, hot: true }, rspack(config), log)
    return { ...running, builds }
  },
  startSeveral(project) {
    const log: string[] = []
    const [html, shared] = rspackConfig(project, log).plugins!
    const configs: RspackOptions[] = [
      { ...rspackConfig(project, log), name: 'page', plugins: [html, shared] },
      {
        ...rspackConfig(project, log),
        name: 'other',
        plugins: [shared],
        output: { filename: 'other.js' },
      },
    ]
    return startRspackServer({ ...rspackServer, liveReload: true }, rspack(configs), log)
  },
}

const rsbuildOverlayHost: BuildingHost = {
  name: 'Rsbuild',
  overlay: 'rsbuild-error-overlay',
  link: '.file-link',
  async start(project) {
    const log: string[] = []
    const builds: Build[] = []
    const config = {
      ...rsbuildConfig(log),
      dev: {},
      tools: { rspack: { plugins: [listBuilds(project, builds)] } },
    }
    const rsbuild = await createTestRsbuild(project, 'development', config)
    return { ...runningRsbuild(await rsbuild.startDevServer(), log), builds }
  },
}

export const buildingHosts: BuildingHost[] = [...webpackOverlayHosts, rsbuildOverlayHost, rspackOverlayHost]
