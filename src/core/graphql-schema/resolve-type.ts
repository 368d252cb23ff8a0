import type { GraphQLAbstractType, GraphQLResolveInfo } from 'graphql'
import { pick, type Place } from './place.ts'

/**
 * The type of an object where the schema leaves several: what the fixture's `__typename` says; else the first type that
 * has a field for each of the fixture's keys; else the first. Objects that are filled in take turns.
 */
export function resolveType(
  place: Place,
  _run: unknown,
  { schema }: GraphQLResolveInfo,
  abstractType: GraphQLAbstractType,
): string | undefined {
  const types = schema.getPossibleTypes(abstractType)
  if (place.value === undefined) return pick(types, place)?.name
  const object = place.value as Readonly<Record<string, unknown>>
  const written = Object.hasOwn(object, '__typename') ? object['__typename'] : undefined
  const keys = Object.keys(object)
  const type =
    types.find(({ name }) => name === written) ??
    types.find((candidate) =>
      keys.every((key) => key === '__typename' || Object.hasOwn(candidate.getFields(), key)),
    ) ??
    types[0]
  return type?.name
}
