import { beforeAll, onTestFinished } from 'vitest'
import type { Options } from '../../src/core/options/options.ts'
import type { Send } from '../contract.ts'
import { sendTo } from '../http.ts'
import { nodeHosts } from './node-hosts.ts'
import { createTestProject, type TestProject } from './test-project.ts'
import { inThisRun } from './this-run.ts'
import { olderViteHosts, viteHosts } from './vite-hosts.ts'

export interface RunningHost {
  origin: string
  /** The logged messages. */
  log: string[]
  /** The WebSocket of the host's hot reload, where it has one. */
  hotReload?: { path: string; protocol?: string }
  close: () => Promise<void>
}

export interface Start {
  options?: Options
  /** The origin that `/upstream` and `/graphql` are proxied to, on hosts with a proxy. */
  upstream?: string | undefined
  /** The origin that WebSockets of `/theirs`, `/chat` and `/graphql` are proxied to. With it, hot reload is on. */
  sockets?: string | undefined
  /** The host's own base path, where it has one. */
  hostBase?: string
  /** Parts of its config. */
  config?: { vite?: object; compiler?: object; define?: object; defaults?: object; rsbuild?: object }
}

export interface Host {
  name: string
  /** Whether it serves the project's page for every other path (an HTML fallback). */
  hasHtmlFallback: boolean
  hasBase: boolean
  /** Default `true`. */
  hasSocketProxy?: boolean
  start: (project: TestProject, start?: Start) => Promise<RunningHost>
}

/** A bundler's host, which is loaded when it is started: all bundlers together take a test file seconds. */
function lazyHost(name: string, load: () => Promise<Host[]>): Host {
  return {
    name,
    hasHtmlFallback: true,
    hasBase: true,
    async start(project, start) {
      const host = (await load()).find((candidate) => candidate.name === name)!
      return host.start(project, start)
    },
  }
}

const webpackHosts = async () => (await import('./webpack-hosts.ts')).webpackHosts
const rspackHosts = async () => (await import('./rspack-hosts.ts')).rspackHosts
const rsbuildHosts = async () => (await import('./rsbuild-hosts.ts')).rsbuildHosts

const newest: Host[] = [
  ...nodeHosts,
  ...viteHosts,
  lazyHost('webpack-dev-server 6, Node API', webpackHosts),
  lazyHost('Rspack dev', rspackHosts),
  lazyHost('Rsbuild dev', rsbuildHosts),
  lazyHost('Rsbuild preview', rsbuildHosts),
]
const older: Host[] = [...olderViteHosts, lazyHost('webpack-dev-server 5, Node API', webpackHosts)]

/** Every host, in every supported major version. */
export const allHosts: Host[] = [...newest, ...older]
/** The hosts of this test run. */
export const hosts: Host[] = inThisRun({ quick: newest, slow: older })

/** Some hosts, by their names. */
export function hostsNamed(...names: string[]): Host[] {
  return names.map((name) => {
    const host = allHosts.find((candidate) => candidate.name === name)
    if (!host) throw new Error(`No host is named ${name}`)
    return host
  })
}

/** A host that serves a project of its own. */
export interface Started extends RunningHost {
  project: TestProject
  send: Send
}
type Files = Record<string, string>

async function startHost({ start }: Pick<Host, 'start'>, files: Files, options: Start): Promise<Started> {
  const project = createTestProject(files)
  const running = await start(project, options)
  let closed: Promise<void> | undefined
  const close = () => (closed ??= running.close().finally(project.close))
  return { ...running, project, send: sendTo(running.origin), close }
}

/** Starts a host for one test. */
export async function startFor(
  host: Pick<Host, 'start'>,
  files: Files = {},
  options: Start = {},
): Promise<Started> {
  const started = await startHost(host, files, options)
  onTestFinished(started.close)
  return started
}

/** Starts a host once for all tests of a block. The result has its properties from then on. */
export function startOnce(
  host: Pick<Host, 'start'>,
  files: Files = {},
  options: Start | (() => Start) = {},
): Started {
  const started = {} as Started
  beforeAll(async () => {
    const start = typeof options === 'function' ? options() : options
    return Object.assign(started, await startHost(host, files, start)).close
  })
  return started
}
