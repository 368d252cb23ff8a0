import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import { isLogged, type Logger, type LogLevel } from '../core/options/logger.ts'
import { LruMap } from '../core/values/lru-map.ts'

/** Remembered warnings, each of which is shown once. */
const maxWarnings = 1000

/** Characters. The name of an operation, for example, can have a megabyte. */
const maxMessage = 1000
const maxFrame = 1000

/** Warnings are about a value and shown once; errors are about a request and shown each time. */
export function createReporter({
  logger,
  logLevel,
}: {
  logger: Logger
  logLevel: LogLevel
}): (diagnostic: Diagnostic) => void {
  const shown = new LruMap<string, true>({ max: maxWarnings })
  return (diagnostic) => {
    const { severity } = diagnostic
    if (!isLogged(severity === 'error' ? 'error' : 'warn', logLevel)) return
    const text = formatDiagnostic(shorten(diagnostic))
    if (severity === 'error') return logger.error(text)
    if (shown.get(text)) return
    shown.set(text, true)
    logger.warn(text)
  }
}

function shorten(diagnostic: Diagnostic): Diagnostic {
  const { message, fix, frame } = diagnostic
  return {
    ...diagnostic,
    message: cut(message, maxMessage),
    fix: cut(fix, maxMessage),
    ...(frame !== undefined && { frame: cut(frame, maxFrame) }),
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text
}
