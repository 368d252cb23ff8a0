import { reasonOf } from '../../core/values/thrown.ts'
import type { Meaning } from './resolve-import.ts'

/** An import that leads nowhere. */
export class MissingModule extends Error {
  constructor(
    reason: string,
    readonly specifier: string,
    readonly importer: string,
    readonly tried: Meaning['tried'],
  ) {
    super(reason)
  }
}

/** Node appends the list of modules that required it. */
export function withoutStack(reason: string): string {
  return reason.replace(/\nRequire stack:[^]*$/, '')
}

/** The error of an import, which may be of a module further on. */
export function explainMissing(
  error: unknown,
  specifier: string,
  importer: string,
  { to = '', tried }: Meaning,
) {
  const code = String((error as { code?: unknown } | null)?.code)
  const reason = withoutStack(reasonOf(error))
  const isMissing = /^(?:(?:ERR_)?MODULE_NOT_FOUND|ENOENT|ERR_UNSUPPORTED_ESM_URL_SCHEME)$/.test(code)
  if (error instanceof MissingModule || !isMissing || !reason.includes(to)) return error
  return new MissingModule(reason, specifier, importer, tried)
}
