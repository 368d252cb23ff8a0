import { writtenNumber } from './exact-number.ts'
import { hideUsers } from './url-user.ts'
import { isPlainObject } from './values.ts'

export function quote(text: string): string {
  return JSON.stringify(text)
}

export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') {
    const name = isPlainObject(value) ? undefined : value.constructor?.name
    return name ? `a ${name}` : 'an object'
  }
  if (typeof value === 'function') return 'a function'
  const written = writtenNumber(value)
  if (written !== undefined) return `the number ${written}`
  const text = typeof value === 'string' ? quote(hideUsers(value)) : String(value)
  return `the ${typeof value} ${text.length > 60 ? cutText(text, 57) : text}`
}

/** @param most characters */
export function cutText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** `1 route`, `2 routes`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** `512 B`, `1.5 KiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : [bytes / 1024 ** 2, 'MiB']
  return `${Number(size.toFixed(1))} ${unit}`
}

/** `0.4 ms`, `12 ms`, `1.25 s`; `< 1 ms` for what was not timed. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 0.05) return '< 1 ms'
  if (milliseconds >= 1000) return `${Number((milliseconds / 1000).toFixed(2))} s`
  return milliseconds >= 10 ? `${Math.round(milliseconds)} ms` : `${Number(milliseconds.toFixed(1))} ms`
}

/** @param share of the answers, 0 to 1 */
export function describeChaos(share: number): string {
  return `${Math.round(share * 1000) / 10} % of the answers fail`
}
