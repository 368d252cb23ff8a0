import type { Server } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { diagnose, type Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import {
  resolveOptions,
  type HostDefaults,
  type Options,
  type ResolvedOptions,
} from '../core/options/options.ts'
import type { MockServer } from './mock-server.ts'
import type { RequestHandler } from './node/request-handler.ts'

/** Prints one line of what a starting server says. */
type Print = (label: 'Mock API' | 'Inspector', text: string) => void

/** One instance of the plugin in one config. It does nothing until a server needs it, so that builds are not slower. */
export class PluginInstance {
  readonly options: ResolvedOptions
  /** Whether a dev server has asked for the middleware. */
  isServed = false
  #given: Options
  #running: Promise<MockServer> | undefined
  /** Diagnostics to log when the server starts, and not in a build. */
  #pending: Diagnostic[] = []

  constructor(options: Options, host: HostDefaults) {
    this.options = resolveOptions(options, host)
    this.#given = options
  }

  /** Returns the running mock server, or starts one. */
  start(): Promise<MockServer> {
    return (this.#running ??= this.#launch())
  }

  async #launch(): Promise<MockServer> {
    const { startMockServer } = await import('./mock-server.ts')
    for (const diagnostic of this.#pending.splice(0)) this.warn(diagnostic)
    return startMockServer(this.options)
  }

  /**
   * Prints what answers, as soon as it is known, and where the inspector is.
   *
   * @param inspector its address; `undefined` where there is none
   */
  async announce(inspector?: string, print: Print = this.#print): Promise<void> {
    const { store, summary } = await this.start()
    await store.ready
    print('Mock API', summary())
    if (inspector !== undefined) print('Inspector', inspector)
  }

  #print: Print = (label, text) =>
    this.options.logger.info(label === 'Inspector' ? `inspector: ${text}` : text)

  /** The middleware of `MockServer.createHandler`. Requests wait for the mock server to start. */
  createHandler(...options: Parameters<MockServer['createHandler']>): RequestHandler {
    let handler: RequestHandler | undefined
    const ready = this.start().then((server) => (handler = server.createHandler(...options)))
    // The name shows in `DEBUG=connect:*`.
    return function mockApiMiddleware(req, res, next) {
      if (handler) return handler(req, res, next)
      void ready.then((started) => started(req, res, next)).catch(next)
    }
  }

  /** See `MockServer.refuseUpgrades`. In middleware mode, a host has no server. */
  refuseUpgrades(server: object | null | undefined, hostBase: string): void {
    if (server) void this.start().then((started) => started.refuseUpgrades(server as Server, hostBase))
  }

  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    this.isServed = false
    await (await running)?.close()
  }

  /** Logs a warning: now where the instance runs, else when it starts. */
  warnWhenRunning(diagnostic: Diagnostic): void {
    if (this.#running) this.warn(diagnostic)
    else this.#pending.push(diagnostic)
  }

  warn(diagnostic: Diagnostic): void {
    this.options.logger.warn(formatDiagnostic(diagnostic))
  }

  /** Whether both would give the same answers, since the configs of an array often share their plugins. */
  isLike(other: PluginInstance): boolean {
    return this.options.root === other.options.root && isDeepStrictEqual(this.#given, other.#given)
  }
}

const instances = new WeakMap<object, PluginInstance[]>()
const duplicates = new WeakMap<object, Set<string>>()

/**
 * Adds an instance to a server or compiler. Several instances can answer, each below its own `base`. A second one with the
 * same base is ignored, with one warning.
 *
 * @returns whether it was added
 */
export function addInstance(owner: object, instance: PluginInstance): boolean {
  const listed = instancesOf(owner)
  const { base } = instance.options
  const first = listed.find(({ options }) => options.base === base)
  if (!first) {
    instances.set(owner, [...listed, instance])
    return true
  }
  const told = duplicates.get(owner) ?? new Set()
  duplicates.set(owner, told)
  if (!told.has(base)) first.warnWhenRunning(diagnose('plugin-duplicate', {}, { base }))
  told.add(base)
  return false
}

export function instancesOf(owner: object): readonly PluginInstance[] {
  return instances.get(owner) ?? []
}
