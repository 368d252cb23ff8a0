import { oncePerObject } from '../values/collections.ts'
import { forEachObject, ownValue } from '../values/values.ts'

/** All values of `__typename` in a fixture's data. */
export function typeNamesOf(data: unknown): ReadonlySet<string> {
  return typeof data === 'object' && data !== null ? findTypeNames(data) : new Set()
}

const findTypeNames = oncePerObject((data: object): ReadonlySet<string> => {
  const found = new Set<string>()
  forEachObject(data, (object) => {
    const name = ownValue(object, '__typename')
    if (typeof name === 'string') found.add(name)
  })
  return found
})

/**
 * Whether an object may be of a type, without a schema: an object with a `__typename` is not of types that other objects
 * name. A type that no object names may be an interface or a union.
 *
 * @returns `undefined` when the object may be of any type
 */
export function mayBeOfType(data: unknown, object: unknown): ((typeName: string) => boolean) | undefined {
  const own = ownValue(object, '__typename')
  if (typeof own !== 'string') return undefined
  const names = typeNamesOf(data)
  return (typeName) => typeName === own || !names.has(typeName)
}
