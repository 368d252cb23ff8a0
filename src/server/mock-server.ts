import { rulesOf, type Rules } from '../core/answer/rules.ts'
import { MockState } from '../core/state/mock-state.ts'
import { canonicalBase, percentDecoded } from '../core/http/path.ts'
import type { Server } from 'node:http'
import { detectAgent } from 'std-env'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import type { OriginPolicy } from '../core/http/origin.ts'
import { createFixtureStore, type FixtureStore } from '../loader/fixture-store.ts'
import { createGraphiQL } from './node/graphiql.ts'
import { createInspectorLoader } from './node/inspector.ts'
import { createHub, type Hub } from './live/hub.ts'
import { createLimits } from './limits.ts'
import { noNodeHooks, type NodeHost, type UpgradePolicy } from './node/feature.ts'
import { createRequestHandler, type MockRequestHandler } from './node/node-http.ts'
import { OpenAnswers } from '../wire/node/open-answers.ts'
import { SharedStreams } from './live/shared-streams.ts'
import { createReality } from '../backend/reality.ts'
import { createRecordingSwitch } from '../backend/recording-switch.ts'
import { persistCollections } from './persist-collections.ts'
import { anyOrigin } from './origin-policies.ts'
import { askServer } from './outgoing/ask-server.ts'
import { answerOutgoing } from './outgoing/outgoing.ts'
import { createReporter, dropStale } from './report.ts'
import { describeReload } from '../loader/describe-changes.ts'
import { summarise } from '../loader/fixture-state.ts'

interface HostFacts {
  /** Whether the host answers navigations with pages of the application. Default `false`. */
  hasPages?: boolean
  /** A preview server has the inspector only if the option says so. Default `false`. */
  isPreview?: boolean
  /** The option `proxy` of the server: an object by path, or a list. */
  proxy?: unknown
  /** Whether the next handler is the backend. Default `false`: it is the dev server. */
  nextIsBackend?: boolean
  /** Whether pages that pass get the script of the badge. Default `false`: the client of the dev server has it. */
  insertsBadge?: boolean
  /** The server, if it is known before the first request. */
  server?: Server | null | undefined
  /** Default: the pages and names that may send requests may open WebSockets. */
  sockets?: UpgradePolicy
  /** Whether another mock server of the host has routes for a scenario, or has said that it is unknown. */
  hasElsewhere?: (scenario: string) => boolean
  /** The origins of all mock servers of the host, for its pages. Default: pages ask only the host itself. */
  originsNow?: () => readonly string[]
}

export interface MockServer {
  options: ResolvedOptions
  store: FixtureStore
  state: MockState
  hub: Hub
  /** @param hostBase path below which the host serves everything: routes answer with it and without it */
  createHandler: (hostBase: string, origins: OriginPolicy, host?: HostFacts) => MockRequestHandler
  /** Whether a coding agent has started the server, as Vite finds out. */
  hasAgent: boolean
  /** One line for the log of the host. Resolves when the fixtures are loaded. */
  summary: () => string
  origins: () => readonly string[]
  /** Whether a route has the scenario, or a warning has said that none has. */
  knowsScenario: (name: string) => boolean
  close: () => Promise<void>
}

export function startMockServer(options: ResolvedOptions): MockServer {
  const { base, logger } = options
  const store = createFixtureStore(options)
  const state = new MockState(options.scenario)
  const summary = () => {
    const scenarios = state.scenariosOf('').join(', ')
    const below = base && `, below ${percentDecoded(base)}`
    return `${summarise(store.current!)}${below}${scenarios && `, in the scenario ${scenarios}`}`
  }
  const report = createReporter(options)
  const recording = createRecordingSwitch(options, store, report)
  recording.onChange(() => state.notify())
  const reality = createReality(options, store)
  const limits = createLimits(options.functionTimeout, state, options.values.now)
  persistCollections(options.root, state, report)
  const open = new OpenAnswers()
  const hub = createHub(report, state.collections)
  const sharedStreams = new SharedStreams(hub)
  const ends = new Set<() => void>()
  const graphiql = createGraphiQL(options.root, report)
  if (options.record.enabled) void recording.start()
  const { push } = hub
  const inspectorAt = createInspectorLoader({ options, store, state, open, recording, reality, push })
  const basesOf = (hostBase: string) => [...new Set([`${canonicalBase(hostBase)}${base}`, base])]
  let before = store.current
  void store.ready.then(() => (before = store.current))
  store.onReload((now, hasRead) => {
    hub.reload(now.table)
    const previous = before
    before = now
    if (recording.current || !hasRead) return
    const dropped = dropStale(state, now.table)
    logger.info(`${describeReload(previous, now, summary())}${dropped ? `; ${dropped}` : ''}`)
  })
  const server: MockServer = {
    options,
    store,
    state,
    hub,
    hasAgent: detectAgent().name !== undefined,
    summary,
    origins: () => [
      ...new Set([...(store.current?.table.origins ?? []), recording.current?.origin ?? []].flat()),
    ],
    knowsScenario: (name) =>
      store.current?.table.scenarios?.findIn(name) !== undefined || state.hasNoticedScenario(name),
    createHandler(
      hostBase,
      origins,
      {
        hasPages = false,
        isPreview = false,
        proxy,
        nextIsBackend = false,
        insertsBadge = false,
        server,
        sockets = { origins },
        hasElsewhere,
        originsNow,
      } = {},
    ) {
      reality.useProxy(proxy)
      const bases = basesOf(hostBase)
      const { navigationGiven, graphql } = options
      const pages = { graphiql: graphql.graphiql, hasPages: hasPages && !navigationGiven }
      const rules = rulesOf(options, { limits, state }, { bases, origins, ...pages, hasElsewhere })
      // While a recording runs, the backend answers what no route does.
      const recordingRules: Rules = { ...rules, unmatched: 'passthrough' }
      const rulesNow = () => (recording.of('') ? recordingRules : rules)
      const site = { proxy, hostBase: canonicalBase(hostBase), nextIsBackend, hasPages, insertsBadge, report }
      const isInspected = isPreview ? options.inspector.preview : options.inspector.dev
      const inspector = isInspected
        ? inspectorAt([...bases, canonicalBase(hostBase), ''], { origins, bases, rulesNow, backend: site })
        : undefined
      const host: NodeHost = {
        options,
        store,
        rulesNow,
        report,
        site,
        inspector,
        open,
        hub,
        recording,
        reality,
        graphiql,
        sharedStreams,
        originsNow,
        sockets,
        hooks: noNodeHooks(),
      }
      const handler = createRequestHandler(host, ends)
      if (server) handler.attach(server)
      return handler
    },
    async close() {
      hub.close()
      endOutgoing?.()
      for (const end of ends) end()
      open.close()
      await recording.stop()
      await store.close()
    },
  }
  const { outgoing, record } = options
  const answer = () =>
    typeof outgoing === 'string' ? askServer(outgoing, record, report) : server.createHandler('', anyOrigin)
  const endOutgoing = outgoing === false ? undefined : answerOutgoing(store, options, answer())
  return server
}
