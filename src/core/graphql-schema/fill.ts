import { oncePerObject } from '../values/collections.ts'
import { isEnumType, type GraphQLEnumValue, type GraphQLLeafType } from 'graphql/index.js'
import { pick, seedOf, type AnswerNode } from './answer-node.ts'
import { scalarValue } from './scalar-values.ts'

/** The value for a missing field, or an item of its list. It is the same at every start. */
export function fillLeaf(
  type: GraphQLLeafType,
  node: AnswerNode,
  scalars: Readonly<Record<string, unknown>>,
): unknown {
  const values = enumValuesOf(type)
  if (values) return pick(values, node)?.value as unknown
  if (Object.hasOwn(scalars, type.name)) return scalars[type.name]
  return scalarValue(type.name, fieldOf(node), seedOf(node))
}

/** The values of an enum, without deprecated ones unless all are; `null` for a scalar. */
const enumValuesOf = oncePerObject((type: GraphQLLeafType): readonly GraphQLEnumValue[] | null => {
  if (!isEnumType(type)) return null
  const current = type.getValues().filter(({ deprecationReason }) => deprecationReason == null)
  return current.length > 0 ? current : type.getValues()
})

/**
 * The number of items of a filled-in list: not more than the field or its connection was asked for, and fewer in nested
 * lists to limit the size of the answer.
 */
export function filledLength({ filledLists, step, args, parent }: AnswerNode): number {
  const asked = step === 'edges' || step === 'nodes' ? parent?.args : args
  const limits = [asked?.['first'], asked?.['last']].filter((limit) => typeof limit === 'number')
  return Math.max(0, Math.min(filledLists < 4 ? 2 : 1, ...limits))
}

/** An item of a list has the name of the list. */
function fieldOf(node: AnswerNode): { typeName: string; fieldName: string } {
  let at = node
  while (typeof at.step === 'number') at = at.parent!
  return { typeName: at.typeName, fieldName: at.step }
}
