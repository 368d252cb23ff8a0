import { isEnumType, type GraphQLEnumValue, type GraphQLLeafType } from 'graphql/index.js'
import { pick, seedOf, type Place } from './place.ts'
import { scalarValue } from './scalar-values.ts'

/** The value of a field, or of an item of its list, that the fixture leaves out. The same at every start. */
export function fillLeaf(
  type: GraphQLLeafType,
  place: Place,
  scalars: Readonly<Record<string, unknown>>,
): unknown {
  const values = enumValuesOf(type)
  if (values) {
    const value: unknown = pick(values, place)?.value
    return value
  }
  if (Object.hasOwn(scalars, type.name)) return scalars[type.name]
  return scalarValue(type.name, fieldOf(place), seedOf(place))
}

const enumValues = new WeakMap<GraphQLLeafType, readonly GraphQLEnumValue[] | null>()

/** The values of an enum, without those that are deprecated unless all are; `null` of a scalar. */
function enumValuesOf(type: GraphQLLeafType): readonly GraphQLEnumValue[] | null {
  let known = enumValues.get(type)
  if (known === undefined) {
    const values = isEnumType(type) ? type.getValues() : null
    const current = values?.filter(({ deprecationReason }) => deprecationReason == null)
    known = current && current.length > 0 ? current : values
    enumValues.set(type, known)
  }
  return known
}

/** How many items a list gets. Lists within lists within lists would soon be a large answer. */
export function filledLength({ filledLists }: Place): number {
  return filledLists < 4 ? 2 : 1
}

/** An item of a list is named as the list is. */
function fieldOf(place: Place): { typeName: string; fieldName: string } {
  let at = place
  while (typeof at.step === 'number') at = at.parent!
  return { typeName: at.typeName, fieldName: at.step }
}
