import { canonicalBase } from '../http/path.ts'
import { readScenarioNames } from '../http/scenario-list.ts'
import { checkOptions, pluginKinds } from './check-options.ts'
import { resolveGraphQL } from './graphql-options.ts'
import { createLogger, type Logger } from './logger.ts'
import { isOn, type OptionKinds, type OptionKind } from './option-kinds.ts'
import type {
  BuildOptions,
  HostDefaults,
  Options,
  ResolvedOptions,
  FetchOptions,
  LoadOptions,
  MiddlewareOptions,
  ResolvedMiddlewareOptions,
} from './options.ts'
import { resolveRecord, fetchRecordKinds } from './record-options.ts'
import { originKinds, resolveOrigins } from './origin-options.ts'

/**
 * Checks options and fills in their defaults. Pure: the same input gives the same result, and is not modified.
 *
 * @param kinds the options that there are; by default those of plugins
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 */
export function resolveOptions(options: Options, host: HostDefaults, kinds?: OptionKinds): ResolvedOptions {
  checkOptions(options, kinds)
  const { fixtures = 'fixtures', base = '', graphql = {}, logLevel = 'info' } = options
  return {
    root: options.root ?? host.root,
    fixtures: typeof fixtures === 'string' ? [fixtures] : fixtures,
    fixturesGiven: options.fixtures !== undefined,
    base: canonicalBase(base),
    enabled: isOn(options.enabled ?? true),
    unmatched: options.unmatched ?? 'error',
    navigation: options.navigation ?? 'answer',
    navigationGiven: options.navigation !== undefined,
    scenario: [options.scenario ?? []].flat().flatMap(readScenarioNames),
    bodyLimit: options.bodyLimit ?? 1_048_576,
    functionTimeout: options.functionTimeout ?? 10_000,
    routeHeader: options.routeHeader ?? true,
    graphql: resolveGraphQL(graphql),
    logger: options.logger
      ? createLogger(options.logger, logLevel)
      : createLogger(host.logger, logLevel, host.namesUs),
    logLevel,
    watch: options.watch ?? true,
    inspector: resolveInspector(options.inspector),
    record: resolveRecord(options.record),
    build: resolveBuild(options.build),
  }
}

function resolveBuild(given: Options['build']): ResolvedOptions['build'] {
  if (given === undefined) return undefined
  const { badge = false, importedBy }: Partial<BuildOptions> = given === 'service-worker' ? {} : given
  return { badge, importedBy: importedBy?.replace(/^(?:\.?\/)+/, '') }
}

function resolveInspector(given: Options['inspector'] = true): ResolvedOptions['inspector'] {
  if (typeof given === 'boolean') return { dev: given, preview: false }
  return { dev: true, preview: given.preview ?? false }
}

const needFiles = ['root', 'fixtures', 'watch', 'inspector', 'record', 'build']
const ofLoading = ['root', 'fixtures', 'watch', 'logLevel', 'logger']

/** The options of `createMiddleware`. */
export const middlewareKinds: OptionKinds = {
  ...pick(pluginKinds, (name) => name !== 'build'),
  ...originKinds,
}

/** The options of `createFetchHandler`. */
export const fetchKinds: OptionKinds = {
  ...pick(pluginKinds, (name) => !needFiles.includes(name)),
  ...originKinds,
  record: {
    expected: 'an object such as { target: "https://staging.example" }',
    options: fetchRecordKinds,
  },
}

const loadKinds = pick(pluginKinds, (name) => ofLoading.includes(name))

function pick(kinds: OptionKinds, isTaken: (name: string) => boolean): Record<string, OptionKind> {
  return Object.fromEntries(Object.entries(kinds).filter(([name]) => isTaken(name)))
}

/** @throws MockApiError as `resolveOptions` does */
export function resolveMiddlewareOptions(
  options: MiddlewareOptions,
  host: HostDefaults,
): ResolvedMiddlewareOptions {
  return { ...resolveOptions(options, host, middlewareKinds), origins: resolveOrigins(options) }
}

/** @throws MockApiError as `resolveOptions` does */
export function resolveFetchOptions(options: FetchOptions, logger: Logger): ResolvedMiddlewareOptions {
  return {
    ...resolveOptions(options, { root: '', logger }, fetchKinds),
    origins: resolveOrigins(options),
  }
}

/** @throws MockApiError as `resolveOptions` does */
export function resolveLoadOptions(
  options: LoadOptions & { fixtures: string | string[] },
  host: HostDefaults,
): ResolvedOptions {
  return resolveOptions(options, host, loadKinds)
}
