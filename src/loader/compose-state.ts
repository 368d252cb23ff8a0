import type { Route } from '../core/fixture/route.ts'
import type { ResolvedOptions } from '../core/options/options.ts'
import { unknownInOption } from '../core/state/unknown-scenarios.ts'
import { compileRoutes } from '../core/table/compile-routes.ts'
import type { FixtureFiles } from './fixture-files.ts'
import type { FixtureState } from './fixture-state.ts'
import type { Gathered } from './gather-routes.ts'
import type { LoadedChecker } from './load-checker.ts'
import { noticeFiles } from './notice-files.ts'
import type { suggestPlaces as SuggestPlaces } from './suggest-place.ts'
import { placeTemplates } from './templates.ts'

/**
 * Makes a function that makes the state of the fixture files out of what was read from them.
 *
 * @param fixtures the option, without the word for the starter templates
 */
export function createComposer(
  options: ResolvedOptions,
  fixtures: readonly string[],
): (
  files: FixtureFiles,
  gathered: Gathered,
  checked: LoadedChecker,
  templates: readonly Route[] | undefined,
  suggestPlaces: typeof SuggestPlaces | undefined,
) => FixtureState {
  return (files, gathered, checked, templates, suggestPlaces) => {
    const own = gathered.routes
    const routes = templates ? [...own, ...placeTemplates(templates, own, options.graphql.paths)] : own
    const { table, diagnostics } = compileRoutes(routes, { ...options, ...checked })
    return {
      table,
      routes,
      schemas: files.entries.schemas(),
      diagnostics: [
        ...noticeFiles(
          { ...options, fixtures },
          files.paths,
          gathered.withoutRoutes,
          files.misnamed,
          suggestPlaces,
        ),
        ...gathered.diagnostics,
        ...checked.diagnostics,
        ...diagnostics,
        ...unknownInOption(options, table),
      ],
      files: gathered.answering,
      hasTemplates: templates !== undefined,
    }
  }
}
