import { isRecord } from '../core/values/values.ts'

/* Values of files of others, which may be anything. */

export function recordIn(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** The objects of a list. */
export function listIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : []
}

/** Text as it is, and other values as JSON; nothing for what is missing. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
