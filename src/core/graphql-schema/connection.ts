import { oncePerObject } from '../values/collections.ts'
import { getNamedType, isObjectType, type GraphQLObjectType } from 'graphql/index.js'
import { isRecord, ownValue } from '../values/values.ts'
import { seedOf, type AnswerNode } from './answer-node.ts'

/*
 * A connection has its items twice: as `edges { node }` and as `nodes`.
 *
 * @see https://relay.dev/graphql/connections.htm
 */

/** The type of a connection's edges; `null` for a type that is not a connection with both. */
export const edgeTypeOf = oncePerObject((type: GraphQLObjectType): GraphQLObjectType | null => {
  const { edges, nodes } = type.getFields()
  const edgeType = edges && getNamedType(edges.type)
  if (!nodes || !isObjectType(edgeType)) return null
  const node = edgeType.getFields()['node']
  return node && getNamedType(node.type) === getNamedType(nodes.type) ? edgeType : null
})

/** The `nodes` of a fixture that has only `edges`, or the other way round. */
export function fromTwin(object: unknown, fieldName: string, type: GraphQLObjectType): unknown {
  if ((fieldName !== 'nodes' && fieldName !== 'edges') || !edgeTypeOf(type)) return undefined
  const twin = ownValue(object, fieldName === 'nodes' ? 'edges' : 'nodes')
  if (!Array.isArray(twin)) return undefined
  return (twin as unknown[]).map((item) => {
    if (fieldName === 'edges') return item === null ? null : { node: item }
    return isRecord(item) ? item['node'] : null
  })
}

/** The seed of an item of `nodes`: that of the node in the edge with the same index. */
export function seedOfNode(nodes: AnswerNode, index: number, edgeType: GraphQLObjectType): number {
  const edges: AnswerNode = { ...nodes, step: 'edges', seed: undefined }
  const edge: AnswerNode = { ...nodes, parent: edges, step: index, seed: undefined }
  return seedOf({ ...nodes, parent: edge, step: 'node', typeName: edgeType.name, args: {}, seed: undefined })
}
