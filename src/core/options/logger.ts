import { visible } from '../diagnostics/format.ts'

/** Where the package writes its messages: Vite's logger, for example, or `console`. */
export interface Logger {
  /** Writes what happened, such as the number of routes. A message may have several lines. */
  info: (message: string) => void
  /** Writes what may be a mistake, and how to correct it. */
  warn: (message: string) => void
  /** Writes what does not work until it is corrected. */
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

type Tone = 'error' | 'warning' | 'fix'

/** Colours a text for the terminal, or returns it as it is. */
export type Paint = (tone: Tone, text: string) => string

/** A request that matches no route is nothing broken. */
const ofMiss = /\[(?:route-unmatched|graphql-unparsed)\]$/

/**
 * Makes the package's logger from that of the user or the host.
 *
 * @param namesUs whether `logger` itself prefixes messages with the name of the package
 */
export function createLogger(
  logger: Logger,
  logLevel: LogLevel,
  { namesUs = false, paint = (_, text) => text }: { namesUs?: boolean; paint?: Paint } = {},
): PackageLogger {
  const named = (message: string) => visible(namesUs ? message : `[mock-api] ${message}`)
  /** The first line has the colour, and the fix is dim. */
  function painted(tone: Tone, message: string): string {
    const [head = '', ...lines] = named(message).split('\n')
    const rest = lines.map((line) => (line.startsWith('  Fix: ') ? paint('fix', line) : line))
    return [paint(ofMiss.test(message) ? 'warning' : tone, head), ...rest].join('\n')
  }
  return {
    info: (message) => isLogged('info', logLevel) && logger.info(named(message)),
    warn: (message) => isLogged('warn', logLevel) && logger.warn(painted('warning', message)),
    error: (message) => isLogged('error', logLevel) && logger.error(painted('error', message)),
    print: (line) => isLogged('info', logLevel) && logger.info(line),
    writesTo: logger,
  }
}
