import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { clientOf, failsUnmatched, namedScenarios } from '../../core/http/whose-state.ts'
import { isOutside } from '../../core/http/host-name.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { originsOf } from '../../core/table/match.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import { inProcess } from '../../wire/in-process.ts'
import { mayAnswer } from '../web/web-fetch.ts'
import { createMemoryServer, type SealingHandler } from './memory-server.ts'
import { tapFetch, tapHttp, tapUndici, type TappedServer, type Tap } from './taps.ts'

/* What runs in this process and asks an origin that routes have is answered in it. */

interface Caller {
  headers: Record<string, string>
  /** Identifies the mock server whose request it is, which is asked first. */
  store?: FixtureStore
  asksReal?: boolean
  /** Whether the request is a test's, which may not leave this machine. */
  isSealed?: boolean
}

interface Running extends Pick<TappedServer, 'isFor' | 'connect'> {
  store: FixtureStore
  /** Host names of its routes, without wildcard, brackets and port. */
  hosts: readonly string[]
}

const shared = inProcess('outgoing', () => ({
  context: new AsyncLocalStorage<Caller>(),
  running: new Set<Running>(),
  /** Host names of every mock server in this process, for a quick no. */
  hosts: [] as readonly string[],
}))
const { context, running } = shared
const noteHosts = () => (shared.hosts = [...running].flatMap(({ hosts }) => hosts))

/** Follows the fixtures: nothing is replaced until one of them names an origin. @returns ends it */
export function answerOutgoing(store: FixtureStore, options: ResolvedOptions, handle: SealingHandler) {
  const open = createMemoryServer(handle)
  const own: Running = {
    store,
    hosts: [],
    isFor(method, { href }) {
      const { table } = store.current!
      return originsOf(table, href).length > 0 && mayAnswer(table, options, {}, { method, url: href })
    },
    connect(_, url, method) {
      const { headers = {} } = context.getStore() ?? {}
      return open({ headers, origin: url.origin, isServer: true, isRefused: !own.isFor(method, url) })
    },
  }
  let isEnded = false
  const update = () => {
    if (isEnded) return
    own.hosts = store.current!.table.origins.map((one) =>
      one.replace(/^.*:\/\/(?:\*\.)?\[?|\]?(?::\d+)?$/g, ''),
    )
    running.add(own)
    if (noteHosts().length > 0) install()
  }
  void store.ready.then(update)
  store.onReload(update)
  return () => {
    isEnded = true
    running.delete(own)
    noteHosts()
  }
}

/** Runs `run` for the client of the request, and in its scenarios. */
export function withinRequest<T>(req: IncomingMessage, store: FixtureStore, run: () => T): T {
  const isSealed = failsUnmatched(req.headers)
  if (isSealed) install()
  else if (shared.hosts.length === 0) return run()
  const client = clientOf(req.headers)
  const scenarios = namedScenarios(req.method ?? 'GET', req.url ?? '/', req)?.names
  const headers = {
    ...(client !== '' && { 'x-mock-client': client }),
    ...(scenarios && { 'x-mock-scenario': scenarios.map(encodeURIComponent).join() }),
    ...(isSealed && { 'x-mock-unmatched': 'fail' }),
  }
  return context.run({ headers, store, isSealed }, run)
}

/** Runs `run` without mocking: its requests go to the network. */
export function askingReal<T>(run: () => T): T {
  return context.run({ headers: {}, asksReal: true }, run)
}

/** An address has the host in it, except where its characters are not ASCII: what is ruled out wrongly is nothing. */
function mayBeFor(address: string): boolean {
  const { asksReal, isSealed } = context.getStore() ?? {}
  if (asksReal || isSealed) return isSealed === true
  if (shared.hosts.length === 0) return false
  const text = address.toLowerCase()
  return /[^\0-\x7F]/.test(text) || shared.hosts.some((host) => text.includes(host))
}

function install(): void {
  const find = (method: string, url: URL) => {
    const { store, isSealed = false } = context.getStore() ?? {}
    const servers = [...running].sort((a, b) => Number(b.store === store) - Number(a.store === store))
    return (
      servers.find((one) => one.isFor(method, url)) ?? (isSealed && isOutside(url) ? servers[0] : undefined)
    )
  }
  const server: TappedServer = {
    ready: Promise.resolve(),
    isReady: true,
    isFor: (method, url) => find(method, url) !== undefined,
    connect: (client, url, method) => find(method, url)!.connect(client, url, method),
  }
  const tap: Tap = {
    kind: 'outgoing',
    server: () => server,
    client: () => '',
    mayBeFor,
    enter: (_, run) => run(),
  }
  tapFetch(tap)
  tapHttp(tap)
  tapUndici(tap)
}
