import type { FieldNode } from 'graphql'
import { valueFromASTUntyped } from 'graphql/utilities/valueFromASTUntyped.js'
import { positionsOf, type Asked } from './locations.ts'

/**
 * The arguments of each field at a path, with the values of variables: several if the field is selected under several
 * aliases. If the operation does not select the path, or there is no document, the variables themselves.
 *
 * @param given the variables in the request, without default values
 */
export function fieldArguments(
  asked: Asked,
  given: Readonly<Record<string, unknown>> | undefined,
  path: readonly string[],
): [Record<string, unknown>, ...Record<string, unknown>[]] {
  const { operation, document, allVariables: variables } = asked
  const positions = operation
    ? positionsOf(path, [operation.selectionSet], { fragments: document!.fragments, variables })
    : []
  const [first, ...others] = positions.flatMap(({ nodes }) =>
    nodes.map((node) => argumentsOf(node, variables)),
  )
  return first ? [first, ...others] : [{ ...given }]
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
