/** A table of words: `GET POST PUT`. */
export const words = (text: string): string[] => text.split(' ')

export type Values = Readonly<Record<string, unknown>>

/** Keys of objects and lists, from the outside in. */
export type KeyPath = readonly (string | number)[]

/** An object as in JSON: neither `null` nor a list, nor bytes. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
}

/** Whether the value is an object, but not a list, a `Map`, a `Date` or a promise. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]' // of any realm
}

/** An own property, so that `constructor` and `__proto__` are ordinary names, or an item of a list. */
export function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return Array.isArray(value) && key === 'length' ? undefined : (value as Record<string, unknown>)[key]
}

/** A plain assignment to `__proto__` sets the prototype. */
export function setOwn(object: object, key: string, value: unknown): void {
  if (key !== '__proto__') (object as Record<string, unknown>)[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

type Defined<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

/** The object without the keys that have no value: in most types, they are absent. */
export function defined<T extends object>(given: T): Defined<T> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Defined<T>
}

/** `undefined` for an object without keys. */
export function filled<T extends object>(object: T): T | undefined {
  return Object.keys(object).length > 0 ? object : undefined
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

/** Continues synchronously unless the value is a promise: an `await` costs 2 % of a request. */
export function andThen<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Circular objects nest deeper than any number of levels. */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  let level = new Set([value])
  for (let depth = 0; depth <= levels; depth++) {
    const next = new Set<unknown>()
    for (const item of level)
      if (Array.isArray(item) || isPlainObject(item)) for (const part of Object.values(item)) next.add(part)
    if (next.size === 0) return false
    level = next
  }
  return true
}

/** Visits every object and list once, also with circular references. */
export function forEachObject(root: object, visit: (object: object, values: unknown[]) => void): void {
  const seen = new Set([root])
  for (const object of seen) {
    const values = Object.values(object) as unknown[]
    visit(object, values)
    for (const part of values) if (typeof part === 'object' && part !== null) seen.add(part)
  }
}

/** The order of code units, which is the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** JSON that is the same in whatever order the keys of objects are. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => compareTexts(a, b))) : part,
  )
}

/** Keys are those of objects and lists. `undefined` where one of them is missing. */
export function valueAt(value: unknown, keys: KeyPath): unknown {
  return keys.reduce<unknown>((part, key) => ownValue(part, String(key)), value)
}

/** @see https://www.rfc-editor.org/rfc/rfc6901 */
export function toPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** `/routes/1` gives `['routes', '1']`. A reference may begin with `#`. */
export function keysOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
