import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { noLimits, rulesOf } from '../../core/answer/rules.ts'
import { formatPlace } from '../../core/diagnostics/format.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { MockState } from '../../core/state/mock-state.ts'
import { groupBy } from '../../core/values/collections.ts'
import { readReport } from '../../explore/report/former-report.ts'
import type { SadPath } from '../../inspector/api/api.ts'
import { Journal } from '../../inspector/journal.ts'
import { SadPaths } from '../../inspector/sad-paths.ts'
import type { FixtureState } from '../../loader/fixture-state.ts'
import type { Terminal } from '../terminal.ts'

/** A sad path, and how a page has taken it when it was explored. */
export interface CheckedSadPath extends SadPath {
  verdict?: string
}

/** Sad paths of the routes that answer without a scenario, except where only a function or the backend decides. */
export async function findSadPaths(
  current: FixtureState,
  options: ResolvedOptions,
): Promise<CheckedSadPath[]> {
  const state = new MockState()
  const host = { bases: [options.base], origins: undefined, graphiql: false, hasPages: false }
  const rules = rulesOf(options, { limits: noLimits, state }, host)
  const server = { options, store: { current }, state, journal: new Journal(() => 0) }
  const known = new SadPaths(server, { bases: host.bases, rulesNow: () => rules })
  const verdicts = readVerdicts(options.root)
  const found = new Map<string, CheckedSadPath>()
  for (const endpoint of current.table.endpoints)
    for (const route of endpoint.routes.filter(({ scenarios }) => !scenarios)) {
      const { status, sadPaths } = (await known.ofRoute(endpoint, route).catch(() => undefined)) ?? nothing
      if (status >= 400) continue
      for (const path of sadPaths) {
        const verdict = verdicts.get(path.id)
        if (!found.has(path.id)) found.set(path.id, { ...path, ...(verdict !== undefined && { verdict }) })
      }
    }
  return [...found.values()]
}

const nothing = { status: 0, sadPaths: [] }

function readVerdicts(root: string): Map<string, string> {
  const file = resolve(root, 'mock-api-report/report.json')
  const { findings = [] } = (existsSync(file) && readReport(readFileSync(file, 'utf8'))) || {}
  return new Map(findings.map(({ id, verdict }) => [id, verdict]))
}

/** Sad paths of a request that nothing has shown, which are listed. */
const maxListed = 10

export function printSadPaths(terminal: Terminal, paths: readonly CheckedSadPath[]): void {
  for (const [request, all] of groupBy(paths, (path) => path.request)) {
    const isSeen = ({ coveredBy, verdict }: CheckedSadPath) => coveredBy ?? verdict
    const [seen, unseen] = [all.filter(isSeen), all.filter((path) => !isSeen(path))]
    const names = unseen.slice(0, maxListed).map(({ id }) => id.slice(request.length + 2))
    const more = unseen.length > maxListed ? `, and ${unseen.length - maxListed} more` : ''
    terminal.print(`${request}: ${seen.length} of ${all.length} sad paths are covered`)
    for (const path of seen) terminal.print(`  ${path.title}: ${describeCoverage(path)}`)
    if (unseen.length > 0) terminal.print(`  never seen: ${names.join(', ')}${more}`)
    terminal.print('')
  }
}

function describeCoverage({ coveredBy = [], verdict }: CheckedSadPath): string {
  const covering = coveredBy.map(({ by, name, ...place }) => `${by} "${name}" (${formatPlace(place)})`)
  return [...covering, ...(verdict === undefined ? [] : [`explored, ${verdict}`])].join(', ')
}
