import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { MockApiError } from '../diagnostics/format.ts'
import { diagnoseSetup } from '../diagnostics/setup-texts.ts'
import { canonicalTarget } from '../http/host-name.ts'
import { readRouteUrl } from '../http/route-url.ts'
import { describeValue } from '../values/describe-value.ts'
import { isPlainObject } from '../values/values.ts'
import { levels, type Logger } from './logger.ts'
import type {
  BuildOptions,
  GraphQLOptions,
  InspectorOptions,
  Options,
  OriginOptions,
  RecordOptions,
  ValueOptions,
} from './options.ts'

/*
 * Which values the options take. Every config that lists the plugin loads this, also for a build, so it is plain functions:
 * the library that checks fixture files takes 10 ms to load, longer than all of the rest.
 */

type Test = (value: unknown) => boolean

/** Which values an option takes. `undefined` is always one of them. */
interface OptionKind {
  /** Accepted values in words, for messages. */
  expected: string
  accepts?: Test | undefined
  /** Items of a list, if the option also takes one, and how many at least. */
  acceptsItem?: Test | undefined
  fewest?: number | undefined
  /** Kinds of the options in an object, if the option also takes one. */
  options?: OptionKinds
}

export type OptionKinds = Readonly<Record<string, OptionKind>>
type KindsOf<T> = Record<keyof T, OptionKind>

