import { AsyncLocalStorage } from 'node:async_hooks'
import { resolveMiddlewareOptions } from '../../core/options/resolve-options.ts'
import { describeUnmatched, type NodeLayerOptions, type TestLayer, type TestOptions } from '../test-layer.ts'
import { sendRequest } from '../../server/outgoing/memory-connection.ts'
import { startProcessServer, type ProcessServer } from './process-server.ts'
import { tapFetch, tapHttp, tapHttp2, tapServers, tapUndici, type Tap } from '../../server/outgoing/taps.ts'

const origin = 'http://localhost'

/** The test files of a process share it. */
let running: { key: string; server: ProcessServer } | undefined

/** The server starts with the first request, which reads `optionsOf`. */
export function createNodeLayer(
  optionsOf: () => TestOptions,
  { entry, root = process.cwd(), world: given, scope = globalThis, isFresh = false }: NodeLayerOptions,
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
      running = { key, server: startProcessServer(resolved, unmatched === 'fail', entry) }
    }
    return running.server
  }

  const ask: typeof fetch = async (input, init) => {
    const { ready, connectToControlApi } = server()
    await ready
    return sendRequest(new Request(input, init), connectToControlApi())
  }

  if (isFresh) {
    void running?.server.close()
    running = undefined
  }
  running?.server.state.reset()
  return {
    origin,
    ask,
    failsUnmatched: () => optionsOf().unmatched === 'fail',
    async takeMisses(test) {
      const { nearMisses, told } = server()
      const missesOf = async (id: string) => {
        const near = nearMisses.get(id) ?? []
        nearMisses.delete(id)
        return [...(await describeUnmatched({ ask, origin }, id, told)), ...near]
      }
      const [own, others] = await Promise.all([missesOf(test), missesOf('')])
      return [...others.map((text) => `Outside of tests, as in beforeAll: ${text}`), ...own]
    },
    start() {
      const tap: Tap = { kind: 'tests', server, client, enter: (test, run) => tests.run(test, run) }
      tapServers(tap)
      tapHttp(tap)
      tapHttp2(tap)
      tapUndici(tap)
      // Others, such as that of happy-dom, use what is tapped above, and return responses of their own kind.
      const isOfNode = scope.Response === Response && !('happyDOM' in scope)
      if (isOfNode) tapFetch(tap, scope)
      else scope.fetch ??= () => Promise.reject(new Error(noFetch))
      return Promise.resolve()
    },
    async within(test, run) {
      running?.server.state.reset(test)
      const before = last
      last = test
      try {
        return await tests.run(test, run)
      } finally {
        if (last === test) last = before
      }
    },
    test: client,
  }
}

const noFetch =
  'jest-environment-jsdom has no fetch. Set testEnvironment to "jest-fixed-jsdom" (npm install -D jest-fixed-jsdom), which has that of Node, ' +
  'or load a polyfill in setupFiles.'
