import { oncePerObject } from '../values/collections.ts'
import { Kind } from 'graphql/language/kinds.js'
import type { ParsedDocument } from './document.ts'
import { everySelection, responseKey } from './selections.ts'

/** About 25 rules of graphql-js visit every node. */
const unitsPerToken = 3

/** Comparisons of two fields per unit, and how many graphql-js makes before it gives up. */
const comparisonsPerUnit = 40
const maxComparisons = 500_000

/** The maximum units of work for validating a document. */
export const validationCost = oncePerObject((document: ParsedDocument): number => {
  const comparisons = Math.min(comparisonsOf(document), maxComparisons)
  return document.tokens * unitsPerToken + Math.ceil(comparisons / comparisonsPerUnit)
})

/**
 * An upper bound for the pairs that the rule "overlapping fields can be merged" compares: fields with the same response
 * key anywhere in the document, and each spread with each field and each other spread.
 */
function comparisonsOf({ operations, fragments }: ParsedDocument): number {
  const fieldsByKey = new Map<string, number>()
  let fields = 0
  let spreads = 0
  for (const { selectionSet } of [...operations, ...fragments.values()]) {
    for (const selection of everySelection(selectionSet, new Map())) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) spreads++
      if (selection.kind !== Kind.FIELD) continue
      const key = responseKey(selection)
      fieldsByKey.set(key, (fieldsByKey.get(key) ?? 0) + 1)
      fields++
    }
  }
  let pairs = spreads * (fields + spreads)
  for (const count of fieldsByKey.values()) pairs += count * (count - 1)
  return pairs
}
