import { nearestName } from '../../values/spelling.ts'
import type { MissingField } from '../checker.ts'

/** Collects the missing fields of a fixture, each once. */
export interface MissingFields {
  /** Excludes the fields at a path, since an error says why they have no value. */
  excuse: (path: readonly string[]) => void
  /** @param object the object without the last field of the path */
  add: (path: readonly string[], object: object) => void
  list: () => MissingField[]
}

/** Maximum keys and hints that are compared, since the answer has to wait for it. */
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

/** The key most similar to a name, among a limited number. The name itself may be a key too, with the value undefined. */
function nearestKey(object: object, name: string): string | undefined {
  const keys = Object.keys(object).slice(0, maxKeys)
  return nearestName(
    name,
    keys.filter((key) => key !== name),
  )
}
