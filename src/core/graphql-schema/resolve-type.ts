import type { GraphQLAbstractType, GraphQLResolveInfo } from 'graphql'
import type { Budget } from '../graphql/budget.ts'
import { ownValue } from '../values/values.ts'
import type { SelectionContext } from '../graphql/selections.ts'
import { typeOfAskedId, type EntityContext } from './entity.ts'
import { pick, type AnswerNode } from './answer-node.ts'

/**
 * The type of an object of an interface or union: the fixture's `__typename` (graphql-js rejects an impossible one);
 * otherwise the first type with a field for each of the fixture's keys; otherwise the first type. Filled-in objects
 * alternate between the types, unless the requested id shows the type.
 */
export function resolveType(
  node: AnswerNode,
  context: EntityContext & SelectionContext & { budget: Budget },
  { schema, fieldNodes }: GraphQLResolveInfo,
  abstractType: GraphQLAbstractType,
): string | undefined {
  const types = schema.getPossibleTypes(abstractType)
  // Without a `__typename`, all types are compared, some several times.
  context.budget.spend('fields', types.length >> 4)
  if (node.value === undefined) {
    return (typeOfAskedId(node, types, fieldNodes, context) ?? pick(types, node))?.name
  }
  const written = ownValue(node.value, '__typename')
  if (typeof written === 'string') return written
  const keys = Object.keys(node.value as object)
  const type =
    types.find((candidate) =>
      keys.every((key) => key === '__typename' || Object.hasOwn(candidate.getFields(), key)),
    ) ?? types[0]
  return type?.name
}
