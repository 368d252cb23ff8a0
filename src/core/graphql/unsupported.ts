import type { DirectiveNode, OperationDefinitionNode, SelectionNode } from 'graphql'
import { OperationTypeNode } from 'graphql/language/ast.js'
import { Kind } from 'graphql/language/kinds.js'
import type { ParsedDocument } from './document.ts'
import type { GraphQLParams } from './params.ts'
import { locationOf, type FormattedError } from './formatted-error.ts'
import { pushSelections } from './push-selections.ts'

/**
 * Why an operation can't be answered with a single response: it is a subscription, or it uses `@defer` or `@stream`.
 */
export function findUnsupported(
  { fragments, isDeferring }: ParsedDocument,
  operation: OperationDefinitionNode,
  params: GraphQLParams,
): FormattedError | undefined {
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
    return refuse(
      'Subscriptions are not served here: this endpoint answers queries and mutations.',
      operation,
    )
  }
  if (!isDeferring) return undefined
  const variables = params.allVariables ?? {}
  const seen = new Set<string>()
  const pending: SelectionNode[] = [...operation.selectionSet.selections]
  for (let selection = pending.pop(); selection; selection = pending.pop()) {
    const directive = selection.directives?.find((node) => isActive(node, variables))
    if (directive) {
      const name = directive.name.value
      return refuse(`"@${name}" is not served here: this endpoint answers in one part.`, directive)
    }
    if (selection.kind !== Kind.FRAGMENT_SPREAD) pushSelections(pending, selection.selectionSet?.selections)
    else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value)
      pushSelections(pending, fragments.get(selection.name.value)?.selectionSet.selections)
    }
  }
  return undefined
}

function isActive(
  { name, arguments: args }: DirectiveNode,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  if (name.value !== 'defer' && name.value !== 'stream') return false
  const value = args?.find((argument) => argument.name.value === 'if')?.value
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value] !== false
  return !(value?.kind === Kind.BOOLEAN && !value.value)
}

function refuse(message: string, node: OperationDefinitionNode | DirectiveNode): FormattedError {
  return { message, locations: [locationOf(node)] }
}
