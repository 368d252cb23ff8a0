import type { ServerResponse } from 'node:http'
import type { Decision } from '../core/answer/decision.ts'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { reasonOf } from '../core/values/thrown.ts'
import type { FixtureStore } from '../loader/fixture-store.ts'
import type { Next } from '../wire/node/request-handler.ts'
import type { RealAnswers } from './compare/real-answers.ts'
import { proxiedUrl, proxyTargets } from './proxies.ts'

export type Reality = ReturnType<typeof createReality>

/** Compares fixtures with the backend while the dev server runs. The code is loaded with the first comparison. */
export function createReality(options: ResolvedOptions, store: FixtureStore) {
  const { record, logger } = options
  const warn = (reason: string) => logger.warn(`not compared with ${reality.target}: ${reason}`)
  let proxy: unknown
  let loading: Promise<RealAnswers> | undefined
  const urlOf = (url: string) =>
    record.target === undefined ? proxiedUrl(proxy, url) : `${record.target}${url}`
  const load = () =>
    (loading ??= import('./compare/real-answers.ts').then(
      (module) => new module.RealAnswers(options, store, urlOf),
    ))
  const reality = {
    /** Whether requests that fixtures have answered are also sent to the backend. */
    isOn: record.compare,
    /** Address of the backend, of the options or of the host's proxies. `undefined` if neither has one. */
    get target(): string | undefined {
      return record.target ?? (proxyTargets(proxy).join(', ') || undefined)
    },
    /** @param given the option of the host for its proxies */
    useProxy(given: unknown): void {
      proxy ??= given
    },
    load,
    /** Called for each request that no route answers, before a later handler does. */
    passing(decision: Decision, res: ServerResponse, next: Next): void {
      load()
        .then((answers) => {
          answers.comparePassing(decision, res).catch((error: unknown) => warn(reasonOf(error)))
          next()
        })
        .catch(next)
    },
    /** Called for each request once its answer is written. */
    answered(decision: Decision): void {
      if (!reality.isOn || decision.by !== 'route' || !decision.route || reality.target === undefined) return
      load()
        .then((answers) => answers.compareOne(decision, Date.now()))
        .then((failed) => failed && logger.info(`not compared: ${reality.target} gives no answer: ${failed}`))
        .catch((error: unknown) => warn(reasonOf(error)))
    },
  }
  return reality
}
