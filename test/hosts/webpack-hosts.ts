import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import webpack, { type Configuration, type MultiCompiler } from 'webpack'
import WebpackDevServer5, { type Configuration as DevServerOptions } from 'webpack-dev-server'
import WebpackDevServer6 from 'webpack-dev-server-6'
import { mockApi } from '../../src/webpack.ts'
import type { Host, RunningHost, Start } from './hosts.ts'
import type { TestProject } from './test-project.ts'
import { inThisRun } from './this-run.ts'

export type { DevServerOptions }

/** The part of both versions' classes that the tests use. Version 6, made for Node 22.15 and later, runs on 20.19 too. */
interface DevServer {
  server?: { address: () => unknown } | null | undefined
  start: () => Promise<void>
  stop: () => Promise<void>
}
type DevServerClass = new (options: DevServerOptions, compiler: webpack.Compiler | MultiCompiler) => DevServer

export const version5 = {
  name: 'webpack-dev-server 5',
  DevServer: WebpackDevServer5 as unknown as DevServerClass,
}
export const version6 = {
  name: 'webpack-dev-server 6',
  DevServer: WebpackDevServer6 as unknown as DevServerClass,
}
/** The major versions of this test run. */
export const devServers = inThisRun({ quick: [version6], slow: [version5] })

/** A config for the project that logs to a list, with `.` in place of the project's folder. */
export function webpackConfig(project: TestProject, log: string[]): Configuration {
  const write = (...message: unknown[]) =>
    void log.push(message.map(String).join(' ').replaceAll(project.root, '.'))
  return {
    mode: 'development',
    context: project.root,
    entry: './main.js',
    output: { path: join(project.root, 'dist') }, // the default is in the working directory
    stats: 'none',
    infrastructureLogging: {
      console: { ...console, log: write, info: write, warn: write, error: write, debug: write },
    },
  }
}

/** A free port, and no client in the bundle, so that it is built at once. */
export function quickServer(options: DevServerOptions = {}): DevServerOptions {
  const noClient = { client: false, hot: false, webSocketServer: false, setupExitSignals: false } as const
  return { host: '127.0.0.1', port: 0, ...noClient, ...options }
}

/** Starts a server through its Node API, which gets its options separately, and waits for the first build. */
export async function startDevServer(
  DevServer: DevServerClass,
  configs: Configuration | Configuration[],
  options = quickServer(),
): Promise<Omit<RunningHost, 'log'> & { server: DevServer }> {
  const compiler = Array.isArray(configs) ? webpack(configs) : webpack(configs)
  const built = new Promise<void>((resolve) => compiler.hooks.done.tap('test', () => resolve()))
  const server = new DevServer(options, compiler)
  await server.start()
  await built
  return { server, origin: originOf(server), close: () => server.stop() }
}

export function originOf({ server }: Pick<DevServer, 'server'>): string {
  return `http://127.0.0.1:${(server!.address() as AddressInfo).port}`
}

/** Of webpack-dev-server and Rspack. */
export function proxyOf({ upstream, sockets }: Pick<Start, 'upstream' | 'sockets'>) {
  return [
    ...(upstream === undefined ? [] : [{ context: ['/upstream', '/graphql'], target: upstream }]),
    ...(sockets === undefined
      ? []
      : [{ context: ['/theirs', '/chat', '/graphql'], target: sockets, ws: true }]),
  ]
}

/** The plugins for values, of webpack and Rspack. */
export function definesOf<P, Q>(
  [Define, Environment]: [new (values: never) => P, new (values: never) => Q],
  { define, defaults }: NonNullable<Start['config']> = {},
): (P | Q)[] {
  return [
    ...(define ? [new Define(define as never)] : []),
    ...(defaults ? [new Environment(defaults as never)] : []),
  ]
}

export const webpackHosts: Host[] = [version5, version6].map(({ name, DevServer }) => ({
  name: `${name}, Node API`,
  hasHtmlFallback: true,
  hasBase: true,
  async start(project, { options, upstream, sockets, hostBase, config: given }: Start = {}) {
    const log: string[] = []
    const config: Configuration = {
      ...webpackConfig(project, log),
      ...given?.compiler,
      plugins: [mockApi(options), ...definesOf([webpack.DefinePlugin, webpack.EnvironmentPlugin], given)],
    }
    if (hostBase !== undefined) config.output = { ...config.output, publicPath: hostBase }
    const proxy = proxyOf({ upstream, sockets })
    const devServer = quickServer({
      ...(sockets !== undefined && { webSocketServer: 'ws' }),
      static: { directory: project.root, watch: false },
      historyApiFallback: true,
      proxy,
    })
    const { origin, close } = await startDevServer(DevServer, config, devServer)
    return { origin, log, hotReload: { path: '/ws' }, close }
  },
}))
