import { addRoute, createRouter, findRoute } from 'rou3'
import { compileRouter } from 'rou3/compiler'
import { isPlainPath } from '../http/path.ts'
import type { Endpoint, Found, RouteTable } from './route-table.ts'

type Find = RouteTable['find']

/** A compiled router is faster up to this many paths; beyond it, its chain of comparisons is slower than the tree. */
const maxCompiledPaths = 100

/**
 * Makes the function that finds a request's endpoint. With many endpoints, plain paths are in a map: adding one to the
 * router's tree takes ten times as long. A plain path takes precedence over a pattern, as in the router.
 */
export function makeFind(endpoints: readonly Endpoint[]): Find {
  if (endpoints.length <= maxCompiledPaths) return makeRouter(endpoints)
  const plain = new Map<string, Map<string, Found>>()
  const others: Endpoint[] = []
  for (const endpoint of endpoints) {
    if (!isPlainPath(endpoint.path)) {
      others.push(endpoint)
      continue
    }
    let paths = plain.get(endpoint.method)
    if (!paths) plain.set(endpoint.method, (paths = new Map<string, Found>()))
    paths.set(endpoint.path, { data: endpoint })
  }
  const findOther = makeRouter(others)
  return (method, path) => plain.get(method)?.get(trimSlash(path)) ?? findOther(method, path)
}

function makeRouter(endpoints: readonly Endpoint[]): Find {
  const router = createRouter<Endpoint>()
  for (const endpoint of endpoints) addRoute(router, endpoint.method, endpoint.path, endpoint)
  if (endpoints.length <= maxCompiledPaths) {
    try {
      return compileRouter(router)
    } catch {
      // A runtime that forbids `new Function`, such as an edge worker: the tree is walked instead.
    }
  }
  return (method, path) => findRoute(router, method, path)
}

/** A path without its trailing slash, which is ignored. */
export function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
