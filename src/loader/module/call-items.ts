import { diagnose, type Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Route } from '../../core/fixture/route.ts'
import { describeValue } from '../../core/values/describe-value.ts'
import { findMisfit, ignoreRejections, snapshot } from '../../core/values/json-value.ts'
import { placeInStack, reasonOf } from '../../core/values/thrown.ts'
import { isThenable } from '../../core/values/values.ts'

interface FailedItems {
  reason: string
  fix?: string
  /** Where the function threw. */
  line?: number
}

/**
 * Replaces each `paginate.items` that is a function with the list that it returns. A route whose function fails gets the
 * diagnostic as its error.
 *
 * There is nothing of Node here: the fetch entry uses it, too.
 */
export function callItems(routes: readonly Route[]): { routes: Route[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const called = routes.map((route) => {
    const { paging, contentSource = {}, error } = route
    if (error || typeof paging?.items !== 'function') return route
    const made = makeList(paging.items, route.source.file ?? '')
    if (Array.isArray(made)) return { ...route, paging: { ...paging, items: made } }
    const { line, ...details } = made
    const diagnostic = diagnose('items-failed', { ...contentSource, ...(line && { line }) }, details)
    diagnostics.push(diagnostic)
    return { ...route, paging: undefined, error: diagnostic }
  })
  return { routes: called, diagnostics }
}

function makeList(makeItems: () => unknown, file: string): unknown[] | FailedItems {
  try {
    const made = makeItems()
    if (isThenable(made)) {
      ignoreRejections(made)
      return {
        reason: '"items" returned a promise.',
        fix: 'Wait for the list where the routes are made: export default defineFixture(async () => [ … ]), with "await" in front of the list.',
      }
    }
    if (typeof made !== 'object' || made === null || !(Symbol.iterator in made)) {
      return { reason: `"items" returned ${describeValue(made)}, not a list.` }
    }
    const items = snapshot([...(made as Iterable<unknown>)])
    const misfit = findMisfit(items, 'items')
    return misfit ? { reason: `${misfit.path} is ${misfit.what}.` } : items
  } catch (error) {
    return { reason: reasonOf(error), ...placeInStack(error, file) }
  }
}
