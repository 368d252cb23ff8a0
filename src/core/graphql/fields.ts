import type { FieldNode, OperationDefinitionNode, SelectionSetNode } from 'graphql'
import { valueFromASTUntyped } from 'graphql/utilities/valueFromASTUntyped.js'
import { ownValue } from '../values/values.ts'
import type { ParsedDocument } from './document.ts'
import type { GraphQLParams } from './params.ts'
import { mayBeOfType } from './type-names.ts'
import { fieldsOf } from './walk-fields.ts'

/**
 * The arguments of each field at a path of field names, with the values of variables: several if the field is selected
 * under several aliases. If the operation does not select the path, or there is no document, the variables themselves.
 */
export function fieldArguments(
  params: GraphQLParams,
  path: readonly string[],
): [Record<string, unknown>, ...Record<string, unknown>[]] {
  const { operation, allVariables } = params
  const named = operation ? fieldsAt(params, operation, path, nameOf) : []
  const fields = operation && named.length === 0 ? fieldsAt(params, operation, path, responseKeyOf) : named
  const [first, ...others] = fields.map((field) => argumentsOf(field, allVariables))
  return first ? [first, ...others] : [{ ...params.variables }]
}

/** The arguments of a field, with the values of variables. */
export function argumentsOf(
  { arguments: args = [] }: FieldNode,
  variables: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    args.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]),
  )
}

/**
 * The fields at a path: several if the operation selects the same key repeatedly.
 *
 * @param data the data that the path leads through, so that fragments on other types are left out
 */
function fieldsAt(
  { document, allVariables: variables }: GraphQLParams,
  operation: OperationDefinitionNode,
  path: readonly unknown[],
  keyOf: (field: FieldNode) => string,
  data?: unknown,
): FieldNode[] {
  const { fragments } = document!
  let sets: SelectionSetNode[] = [operation.selectionSet]
  let fields: FieldNode[] = []
  let value = data
  for (const key of path) {
    if (typeof key !== 'string') {
      value = ownValue(value, String(key)) // an index into a list: the field stays the same
      continue
    }
    const mayBe = mayBeOfType(data, value)
    fields = fieldsOf(sets, { fragments, variables, mayBe }).filter((field) => keyOf(field) === key)
    sets = fields.flatMap((field) => field.selectionSet ?? [])
    value = ownValue(value, key) ?? (fields[0] && ownValue(value, nameOf(fields[0])))
  }
  return fields
}

/** The fields at a path of response keys. */
export function fieldsAtPath(
  params: GraphQLParams,
  operation: OperationDefinitionNode,
  path: readonly unknown[],
  data: unknown,
): FieldNode[] {
  return fieldsAt(params, operation, path, responseKeyOf, data)
}

const responseKeyOf = ({ alias, name }: FieldNode) => (alias ?? name).value
const nameOf = ({ name }: FieldNode) => name.value

const metaOnly = new WeakMap<OperationDefinitionNode, boolean>()

/** Whether an operation selects only `__typename`, `__schema` and `__type`, which are answered by the schema alone. */
export function isMetaOnly({ fragments }: ParsedDocument, operation: OperationDefinitionNode): boolean {
  let known = metaOnly.get(operation)
  if (known === undefined) {
    // Without the variables, a field under `@skip(if: $variable)` counts as selected.
    const fields = fieldsOf([operation.selectionSet], { fragments, variables: undefined })
    known = fields.every(({ name }) => name.value.startsWith('__'))
    metaOnly.set(operation, known)
  }
  return known
}
