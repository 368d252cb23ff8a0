import { canonicalBase } from '../core/http/path.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import type { OriginPolicy } from '../core/http/origin.ts'
import { createFixtureStore, type FixtureStore } from '../loader/fixture-store.ts'
import { createLimits } from './limits.ts'
import { createRequestHandler, type RequestHandler } from './node/node-http.ts'
import { createOpenAnswers } from './node/open-answers.ts'
import { summarise } from '../loader/fixture-state.ts'

/** What every host over `node:http` has: the options, the fixtures, and the middleware made of both. */
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
  /** One line that says what answers, and below which path. Not before the fixtures are loaded. */
  summary: () => string
  /** Ends the answers that are still open, and stops watching. */
  close: () => Promise<void>
}

/** Starts loading the fixtures, and watches them. Each reload is logged. */
export function startMockServer(options: ResolvedOptions): MockServer {
  const { base, logger } = options
  const store = createFixtureStore(options)
  const running = { limits: createLimits(options.functionTimeout), open: createOpenAnswers() }
  const summary = () => `${summarise(store.current!)}${base && `, below ${base}`}`
  store.onReload(() => logger.info(`reloaded: ${summary()}`))
  return {
    options,
    store,
    summary,
    createHandler(hostBase, origins, hasPages = false) {
      const bases = new Set([`${canonicalBase(hostBase)}${base}`, base])
      return createRequestHandler(store, options, running, [...bases], origins, hasPages)
    },
    close() {
      running.open.close()
      return store.close()
    },
  }
}
