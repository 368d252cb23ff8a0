import { isPlainObject } from '../values/values.ts'
import { isBoolean, isOn, isOnOrOff, isText, type OptionKind, type OptionKinds } from './option-kinds.ts'

/**
 * Where the real backend is, and how its answers are recorded.
 *
 * @example
 * mockApi({ record: { target: 'https://staging.example', enabled: process.env.RECORD ?? false } })
 */
export interface RecordOptions {
  /**
   * The origin of the backend, perhaps with a path that stands before those of the requests: `https://staging.example/v1`.
   * Default: the proxy of the dev server, or whatever else answers behind the plugin.
   */
  target?: string | undefined
  /**
   * Whether recording begins when the server starts. Default `true`. The inspector and the control API start and stop it, too.
   * Strings work as in environment variables, as for the option `enabled` of the plugin.
   */
  enabled?: boolean | string | undefined
  /**
   * The paths to record, as globs: `/api/**`. Default: every request that the dev server has nothing for, but neither pages
   * nor scripts, styles, images and fonts of pages.
   */
  include?: string | string[] | undefined
  /** Paths not to record, as globs. They are left to the dev server. Default: none. */
  exclude?: string | string[] | undefined
  /** Folder of the recorded files, relative to `root`. Default `recorded` in the first folder of the option `fixtures`. */
  folder?: string | undefined
  /** Whether the certificate of `target` must be valid; `false` accepts one that is self-signed. Default `true`. */
  secure?: boolean | undefined
  /** Request headers for `target`, in addition to those of the client: `{ authorization: 'Bearer …' }`. Never recorded. */
  headers?: Record<string, string> | undefined
}

/** `record` with every default filled in. */
export interface ResolvedRecord {
  target: string | undefined
  enabled: boolean
  include: readonly string[]
  exclude: readonly string[]
  folder: string | undefined
  secure: boolean
  headers: Readonly<Record<string, string>>
}

const globs: OptionKind = {
  expected: 'a glob of paths such as "/api/**", or a list of them',
  accepts: isText,
  acceptsItem: isText,
}

const backendKinds = {
  target: {
    expected: 'a URL such as "https://staging.example", without a query',
    accepts: (value) => typeof value === 'string' && isTarget(value),
  },
  headers: {
    expected: 'an object of headers by their names',
    accepts: (value) =>
      isPlainObject(value) && Object.values(value).every((text) => typeof text === 'string'),
  },
} satisfies OptionKinds

export const recordKinds = {
  ...backendKinds,
  enabled: {
    expected: 'true or false, or the text "1", "0", "on", "off", "yes", "no", or ""',
    accepts: isOnOrOff,
  },
  include: globs,
  exclude: globs,
  folder: { expected: 'the path of a folder', accepts: isText },
  secure: { expected: 'true or false', accepts: isBoolean },
} satisfies Record<keyof RecordOptions, OptionKind>

/** Without files, nothing is recorded. */
export const fetchRecordKinds: OptionKinds = backendKinds

/** Whether requests can be sent to an address: the address of a server, perhaps with a path. */
export function isTarget(given: string): boolean {
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) return false
  const { search, hash, username } = new URL(given)
  return search === '' && hash === '' && username === ''
}

/** Fills in the defaults of a checked option. */
export function resolveRecord(given: boolean | RecordOptions | undefined): ResolvedRecord {
  const record: RecordOptions = typeof given === 'object' ? given : {}
  return {
    target: record.target,
    enabled: typeof given === 'object' ? isOn(given.enabled ?? true) : (given ?? false),
    include: [record.include ?? []].flat(),
    exclude: [record.exclude ?? []].flat(),
    folder: record.folder,
    secure: record.secure ?? true,
    headers: record.headers ?? {},
  }
}
