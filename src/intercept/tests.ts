import { createClient, type MockClient } from '../client.ts'
import { forEachSadPath, type LoaderOptions } from './for-each-sad-path.ts'
import type { createNodeLayer as CreateNodeLayer } from './node/test-layer.ts'
import type { NodeLayerOptions, TestLayer, TestOptions } from './test-layer.ts'

/** The functions of the client, without recording, which is for dev servers. */
export type TestClient = Omit<MockClient, 'record'>

/** The exports of each entry for a test runner, and how it runs a test. */
export interface Tests {
  mockApi: TestClient
  setupMockApi: (options: TestOptions) => void
  forEachSadPath: (load: () => unknown, options?: LoaderOptions) => Promise<void>
  /** Begins another test file, with what the one before has left forgotten. */
  renew: () => void
  /** Puts the answers in the place of what has been there since. */
  start: () => Promise<void>
  /** The test is a client of its own, and fails for what no route answers if the options say so. */
  run: (id: string, run: () => Promise<void>) => Promise<void>
}

/** @param openLayer is given the options of `setupMockApi`, which it reads with the first request */
export function createTests(openLayer: (given: () => TestOptions) => TestLayer): Tests {
  let given: TestOptions = {}
  let layer = openLayer(() => given)
  const clients = new Map<string, MockClient>()
  /** Outside of tests, it is everyone. */
  const client = (test = layer.test()) => {
    const { origin, ask } = layer
    const known = clients.get(test) ?? createClient(origin, { fetch: ask, ...(test && { client: test }) })
    clients.set(test, known)
    return known
  }
  const mockApi: TestClient = {
    setScenario: (...names) => client().setScenario(...names),
    requests: (filter) => client().requests(filter),
    waitForRequest: (filter, options) => client().waitForRequest(filter, options),
    explain: (request) => client().explain(request),
    override: (overrides) => client().override(overrides),
    sadPaths: (filter) => client().sadPaths(filter),
    force: (path) => client().force(path),
    push: (...event) => client().push(...event),
    reset: () => client().reset(),
  }
  return {
    mockApi,
    setupMockApi: (options) => void (given = options),
    renew() {
      clients.clear()
      layer = openLayer(() => given)
    },
    forEachSadPath: (load, options) => forEachSadPath(mockApi, load, options),
    start: () => layer.start(),
    async run(id, run) {
      await layer.within(id, run)
      clients.delete(id)
      if (!layer.failsUnmatched()) return
      const text = (await layer.takeMisses(id)).join('\n')
      // Its place is in the text, and frames of this package would hide it.
      if (text !== '') throw Object.assign(new Error(text), { stack: `Error: ${text}` })
    },
  }
}

/**
 * Answers in this process. Not a static import, since a browser must not load it. By Node's own `require`, since Jest's loads
 * everything anew for each test file, and has the timers and modules that tests replace. Synchronous, so requests are answered at once.
 */
export function openNodeLayer(given: () => TestOptions, options: NodeLayerOptions): TestLayer {
  const { Module } = process.getBuiltinModule('node:module')
  const ofNode = Object.getPrototypeOf(Module) as Partial<typeof Module> // Jest's class extends it
  const load = (ofNode.createRequire ?? Module.createRequire)(import.meta.url)
  const { createNodeLayer } = load('./test-node.js') as { createNodeLayer: typeof CreateNodeLayer }
  const layer = createNodeLayer(given, options)
  void layer.start()
  return layer
}

/** The hooks of a runner, which gives them the test, or nothing. */
export type TestHooks = Record<'beforeEach' | 'afterEach', (run: (...test: unknown[]) => unknown) => unknown>

/** For runners without a hook around a test. They can't tell apart tests of a file that run at the same time. */
export function runByHooks({ run }: Tests, { beforeEach, afterEach }: TestHooks): void {
  const ends = new Map<unknown, () => Promise<void>>()
  let count = 0
  // Rest parameters: Jest waits for a callback if a hook has a parameter.
  beforeEach((...[test]) => {
    let end = () => {}
    const ended = run(`test-${++count}`, () => new Promise((resolve) => (end = resolve)))
    ends.set(test, () => {
      end()
      return ended
    })
  })
  afterEach((...[test]) => {
    const end = ends.get(test)
    ends.delete(test)
    return end?.()
  })
}
