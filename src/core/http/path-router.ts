import { addRoute, compareRoutes, createRouter, findRoute, routeNodeKeys, type RouterContext } from 'rou3'

/**
 * What checks and matches paths that are not simple. It is rou3, which is as large as a sixth of the core, and most projects
 * have only simple paths. So it is passed to what uses it, and a server imports it with the first path that needs it.
 */
export interface PathRouter {
  /**
   * The keys of a path's nodes in the tree of the router. Paths on the same node compete for the same requests.
   *
   * @throws Error that says what is wrong with the syntax of the path
   */
  nodeKeys: (path: string) => string[]
  /** Whether two paths match the same requests. */
  matchesSame: (path: string, other: string) => boolean
  /** Makes the function that finds which of the targets at some indexes a request is for. */
  makeFind: (targets: readonly RouterTarget[], indexes: readonly number[]) => FindIndex
}

interface RouterTarget {
  method: string
  path: string
}

type FindIndex = (
  method: string,
  path: string,
) => { data: number; params?: Record<string, string> } | undefined

export const pathRouter: PathRouter = {
  nodeKeys: routeNodeKeys,
  matchesSame: (path, other) => compareRoutes(path, other) === 'equal',
  makeFind(targets, indexes) {
    const router = routerOf(targets, indexes)
    return (method, path) => findRoute(router, method, path)
  },
}

/** A router of the targets at some indexes. It finds the index. */
export function routerOf(
  targets: readonly RouterTarget[],
  indexes: readonly number[],
): RouterContext<number> {
  const router = createRouter<number>()
  for (const index of indexes) addRoute(router, targets[index]!.method, targets[index]!.path, index)
  return router
}
