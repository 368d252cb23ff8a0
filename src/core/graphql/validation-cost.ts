import type { SelectionSetNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import type { ParsedDocument } from './document.ts'

/** About 25 rules of graphql-js visit every node. */
const unitsPerToken = 3

/** Comparisons of two fields per unit, and how many graphql-js makes before it gives up. */
const comparisonsPerUnit = 40
const maxComparisons = 500_000

const costs = new WeakMap<ParsedDocument, number>()

/** The maximum units of work for validating a document. */
export function validationCost(document: ParsedDocument): number {
  let cost = costs.get(document)
  if (cost === undefined) {
    const comparisons = Math.min(comparisonsOf(document), maxComparisons)
    cost = document.tokens * unitsPerToken + Math.ceil(comparisons / comparisonsPerUnit)
    costs.set(document, cost)
  }
  return cost
}

/**
 * An upper bound for the pairs that the rule "overlapping fields can be merged" compares: fields with the same response
 * key anywhere in the document, and each spread with each field and each other spread.
 */
function comparisonsOf({ operations, fragments }: ParsedDocument): number {
  const fieldsByKey = new Map<string, number>()
  let fields = 0
  let spreads = 0
  const pending: SelectionSetNode[] = [...operations, ...fragments.values()].map((node) => node.selectionSet)
  for (let set = pending.pop(); set; set = pending.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        fieldsByKey.set(key, (fieldsByKey.get(key) ?? 0) + 1)
        fields++
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) spreads++
      else if (selection.selectionSet) pending.push(selection.selectionSet)
    }
  }
  let pairs = spreads * (fields + spreads)
  for (const count of fieldsByKey.values()) pairs += count * (count - 1)
  return pairs
}
