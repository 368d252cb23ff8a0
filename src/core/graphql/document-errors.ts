import type { ASTNode, DirectiveNode, OperationDefinitionNode, SelectionSetNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { locationOf, type FormattedError } from './formatted-error.ts'
import { conditionOf, type Fragments } from './selections.ts'

export function tooDeep(maxDepth: number): string {
  return `The document nests deeper than ${maxDepth} levels (option "graphql.maxDepth").`
}

/**
 * The first error of a document that is an error with any schema: a fragment that is unknown or contains itself, `@skip` or
 * `@include` without a condition, selections that nest too deeply after expanding fragments. Messages are those of
 * graphql-js.
 */
export function findDocumentError(
  operations: readonly OperationDefinitionNode[],
  fragments: Fragments,
  { maxDepth }: { maxDepth: number },
): FormattedError | undefined {
  // Levels below each visited fragment.
  const depths = new Map<string, number>()
  const open: string[] = []
  let error: FormattedError | undefined
  const found = (message: string, node: ASTNode): number => {
    error ??= { message, locations: [locationOf(node)] }
    return 0
  }

  /** @param above levels above this set; the limit on them also bounds the recursion */
  function depthOf({ selections }: SelectionSetNode, above: number): number {
    let deepest = 0
    for (const selection of selections) {
      if (error) return 0
      if (above >= maxDepth) return found(tooDeep(maxDepth), selection)
      for (const directive of selection.directives ?? []) checkCondition(directive)
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        deepest = Math.max(deepest, spread(selection.name.value, selection, above))
      else if (selection.selectionSet) deepest = Math.max(deepest, depthOf(selection.selectionSet, above + 1))
    }
    return deepest + 1
  }

  function spread(name: string, node: ASTNode, above: number): number {
    const fragment = fragments.get(name)
    if (!fragment) return found(`Unknown fragment "${name}".`, node)
    const start = open.indexOf(name)
    if (start !== -1) {
      const via = open.slice(start + 1).map((other) => `"${other}"`)
      const through = via.length > 0 ? ` via ${via.join(', ')}` : ''
      return found(`Cannot spread fragment "${name}" within itself${through}.`, node)
    }
    const known = depths.get(name)
    if (known !== undefined) {
      if (above + known < maxDepth) return known
      return found(tooDeep(maxDepth), node)
    }
    open.push(name)
    const depth = depthOf(fragment.selectionSet, above + 1)
    open.pop()
    depths.set(name, depth)
    return depth
  }

  function checkCondition(directive: DirectiveNode): void {
    const name = directive.name.value
    if (name !== 'skip' && name !== 'include') return
    const value = conditionOf(directive)
    if (!value) {
      found(
        `Directive "@${name}" argument "if" of type "Boolean!" is required, but it was not provided.`,
        directive,
      )
    } else if (value.kind !== Kind.BOOLEAN && value.kind !== Kind.VARIABLE) {
      found(`Directive "@${name}" argument "if" must be a Boolean or a variable.`, value)
    }
  }

  for (const { selectionSet } of operations) depthOf(selectionSet, 0)
  // A fragment that no operation spreads can contain itself too.
  for (const [name, fragment] of fragments) if (!depths.has(name) && !error) spread(name, fragment, 0)
  return error
}
