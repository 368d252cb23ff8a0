/**
 * Tells in a few instructions, and without allocating, that no path can match: by the beginning of its first segment.
 * Nearly every request of a dev server is for a module of the application, and is let go here; what passes is looked up.
 */
export interface PathFilter {
  /** Whether some path begins with a parameter or a wildcard: then nothing can be let go. */
  readonly all: boolean
  readonly beginnings: Uint8Array
}

/** What a request with an escape in front falls into: how it is spelled says nothing of how it begins. */
const escaped = 4096

/** @param paths fixture paths, in rou3's syntax */
export function createPathFilter(paths: Iterable<string>): PathFilter {
  const beginnings = new Uint8Array(escaped + 1)
  beginnings[escaped] = 1
  let all = false
  for (const path of paths) {
    const segment = path.split('/', 2)[1] ?? ''
    // Only plain text says how a matching path begins, and only where no `/../` takes it back.
    if (/^[\w\-.~]*$/.test(segment) && !path.includes('/.')) beginnings[beginningOf(path)] = 1
    else all = true
  }
  return { all, beginnings }
}

/**
 * Whether a request may be for one of the paths; `false` is certain.
 *
 * @param url path, maybe with a query, as the request carries it
 * @param start where the path's first slash stands, behind a base
 */
export function mayMatch({ all, beginnings }: PathFilter, url: string, start = 0): boolean {
  return all || beginnings[beginningOf(url, start)] === 1
}

/** A number for the first three characters of the first segment; the one that is always let through for an escape. */
function beginningOf(path: string, start = 0): number {
  const first = charAt(path, start + 1)
  const second = first === end ? end : charAt(path, start + 2)
  const third = second === end ? end : charAt(path, start + 3)
  if (first === percent || second === percent || third === percent) return escaped
  return (first * 961 + second * 31 + third) % escaped
}

/** A character's code; `end` where the segment ends. */
function charAt(path: string, index: number): number {
  if (index >= path.length) return end
  const code = path.charCodeAt(index)
  return code === slash || code === questionMark ? end : code
}

const end = 0
const slash = 47
const questionMark = 63
const percent = 37
