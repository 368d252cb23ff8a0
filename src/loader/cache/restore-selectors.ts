import type { Route } from '../../core/fixture/route.ts'
import { compileAgain } from '../../core/select/compile-selector.ts'
import { loadLanguages } from '../../core/select/load-languages.ts'
import type { CachedRoute } from './fixture-cache.ts'

/** The routes with their selectors as the parser compiles them. It is imported for the first test: most selectors have none. */
export async function restoreSelectors(routes: readonly CachedRoute[]): Promise<Route[]> {
  const tests = routes.flatMap(({ selector }) => selector?.tests ?? [])
  const languages = await loadLanguages(
    { when: tests.map(({ written }) => written) },
    {
      patterns: () => import('../../core/select/pattern.ts'),
      documents: () => import('../../core/select/selector-document.ts'),
    },
  )
  return routes.map(({ selector, ...route }) => ({
    ...route,
    selector: selector && compileAgain(selector, languages),
  }))
}
