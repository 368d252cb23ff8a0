import { defaultGraphQL } from '../graphql/settings.ts'
import { canonicalTarget, hostNameOf, parseOrigin } from '../http/host-name.ts'
import type { OriginPolicy } from '../http/origin.ts'
import { canonicalBase, trimSlash } from '../http/path.ts'
import { readRouteUrl } from '../http/route-url.ts'
import { readScenarioNames } from '../http/whose-state.ts'
import { checkOptions, fetchKinds, isOn, middlewareKinds, type OptionKinds } from './check-options.ts'
import { createLogger, type Logger, type Paint } from './logger.ts'
import type { ModuleWorld } from './module-world.ts'
import type {
  BuildOptions,
  FetchOptions,
  GraphQLOptions,
  MiddlewareOptions,
  Options,
  OriginOptions,
  RecordOptions,
} from './options.ts'

export interface HostDefaults {
  root: string
  logger: Logger
  /** Whether `logger` itself prefixes messages with the name of the package. */
  namesUs?: boolean
  /** Default: no colours. */
  paint?: Paint
  /** Default: as the project's own files say. */
  world?: () => ModuleWorld
}

/** The options with every default filled in. Nothing reads raw options after this. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>
/** Resolved options where no dev server decides which pages and host names are accepted. */
export type ResolvedMiddlewareOptions = ReturnType<typeof resolveMiddlewareOptions>
export type ResolvedRecord = ResolvedOptions['record']

/**
 * Checks options and fills in their defaults. Pure: the same input gives the same result, and is not modified.
 *
 * @param kinds the options that there are; by default those of plugins
 * @throws MockApiError when an option is unknown or has a value of the wrong kind
 */
export function resolveOptions(options: Options, host: HostDefaults, kinds?: OptionKinds) {
  checkOptions(options, kinds)
  const { fixtures = 'fixtures', base = '', graphql = {}, logLevel = 'info' } = options
  return {
    root: options.root ?? host.root,
    world: host.world,
    fixtures: [fixtures].flat() as readonly string[],
    // If it was given, a warning says that it matches no file.
    fixturesGiven: options.fixtures !== undefined,
    base: canonicalBase(base),
    enabled: isOn(options.enabled ?? true),
    unmatched: options.unmatched ?? 'error',
    navigation: options.navigation ?? 'answer',
    // If not, a warning says that a route answered a navigation.
    navigationGiven: options.navigation !== undefined,
    scenario: [options.scenario ?? []].flat().flatMap(readScenarioNames),
    bodyLimit: options.bodyLimit ?? 1_048_576,
    functionTimeout: options.functionTimeout ?? 10_000,
    routeHeader: options.routeHeader ?? true,
    values: {
      now: options.values?.now === undefined ? undefined : Date.parse(options.values.now),
      seed: String(options.values?.seed ?? 0),
    },
    graphql: resolveGraphQL(graphql),
    logger: options.logger
      ? createLogger(options.logger, logLevel)
      : createLogger(host.logger, logLevel, host),
    logLevel,
    watch: options.watch ?? true,
    inspector: resolveInspector(options.inspector),
    overlay: options.overlay ?? true,
    badge: options.badge ?? true,
    outgoing: options.outgoing ?? true,
    record: resolveRecord(options.record),
    build: resolveBuild(options.build),
  }
}

function resolveBuild(given: Options['build']) {
  if (given === undefined) return undefined
  const { badge = false, importedBy }: Partial<BuildOptions> = given === 'service-worker' ? {} : given
  return { badge, importedBy: importedBy?.replace(/^(?:\.?\/)+/, '') }
}

function resolveInspector(given: Options['inspector'] = true) {
  if (typeof given === 'boolean') return { dev: given, preview: false }
  return { dev: true, preview: given.preview ?? false }
}

/** @throws MockApiError as `resolveOptions` does */
export function resolveMiddlewareOptions(options: MiddlewareOptions, host: HostDefaults) {
  const resolved = resolveOptions(options, host, middlewareKinds)
  const { badge = false, outgoing = false } = options
  return { ...resolved, badge, outgoing, origins: resolveOrigins(options) }
}

/** @throws MockApiError as `resolveOptions` does */
export function resolveFetchOptions(options: FetchOptions, logger: Logger): ResolvedMiddlewareOptions {
  const host = { root: '', logger }
  return { ...resolveOptions(options, host, fetchKinds), origins: resolveOrigins(options) }
}

/** Fills in the defaults of checked options. */
export function resolveGraphQL(given: GraphQLOptions) {
  const { path = [...defaultGraphQL.paths], schema = [] } = given
  return {
    paths: [path].flat().map(readGraphQLPath),
    strict: given.strict ?? defaultGraphQL.strict,
    partialSuccess: given.partialSuccess ?? given.strict ?? defaultGraphQL.partialSuccess,
    shape: given.shape ?? defaultGraphQL.shape,
    maxTokens: given.maxTokens ?? defaultGraphQL.maxTokens,
    maxDepth: given.maxDepth ?? defaultGraphQL.maxDepth,
    maxCost: given.maxCost ?? defaultGraphQL.maxCost,
    schema: [schema].flat(),
    scalars: given.scalars ?? {},
    graphiql: given.graphiql ?? false,
  }
}

function readGraphQLPath(given: string): string {
  const read = readRouteUrl(given)
  return 'path' in read ? trimSlash(read.path) : canonicalBase(given) || '/'
}

function resolveRecord(given: boolean | RecordOptions | undefined) {
  const record: RecordOptions = typeof given === 'object' ? given : {}
  return {
    target: record.target && canonicalTarget(record.target),
    enabled: typeof given === 'object' ? isOn(given.enabled ?? true) : (given ?? false),
    include: [record.include ?? []].flat(),
    exclude: [record.exclude ?? []].flat(),
    folder: record.folder,
    secure: record.secure ?? true,
    headers: record.headers ?? {},
    compare: record.compare ?? false,
  }
}

/** Names as browsers send them: in lower case, `bücher.example` as `xn--bcher-kva.example`, without a default port. */
export function resolveOrigins({ cors, allowedHosts }: OriginOptions): OriginPolicy {
  return {
    origins: cors === false ? 'off' : cors === true ? 'every' : new Set((cors ?? []).map(canonicalOrigin)),
    hosts: allowedHosts === true ? 'every' : (allowedHosts ?? []).map(canonicalHost),
    addsHeaders: true,
  }
}

function canonicalOrigin(origin: string): string {
  return parseOrigin(origin)?.text ?? origin.toLowerCase()
}

function canonicalHost(host: string): string {
  const dot = host.startsWith('.') ? '.' : ''
  return `${dot}${hostNameOf(host.slice(dot.length)) ?? host.slice(dot.length).toLowerCase()}`
}
