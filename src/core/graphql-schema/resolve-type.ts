import type { GraphQLAbstractType, GraphQLResolveInfo } from 'graphql'
import { ownValue } from '../values/values.ts'
import { looksLike } from './missing-fields.ts'
import { pick, type Place } from './place.ts'

/** What is noted while types are resolved. */
export interface TypeContext {
  /** Names in `__typename` that are none of the possible types, and the type that was probably meant. */
  readonly nearTypeNames: Map<string, string>
}

/**
 * The type of an object where the schema leaves several: what the fixture's `__typename` says, and graphql-js refuses it
 * where it is none of them; else the first type that has a field for each of the fixture's keys; else the first. Objects
 * that are filled in take turns.
 */
export function resolveType(
  place: Place,
  { nearTypeNames }: TypeContext,
  { schema }: GraphQLResolveInfo,
  abstractType: GraphQLAbstractType,
): string | undefined {
  const types = schema.getPossibleTypes(abstractType)
  if (place.value === undefined) return pick(types, place)?.name
  const written = ownValue(place.value, '__typename')
  if (typeof written === 'string') {
    const isPossible = types.some(({ name }) => name === written)
    const near = isPossible ? undefined : types.find(({ name }) => looksLike(written, name))
    if (near) nearTypeNames.set(written, near.name)
    return written
  }
  const keys = Object.keys(place.value as object)
  const type =
    types.find((candidate) =>
      keys.every((key) => key === '__typename' || Object.hasOwn(candidate.getFields(), key)),
    ) ?? types[0]
  return type?.name
}
