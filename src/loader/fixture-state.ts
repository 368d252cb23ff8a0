import type { RouteTable } from '../core/table/route-table.ts'
import type { SchemaSource } from '../core/graphql-schema/create-checker.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Route } from '../core/fixture/route.ts'
import { listSome } from '../core/diagnostics/text.ts'

/** The state of the fixture files at one moment. */
export interface FixtureState {
  table: RouteTable
  /** What the table was compiled from, in the order in which routes are tried. */
  routes: readonly Route[]
  /** The GraphQL schemas that fixture files export. */
  schemas: readonly SchemaSource[]
  diagnostics: readonly Diagnostic[]
  /** The project's own fixture files that have routes, as messages show them. */
  files: readonly string[]
  /** Whether the starter templates answer, alone or together with the project's own files. */
  hasTemplates: boolean
}

/** One line that says what answers: `5 routes from the starter templates`. */
export function summarise({ table, files, hasTemplates }: FixtureState): string {
  const routes = `${table.routeCount} ${table.routeCount === 1 ? 'route' : 'routes'}`
  const sources = [
    ...(files.length > 0 ? [listSome(files)] : []),
    ...(hasTemplates ? ['the starter templates'] : []),
  ]
  return sources.length === 0 ? routes : `${routes} from ${sources.join(', and ')}`
}
