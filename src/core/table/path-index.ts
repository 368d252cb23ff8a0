import { trimSlash } from '../http/path.ts'
import type { Find, Found, Target } from './route-table.ts'

/** Stands for a parameter in the key of a path. No request path has this character. */
const anyValue = '?'

/** Which segments of a path are parameters, the same for `/orders/:id` and `/users/:name`. */
type Shape = readonly boolean[]

/**
 * Indexes simple paths: those that have only plain segments and parameters. A request costs one lookup for each shape with
 * as many segments, however many paths there are.
 *
 * Precedence is that of rou3: from left to right, a plain segment comes before a parameter.
 */
export function createPathIndex<T extends Target>(endpoints: readonly T[]): Find<T> {
  /** By method, then by key: the path with `?` in place of each parameter. */
  const methods = new Map<string, Map<string, T>>()
  const masks = new Set<string>()
  for (const endpoint of endpoints) {
    const key = keyOf(endpoint.path)
    if (key !== endpoint.path) masks.add(key.replace(/[^/?]+/g, ''))
    let index = methods.get(endpoint.method)
    if (!index) methods.set(endpoint.method, (index = new Map<string, T>()))
    index.set(key, endpoint)
  }
  const shapes = sortShapes(masks)

  return (method, path) => {
    const index = methods.get(method)
    if (!index) return undefined
    const trimmed = trimSlash(path)
    const plain = index.get(trimmed)
    if (plain) return { data: plain }
    const segments = segmentsOf(trimmed)
    for (const shape of shapes.get(segments.length) ?? []) {
      const found = findInShape(index, shape, segments)
      if (found) return found
    }
    return undefined
  }
}

function keyOf(path: string): string {
  return path.includes(':') ? path.replace(/:\w+/g, anyValue) : path
}

/** The shapes by their number of segments, each list in the order of precedence. */
function sortShapes(masks: Iterable<string>): Map<number, Shape[]> {
  const shapes = new Map<number, Shape[]>()
  // A plain segment leaves nothing, and so comes before a parameter.
  for (const mask of [...masks].sort()) {
    const shape = segmentsOf(mask).map((segment) => segment === anyValue)
    shapes.set(shape.length, [...(shapes.get(shape.length) ?? []), shape])
  }
  return shapes
}

function findInShape<T extends Target>(
  endpoints: ReadonlyMap<string, T>,
  shape: Shape,
  segments: readonly string[],
): Found<T> | undefined {
  let key = ''
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!
    if (shape[i] && segment === '') return undefined // a parameter needs a value
    key += `/${shape[i] ? anyValue : segment}`
  }
  const data = endpoints.get(key)
  return data && { data, params: paramsOf(data.path, segments) }
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