const isString: Test = (value) => typeof value === 'string'
const isText: Test = (value) => isString(value) && value !== ''
const isBoolean: Test = (value) => typeof value === 'boolean'
const matches =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const isPath = matches(/^\/[^?#]*$/)
const isPathOrUrl: Test = (value) =>
  isPath(value) || (typeof value === 'string' && !/[?#]/.test(value) && 'path' in readRouteUrl(value))

function kind(expected: string, accepts?: Test, acceptsItem?: Test, fewest?: number): OptionKind {
  return { expected, accepts, acceptsItem, fewest }
}

const onOrOff = kind('true or false', isBoolean)

function oneOf(...values: readonly string[]): OptionKind {
  const quoted = values.map((value) => `"${value}"`).join(', ')
  return kind(quoted.replace(/, ([^,]+)$/, ' or $1'), (value) => values.includes(value as string))
}

function wholeNumber(expected: string, min: number, max = Number.MAX_SAFE_INTEGER): OptionKind {
  return kind(expected, (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
}

const onTexts = ['true', '1', 'on', 'yes']
const offTexts = ['false', '0', 'off', 'no', '']

/** On or off, perhaps from an environment variable. */
const onOrOffText = kind(
  'true or false, or the text "1", "0", "on", "off", "yes", "no", or ""',
  (value) =>
    isBoolean(value) ||
    (typeof value === 'string' && [...onTexts, ...offTexts].includes(value.trim().toLowerCase())),
)

/** Whether a checked option is on. A text may come from an environment variable. */
export function isOn(value: boolean | string): boolean {
  return typeof value === 'boolean' ? value : onTexts.includes(value.trim().toLowerCase())
}

const positive = wholeNumber('a whole number, 1 or more', 1)

const graphqlKinds: KindsOf<GraphQLOptions> = {
  path: kind('a path that begins with "/" or a URL, or a list of them', isPathOrUrl, isPathOrUrl, 1),
  strict: onOrOff,
  partialSuccess: onOrOff,
  shape: onOrOff,
  schema: kind('a file, a glob, or a list of them', isText, isText, 1),
  scalars: kind('an object of values by the names of scalars', isPlainObject),
  graphiql: onOrOff,
  maxTokens: positive,
  maxDepth: positive,
  maxCost: positive,
}

function isTarget(value: unknown): boolean {
  return typeof value === 'string' && canonicalTarget(value) !== undefined
}

const globs = kind('a glob of paths such as "/api/**", or a list of them', isText, isText)
const backendKinds: KindsOf<Pick<RecordOptions, 'target' | 'headers'>> = {
  target: kind('a URL such as "https://staging.example", without user and query', isTarget),
  headers: kind(
    'an object of headers by their names',
    (value) => isPlainObject(value) && Object.values(value).every(isString),
  ),
}
const recordKinds: KindsOf<RecordOptions> = {
  ...backendKinds,
  enabled: onOrOffText,
  include: globs,
  exclude: globs,
  folder: kind('the path of a folder', isText),
  secure: onOrOff,
  compare: onOrOff,
}

const valueKinds: KindsOf<ValueOptions> = {
  now: kind(
    'a date such as "2026-11-23T08:00:00Z"',
    (value) => isText(value) && !Number.isNaN(Date.parse(String(value))),
  ),
  seed: kind('a text or a number', (value) => isString(value) || Number.isFinite(value)),
}

const inspectorKinds: KindsOf<InspectorOptions> = { preview: onOrOff }
const buildKinds: KindsOf<BuildOptions> = {
  type: oneOf('service-worker'),
  badge: onOrOff,
  importedBy: kind('the path of a script, such as "sw.js"', isText),
}

const pluginKinds: KindsOf<Options> = {
  root: kind('the path of a folder', isText),
  fixtures: kind('a folder, a glob, or a list of at least one of them', isText, isText, 1),
  base: kind('a path that begins with "/"', (value) => value === '' || isPath(value)),
  enabled: onOrOffText,
  unmatched: oneOf('error', 'passthrough'),
  navigation: oneOf('answer', 'passthrough'),
  scenario: kind('the name of a scenario, or a list of names', isString, isString),
  bodyLimit: wholeNumber('a whole number of bytes, 0 or more', 0),
  functionTimeout: wholeNumber('a whole number of milliseconds, 0 to 2147483647', 0, 2_147_483_647),
  routeHeader: onOrOff,
  values: { ...kind('an object such as { seed: 7 }'), options: valueKinds },
  graphql: { ...kind('an object'), options: graphqlKinds },
  logLevel: oneOf(...levels),
  logger: kind('an object with the functions info, warn and error', (value) => {
    const logger = value as Partial<Logger> | null | undefined
    return [logger?.info, logger?.warn, logger?.error].every((method) => typeof method === 'function')
  }),
  watch: onOrOff,
  inspector: kind(
    'true, false or { preview: true }',
    (value) => isBoolean(value) || findProblems(value, inspectorKinds).length === 0,
  ),
  overlay: onOrOff,
  badge: onOrOff,
  outgoing: kind(
    'true, false, or the URL of a dev server such as "http://localhost:3000"',
    (value) => isBoolean(value) || isTarget(value),
  ),
  record: {
    ...kind('true, false, or an object such as { target: "https://staging.example" }', isBoolean),
    options: recordKinds,
  },
  build: {
    ...kind(
      '"service-worker", or an object such as { type: "service-worker", badge: true }',
      (value) => value === 'service-worker',
    ),
    options: buildKinds,
  },
}

const originKinds: KindsOf<OriginOptions> = {
  cors: kind(
    'true, false, or a list of origins such as "https://app.example.com"',
    isBoolean,
    matches(/^(?:null|[a-z][a-z\d+.-]*:\/\/[^/?#@\s]+)$/i),
  ),
  allowedHosts: kind(
    'true, or a list of host names without port',
    (value) => value === true,
    matches(/^\.?[^/?#@:\s]+$/),
  ),
}

export const middlewareKinds = { ...without(pluginKinds, ['build', 'overlay']), ...originKinds }

/** The options of `createFetchHandler`, which has no files. */
export const fetchKinds: OptionKinds = {
  ...without(pluginKinds, [
    ...['root', 'fixtures', 'watch', 'record', 'build', 'overlay', 'badge', 'outgoing'],
  ]),
  ...originKinds,
  inspector: onOrOff,
  record: { ...kind('an object such as { target: "https://staging.example" }'), options: backendKinds },
}

function without(kinds: OptionKinds, names: readonly string[]): OptionKinds {
  return Object.fromEntries(Object.entries(kinds).filter(([name]) => !names.includes(name)))
}

const { root, fixtures, watch, logLevel, logger } = pluginKinds
export const loadKinds: OptionKinds = { root, fixtures, watch, logLevel, logger }

/**
 * Checks options when the plugin is created, so that the stack of the error leads to the mistake.
 *
 * @param kinds the options that there are; by default those of plugins
 * @throws MockApiError with one diagnostic for each invalid option
 */
export function checkOptions(options: object, kinds: OptionKinds = pluginKinds): void {
  const problems = findProblems(options, kinds)
  if (problems.length > 0) throw new MockApiError(problems)
}

/** @param path the names on the way to the options: `['graphql']` */
function findProblems(options: unknown, kinds: OptionKinds, path: readonly string[] = []): Diagnostic[] {
  if (!isPlainObject(options)) return [invalid(path, 'an object of options', options)]
  const known = Object.keys(kinds)
  const problems = known.flatMap((name) => {
    const kind = kinds[name]!
    const value = options[name]
    const here = [...path, name]
    if (value === undefined) return []
    if (kind.options && isPlainObject(value)) return findProblems(value, kind.options, here)
    const refused = findRefused(value, kind)
    return refused ? [invalid(here, kind.expected, refused.value)] : []
  })
  for (const name of Object.keys(options).filter((name) => !known.includes(name)))
    problems.push(diagnoseSetup('option-unknown', {}, { option: [...path, name].join('.'), known }))
  return problems
}

function invalid(path: readonly string[], expected: string, received: unknown): Diagnostic {
  // A value in the query of a URL may be a token.
  const shown = typeof received === 'string' ? received.replace(/(?<=\?.*=)[^&#]+/g, '…') : received
  const details = { key: path.join('.'), expected, received: describeValue(shown) }
  return diagnoseSetup('option-invalid', {}, details)
}

/** The value if it is refused, or the item of a list that makes the list invalid. */
function findRefused(value: unknown, kind: OptionKind): { value: unknown } | undefined {
  const { accepts, acceptsItem, fewest = 0 } = kind
  if (!Array.isArray(value) || !acceptsItem) return accepts?.(value) ? undefined : { value }
  if (value.length < fewest) return { value }
  const index = value.findIndex((item) => !acceptsItem(item))
  return index === -1 ? undefined : { value: value[index] as unknown }
}

/** Refuses an uncalled plugin: webpack and Rspack call a function in their `plugins` with the compiler. */
export function refusingCompiler<Plugin>(
  create: (options?: Options) => Plugin,
): (options?: Options) => Plugin {
  return (options) => {
    if (options && 'hooks' in Object(options)) refuseUncalled()
    return create(options)
  }
}

export function refuseUncalled(): never {
  throw new MockApiError([diagnoseSetup('plugin-not-called', {})])
}
