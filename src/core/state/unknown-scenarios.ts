import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { NamedScenarios } from '../http/client.ts'
import type { RouteTable } from '../table/route-table.ts'
import type { MockState } from './mock-state.ts'

export function unknownScenarios(
  state: MockState,
  { scenarios }: RouteTable,
  named: NamedScenarios | undefined,
): readonly Diagnostic[] {
  if (!named || named.names.length === 0) return none
  return named.names
    .filter((name) => !scenarios?.findIn(name) && state.isFirstNotice(`scenario ${name}`))
    .map((name) => describeUnknown(name, named.by, scenarios?.names))
}

const none: readonly Diagnostic[] = []

export function unknownInOption({ scenario }: { scenario: readonly string[] }, { scenarios }: RouteTable) {
  return scenario
    .filter((name) => !scenarios?.findIn(name))
    .map((name) => describeUnknown(name, 'option "scenario"', scenarios?.names))
}

/** @param by who names it, as in "The header … names"; without it, the caller itself */
export function describeUnknown(
  name: string,
  by: string | undefined,
  known: readonly string[] = [],
): Diagnostic {
  return diagnoseRequest('scenario-unknown', {}, { name, by, known })
}
