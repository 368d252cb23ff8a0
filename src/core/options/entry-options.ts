import { pluginKinds } from './check-options.ts'
import type { Logger } from './logger.ts'
import type { OptionKind, OptionKinds } from './option-kinds.ts'
import type {
  FetchOptions,
  HostDefaults,
  LoadOptions,
  MiddlewareOptions,
  ResolvedMiddlewareOptions,
  ResolvedOptions,
} from './options.ts'
import { originKinds, resolveOrigins } from './origin-options.ts'
import { fetchRecordKinds } from './record-options.ts'
import { resolveOptions } from './resolve-options.ts'

/* The options of the entries that are not plugins. They are apart from those of plugins, which every config loads. */

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
