import type { Report } from '../core/diagnostics/diagnostic.ts'
import { formatDiagnostic, shortened } from '../core/diagnostics/format.ts'
import { isLogged, type Logger, type LogLevel } from '../core/options/logger.ts'
import type { MockState } from '../core/state/mock-state.ts'
import type { RouteTable } from '../core/table/route-table.ts'
import { plural } from '../core/values/describe-value.ts'
import { LruMap } from '../core/values/lru-map.ts'

/** Saving a file restores its collections. @returns what that has undone; empty for nothing */
export function dropStale({ collections }: MockState, table: RouteTable): string {
  const dropped = collections.keep([...table.collections.values()].flat())
  const all = [...dropped].map(([name, changes]) => `${plural(changes, 'change')} of "${name}"`)
  return all.length > 0 ? `${all.join(' and ')} dropped` : ''
}

/** Remembered warnings, each of which is shown once. */
const maxWarnings = 1000

/** Warnings are about a value and shown once; errors are about a request and shown each time. */
export function createReporter({ logger, logLevel }: { logger: Logger; logLevel: LogLevel }): Report {
  const shown = new LruMap<string, true>({ max: maxWarnings })
  return (diagnostic) => {
    const { severity } = diagnostic
    if (!isLogged(severity === 'error' ? 'error' : 'warn', logLevel)) return
    const text = formatDiagnostic(shortened(diagnostic))
    if (severity === 'error') return logger.error(text)
    if (shown.get(text)) return
    shown.set(text, true)
    logger.warn(text)
  }
}
