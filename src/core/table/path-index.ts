import { addTo, getOrMake } from '../values/collections.ts'
import type { Find, Target } from './route-table.ts'

/** Stands for a parameter in the key of a path. No request path has this character. */
const anyValue = '?'

/** Which segments of a path are parameters, the same for `/orders/:id` and `/users/:name`. */
type Shape = readonly boolean[]

/**
 * Indexes simple paths: those that have only plain segments and parameters. A request costs one lookup for each shape with
 * as many segments, however many paths there are.
 *
 * Precedence is that of rou3: from left to right, a plain segment comes before a parameter.
 *
 * @param others indexes of targets with other paths, which are left out
 * @returns a function that finds the index of a target
 */
export function createPathIndex(targets: readonly Target[], others: ReadonlySet<number>): Find<number> {
  /** By method, then by key: the path with `?` in place of each parameter. */
  const methods = new Map<string, Map<string, number>>()
  const masks = new Set<string>()
  for (const [index, { method, path }] of targets.entries()) {
    if (others.has(index)) continue
    const key = keyOf(path)
    if (path.includes(':')) masks.add(key.replace(/[^/?]+/g, ''))
    getOrMake(methods, method, () => new Map<string, number>()).set(key, index)
  }
  const shapes = sortShapes(masks)

  return (method, path) => {
    const indexes = methods.get(method)
    if (!indexes) return undefined
    const trimmed = withoutTrailingSlash(path)
    const plain = indexes.get(trimmed)
    if (plain !== undefined) return { data: plain }
    const segments = segmentsOf(trimmed)
    for (const shape of shapes.get(segments.length) ?? []) {
      const key = keyIn(shape, segments)
      const index = key === undefined ? undefined : indexes.get(key)
      if (index !== undefined) return { data: index, params: paramsOf(targets[index]!.path, segments) }
    }
    return undefined
  }
}

function keyOf(path: string): string {
  return path.includes(':') ? path.replace(/:\w+/g, anyValue) : withoutTrailingSlash(path)
}

/** `''` for the root: `//` is another path. */
function withoutTrailingSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** The shapes by their number of segments, each list in the order of precedence. */
function sortShapes(masks: Iterable<string>): Map<number, Shape[]> {
  const shapes = new Map<number, Shape[]>()
  // A plain segment leaves nothing, and so comes before a parameter.
  for (const mask of [...masks].sort()) {
    const shape = segmentsOf(mask).map((segment) => segment === anyValue)
    addTo(shapes, shape.length, shape)
  }
  return shapes
}

/** The key of a request's path, if its segments have that shape: a parameter needs a value. */
function keyIn(shape: Shape, segments: readonly string[]): string | undefined {
  let key = ''
  for (let i = 0; i < segments.length; i++) {
    if (shape[i] && segments[i] === '') return undefined
    key += `/${shape[i] ? anyValue : segments[i]!}`
  }
  return key
}

function paramsOf(path: string, segments: readonly string[]): Record<string, string> {
  const params = Object.create(null) as Record<string, string>
  for (const [index, part] of segmentsOf(path).entries())
    if (part.startsWith(':')) params[part.slice(1)] = segments[index]!
  return params
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1)
}
