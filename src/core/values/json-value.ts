import { isPlainObject, setOwn } from './values.ts'

/** `undefined` for text that is not JSON. */
export function asJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

interface Misfit {
  /** Written as in code: `body.items[2].when`. */
  path: string
  what: string
}

/**
 * The first value that `JSON.stringify` leaves out or sends as `{}`; not what it rejects, or sends as `null`.
 *
 * @param path the name of the value
 */
export function findMisfit(value: unknown, path: string, around = new Set<object>()): Misfit | undefined {
  if (typeof value === 'function') return { path, what: 'a function' }
  if (typeof value === 'symbol') return { path, what: 'a symbol' }
  if (typeof value !== 'object' || value === null || around.has(value)) return undefined
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return undefined
  const what = Array.isArray(value) ? undefined : whatIsLost(value)
  if (what) return { path, what }
  around.add(value)
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    // The paths are only put together for a misfit.
    const found = findMisfit((value as Record<string | number, unknown>)[key], '', around)
    if (found) return { path: `${path}${property(key)}${found.path}`, what: found.what }
  }
  around.delete(value) // a value that occurs twice is not circular
  return undefined
}

/** Objects whose content JSON does not see. */
const closedKinds = ['Map', 'Set', 'WeakMap', 'WeakSet', 'RegExp', 'Error']
/** Wrapper objects, sent as their string, number or boolean. */
const boxKinds = ['Number', 'String', 'Boolean']

function whatIsLost(object: object): string | undefined {
  const kind = Object.prototype.toString.call(object).slice(8, -1)
  if (kind === 'Promise') return 'a promise (an "await" is missing)'
  if (closedKinds.includes(kind) || ArrayBuffer.isView(object)) return withArticle(kind)
  if (Object.keys(object).length > 0 || isPlain(object) || boxKinds.includes(kind)) return undefined
  const name = kind === 'Object' ? object.constructor?.name || kind : kind
  return `${withArticle(name)} without fields that JSON could hold`
}

function isPlain(object: object): boolean {
  const prototype = Object.getPrototypeOf(object) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null // of any realm
}

function withArticle(kind: string): string {
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`
}

function property(key: string | number): string {
  // Not a literal, whose character sets Node builds as soon as the file is loaded.
  const identifier = new RegExp(String.raw`^[\p{ID_Start}$_][\p{ID_Continue}$]*$`, 'u')
  return identifier.test(String(key)) ? `.${key}` : `[${JSON.stringify(key)}]`
}

const maxIgnored = 10_000

/** An unhandled rejection of a promise that is not sent would end the dev server. */
export function ignoreRejections(value: unknown): void {
  const seen = new Set<unknown>()
  const values = [value]
  while (values.length > 0 && seen.size < maxIgnored) {
    const one = values.pop()
    if (typeof one !== 'object' || one === null || seen.has(one)) continue
    seen.add(one)
    try {
      if (one instanceof Promise) one.catch(() => {})
      else values.push(...(one instanceof Map || one instanceof Set ? one.values() : Object.values(one)))
    } catch {
      // A proxy or an accessor that throws can't be searched.
    }
  }
}

/** A deep copy of lists and plain objects, since a module can change its exported value later. */
export function snapshot<T>(value: T, copies = new Map<unknown, object>()): T {
  const isList = Array.isArray(value)
  if (!isList && !(isPlainObject(value) && isPlain(value))) return value
  const known = copies.get(value)
  if (known) return known as T
  const made: object = isList ? [] : {}
  copies.set(value, made)
  for (const [key, inner] of Object.entries(value)) setOwn(made, key, snapshot(inner, copies))
  if (isList) (made as unknown[]).length = value.length
  return made as T
}
