import type { RouteTable } from '../core/table/route-table.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'

/** What the fixture files say at one moment. */
export interface FixtureState {
  table: RouteTable
  diagnostics: readonly Diagnostic[]
  /** Fixture files that routes come from, as messages show them; empty when the starter templates answer. */
  files: readonly string[]
}

/** One line that says what answers: `5 routes from starter templates`. */
export function summarise({ table, files }: FixtureState): string {
  const routes = `${table.routeCount} ${table.routeCount === 1 ? 'route' : 'routes'}`
  const shown = files.slice(0, 3).join(', ')
  const more = files.length > 3 ? ` and ${files.length - 3} more` : ''
  return `${routes} from ${files.length === 0 ? 'the starter templates' : `${shown}${more}`}`
}
