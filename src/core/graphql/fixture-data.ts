import type { FieldNode } from 'graphql'
import { oncePerObject } from '../values/collections.ts'
import { nearestName } from '../values/spelling.ts'
import { forEachObject, ownValue, type Values } from '../values/values.ts'
import { PagedConnection, type MissingField } from './result.ts'
import { argumentsOf } from './selections.ts'

export function fieldValue(
  object: unknown,
  field: { name: string; key: string; nodes: readonly FieldNode[] },
  variables: Values | undefined,
): unknown {
  const value = writtenValue(object, field.name, field.key)
  if (!(value instanceof PagedConnection)) return value
  return value.pageFor(argumentsOf(field.nodes[0]!, variables), 'without-schema')
}

/** Under the field's name, or under the alias, as in the response of a real server. */
export function writtenValue(object: unknown, name: string, key: string): unknown {
  const value = ownValue(object, name)
  return value === undefined && key !== name ? ownValue(object, key) : value
}

const typeNamesOf = oncePerObject((data: object): ReadonlySet<string> => {
  const found = new Set<string>()
  forEachObject(data, (object) => {
    const name = ownValue(object, '__typename')
    if (typeof name === 'string') found.add(name)
  })
  return found
})

/** Without a schema, a type that no object names may be an interface or a union. `undefined` if any type is possible. */
export function mayBeOfType(data: unknown, object: unknown): ((typeName: string) => boolean) | undefined {
  const own = ownValue(object, '__typename')
  if (typeof own !== 'string') return undefined
  const names = typeNamesOf(data as object)
  return (typeName) => typeName === own || !names.has(typeName)
}

/** Maximum keys, of one object and in all, that are compared while the answer waits. */
const maxKeys = 500
const maxCompared = 5_000

/** The fields that a fixture lacks. Paths are names of fields from the root, without indices. */
export class MissingFields {
  readonly #excused = new Set<string>()
  readonly #found = new Map<string, MissingField>()
  #comparisonsLeft = maxCompared

  /** Excludes the fields at the path of an error, which says why they have no value. */
  excuse(path: readonly string[]): void {
    for (let end = 1; end <= path.length; end++) this.#excused.add(path.slice(0, end).join('.'))
  }

  /** @param onlyMisspelled whether to ignore the field if none of the keys is similar */
  add(names: readonly string[], keys: readonly string[], onlyMisspelled = false): void {
    const path = names.join('.')
    if (this.#excused.has(path) || this.#found.has(path)) return
    const near = this.#nearest(names.at(-1)!, keys)
    if (near !== undefined) this.#found.set(path, { path, near })
    else if (!onlyMisspelled) this.#found.set(path, { path })
  }

  #nearest(name: string, keys: readonly string[]): string | undefined {
    if (this.#comparisonsLeft <= 0) return undefined
    // The name itself may be a key with the value undefined.
    const others = keys.slice(0, maxKeys).filter((key) => key !== name)
    this.#comparisonsLeft -= others.length
    return nearestName(name, others)
  }

  get list(): MissingField[] {
    return [...this.#found.values()]
  }
}
