import type { ServerResponse } from 'node:http'
import type { Decision } from '../core/answer/decision.ts'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { reasonOf } from '../core/values/thrown.ts'
import type { FixtureStore } from '../loader/fixture-store.ts'
import type { Next } from '../wire/node/request-handler.ts'
import type { RealAnswers } from './compare/real-answers.ts'

export type Reality = ReturnType<typeof createReality>

/** Compares fixtures with the backend while the dev server runs. The code is loaded with the first comparison. */
export function createReality(options: ResolvedOptions, store: FixtureStore) {
  const { record, logger } = options
  let loading: Promise<RealAnswers> | undefined
  const load = () =>
    (loading ??= import('./compare/real-answers.ts').then((module) => new module.RealAnswers(options, store)))
  const warn = (reason: string) => logger.warn(`not compared with ${record.target}: ${reason}`)
  const reality = {
    /** Whether requests that fixtures have answered are also sent to the backend. */
    isOn: record.compare && record.target !== undefined,
    /** The address of the backend, if the options name it. */
    target: record.target,
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
      const { target } = record
      if (!reality.isOn || target === undefined || decision.by !== 'route' || !decision.route) return
      load()
        .then((answers) => answers.compareOne(target, decision, Date.now()))
        .then((failed) => failed && logger.info(`not compared: ${target} gives no answer: ${failed}`))
        .catch((error: unknown) => warn(reasonOf(error)))
    },
  }
  return reality
}
