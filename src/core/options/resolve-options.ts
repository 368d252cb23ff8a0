import { canonicalBase } from '../http/path.ts'
import { readScenarioNames } from '../http/scenario-list.ts'
import { checkOptions } from './check-options.ts'
import { resolveGraphQL } from './graphql-options.ts'
import { createLogger } from './logger.ts'
import { isOn, type OptionKinds } from './option-kinds.ts'
import type { BuildOptions, HostDefaults, Options, ResolvedOptions } from './options.ts'
import { resolveRecord } from './record-options.ts'

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
