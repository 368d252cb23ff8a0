import { isPlainObject } from '../core/values/values.ts'
import { toPosix } from '../loader/paths.ts'

/** Source code that stands inside a value. */
export class Code {
  constructor(readonly text: string) {}
}

/**
 * The source of a value: what data files hold, and bytes and code in between.
 *
 * @param path the name of the value, for the error
 * @throws TypeError when the value has no source, as a function or an object of a class
 */
export function writeValue(value: unknown, path: string): string {
  if (value instanceof Code) return value.text
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (value === undefined || value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return writeText(value)
  if (Array.isArray(value))
    return `[${Array.from(value, (item, index) => writeValue(item, `${path}[${index}]`)).join(',')}]`
  if (!isPlainObject(value)) throw new TypeError(`${path} is ${describe(value)}`)
  const members = Object.entries(value).map(
    ([key, inner]) => `${writeKey(key)}:${writeValue(inner, `${path}.${key}`)}`,
  )
  return `{${members.join(',')}}`
}

/** The source of a string. `</script` is split, since the code may end up inside a page. */
export function writeText(text: string): string {
  return JSON.stringify(text).replaceAll(/<\/(?=script)/gi, '<\\/')
}

/** The source of an absolute path, as an import takes it. */
export function writePath(path: string): string {
  return writeText(toPosix(path))
}

/** `__proto__: …` in an object literal would be its prototype. */
function writeKey(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : writeText(key)
}

function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object'
    ? `an instance of ${value?.constructor?.name ?? 'a class'}`
    : `a ${typeof value}`
}
