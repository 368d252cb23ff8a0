import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import {
  DefinePlugin,
  EnvironmentPlugin,
  HtmlRspackPlugin,
  rspack,
  type Compiler,
  type MultiCompiler,
  type RspackOptions,
} from '@rspack/core'
import { RspackDevServer } from '@rspack/dev-server'
import { vi } from 'vitest'
import { mockApi } from '../../src/rspack.ts'
import type { Host, RunningHost, Start } from './hosts.ts'
import { withoutEntry, type TestProject } from './test-project.ts'
import { definesOf, proxyOf } from './webpack-hosts.ts'

type DevServerOptions = Extract<RspackOptions['devServer'], object>

const entryOnce = {
  apply: (compiler: Compiler) =>
    compiler.hooks.compilation.tap('test', (compilation) => {
      const { afterTemplateExecution } = HtmlRspackPlugin.getCompilationHooks(compilation)
      afterTemplateExecution.tap('test', (page) => ({ ...page, html: withoutEntry(page.html) }))
    }),
}

/** A config with the plugin that logs to the list. */
export function rspackConfig(
  project: TestProject,
  log: string[],
  { options, hostBase, config }: Start = {},
): RspackOptions {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString().trimEnd())
      done()
    },
  }) as NodeJS.WritableStream
  return {
    ...config?.compiler,
    mode: 'development',
    context: project.root,
    entry: './main.js',
    output: { path: join(project.root, 'dist'), publicPath: hostBase ?? '/' },
    plugins: [
      new HtmlRspackPlugin({ template: './index.html' }),
      mockApi(options),
      entryOnce,
      ...definesOf([DefinePlugin, EnvironmentPlugin], config),
    ],
    stats: 'none',
    infrastructureLogging: { stream },
  }
}

export function rspackServerOptions(start: Start = {}): DevServerOptions {
  return {
    host: '127.0.0.1',
    port: 0,
    hot: false,
    liveReload: false,
    client: false,
    webSocketServer: start.sockets === undefined ? false : 'ws',
    static: false,
    historyApiFallback: true,
    setupExitSignals: false,
    proxy: proxyOf(start),
  }
}

export async function startRspackServer(
  options: DevServerOptions,
  compiler: Compiler | MultiCompiler,
  log: string[],
): Promise<RunningHost> {
  const server = new RspackDevServer(options, compiler)
  // Rspack prints the URLs with `console.log`, whatever logger it is given.
  const consoleLog = vi.spyOn(console, 'log').mockImplementation(() => {})
  await server.start()
  consoleLog.mockRestore()
  const { port } = server.server!.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    log,
    async close() {
      await server.stop()
      await new Promise((resolve) => compiler.close(resolve))
    },
  }
}

export const rspackHosts: Host[] = [
  {
    name: 'Rspack dev',
    hasHtmlFallback: true,
    hasBase: true,
    async start(project, start) {
      const log: string[] = []
      const compiler = rspack(rspackConfig(project, log, start))
      const running = await startRspackServer(rspackServerOptions(start), compiler, log)
      return { ...running, hotReload: { path: '/ws' } }
    },
  },
]
