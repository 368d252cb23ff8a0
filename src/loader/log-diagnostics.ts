import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import type { Logger } from '../core/options/options.ts'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { getOrMake } from '../core/values/collections.ts'

/** Maximum number of diagnostics per file in the terminal: thousands of routes can have the same mistake. */
const maxLogged = 20

interface Logged extends Pick<ResolvedOptions, 'root' | 'logLevel'> {
  found: readonly Diagnostic[]
  noticed: Diagnostic[]
}

const stores = new WeakMap<object, Set<Logged>>()

/** Several plugins can have the same files, each with its own `base`: the first one logs what is wrong with them. */
export function createDiagnosticsLog(options: Pick<ResolvedOptions, 'root' | 'logger' | 'logLevel'>) {
  const { root, logger, logLevel } = options
  const all = getOrMake(stores, logger.writesTo, () => new Set())
  const own: Logged = { root, logLevel, found: [], noticed: [] }
  all.add(own)
  const others = () =>
    [...all].filter((other) => other !== own && other.root === root && other.logLevel === logLevel)
  return {
    /** Logs the diagnostics that were not there before. */
    update(found: readonly Diagnostic[]) {
      const before = own.found
      own.found = found
      const same = new Set(before)
      const made = found.filter((one) => !same.has(one))
      if (made.length === 0) return
      const known = new Set([before, ...others().map((other) => other.found)].flat().map(formatDiagnostic))
      logDiagnostics(
        logger,
        made.filter((one) => !known.has(formatDiagnostic(one))),
      )
    },
    notice(diagnostic: Diagnostic) {
      const text = formatDiagnostic(diagnostic)
      own.noticed.push(diagnostic)
      if (others().some(({ noticed }) => noticed.some((other) => formatDiagnostic(other) === text))) return
      logDiagnostics(logger, [diagnostic])
    },
    close() {
      all.delete(own)
    },
  }
}

function logDiagnostics(logger: Logger, diagnostics: readonly Diagnostic[]): void {
  const counts = new Map<string | undefined, number>()
  for (const diagnostic of diagnostics) {
    const count = (counts.get(diagnostic.file) ?? 0) + 1
    counts.set(diagnostic.file, count)
    if (count <= maxLogged)
      logger[diagnostic.severity === 'error' ? 'error' : 'warn'](formatDiagnostic(diagnostic))
  }
  for (const [file, count] of counts)
    if (count > maxLogged) logger.warn(`… and ${count - maxLogged} more in ${file}`)
}
