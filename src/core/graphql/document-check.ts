import type { ASTNode, DirectiveNode, OperationDefinitionNode, SelectionSetNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { locationOf, type FormattedError } from './formatted-error.ts'
import { conditionOf, responseKey, type Fragments } from './selections.ts'

export function tooDeep(maxDepth: number): string {
  return `The document nests deeper than ${maxDepth} levels (option "graphql.maxDepth").`
}

/** Maximum selections of a document with its fragments expanded, which may double with each fragment. */
const maxSelections = 100_000

/** What a document asks for, measured once. */
interface DocumentSize {
  /** Selections of all operations, with fragments expanded. */
  selections: number
  /**
   * An upper bound for the pairs that the rule "overlapping fields can be merged" compares: fields with the same response
   * key anywhere in the document, and each spread with each field and each other spread.
   */
  comparisons: number
}

/** The size of a set of selections with its fragments expanded. */
interface Extent {
  levels: number
  selections: number
}

const nothing: Extent = { levels: 0, selections: 0 }

/**
 * Measures a document, or finds its first error that is an error with any schema: a fragment that is unknown or contains
 * itself, `@skip` or `@include` without a condition, selections that nest too deeply or are too many after expanding
 * fragments. Messages are those of graphql-js.
 */
export function checkDocument(
  operations: readonly OperationDefinitionNode[],
  fragments: Fragments,
  { maxDepth }: { maxDepth: number },
): DocumentSize | FormattedError {
  const extents = new Map<string, Extent>()
  const open: string[] = []
  const fieldsByKey = new Map<string, number>()
  let spreads = 0
  let error: FormattedError | undefined
  const found = (message: string, node: ASTNode): Extent => {
    error ??= { message, locations: [locationOf(node)] }
    return nothing
  }

  /** @param above levels above this set; the limit on them also bounds the recursion */
  function measure({ selections }: SelectionSetNode, above: number): Extent {
    const size = { levels: 1, selections: 0 }
    for (const selection of selections) {
      if (error) return nothing
      if (above >= maxDepth) return found(tooDeep(maxDepth), selection)
      for (const directive of selection.directives ?? []) checkCondition(directive)
      if (selection.kind === Kind.FIELD) {
        const key = responseKey(selection)
        fieldsByKey.set(key, (fieldsByKey.get(key) ?? 0) + 1)
      }
      let inner = nothing
      if (selection.kind === Kind.FRAGMENT_SPREAD) inner = spread(selection.name.value, selection, above)
      else if (selection.selectionSet) inner = measure(selection.selectionSet, above + 1)
      size.levels = Math.max(size.levels, inner.levels + 1)
      size.selections += inner.selections + 1
    }
    return size
  }

  function spread(name: string, node: ASTNode, above: number): Extent {
    spreads++
    const fragment = fragments.get(name)
    if (!fragment) return found(`Unknown fragment "${name}".`, node)
    const start = open.indexOf(name)
    if (start !== -1) {
      const via = open.slice(start + 1).map((other) => `"${other}"`)
      const through = via.length > 0 ? ` via ${via.join(', ')}` : ''
      return found(`Cannot spread fragment "${name}" within itself${through}.`, node)
    }
    let extent = extents.get(name)
    if (extent) return above + extent.levels < maxDepth ? extent : found(tooDeep(maxDepth), node)
    open.push(name)
    extent = measure(fragment.selectionSet, above + 1)
    open.pop()
    extents.set(name, extent)
    return extent
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

  let selections = 0
  for (const operation of operations) {
    selections += measure(operation.selectionSet, 0).selections
    if (selections > maxSelections)
      found(`The document selects more than ${maxSelections} fields, with its fragments.`, operation)
  }
  // A fragment that no operation spreads can contain itself too.
  for (const [name, fragment] of fragments) if (!extents.has(name) && !error) spread(name, fragment, 0)
  if (error) return error
  const counts = [...fieldsByKey.values()]
  const fields = counts.reduce((sum, count) => sum + count, 0)
  const pairs = counts.reduce((sum, count) => sum + count * (count - 1), 0)
  return { selections, comparisons: spreads * (fields + spreads) + pairs }
}
