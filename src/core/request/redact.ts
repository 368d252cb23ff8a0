import { isPlainObject } from '../values/values.ts'
import type { RawRequest } from '../http/raw-request.ts'
import { describeValue } from '../values/describe-value.ts'

/*
 * What a request carries to prove who sends it is shown to nobody: neither in the log, which ends up in bug reports, nor
 * in an answer, which ends up in screenshots.
 */

/** A part of a request by name: a header, a cookie, a query parameter, a property of the body. */
interface NamedField {
  source: string
  path: readonly string[]
}

/** What stands for a value that is not shown. */
export const redacted = '… (redacted)'

const secretHeader =
  /authorization|cookie|token|secret|api[-_]?key|(?:access|functions|subscription)-key|passw|credential|session|signature|jwt|assertion|^x-auth/i
/** Fewer than of headers: `pageToken` and the like are what a developer of lists looks at. */
const secretParameter =
  /^(?:(?:access|refresh|id|auth|bearer|session|api|csrf|xsrf)[_-]?)?token$|^(?:auth|authorization|sig)$|^(?:key|jwt|pwd|passcode|passphrase|session|sid|session[_-]?id)$|api[_-]?key|secret|passw|credential|signature/i

/** Whether the values of a field are not to be shown. */
export function isSecret({ source, path: [name = ''] }: NamedField): boolean {
  if (source === 'cookies') return true
  return source === 'headers' ? secretHeader.test(name) : source === 'query' && secretParameter.test(name)
}

/** A query string without the values of its secret parameters. */
export function redactSearch(search: string): string {
  if (search === '') return search
  return search.replace(/(^|&)([^=&]+)=[^&]*/g, (pair, separator: string, name: string) =>
    isSecret({ source: 'query', path: [decodeName(name)] }) ? `${separator}${name}=…` : pair,
  )
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Operators as JSON. Of a secret field, they are shown without what they compare with. */
export function writeOperators(operators: unknown, field: NamedField): string {
  // Directly below the source, each key that is no operator is the name of a header or of a parameter.
  const isNamed = field.path.length === 0
  const show = (value: unknown, isHidden: boolean): unknown => {
    if (Array.isArray(value)) return value.map((entry) => show(entry, isHidden))
    if (isPlainObject(value)) {
      const entries = Object.entries(value).map(([key, inner]) => {
        const isSecretName =
          isNamed && !key.startsWith('$') && isSecret({ source: field.source, path: [key] })
        return [key, show(inner, isHidden || isSecretName)]
      })
      return Object.fromEntries(entries)
    }
    if (isHidden && typeof value !== 'boolean') return '…'
    return value instanceof RegExp || typeof value === 'bigint' ? String(value) : value
  }
  return JSON.stringify(show(operators, isSecret(field))) ?? describeValue(operators)
}

/** A request as messages name it: `GET /items?page=9`, without what is nobody's business. */
export function describeRequest({ method, path, search }: RawRequest): string {
  return `${method} ${path}${search && `?${redactSearch(search)}`}`
}
