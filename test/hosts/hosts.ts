import type { Options } from '../../src/core/options/options.ts'
import { nodeHosts } from './node-hosts.ts'
import { rsbuildHosts } from './rsbuild-hosts.ts'
import { rspackHosts } from './rspack-hosts.ts'
import type { TestProject } from './test-project.ts'
import { viteHosts } from './vite-hosts.ts'
import { webpackHosts } from './webpack-hosts.ts'

export interface RunningHost {
  origin: string
  /** What was logged, a line each. */
  log: string[]
  close: () => Promise<void>
}

export interface Start {
  options?: Options
  /** Where `/upstream` is proxied to, by hosts that can. */
  upstream?: string
  /** The host's own base path, where it has one. */
  hostBase?: string
}

export interface Host {
  name: string
  /** Serves the page of the project for paths that nobody answers, as a host with an HTML fallback does. */
  hasHtmlFallback: boolean
  hasBase: boolean
  start: (project: TestProject, start?: Start) => Promise<RunningHost>
}

export const hosts: Host[] = [...nodeHosts, ...viteHosts, ...webpackHosts, ...rspackHosts, ...rsbuildHosts]
