import {
  getNullableType,
  isListType,
  isNonNullType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql/index.js'
import { fieldsByKey, fragmentsOf, subselections } from '../graphql/selections.ts'
import { mayBeOfType } from '../graphql/fixture-data.ts'
import { ownValue, type KeyPath } from '../values/values.ts'

type Values = Readonly<Record<string, unknown>>
function fieldTypes(schema: GraphQLSchema, document: DocumentNode): Map<FieldNode, GraphQLOutputType> {
  const types = new Map<FieldNode, GraphQLOutputType>()
  const info = new TypeInfo(schema)
  const enter = (node: FieldNode) => {
    const type = info.getType()
    if (type) types.set(node, type)
  }
  visit(document, visitWithTypeInfo(info, { Field: { enter } }))
  return types
}

/** @see https://spec.graphql.org/October2021/#sec-Handling-Field-Errors */
export function landingsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Values | undefined,
  data: Values,
  paths: readonly KeyPath[],
): number[] {
  const types = fieldTypes(schema, document)
  const fragments = fragmentsOf(document)
  return paths.map((path) => {
    const along: (GraphQLOutputType | undefined)[] = []
    let sets = [operation.selectionSet]
    let type: GraphQLOutputType | undefined
    let value: unknown = data
    for (const key of path) {
      if (typeof value !== 'object' || value === null) return path.length // a field around it is null already
      if (Array.isArray(value)) {
        const list: GraphQLOutputType | undefined = type && getNullableType(type)
        type = isListType(list) ? list.ofType : undefined
      } else {
        const context = { fragments, variables, mayBe: mayBeOfType(data, value) }
        const fields: readonly FieldNode[] = fieldsByKey(sets, context).get(String(key)) ?? []
        type = fields[0] && types.get(fields[0])
        sets = subselections(fields)
      }
      along.push(type)
      value = ownValue(value, String(key))
    }
    while (isNonNullType(along.at(-1))) along.pop()
    return along.length
  })
}
