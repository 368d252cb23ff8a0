import { oncePerObject } from '../values/collections.ts'
import {
  getArgumentValues,
  getNamedType,
  isObjectType,
  getIntrospectionQuery,
  Kind,
  parse,
  TypeMetaFieldDef,
  __Schema,
  __Type,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql/index.js'
import { fragmentsOf, type SelectionContext } from '../graphql/selections.ts'

/** graphql-js resolves introspection fields itself, where they can't be counted or stopped. */
export function countIntrospected(
  limit: number,
  schema: GraphQLSchema,
  fields: readonly FieldNode[],
  context: SelectionContext,
): number {
  let selections = 0
  const info = { schema } as GraphQLResolveInfo

  /** All values of one type together, since finding a field takes longer than reading it. */
  function count(
    type: GraphQLObjectType,
    values: readonly unknown[],
    set: SelectionSetNode | undefined,
  ): void {
    for (const selection of set?.selections ?? []) {
      selections += values.length
      if (selections > limit) return
      if (selection.kind === Kind.INLINE_FRAGMENT) count(type, values, selection.selectionSet)
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        count(type, values, context.fragments.get(selection.name.value)?.selectionSet)
      } else if (selection.selectionSet) {
        const field = type.getFields()[selection.name.value]
        const fieldType = field && getNamedType(field.type)
        if (!isObjectType(fieldType)) continue
        const inner: unknown[] = []
        for (const value of values) {
          const found: unknown = field?.resolve?.(value, { includeDeprecated: true }, undefined, info)
          for (const item of Array.isArray(found) ? (found as unknown[]) : [found]) if (item) inner.push(item)
          if (selections + inner.length > limit) break
        }
        count(fieldType, inner, selection.selectionSet)
      }
    }
  }

  for (const node of fields) {
    if (node.name.value === '__schema') count(__Schema, [schema], node.selectionSet)
    else {
      const { name } = getArgumentValues(TypeMetaFieldDef, node, context.variables)
      const type = schema.getType(String(name))
      if (type) count(__Type, [type], node.selectionSet)
    }
  }
  return selections
}

/** Units of one introspection, of 100 000 for a request or batch: any schema is introspected once, not twice. */
const maxUnits = 95_000

/** A value of an introspection takes longer than other fields. */
const fewestPerUnit = 0.6

/** More for a very large schema, since clients could not introspect it otherwise. */
export const introspectedPerUnit = oncePerObject((schema: GraphQLSchema): number => {
  // The query of GraphiQL and code generators.
  const document = parse(
    getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  )
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!
  const fields = operation.selectionSet.selections as readonly FieldNode[]
  const context = { fragments: fragmentsOf(document), variables: {} }
  return Math.max(fewestPerUnit, countIntrospected(Infinity, schema, fields, context) / maxUnits)
})
