import { visible } from '../diagnostics/format.ts'

/** Where the package writes its messages: Vite's logger, for example, or `console`. */
export interface Logger {
  /** What happened, such as the number of routes. One message a call, which may have several lines. */
  info: (message: string) => void
  /** What may be a mistake, and how to correct it. */
  warn: (message: string) => void
  /** What does not work until it is corrected. */
  error: (message: string) => void
}

/** Writes the messages that `logLevel` allows, prefixed with the name of the package. */
export interface PackageLogger extends Logger {
  /** Writes an `info` line without the prefix. */
  print: (line: string) => void
  /** The logger of the user or the host. */
  writesTo: Logger
}

/** From the fewest messages to the most. */
export const levels = ['silent', 'error', 'warn', 'info'] as const
/** The option `logLevel`: messages of this level, and of the levels before it, are written. */
export type LogLevel = (typeof levels)[number]

/** Whether messages of a level are written at the log level `logLevel`. */
export function isLogged(level: LogLevel, logLevel: LogLevel): boolean {
  return levels.indexOf(logLevel) >= levels.indexOf(level)
}

/**
 * Makes the package's logger from that of the user or the host.
 *
 * @param namesUs whether `logger` itself prefixes messages with the name of the package
 */
export function createLogger(logger: Logger, logLevel: LogLevel, namesUs = false): PackageLogger {
  const named = (message: string) => visible(namesUs ? message : `[mock-api] ${message}`)
  return {
    info: (message) => isLogged('info', logLevel) && logger.info(named(message)),
    warn: (message) => isLogged('warn', logLevel) && logger.warn(named(message)),
    error: (message) => isLogged('error', logLevel) && logger.error(named(message)),
    print: (line) => isLogged('info', logLevel) && logger.info(line),
    writesTo: logger,
  }
}
