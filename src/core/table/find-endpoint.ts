import { addRoute, createRouter, findRoute } from 'rou3'
import type { Endpoint, Find } from './route-table.ts'

/** Makes the function that finds an endpoint: a literal segment comes before a parameter, and that before a wildcard. */
export function createFind(endpoints: Iterable<Endpoint>): Find {
  const router = createRouter<Endpoint>()
  for (const endpoint of endpoints) addRoute(router, endpoint.method, endpoint.path, endpoint)
  return (method, path) => findRoute(router, method, path)
}

/**
 * Recognises nearly every request that no route is for, such as the modules and assets of a dev server, by the first two
 * characters of its path. It has one byte for each pair of ASCII characters, so that nothing is hashed, sliced or decoded.
 */
export type Prefilter = Uint8Array

const size = 128
const [slash, questionMark, percent] = ['/', '?', '%'].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
]

export function createPrefilter(paths: Iterable<string>): Prefilter {
  const known = new Uint8Array(size * size)
  const add = (first: number, second: number) => (known[first * size + second] = 1)
  // An escape may stand for any character.
  for (let other = 0; other < size; other++) {
    add(percent, other)
    add(other, percent)
  }
  for (const path of paths) {
    const segment = /^\/([^/]*)/.exec(path)?.[1] ?? ''
    // A parameter, a wildcard, a character with other spellings, or a dot segment: any character may match.
    if (!/^[\w~@!$&',;=.-]*$/.test(segment) || path.includes('/.')) return known.fill(1)
    const [first, second] = [segment.charCodeAt(0), segment.charCodeAt(1)]
    if (segment === '') {
      // The root, or an empty first segment.
      for (const first of [questionMark, slash]) known.fill(1, first * size, (first + 1) * size)
    } else if (segment.length === 1) {
      add(first, slash)
      add(first, questionMark)
    } else add(first, second)
  }
  return known
}

/**
 * Whether a URL may have one of the paths; `false` is certain.
 *
 * @param start index of the slash that begins the path
 */
export function mayMatch(known: Prefilter, url: string, start: number): boolean {
  if (url.length < start + 3) return true
  const first = url.charCodeAt(start + 1)
  const second = url.charCodeAt(start + 2)
  return first >= size || second >= size || known[first * size + second] === 1
}
