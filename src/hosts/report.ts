import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Logger } from '../core/options/options.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'

/** How many notices are remembered so as to be shown once. */
const maxNotices = 1000

/** Logs what requests give rise to: warnings are about a value and shown once; errors are about a request, and shown each time. */
export function createReporter(logger: Logger): (diagnostic: Diagnostic) => void {
  const noticed = new Set<string>()
  return (diagnostic) => {
    const text = `[mock-api] ${formatDiagnostic(diagnostic)}`
    if (diagnostic.severity === 'error') return logger.error(text)
    if (noticed.has(text)) return
    if (noticed.size >= maxNotices) noticed.clear() // better twice than never
    noticed.add(text)
    logger.warn(text)
  }
}
