import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type * as Chokidar from 'chokidar'
import { expect, onTestFinished, vi } from 'vitest'
import type { CompiledRoute } from '../../src/core/table/route-table.ts'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import type { Options } from '../../src/core/options/options.ts'
import type { ResolvedOptions } from '../../src/core/options/resolve-options.ts'
import { bodyAsText } from '../../src/core/response/prepare-response.ts'
import { createFixtureStore, type FixtureStore, type StoreSettings } from '../../src/loader/fixture-store.ts'
import type { FixtureState } from '../../src/loader/fixture-state.ts'

export type Files = Readonly<Record<string, string | Uint8Array>>

/** How long a condition may take on a busy machine; a test that passes waits a few milliseconds. */
const patience = { timeout: 30_000, interval: 20 }

/** Watchers that the tests made, the newest last, so that a test can wait until they watch. */
export const watchers: { watcher: Chokidar.FSWatcher; ready: Promise<void> }[] = []

/** Has to be done in each test file: one process runs several of them. */
function keepWatchers(): void {
  vi.doMock('chokidar', async () => {
    const actual = await vi.importActual<typeof Chokidar>('chokidar')
    const watch: typeof actual.watch = (...parameters) => {
      const watcher = actual.watch(...parameters)
      watchers.push({ watcher, ready: new Promise((resolve) => watcher.once('ready', resolve)) })
      return watcher
    }
    return { ...actual, watch }
  })
}

/** A folder of its own for one test, with the stores that run in it. Both are gone after the test. */
export class Project {
  readonly root: string
  readonly logs: string[] = []

  constructor(files: Files = {}) {
    keepWatchers()
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'mock-api-')))
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true, maxRetries: 5 }))
    for (const [path, text] of Object.entries(files)) this.write(path, text)
  }

  path(path: string): string {
    return join(this.root, path)
  }

  write(path: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true })
    writeFileSync(this.path(path), text)
  }

  /** Writes as many editors do: to a new file, which then takes the place of the old one. */
  writeByRename(path: string, text: string): void {
    writeFileSync(this.path(`${path}.tmp`), text)
    renameSync(this.path(`${path}.tmp`), this.path(path))
  }

  rename(from: string, to: string): void {
    mkdirSync(dirname(this.path(to)), { recursive: true })
    renameSync(this.path(from), this.path(to))
  }

  /** Makes a symbolic link; its target is relative to the folder of the link. One that is there is replaced at once. */
  link(path: string, target: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true })
    symlinkSync(target, this.path(`${path}.tmp`))
    renameSync(this.path(`${path}.tmp`), this.path(path))
  }

  remove(path: string): void {
    rmSync(this.path(path), { recursive: true })
  }

  /** Makes a file old: an edit in the same tick of the clock as its creation leaves its modification time as it was. */
  age(...paths: string[]): void {
    for (const path of paths) utimesSync(this.path(path), 1_000_000_000, 1_000_000_000)
  }

  options(options: Options = {}): ResolvedOptions {
    const log = (level: string) => (message: string) => void this.logs.push(`${level} ${message}`)
    return resolveOptions(options, {
      root: this.root,
      logger: { info: log('info'), warn: log('warn'), error: log('error') },
    })
  }

  /** A store that has just been created and has loaded nothing yet. */
  create(options?: Options, settings?: StoreSettings): FixtureStore {
    const store = createFixtureStore(this.options(options), { watchDelay: 0, ...settings })
    onTestFinished(() => store.close())
    return store
  }

  /** A store that has loaded once and does not watch. */
  async load(options?: Options): Promise<FixtureStore> {
    const store = this.create({ ...options, watch: false })
    await store.ready
    return store
  }

  /** A store that has loaded once and sees every change from now on. */
  async watch(options?: Options, settings?: StoreSettings): Promise<FixtureStore> {
    const before = watchers.length
    const store = this.create(options, settings)
    await store.ready
    await vi.waitUntil(() => watchers.length > before, patience)
    await watchers[before]!.ready
    return store
  }
}

export type Change = (project: Project) => void
export const write =
  (path: string, text: string | Uint8Array): Change =>
  (project) =>
    project.write(path, text)
export const writeByRename =
  (path: string, text: string): Change =>
  (project) =>
    project.writeByRename(path, text)
export const rename =
  (from: string, to: string): Change =>
  (project) =>
    project.rename(from, to)
export const remove =
  (path: string): Change =>
  (project) =>
    project.remove(path)
export const link =
  (path: string, target: string): Change =>
  (project) =>
    project.link(path, target)
/** One after the other, in the same turn. */
export const all =
  (...changes: Change[]): Change =>
  (project) =>
    changes.forEach((change) => change(project))

/** YAML of one route whose body is a number or a text. */
export function yaml(path: string, body: number | string): string {
  return `- path: ${path}\n  response: { body: ${JSON.stringify(body)} }\n`
}

/** A module of one route; `body` is an expression. */
export function module(path: string, body: number | string, imports = ''): string {
  return `${imports}\nexport default [{ path: '${path}', response: { body: ${body} } }]\n`
}

/** What a store answers, as `METHOD /path body`: endpoint by endpoint, in the order in which the routes are tried. */
export function answers({ current }: FixtureStore): string[] {
  return routesOf(current).map(({ method, path, route: { response } }) => {
    const body =
      response.kind === 'static'
        ? bodyAsText(response.prepared.body)
        : response.kind === 'result'
          ? JSON.stringify(response.definition.body)
          : response.kind
    return `${method} ${path} ${body}`
  })
}

/** The answers of GET requests: `/a 1, /b 2`. */
export const got = (answers: string) => answers.split(', ').map((answer) => `GET ${answer}`)

/** Method and path of every endpoint. */
export function endpoints({ current }: FixtureStore): string[] {
  return [...new Set(routesOf(current).map(({ method, path }) => `${method} ${path}`))]
}

export const templateEndpoints = ['POST /graphql', 'GET /items']

interface PlacedRoute {
  method: string
  path: string
  route: CompiledRoute
}

export function routesOf(state: FixtureState | undefined): PlacedRoute[] {
  if (!state) throw new Error('The store has loaded nothing yet.')
  return state.table.endpoints.flatMap(({ method, path, routes }) =>
    routes.map((route) => ({ method, path, route })),
  )
}

/** Code and place of every diagnostic: `fixture-syntax fixtures/a.yaml:1:2`. */
export function findings({ current }: FixtureStore): string[] {
  return current!.diagnostics.map(({ code, file, line, column }) =>
    `${code} ${[file, line, column].filter((part) => part !== undefined).join(':')}`.trim(),
  )
}

/** Waits until the store answers this. */
export async function expectAnswers(store: FixtureStore, expected: readonly string[]): Promise<void> {
  await expect.poll(() => answers(store), patience).toEqual(expected)
}

export async function expectEndpoints(store: FixtureStore, expected: readonly string[]): Promise<void> {
  await expect.poll(() => endpoints(store), patience).toEqual(expected)
}

/** Waits until the store reports this. */
export async function expectFindings(store: FixtureStore, expected: readonly string[]): Promise<void> {
  await expect.poll(() => findings(store), patience).toEqual(expected)
}
