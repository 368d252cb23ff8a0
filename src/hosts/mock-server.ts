import {
  resolveOptions,
  type HostDefaults,
  type Options,
  type ResolvedOptions,
} from '../core/options/options.ts'
import type { OriginPolicy } from '../core/http/origin.ts'
import { createFixtureStore, type FixtureStore } from '../loader/fixture-store.ts'
import { createLimits } from './limits.ts'
import { createRequestHandler, type RequestHandler } from './node/node-http.ts'
import { createOpenAnswers } from './node/open-answers.ts'
import { summarise } from '../loader/fixture-state.ts'

/** What stands behind every host over `node:http`: the options, the fixtures, and the middleware made of both. */
export interface MockServer {
  options: ResolvedOptions
  store: FixtureStore
  /**
   * @param hostBase path that the host serves everything below, and that is still in front of the URL: routes answer
   * with it and without it
   * @param origins which pages and host names are answered
   * @param hasPages whether the host answers navigations with pages of the application
   */
  createHandler: (hostBase: string, origins: OriginPolicy, hasPages?: boolean) => RequestHandler
  /** Ends the answers that are still open, and the watching. */
  close: () => Promise<void>
}

/** Starts loading the fixtures, and watches them. Each reload is logged. */
export function startMockServer(options: Options, host: HostDefaults): MockServer {
  const resolved = resolveOptions(options, host)
  const store = createFixtureStore(resolved)
  const running = { limits: createLimits(resolved.functionTimeout), open: createOpenAnswers() }
  store.onReload((state) => resolved.logger.info(`[mock-api] reloaded: ${summarise(state)}`))
  return {
    options: resolved,
    store,
    createHandler(hostBase, origins, hasPages = false) {
      const bases = new Set([`${hostBase.replace(/\/+$/, '')}${resolved.base}`, resolved.base])
      return createRequestHandler(store, resolved, running, [...bases], origins, hasPages)
    },
    close() {
      running.open.close()
      return store.close()
    },
  }
}
