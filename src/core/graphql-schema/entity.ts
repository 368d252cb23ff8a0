import { addTo, getOrMake, oncePerObject } from '../values/collections.ts'
import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isObjectType,
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql/index.js'
import { PagedConnection } from '../graphql/result.ts'
import { writtenNumber } from '../values/exact-number.ts'
import { isPlainObject, isRecord, ownValue, type Values } from '../values/values.ts'
import { forEachField, subselections, type SelectionContext } from '../graphql/selections.ts'
import { fillLeaf, filledLength } from './fill.ts'
import { hash32 } from '../values/hash.ts'
import { seedOf, type AnswerNode, type Entity } from './answer-node.ts'

/**
 * Entities are objects with an `id`. A missing field has the same value wherever its entity appears, as clients with a
 * normalised cache (Apollo, Relay) expect.
 */

type KnownEntities = ReadonlyMap<string, readonly Values[]>

export type EntityIndex = WeakMap<object, KnownEntities>

export interface EntityContext {
  readonly schema: GraphQLSchema
  readonly scalars: Values
  readonly entities: EntityIndex
  readonly data: unknown
}

/** The entity by the fixture's `id`, the `id` argument of its field, or its position; `undefined` without one. */
export function identify(
  node: AnswerNode,
  type: GraphQLObjectType,
  context: EntityContext,
): Entity | undefined {
  if (node.entity !== undefined) return node.entity ?? undefined
  node.entity = null
  const idType = node.parent && idTypeOf(type)
  if (!idType) return undefined
  const id =
    ownValue(node.value, 'id') ??
    askedId(node) ??
    fillLeaf(
      idType,
      { ...node, parent: node, step: 'id', typeName: type.name, args: undefined, seed: undefined },
      context.scalars,
    )
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  const key = `${type.name}:${writtenNumber(id) ?? id}`
  node.entity = { id, key }
  node.seed = hash32(key)
  return node.entity
}

function idTypeOf(type: GraphQLObjectType): GraphQLLeafType | undefined {
  const field = Object.hasOwn(type.getFields(), 'id') ? type.getFields()['id'] : undefined
  const idType = field && getNullableType(field.type)
  return isLeafType(idType) ? idType : undefined
}

/** A longer string is not an id, and would have to be compared with each type. */
const maxIdLength = 500

function askedId({ step, args }: AnswerNode): unknown {
  const id = typeof step === 'string' ? args?.['id'] : undefined
  return typeof id === 'string' && id.length > maxIdLength ? undefined : id
}

export function knownValue({ key }: Entity, fieldName: string, context: EntityContext): unknown {
  for (const object of entitiesOf(context).get(key) ?? []) {
    const value = ownValue(object, fieldName)
    if (value !== undefined) return value
  }
  return undefined
}

/**
 * For `node(id: "User-1")`: the fixture's entity with the id, otherwise the type that the id begins with, otherwise one
 * with a fragment, since a client with the id knows the type.
 */
export function typeOfAskedId(
  node: AnswerNode,
  types: readonly GraphQLObjectType[],
  fieldNodes: readonly FieldNode[],
  context: EntityContext & SelectionContext,
): GraphQLObjectType | undefined {
  const id = askedId(node)
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  const known = entitiesOf(context)
  const conditions = new Set<string>()
  const mayBe = (name: string) => Boolean(conditions.add(name))
  forEachField(subselections(fieldNodes), { ...context, mayBe }, () => {})
  const [prefix] = String(id).split('-', 1)
  return (
    (known.size > 0 && types.find(({ name }) => known.has(`${name}:${id}`))) ||
    types.find(({ name }) => name === prefix) ||
    types.find(({ name }) => conditions.has(name))
  )
}

function entitiesOf({ schema, data, entities }: EntityContext): KnownEntities {
  if (!isPlainObject(data)) return new Map()
  return getOrMake(entities, data, () => collectEntities(schema, data))
}

const maxObjects = 20_000

function collectEntities(schema: GraphQLSchema, data: Values): KnownEntities {
  const known = new Map<string, Values[]>()
  const seen = new Set<object>()
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) => type ?? [])
  const pending: [value: unknown, type: GraphQLNamedType][] = roots.map((type) => [data, type])
  for (let next = pending.pop(); next && seen.size < maxObjects; next = pending.pop()) {
    const [found, type] = next
    const value = found instanceof PagedConnection ? { edges: found.items.map((node) => ({ node })) } : found
    if (Array.isArray(value)) {
      if (seen.has(value)) continue
      seen.add(value)
      for (const item of value as unknown[]) pending.push([item, type])
      continue
    }
    if (!isPlainObject(value) || (seen.has(value) && value !== data)) continue
    seen.add(value)
    const objectType = isAbstractType(type) ? writtenType(schema, type, value) : type
    if (!isObjectType(objectType)) continue
    const id = ownValue(value, 'id')
    if (typeof id === 'string' || typeof id === 'number')
      addTo(known, `${objectType.name}:${writtenNumber(id) ?? id}`, value)
    const fields = objectType.getFields()
    for (const name of Object.keys(value))
      if (Object.hasOwn(fields, name)) pending.push([value[name], getNamedType(fields[name]!.type)])
  }
  return known
}

function writtenType(schema: GraphQLSchema, type: GraphQLAbstractType, object: unknown) {
  const written = ownValue(object, '__typename')
  return schema.getPossibleTypes(type).find(({ name }) => name === written)
}

/** A connection has its items as `edges { node }` and as `nodes`: https://relay.dev/graphql/connections.htm */

/** `null` for a type without both `edges` and `nodes`. */
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

/** The total of a connection: the number of its items, since a filled-in connection has no further page. */
export function totalOf(connection: AnswerNode, fieldName: string, type: GraphQLObjectType) {
  if (!/^(?:total_?)?count$/i.test(fieldName)) return undefined
  const lists = ['edges', 'nodes'].filter((name) => Object.hasOwn(type.getFields(), name))
  const [step] = lists
  if (step === undefined) return undefined
  const written = lists.map((name) => ownValue(connection.value, name)).find(Array.isArray)
  return written ? written.length : filledLength({ ...connection, parent: connection, step })
}

/** The seed of the node in the edge with the same index. */
export function seedOfNode(nodes: AnswerNode, index: number, edgeType: GraphQLObjectType): number {
  const edges: AnswerNode = { ...nodes, step: 'edges', seed: undefined }
  const edge: AnswerNode = { ...nodes, parent: edges, step: index, seed: undefined }
  return seedOf({ ...nodes, parent: edge, step: 'node', typeName: edgeType.name, args: {}, seed: undefined })
}
