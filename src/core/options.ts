import * as v from 'valibot'
import { describeValue, diagnose, MockApiError, type Diagnostic } from './diagnostics.ts'

/** Where the package writes what it has to say. Vite's logger fits, and so does `console`. */
export interface Logger {
  info: (message: string) => void
  warn: (message: string) => void
  error: (message: string) => void
}

export type LogLevel = 'silent' | 'error' | 'warn' | 'info'

/**
 * The options of the plugin and of `createMiddleware`. All are optional.
 *
 * @example
 * mockApi({ fixtures: 'mocks', base: '/api' })
 */
export interface Options {
  /** Project folder that relative paths start from. Default: the dev server's root, else the working directory. */
  root?: string | undefined
  /**
   * Where the fixture files are: a folder, a file, or globs, relative to `root`. Default `fixtures`. Where it holds no
   * fixture file, the starter templates answer.
   */
  fixtures?: string | string[] | undefined
  /** Path prefix of all routes, such as `/api`. Default: none. */
  base?: string | undefined
  /** Whether anything is answered at all. Default `true`. */
  enabled?: boolean | undefined
  /**
   * What happens when an endpoint is ours but none of its routes fits. `error` (the default) answers with a JSON 404
   * that says why; `passthrough` leaves the request, with its body, to the next middleware.
   */
  unmatched?: 'error' | 'passthrough' | undefined
  /** Bytes that a request body may have before it is answered with 413. Default 1 048 576 (1 MiB). */
  bodyLimit?: number | undefined
  graphql?:
    | {
        /** Path of the GraphQL endpoint, without `base`. Default `/graphql`. */
        path?: string | undefined
      }
    | undefined
  /** The least important kind of message that is still logged. Default `info`. */
  logLevel?: LogLevel | undefined
  /** Where messages go. Default: the dev server's logger, else the console. */
  logger?: Logger | undefined
  /** Whether fixture files are watched and reloaded on change. Default `true`. */
  watch?: boolean | undefined
}

/** The options with every default filled in. Nothing reads raw options after this. */
export interface ResolvedOptions {
  root: string
  fixtures: readonly string[]
  /** Whether `fixtures` was given: then a folder without fixture files is worth a warning. */
  fixturesGiven: boolean
  base: string
  enabled: boolean
  unmatched: 'error' | 'passthrough'
  bodyLimit: number
  graphqlPath: string
  logger: Logger
  watch: boolean
}

/** What a host knows and the user need not say. */
export interface HostDefaults {
  root: string
  logger: Logger
}

const text = v.pipe(v.string(), v.nonEmpty())
const path = v.pipe(v.string(), v.regex(/^\/[^?#]*$/))
const optionsSchema = v.strictObject({
  root: v.optional(text),
  fixtures: v.optional(v.union([text, v.pipe(v.array(text), v.nonEmpty())])),
  base: v.optional(v.union([v.literal(''), path])),
  enabled: v.optional(v.boolean()),
  unmatched: v.optional(v.picklist(['error', 'passthrough'])),
  bodyLimit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  graphql: v.optional(v.strictObject({ path: v.optional(path) })),
  logLevel: v.optional(v.picklist(['silent', 'error', 'warn', 'info'])),
  logger: v.optional(v.custom<Logger>(isLogger)),
  watch: v.optional(v.boolean()),
})

/** What each option takes, in the words of an error message. */
const expectations: Record<string, string> = {
  root: 'the path of a folder',
  fixtures: 'a folder, a glob, or a list of them',
  base: 'a path that begins with "/"',
  enabled: 'true or false',
  unmatched: '"error" or "passthrough"',
  bodyLimit: 'a whole number of bytes, 0 or more',
  graphql: 'an object',
  'graphql.path': 'a path that begins with "/"',
  logLevel: '"silent", "error", "warn" or "info"',
  logger: 'an object with the functions info, warn and error',
  watch: 'true or false',
}

/**
 * Checks options and fills in their defaults. Pure: the same input gives the same result, and nothing is changed.
 *
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 */
export function resolveOptions(options: Options, host: HostDefaults): ResolvedOptions {
  checkOptions(options)
  const { fixtures = 'fixtures', base = '', graphql = {}, logLevel = 'info' } = options
  return {
    root: options.root ?? host.root,
    fixtures: typeof fixtures === 'string' ? [fixtures] : fixtures,
    fixturesGiven: options.fixtures !== undefined,
    base: trimSlash(base),
    enabled: options.enabled ?? true,
    unmatched: options.unmatched ?? 'error',
    bodyLimit: options.bodyLimit ?? 1_048_576,
    graphqlPath: trimSlash(graphql.path ?? '/graphql') || '/',
    logger: limitLogger(options.logger ?? host.logger, logLevel),
    watch: options.watch ?? true,
  }
}

/**
 * Throws for the first reason why options can't be used, so that a typo is told of where the plugin is created.
 *
 * @throws MockApiError with one diagnostic for each option that is wrong
 */
export function checkOptions(options: Options): void {
  const result = v.safeParse(optionsSchema, options)
  if (!result.success) throw new MockApiError(result.issues.map(toDiagnostic))
}

function toDiagnostic(issue: v.BaseIssue<unknown>): Diagnostic {
  const key = (issue.path ?? []).map((item) => String(item.key)).join('.')
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    const parent = issue.path?.length === 1 ? optionsSchema : optionsSchema.entries.graphql.wrapped
    return diagnose('option-unknown', {}, { option: key, known: Object.keys(parent.entries) })
  }
  const option = key.replace(/\.\d+$/, '')
  const expected = expectations[option] ?? 'an object of options'
  return diagnose('option-invalid', {}, { key: option, expected, received: describeValue(issue.input) })
}

function isLogger(input: unknown): boolean {
  const logger = input as Partial<Logger> | null | undefined
  return [logger?.info, logger?.warn, logger?.error].every((method) => typeof method === 'function')
}

const levels: readonly LogLevel[] = ['silent', 'error', 'warn', 'info']

function limitLogger(logger: Logger, logLevel: LogLevel): Logger {
  const atLeast = (level: LogLevel) => levels.indexOf(logLevel) >= levels.indexOf(level)
  return {
    info: (message) => atLeast('info') && logger.info(message),
    warn: (message) => atLeast('warn') && logger.warn(message),
    error: (message) => atLeast('error') && logger.error(message),
  }
}

function trimSlash(path: string): string {
  return path.replace(/\/+$/, '')
}
