import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLEnumType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql/index.js'
import { oncePerObject } from '../values/collections.ts'
import { buildSchema, type SchemaSource } from './build-schema.ts'

const formats: Readonly<Record<string, string>> = {
  datetime: 'date-time',
  date: 'date',
  time: 'time',
  uuid: 'uuid',
  url: 'uri',
  uri: 'uri',
  email: 'email',
  emailaddress: 'email',
}
const numbers: Readonly<Record<string, string>> = { Int: 'integer', BigInt: 'integer', Float: 'number' }

/** Levels of objects in objects. */
const maxDepth = 3

export function findObjectType(
  sources: readonly SchemaSource[],
  name: string,
): GraphQLObjectType | undefined {
  const type = buildSchema(sources).schema?.getType(name)
  return isObjectType(type) ? type : undefined
}

/**
 * The fields of a type as JSON Schema has them. Without fields that are entities: they are found by their ids, or filled in
 * where an operation selects them.
 */
export function jsonSchemaOf(type: GraphQLObjectType, depth = 0): object {
  return atDepth[depth]!(type)
}

/** Each type once for each level: a few types with many fields each have millions of fields in fields. */
const atDepth = Array.from({ length: maxDepth + 1 }, (_, depth) =>
  oncePerObject((type: GraphQLObjectType) => schemaOfObject(type, depth)),
)
const schemaOfEnum = oncePerObject((type: GraphQLEnumType) => ({
  enum: type.getValues().map(({ name }) => name),
}))

function schemaOfObject(type: GraphQLObjectType, depth: number): object {
  const properties: Record<string, object> = {}
  const required: string[] = []
  for (const field of Object.values(type.getFields())) {
    const schema = schemaOfOutput(field.type, depth)
    if (!schema || field.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined))
      continue
    properties[field.name] = schema
    if (isNonNullType(field.type)) required.push(field.name)
  }
  return { type: 'object', properties, required }
}

function schemaOfOutput(given: GraphQLOutputType, depth: number): object | undefined {
  const type = getNullableType(given)
  if (isListType(type)) {
    const items = schemaOfOutput(type.ofType, depth)
    return items && { type: 'array', items }
  }
  if (isEnumType(type)) return schemaOfEnum(type)
  if (isObjectType(type))
    return type.getFields()['id'] || depth >= maxDepth ? undefined : jsonSchemaOf(type, depth + 1)
  if (isInputObjectType(type) || 'getFields' in type || 'getTypes' in type) return undefined
  const { name } = type
  if (name === 'Boolean') return { type: 'boolean' }
  if (name in numbers) return { type: numbers[name] }
  const format = formats[name.toLowerCase().replaceAll('_', '')]
  return { type: 'string', ...(format !== undefined && { format }) }
}
