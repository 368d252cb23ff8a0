import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseSetup } from '../core/diagnostics/setup-texts.ts'
import { resolveOptions } from '../core/options/resolve-options.ts'
import type { FetchOptions, ResolvedOptions } from '../core/options/options.ts'
import { isPlainObject } from '../core/values/values.ts'
import { Code, writeValue } from './write-value.ts'

/**
 * The options of `createFetchHandler` that the plugin's options give, without those that have their defaults.
 *
 * @param schema the schema's text, one entry for each file
 */
export function fetchOptionsOf(options: ResolvedOptions, schema: readonly string[]): FetchOptions {
  const defaults = resolveOptions({}, { root: '', logger: console })
  const { navigation, navigationGiven, scenario } = options
  const { paths } = options.graphql
  const graphql = {
    ...(String(paths) !== String(defaults.graphql.paths) && { path: [...paths] }),
    ...changed(settingsOf(options.graphql), defaults.graphql),
    ...(schema.length > 0 && { schema: [...schema] }),
  }
  return {
    ...changed(valuesOf(options), defaults),
    ...(navigationGiven && { navigation }),
    ...(scenario.length > 0 && { scenario: [...scenario] }),
    ...(Object.keys(graphql).length > 0 && { graphql }),
  }
}

function valuesOf(options: ResolvedOptions) {
  const { base, unmatched, bodyLimit, functionTimeout, routeHeader, logLevel } = options
  return { base, unmatched, bodyLimit, functionTimeout, routeHeader, logLevel }
}

function settingsOf(graphql: ResolvedOptions['graphql']) {
  const { strict, shape, scalars, maxTokens, maxDepth, maxCost } = graphql
  return { strict, shape, scalars, maxTokens, maxDepth, maxCost }
}

function changed<T extends object>(values: T, defaults: object): Partial<T> {
  const entries = Object.entries(values).filter(
    ([key, value]) => !isSame(value, (defaults as Record<string, unknown>)[key]),
  )
  return Object.fromEntries(entries) as Partial<T>
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (isPlainObject(a) && Object.keys(a).length === 0)
}

/**
 * The source of the options.
 *
 * @param modules names of the modules that may export parts of the schema
 */
export function writeOptions(options: FetchOptions, modules: readonly string[]): string | Diagnostic {
  const { graphql } = options
  try {
    if (modules.length === 0) return writeValue(options, '')
    const texts = writeValue(graphql?.schema ?? [], '')
    const schema = new Code(`schemasOf(${[texts, ...modules].join(', ')})`)
    return writeValue({ ...options, graphql: { ...graphql, schema } }, '')
  } catch (error) {
    const [, option = '', what = ''] = /^\.(.*) is (.*)$/.exec((error as Error).message) ?? []
    return diagnoseSetup('option-not-data', {}, { option, what })
  }
}
