import { percentDecoded } from '../http/path.ts'
import { isPlainObject } from '../values/values.ts'
import type { RawRequest } from '../http/raw-request.ts'
import { describeValue } from '../values/describe-value.ts'

/*
 * Credentials of a request are never shown: neither in the log, which ends up in bug reports, nor in an answer or the
 * inspector, which end up in screenshots.
 */

/** A part of a request by name: a header, a cookie, a query parameter, a property of the body. */
interface NamedField {
  source: string
  path: readonly string[]
}

/** Replaces a secret value. */
export const redacted = '… (redacted)'
/** Replaces a secret value that is not the expected one. */
export const anotherValue = 'another value (redacted)'
/** Replaces a secret value that operators do not match. */
export const sentValue = 'the value that was sent (redacted)'

const secretHeader =
  /authorization|cookie|token|secret|(?:api|private)[-_]?key|(?:access|functions|subscription)-key|passw|credential|session|signature|jwt|assertion|^x-auth|(?:^|-)(?:otp|pin)(?:-|$)/i

/** For names in lower case without separators. Not every token is secret: `pageToken` helps to debug paging. */
const secretName =
  /^(?:(?:access|refresh|id|auth|bearer|session|api|csrf|xsrf|reset|verification|invite|login)?tokens?|auth|authorization|sig|jwt|pwd|pass|passcode|passphrase|session|sid|sessionid|t?otp|pin|(?:auth|authorization|verification|security|sms|reset|onetime)code)$|apikey|privatekey|secret|passw|credential|signature/

/** Secret only in a query string (`?code=` of OAuth, `?key=`); in a path, they are mostly country codes or record keys. */
const secretInQuery = /^(?:code|keys?)$/

/** Whether the values of a field are secret. */
export function isSecret({ source, path }: NamedField): boolean {
  const [name = ''] = path
  switch (source) {
    case 'cookies':
      return true
    case 'headers':
      return secretHeader.test(name)
    case 'query':
      return partsOf(name).some((part) => secretName.test(part) || secretInQuery.test(part))
    default:
      return path.some(isSecretName)
  }
}

/** Whether the name of a property or a variable says that its value is secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(plain(name))
}

/** Whether a JSON value has a property whose name says that its value is secret. */
export function namesSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesSecret)
  return (
    isPlainObject(value) &&
    Object.entries(value).some(([name, inner]) => isSecretName(name) || namesSecret(inner))
  )
}

/** For `JSON.stringify`: the values of properties whose names say that they are secret are replaced. */
export function hideSecret(name: string, value: unknown): unknown {
  return isSecretName(name) ? '…' : value
}

/** `user[access token]` has the parts `user` and `accesstoken`. */
function partsOf(name: string): string[] {
  return name.split(/[[\].]+/).map(plain)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** A query string without the values of its secret parameters, and of secret variables in a GraphQL request's `variables`. */
export function redactSearch(search: string): string {
  if (search === '') return search
  return search
    .split('&')
    .map((pair) => {
      const [name, value] = [...new URLSearchParams(`?${pair}`)][0] ?? ['', '']
      const written = pair.split('=', 1)[0]!
      if (value === '' && !pair.includes('=')) return pair
      if (isSecret({ source: 'query', path: [name] })) return `${written}=…`
      return name === 'variables' ? redactVariables(pair, written, value) : pair
    })
    .join('&')
}

function redactVariables(pair: string, written: string, value: string): string {
  let hasSecret = false
  const hide = (name: string, inner: unknown): unknown => {
    if (!isSecretName(name)) return inner
    hasSecret = true
    return '…'
  }
  try {
    const shown = JSON.stringify(JSON.parse(value, hide))
    return hasSecret ? `${written}=${shown}` : pair
  } catch {
    return `${written}=…` // invalid JSON may end inside a secret
  }
}

/** A path without the values of its secret parameters. */
function redactPath({ path, params }: RawRequest): string {
  const secrets = Object.keys(params).filter((name) => isSecret({ source: 'params', path: [name] }))
  if (secrets.length === 0) return path
  const values = secrets.map((name) => params[name]!).filter((value) => value !== '')
  const hide = (segment: string) =>
    values.some((value) => percentDecoded(segment).includes(value)) ? '…' : segment
  // A wildcard's value has several segments.
  const isWide = values.some((value) => value.includes('/'))
  return isWide ? '/…' : path.split('/').map(hide).join('/')
}

/** Operators as JSON, with the values of secret fields redacted. */
export function writeOperators(operators: unknown, field: NamedField): string {
  // At the top level, each key that is not an operator is the name of a header or a parameter.
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

/** A request as messages name it: `GET /items?page=9`, without secrets. */
export function describeRequest(raw: RawRequest): string {
  const { method, search } = raw
  return `${method} ${redactPath(raw)}${search && `?${redactSearch(search)}`}`
}
