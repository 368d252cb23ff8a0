import leven from 'leven'
import type { MissingField } from '../checker.ts'

/** The fields that a fixture turns out to lack, each once. */
export interface MissingFields {
  /** An error says why these have no value. */
  excuse: (path: readonly string[]) => void
  /** @param object what lacks the last field of the path */
  add: (path: readonly string[], object: object) => void
  list: () => MissingField[]
}

/** More keys, and more hints, are not compared: the answer is waited for. */
const maxKeys = 500
const maxHints = 20

export function createMissingFields(): MissingFields {
  const excused = new Set<string>()
  const missing = new Map<string, MissingField>()
  return {
    excuse(path) {
      for (let end = 1; end <= path.length; end++) excused.add(path.slice(0, end).join('.'))
    },
    add(names, object) {
      const path = names.join('.')
      if (excused.has(path) || missing.has(path)) return
      const near = missing.size < maxHints ? nearestKey(object, names.at(-1)!) : undefined
      missing.set(path, near === undefined ? { path } : { path, near })
    },
    list: () => [...missing.values()],
  }
}

/** The key that looks most like a name: a slip for every three letters away, and never in one of a single letter. */
function nearestKey(object: object, name: string): string | undefined {
  const wanted = name.toLowerCase()
  let near: string | undefined
  let maxDistance = Math.floor((name.length + 1) / 3)
  for (const key of Object.keys(object).slice(0, maxKeys)) {
    if (key === name) continue // it is there, without a value
    const distance = leven(wanted, key.toLowerCase(), { maxDistance: maxDistance + 1 })
    if (distance > maxDistance) continue
    near = key
    maxDistance = distance - 1
  }
  return near
}
