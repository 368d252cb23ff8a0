/*
 * Request paths and fixture paths are compared in one canonical spelling: every segment is decoded, then encoded again as
 * rou3 encodes literal text. So `/caf%c3%a9`, `/café` and `/%63afé` are the same path, while `%2F` stays in its segment.
 */
const unsafe = /[\0- "#<>?^`{}%/\\\x7F-\uFFFF]+/g
const notCanonical = /[\0- "#<>?^`{}%\\\x7F-\uFFFF]/

/** A request's path in its canonical spelling; `undefined` when its percent-encoding is malformed. */
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

/** A text without its percent-encoding, or as it is if that is malformed. */
export function percentDecoded(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    return text
  }
}

/** A path for messages: percent-decoded, if it is valid. */
export function readablePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** A path prefix, such as the option `base`, in its canonical spelling and without a trailing slash. */
export function canonicalBase(base: string): string {
  const trimmed = base.replace(/\/+$/, '')
  return canonicalRequestPath(trimmed) ?? trimmed
}

/** A fixture's path in its canonical spelling. Only its percent-escapes change, since it may contain `:name` and `**`. */
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

/**
 * Whether a path has only plain segments and parameters that are a whole segment each, with different names:
 * `/orders/:id`. Two such paths match the same requests if and only if they differ in nothing but the names.
 */
export function isSimplePath(path: string): boolean {
  if (!/^(?:\/(?:(?!\.)[\w~!$&',;=@.-]+|:[A-Za-z_]\w*))+$|^\/$/.test(path)) return false
  if (path.indexOf(':') === path.lastIndexOf(':')) return true
  const names = parameterNames(path)
  return new Set(names).size === names.length
}

/** A path without its trailing slash, which is ignored. */
export function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** The names of a fixture path's parameters: `/orders/:id/**:rest` has `id` and `rest`, a wildcard without a name `0`. */
export function parameterNames(path: string): string[] {
  const names = [...path.matchAll(/(?<!\\):([A-Za-z_]\w*)/g)].map((match) => match[1]!)
  const hasUnnamed = /(?<![\\*\w])\*\*?(?![*:])/.test(path)
  return hasUnnamed ? [...names, '0'] : names
}

/** A URL without the path below which a host serves everything, which the backend does not know. */
export function withoutBase(url: string, hostBase: string): string {
  return hostBase !== '' && url.startsWith(`${hostBase}/`) ? url.slice(hostBase.length) : url
}
