import { nearestName } from '../../values/spelling.ts'
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

/** The key that looks most like a name, of as many as are worth comparing. The name itself is there, without a value. */
function nearestKey(object: object, name: string): string | undefined {
  const keys = Object.keys(object).slice(0, maxKeys)
  return nearestName(
    name,
    keys.filter((key) => key !== name),
  )
}
