import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import type { Logger } from '../core/options/options.ts'

/** Maximum number of diagnostics per file in the terminal: thousands of routes can have the same mistake. */
const maxLogged = 20

/** Logs those that were not there before. */
export function logNew(logger: Logger, all: readonly Diagnostic[], before: readonly Diagnostic[]): void {
  const same = new Set(before)
  const made = all.filter((found) => !same.has(found))
  if (made.length === 0) return
  const known = new Set(before.map(formatDiagnostic))
  logDiagnostics(
    logger,
    made.filter((found) => !known.has(formatDiagnostic(found))),
  )
}

export function logDiagnostics(logger: Logger, diagnostics: readonly Diagnostic[]): void {
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
