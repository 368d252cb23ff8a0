import { nearestName } from './spelling.ts'
import { isRecord, ownValue, setOwn, type KeyPath, type Values } from './values.ts'

export interface PatchEntry {
  written: string
  parts: readonly string[]
  /** `undefined` removes what is there. */
  value: unknown
  /** Called before each place that is changed; may throw. */
  beforeEach?: () => void
}

export interface Missed {
  written: string
  /** The part that is not there, as in `data.items.7`. */
  missing: string
  near: string | undefined
}

export function readChanges(patch: Values): (PatchEntry | { written: string; reason: string })[] {
  return Object.entries(patch).map(([written, given]) => {
    const parts = written.split('.')
    if (parts.includes('')) return { written, reason: 'a part between two dots is empty' }
    const operators = isRecord(given) ? Object.keys(given).filter((key) => key.startsWith('$')) : []
    if (operators.length === 0) return { written, parts, value: given }
    const isUnset = isRecord(given) && Object.keys(given).length === 1 && given['$unset'] === true
    if (isUnset) return { written, parts, value: undefined }
    return { written, reason: `its value has ${operators.join(' and ')}, and only { $unset: true } is known` }
  })
}

/** Changes the value. @returns where something was set to null, and what was not found */
export function applyChanges(value: unknown, changes: readonly PatchEntry[]) {
  const nulls: KeyPath[] = []
  const missed: Missed[] = []
  for (const change of changes) {
    const slots = findSlots(value, change, missed)
    // From the end, since removing an entry moves the later ones.
    for (const slot of slots.reverse()) {
      const { container, key } = slot
      change.beforeEach?.()
      if (change.value !== undefined)
        setOwn(
          container,
          String(key),
          isContainer(change.value) ? structuredClone(change.value) : change.value,
        )
      else if (Array.isArray(container)) container.splice(Number(key), 1)
      else delete (container as Record<string, unknown>)[key]
      if (change.value === null) nulls.push(pathOf(slot))
    }
  }
  return { nulls, missed }
}

interface Slot {
  container: object
  key: string | number
  /** Slot of the container; `undefined` for the root. */
  above: Slot | undefined
}

function pathOf({ key, above }: Slot): KeyPath {
  return above ? [...pathOf(above), key] : [key]
}

/** Keys that a missing one is compared with. */
const maxCompared = 1000

function findSlots(root: unknown, { written, parts }: PatchEntry, missed: Missed[]): Slot[] {
  let values: { value: unknown; above?: Slot }[] = [{ value: root }]
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const slots: Slot[] = []
    for (const { value, above } of values)
      for (const key of keysAt(value, part, isLast)) slots.push({ container: value as object, key, above })
    if (slots.length === 0 && !values.some(({ value }) => part === '*' && isContainer(value))) {
      const known = values
        .slice(0, maxCompared)
        .flatMap(({ value }) => (isRecord(value) ? Object.keys(value) : []))
      const near = nearestName(part, known.slice(0, maxCompared))
      missed.push({ written, missing: parts.slice(0, index + 1).join('.'), near })
      return []
    }
    if (isLast) return slots
    values = slots.map((above) => ({ value: ownValue(above.container, String(above.key)), above }))
  }
  return []
}

/** The last part may name a key that an object does not have yet. */
function keysAt(value: unknown, part: string, isLast: boolean): (string | number)[] {
  if (Array.isArray(value)) {
    if (part === '*') return [...value.keys()]
    const index = Number(part)
    return /^\d+$/.test(part) && index < value.length ? [index] : []
  }
  if (!isRecord(value)) return []
  if (part === '*' && !Object.hasOwn(value, '*')) return Object.keys(value)
  return isLast || Object.hasOwn(value, part) ? [part] : []
}

function isContainer(value: unknown): boolean {
  return Array.isArray(value) || isRecord(value)
}
