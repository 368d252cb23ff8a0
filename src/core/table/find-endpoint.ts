import type { PathRouter } from '../http/path-router.ts'
import { isSimplePath } from '../http/path.ts'
import type { compileFind as CompileFind } from './compile-find.ts'
import { createPathIndex } from './path-index.ts'
import type { Find, Target } from './route-table.ts'
import { LruMap } from '../values/lru-map.ts'

/** A compiled router is faster up to this many paths; beyond it, its chain of comparisons is slower than the index. */
const maxCompiledPaths = 100

/** When a router is compiled, and what compiles it. */
interface Compiling {
  /** The number of requests before. */
  after: number
  load: () => Promise<typeof CompileFind>
}

/** Compiling takes as long as thousands of requests by the index, so that it would delay the start of a server. */
const compilesLater: Compiling = {
  after: 200,
  load: async () => (await import('./compile-find.ts')).compileFind,
}

/** Maximum routers of two targets that are kept. */
const maxPairs = 500

/**
 * Makes the function that finds what a request is for.
 *
 * @param locate what `makeLocate` has made from the same methods and paths
 */
export function makeFind<T extends Target>(targets: readonly T[], locate: Find<number>): Find<T> {
  return (method, path) => {
    const found = locate(method, path)
    if (!found) return undefined
    const data = targets[found.data]!
    return found.params ? { data, params: found.params } : { data }
  }
}

/**
 * Makes the function that finds the index of a target. Simple paths are in an index of our own: adding one to the router's
 * tree takes ten times as long, and a kilobyte.
 */
export function makeLocate(
  targets: readonly Target[],
  router: PathRouter,
  compiling = compilesLater,
): Find<number> {
  const indexes = [...targets.keys()]
  const others = indexes.filter((index) => !isSimplePath(targets[index]!.path))
  const findSimple = createPathIndex(targets, new Set(others))
  if (others.length === 0) return compileLater(targets, indexes, findSimple, compiling)
  const findOther = compileLater(targets, others, router.makeFind(targets, others), compiling)
  /** Which of two takes precedence, by the index of the simple one. */
  const pairs = new LruMap<number, { other: number; find: Find<number> }>({ max: maxPairs })
  const findAny: Find<number> = (method, path) => {
    const found = findSimple(method, path)
    const other = findOther(method, path)
    if (!found || !other) return found ?? other
    let pair = pairs.get(found.data)
    if (pair?.other !== other.data) {
      // In the order of the list, since the first of two that are equally specific takes precedence.
      const both = [found.data, other.data].sort((a, b) => a - b)
      pair = { other: other.data, find: router.makeFind(targets, both) }
      pairs.set(found.data, pair)
    }
    return pair.find(method, path)
  }
  return compileLater(targets, indexes, findAny, compiling)
}

/** With few targets, a compiled router takes the place of `find` after some requests. */
function compileLater(
  targets: readonly Target[],
  indexes: readonly number[],
  find: Find<number>,
  { after, load }: Compiling,
): Find<number> {
  if (indexes.length > maxCompiledPaths) return find
  let count = 0
  const compile = (compileFind: typeof CompileFind) => {
    find = compileFind(targets, indexes)
  }
  return (method, path) => {
    // A runtime that forbids `new Function`, such as an edge worker, can't compile: `find` stays as it is.
    if (count++ === after)
      void load()
        .then(compile)
        .catch(() => {})
    return find(method, path)
  }
}

/** Makes a function that gives the same result again if all methods and paths are the same as the last time. */
export function rememberByPaths<R>(
  make: (targets: readonly Target[]) => R,
): (targets: readonly Target[]) => R {
  let last: { targets: readonly Target[]; result: R } | undefined
  return (targets) => {
    if (last && haveSamePaths(last.targets, targets)) return last.result
    // Not the targets themselves, since they would be kept as long as their paths.
    const paths = targets.map(({ method, path }) => ({ method, path }))
    last = { targets: paths, result: make(paths) }
    return last.result
  }
}

function haveSamePaths(a: readonly Target[], b: readonly Target[]): boolean {
  if (a.length !== b.length) return false
  return a.every(({ method, path }, index) => method === b[index]!.method && path === b[index]!.path)
}
