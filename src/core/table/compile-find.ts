import { compileRouter } from 'rou3/compiler'
import { routerOf } from '../http/path-router.ts'
import type { Find, Target } from './route-table.ts'

/**
 * Compiles the function that finds which of the targets at some indexes a request is for.
 *
 * @throws EvalError in a runtime that forbids `new Function`, such as an edge worker
 */
export function compileFind(targets: readonly Target[], indexes: readonly number[]): Find<number> {
  return compileRouter(routerOf(targets, indexes))
}
