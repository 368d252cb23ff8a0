import { ownValue } from '../../values/values.ts'

/** A fixture's value of a field: under the field's name, or under the alias, as a real server's response has it. */
export function valueOf(object: unknown, { name, key }: { name: string; key: string }): unknown {
  const value = ownValue(object, name)
  return value === undefined && key !== name ? ownValue(object, key) : value
}

const typeNames = new WeakMap<object, ReadonlySet<string>>()

/** The types that the objects of a fixture's data name in `__typename`. */
export function typeNamesOf(data: unknown): ReadonlySet<string> {
  if (typeof data !== 'object' || data === null) return new Set()
  let names = typeNames.get(data)
  if (!names) {
    const found = new Set<string>()
    forEachObject(data, (object) => {
      const name = ownValue(object, '__typename')
      if (typeof name === 'string') found.add(name)
    })
    typeNames.set(data, (names = found))
  }
  return names
}

const weights = new WeakMap<object, number>()

/**
 * How many fields more than one a value is worth that passes whole. Only long texts and large objects are any: aliases
 * multiply these, too.
 */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length >> 8
  if (typeof value !== 'object' || value === null) return 0
  let weight = weights.get(value)
  if (weight === undefined) {
    let values = 0
    forEachObject(value, (object) => {
      for (const part of Object.values(object))
        values += typeof part === 'string' ? 1 + (part.length >> 4) : 1
    })
    weights.set(value, (weight = values >> 4))
  }
  return weight
}

/** Visits every object and list once, however they refer to each other. */
function forEachObject(root: object, visit: (object: object) => void): void {
  const seen = new Set([root])
  for (const object of seen) {
    visit(object)
    for (const part of Object.values(object) as unknown[])
      if (typeof part === 'object' && part !== null) seen.add(part)
  }
}
