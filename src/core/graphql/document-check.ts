import type { ASTNode, DirectiveNode, OperationDefinitionNode, SelectionSetNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { locationOf, type FormattedError } from './formatted-error.ts'
import { conditionOf, responseKey, type Fragments } from './selections.ts'

export function tooDeep(maxDepth: number): string {
  return `The document nests deeper than ${maxDepth} levels (option "graphql.maxDepth").`
}

/**
 * Errors with any schema; messages are those of graphql-js.
 *
 * @returns the first error, or an upper bound for the comparisons of "overlapping fields can be merged": fields with the
 * same response key, and each spread with each field and each other spread
 */
export function checkDocument(
  operations: readonly OperationDefinitionNode[],
  fragments: Fragments,
  maxDepth: number,
): number | FormattedError {
  const levelsOf = new Map<string, number>()
  const open: string[] = []
  const fieldsByKey = new Map<string, number>()
  let spreads = 0
  let error: FormattedError | undefined
  const found = (message: string, node: ASTNode): number => {
    error ??= { message, locations: [locationOf(node)] }
    return 0
  }

  /** @param above levels above this set; their limit also bounds the recursion */
  function measure({ selections }: SelectionSetNode, above: number): number {
    let levels = 1
    for (const selection of selections) {
      if (error) return 0
      if (above >= maxDepth) return found(tooDeep(maxDepth), selection)
      for (const directive of selection.directives ?? []) checkCondition(directive)
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        levels = Math.max(levels, spread(selection.name.value, selection, above) + 1)
        continue
      }
      if (selection.kind === Kind.FIELD) {
        const key = responseKey(selection)
        fieldsByKey.set(key, (fieldsByKey.get(key) ?? 0) + 1)
      }
      if (selection.selectionSet) levels = Math.max(levels, measure(selection.selectionSet, above + 1) + 1)
    }
    return levels
  }

  function spread(name: string, node: ASTNode, above: number): number {
    spreads++
    const fragment = fragments.get(name)
    if (!fragment) return found(`Unknown fragment "${name}".`, node)
    const start = open.indexOf(name)
    if (start !== -1) {
      const via = open.slice(start + 1).map((other) => `"${other}"`)
      const through = via.length > 0 ? ` via ${via.join(', ')}` : ''
      return found(`Cannot spread fragment "${name}" within itself${through}.`, node)
    }
    let levels = levelsOf.get(name)
    if (levels !== undefined) return above + levels < maxDepth ? levels : found(tooDeep(maxDepth), node)
    open.push(name)
    levels = measure(fragment.selectionSet, above + 1)
    open.pop()
    levelsOf.set(name, levels)
    return levels
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

  for (const operation of operations) measure(operation.selectionSet, 0)
  // A fragment that no operation spreads can be circular, too.
  for (const [name, fragment] of fragments) if (!levelsOf.has(name) && !error) spread(name, fragment, 0)
  if (error) return error
  const counts = [...fieldsByKey.values()]
  const fields = counts.reduce((sum, count) => sum + count, 0)
  const pairs = counts.reduce((sum, count) => sum + count * (count - 1), 0)
  return spreads * (fields + spreads) + pairs
}
