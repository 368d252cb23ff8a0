/**
 * The canonical spelling decodes each segment, and encodes it as rou3 encodes literals: `/caf%c3%a9` and `/café` are the
 * same path, while `%2F` stays in its segment.
 */
const unsafe = /[\0- "#<>?^`{}%/\\\x7F-\uFFFF]+/g
const notCanonical = /[\0- "#<>?^`{}%\\\x7F-\uFFFF]/

/** `undefined` when the percent-encoding of a path is malformed. */
export function canonicalRequestPath(path: string): string | undefined {
  if (!notCanonical.test(path)) return path
  try {
    return path
      .split('/')
      .map((segment) => decodeURIComponent(segment).replace(unsafe, encodeURIComponent))
      .join('/')
  } catch {
    return undefined
  }
}

/** The text itself if its percent-encoding is malformed. */
export function percentDecoded(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    return text
  }
}

/** The canonical spelling of a prefix, without a trailing slash. */
export function canonicalBase(base: string): string {
  const trimmed = base.replace(/\/+$/, '')
  return canonicalRequestPath(trimmed) ?? trimmed
}

/** Only percent-escapes change, since a fixture's path may contain `:name` and `**`. */
export function canonicalPath(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+|%/gi, (escapes) => {
    if (escapes === '%') return '%25'
    try {
      const literal = decodeURIComponent(escapes).replace(unsafe, encodeURIComponent)
      return literal.replace(/[:()*+]/g, '\\$&') // encoded characters are literal text, not rou3 syntax
    } catch {
      return escapes
    }
  })
}

/** Two simple paths match the same requests if and only if they differ in nothing but the names of parameters. */
export function isSimplePath(path: string): boolean {
  if (!/^(?:\/(?:(?!\.)[\w~!$&',;=@.-]+|:[A-Za-z_]\w*))+$|^\/$/.test(path)) return false
  if (path.indexOf(':') === path.lastIndexOf(':')) return true
  const names = parameterNames(path)
  return new Set(names).size === names.length
}

/** The root of another origin keeps its slash. */
export function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') && !/^\w+:\/\/[^/]*\/$/.test(path) ? path.slice(0, -1) : path
}

/** `/orders/:id/**:rest` has `id` and `rest`; a wildcard without a name is `0`. */
export function parameterNames(path: string): string[] {
  const names = [...path.matchAll(/(?<!\\):([A-Za-z_]\w*)/g)].map((match) => match[1]!)
  const hasUnnamed = /(?<![\\*\w])\*\*?(?![*:])/.test(path)
  return hasUnnamed ? [...names, '0'] : names
}

/** The backend does not know the path below which a host serves everything. */
export function withoutBase(url: string, hostBase: string): string {
  return hostBase !== '' && url.startsWith(`${hostBase}/`) ? url.slice(hostBase.length) : url
}
