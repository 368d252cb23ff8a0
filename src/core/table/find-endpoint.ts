import { LRUCache } from 'lru-cache'
import { addRoute, createRouter, findRoute } from 'rou3'
import { compileRouter } from 'rou3/compiler'
import { isSimplePath } from '../http/path.ts'
import { createPathIndex } from './path-index.ts'
import type { Find, Found, Target } from './route-table.ts'

/** A compiled router is faster up to this many paths; beyond it, its chain of comparisons is slower than the index. */
const maxCompiledPaths = 100

/** Maximum routers of two endpoints that are kept. */
const maxPairs = 500

/**
 * Makes the function that finds a request's endpoint. With many endpoints, simple paths are in an index of our own: adding
 * one to the router's tree takes ten times as long, and a kilobyte.
 */
export function makeFind<T extends Target>(endpoints: readonly T[]): Find<T> {
  if (endpoints.length <= maxCompiledPaths) return compile(endpoints)
  const simple: T[] = []
  const others: T[] = []
  for (const endpoint of endpoints) (isSimplePath(endpoint.path) ? simple : others).push(endpoint)
  const findSimple = createPathIndex(simple)
  if (others.length === 0) return findSimple
  const findOther = others.length <= maxCompiledPaths ? compile(others) : createFind(others)
  /** Which of two endpoints takes precedence, by the simple one. */
  const pairs = new LRUCache<T, { other: T; find: Find<T> }>({ max: maxPairs })
  return (method, path) => {
    const found = findSimple(method, path)
    if (found && !found.params) return found // a path without parameters takes precedence over every pattern
    const other = findOther(method, path)
    if (!found || !other) return found ?? other
    let pair = pairs.get(found.data)
    if (pair?.other !== other.data) {
      pair = { other: other.data, find: createFind([found.data, other.data]) }
      pairs.set(found.data, pair)
    }
    return pair.find(method, path)
  }
}

function compile<T extends Target>(endpoints: readonly T[]): Find<T> {
  try {
    return compileRouter(createRouterOf(endpoints))
  } catch {
    // A runtime that forbids `new Function`, such as an edge worker: the tree is walked instead.
    return createFind(endpoints)
  }
}

function createFind<T extends Target>(endpoints: readonly T[]): Find<T> {
  const router = createRouterOf(endpoints)
  return (method, path): Found<T> | undefined => findRoute(router, method, path)
}

function createRouterOf<T extends Target>(endpoints: readonly T[]) {
  const router = createRouter<T>()
  for (const endpoint of endpoints) addRoute(router, endpoint.method, endpoint.path, endpoint)
  return router
}
