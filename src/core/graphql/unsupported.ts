import type { DirectiveNode, OperationDefinitionNode } from 'graphql'
import { OperationTypeNode } from 'graphql/language/ast.js'
import { Kind } from 'graphql/language/kinds.js'
import type { ParsedDocument } from './document.ts'
import { locationOf, type FormattedError } from './formatted-error.ts'
import type { GraphQLParams } from './params.ts'
import { conditionOf, everySelection } from './selections.ts'

/** Why an operation can't be answered with a single response: it is a subscription, or it uses `@defer` or `@stream`. */
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
  const { allVariables = {} } = params
  for (const { directives } of everySelection(operation.selectionSet, fragments)) {
    const directive = directives?.find((node) => defers(node, allVariables))
    if (directive) {
      const name = directive.name.value
      return refuse(`"@${name}" is not served here: this endpoint answers in one part.`, directive)
    }
  }
  return undefined
}

function defers(directive: DirectiveNode, variables: Readonly<Record<string, unknown>>): boolean {
  const name = directive.name.value
  if (name !== 'defer' && name !== 'stream') return false
  const value = conditionOf(directive)
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value] !== false
  return !(value?.kind === Kind.BOOLEAN && !value.value)
}

function refuse(message: string, node: OperationDefinitionNode | DirectiveNode): FormattedError {
  return { message, locations: [locationOf(node)] }
}
