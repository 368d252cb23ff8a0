import { isEnumType, type GraphQLEnumValue, type GraphQLLeafType } from 'graphql/index.js'
import { pick, seedOf, type Place } from './place.ts'
import { scalarValue } from './scalar-values.ts'

/** The value for a missing field, or an item of its list. It is the same at every start. */
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

/** The values of an enum, without deprecated ones unless all are; `null` for a scalar. */
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

/** The number of items of a filled-in list, fewer in nested lists to limit the size of the answer. */
export function filledLength({ filledLists }: Place): number {
  return filledLists < 4 ? 2 : 1
}

/** An item of a list has the name of the list. */
function fieldOf(place: Place): { typeName: string; fieldName: string } {
  let at = place
  while (typeof at.step === 'number') at = at.parent!
  return { typeName: at.typeName, fieldName: at.step }
}
