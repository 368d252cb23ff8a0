import type { IncomingMessage } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseSetup } from '../core/diagnostics/setup-texts.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import { resolveOptions, type HostDefaults, type ResolvedOptions } from '../core/options/resolve-options.ts'
import type { Options } from '../core/options/options.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { paint } from '../wire/node/paint.ts'
import type { MockServer } from '../server/mock-server.ts'
import type { RequestHandler } from '../wire/node/request-handler.ts'

export const pluginName = 'unplugin-mock-api'

type Print = (label: 'Mock API' | 'Inspector' | 'Agents', text: string) => void

/** Nothing happens until a server needs it, so that builds are not slower. */
export type InstanceHandler = RequestHandler & Pick<ReturnType<MockServer['createHandler']>, 'takesOptions'>

export class PluginInstance {
  readonly options: ResolvedOptions
  isServed = false
  #given: Options
  #running: Promise<MockServer> | undefined
  #hasDuplicate = false
  #started: MockServer | undefined
  /** All instances of the host, including this one. */
  siblings: () => readonly PluginInstance[] = () => []

  constructor(options: Options, host: HostDefaults) {
    this.options = resolveOptions(options, { ...host, paint })
    this.#given = options
  }

  /** Starts the mock server if it does not run. A failure is logged once. */
  start(): Promise<MockServer> {
    if (!this.#running) {
      this.#running = this.#launch()
      this.#running.catch((error: unknown) => {
        this.options.logger.error(
          formatDiagnostic(diagnoseSetup('start-failed', {}, { reason: reasonOf(error) })),
        )
      })
    }
    return this.#running
  }

  /** `use` is not called if the start fails. */
  whenStarted(use: (started: MockServer) => void): void {
    this.start().then(use, alreadyLogged)
  }

  async #launch(): Promise<MockServer> {
    if (this.#hasDuplicate) this.#warnOfDuplicate()
    const { startMockServer } = await import('../server/mock-server.ts')
    return (this.#started = startMockServer(this.options))
  }

  knowsScenario(name: string): boolean {
    return this.#started?.knowsScenario(name) === true
  }

  get origins(): readonly string[] {
    return this.#started?.origins() ?? []
  }

  async announce(inspector?: string, print: Print = this.#print): Promise<void> {
    const started = await this.start().catch(alreadyLogged)
    if (!started) return
    const { store, summary, hasAgent } = started
    await store.ready
    print('Mock API', summary())
    if (inspector !== undefined) print('Inspector', inspector)
    if (inspector !== undefined && hasAgent) print('Agents', `${inspector}mcp`)
  }

  #print: Print = (label, text) =>
    this.options.logger.info(label === 'Mock API' ? text : `${label.toLowerCase()}: ${text}`)

  /** Requests wait for the start. If it fails, the host's error handler answers them. */
  createHandler(...[hostBase, origins, host]: Parameters<MockServer['createHandler']>): InstanceHandler {
    let handler: InstanceHandler | undefined
    const hasElsewhere = (name: string) => this.siblings().some((sibling) => sibling.knowsScenario(name))
    const originsNow = () => this.siblings().flatMap((sibling) => sibling.origins)
    const ready = this.start().then(
      (server) => (handler = server.createHandler(hostBase, origins, { ...host, hasElsewhere, originsNow })),
    )
    ready.catch(alreadyLogged)
    const mockApiMiddleware: RequestHandler = (req, res, next) => {
      if (handler) return handler(req, res, next)
      void ready.then((started) => started(req, res, next)).catch(next)
    }
    return Object.assign(mockApiMiddleware, {
      takesOptions: (req: IncomingMessage) => ready.then((started) => started.takesOptions(req)),
    })
  }

  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    this.isServed = false
    const started = await running?.catch(alreadyLogged)
    await started?.close()
  }

  /** Warns of an ignored instance with the same base, but not in builds. */
  noticeDuplicate(): void {
    if (this.#running && !this.#hasDuplicate) this.#warnOfDuplicate()
    this.#hasDuplicate = true
  }

  #warnOfDuplicate(): void {
    this.warn(diagnoseSetup('plugin-duplicate', {}, { base: this.options.base }))
  }

  warn(diagnostic: Diagnostic): void {
    this.options.logger.warn(formatDiagnostic(diagnostic))
  }

  /** The configs of an array often share their plugins: equal instances give the same answers. */
  isLike(other: PluginInstance): boolean {
    return this.options.root === other.options.root && isDeepStrictEqual(this.#given, other.#given)
  }
}

/** Handles a failed start for those that wait for it: `start` has logged why. */
function alreadyLogged(): undefined {}

const instances = new WeakMap<object, PluginInstance[]>()

/**
 * Several instances can answer, each below its own `base`; a second one with the same base is ignored.
 *
 * @returns whether it was added
 */
export function addInstance(owner: object, instance: PluginInstance): boolean {
  const listed = instancesOf(owner)
  const same = listed.find(({ options }) => options.base === instance.options.base)
  if (same) same.noticeDuplicate()
  else instances.set(owner, [...listed, instance])
  instance.siblings = () => instancesOf(owner)
  return !same
}

export function instancesOf(owner: object): readonly PluginInstance[] {
  return instances.get(owner) ?? []
}
