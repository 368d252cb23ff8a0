import { AsyncLocalStorage } from 'node:async_hooks'
import type { ModuleWorld } from '../../core/options/module-world.ts'
import { resolveMiddlewareOptions } from '../../core/options/resolve-options.ts'
import { clientsOf, type TestLayer, type VitestOptions } from '../test-layer.ts'
import { sendRequest } from '../../server/outgoing/memory-connection.ts'
import { startProcessServer, type ProcessServer } from './process-server.ts'
import { tapFetch, tapHttp, tapHttp2, tapServers, tapUndici, type Tap } from '../../server/outgoing/taps.ts'

const origin = 'http://localhost'

/** The test files of a process share it. */
let running: { key: string; server: ProcessServer } | undefined

/** The server starts with the first request, which reads `optionsOf`. Relative paths start from `root`. */
export function createNodeLayer(
  optionsOf: () => VitestOptions,
  root: string,
  given?: ModuleWorld,
): TestLayer {
  const world = given && { world: () => given }
  const tests = new AsyncLocalStorage<string>()
  /** The test that was started last, where their context does not tell tests apart. */
  let last = ''
  const client = () => tests.getStore() ?? last

  function server(): ProcessServer {
    const { unmatched, ...options } = optionsOf()
    const key = JSON.stringify([root, options, unmatched])
    if (running?.key !== key) {
      void running?.server.close()
      const resolved = resolveMiddlewareOptions(
        { logLevel: 'warn', ...options, unmatched: unmatched === 'fail' ? 'error' : unmatched, watch: false },
        { root, logger: console, ...world },
      )
      running = { key, server: startProcessServer(resolved, unmatched === 'fail') }
    }
    return running.server
  }

  const ask: typeof fetch = async (input, init) => {
    const { ready, connectToControlApi } = server()
    await ready
    return sendRequest(new Request(input, init), connectToControlApi())
  }

  const clients = clientsOf(origin, ask)
  running?.server.state.reset()
  return {
    origin,
    ask,
    failsUnmatched: () => optionsOf().unmatched === 'fail',
    start() {
      const tap: Tap = { kind: 'tests', server, client, enter: (test, run) => tests.run(test, run) }
      tapServers(tap)
      tapHttp(tap)
      tapHttp2(tap)
      tapUndici(tap)
      // The fetch of happy-dom uses node:http, and returns responses of its own kind.
      if (!('happyDOM' in globalThis)) tapFetch(tap)
      return Promise.resolve()
    },
    async within(test, run) {
      running?.server.state.reset(test)
      last = test
      try {
        return await tests.run(test, run)
      } finally {
        if (last === test) last = ''
      }
    },
    client: () => clients(client()),
  }
}
