import { percentDecoded } from '../http/path.ts'
import type { RawRequest } from '../http/raw-request.ts'
import { describeValue } from '../values/describe-value.ts'
import { isPlainObject, isRecord, setOwn } from '../values/values.ts'

/** Logs end up in bug reports, the inspector in screenshots, and recorded fixtures in a repository. */

interface NamedField {
  source: string
  path: readonly string[]
}

/** For a secret value where space is short: in a URL, a body, a selector. */
export const hidden = '…'
/** For a secret value in a sentence. */
export const redacted = '… (redacted)'
/** For a secret value other than the expected one. */
export const anotherValue = 'another value (redacted)'
/** For a secret value that operators do not match. */
export const sentValue = 'the value that was sent (redacted)'
/** For a secret value in a recorded body, where the key stays. */
export const placeholder = 'redacted'

/** Compared in lower case without separators. Not every token is secret: `pageToken` helps to debug paging. */

const certainName =
  /^(?:pwd|passcode|passphrase|t?otp|pin|(?:auth|authorization|verification|security|sms|reset|onetime)code)$|(?:api|private)key$|secret|passw|credential/

/** In a recording, their values must look secret, too: a `session` may be one of a conference. */
const likelyName =
  /^(?:(?:access|refresh|id|auth|bearer|session|api|csrf|xsrf|reset|verification|invite|login)?tokens?|auth|authorization|sig|jwt|pass|session|sid|sessionid)$|apikey|privatekey|signature/

/** Secret only in a query string (`?code=` of OAuth, `?key=`); in a path, they are mostly country codes or record keys. */
const secretInQuery = /^(?:code|keys?)$/

const secretHeader =
  /authorization|cookie|token|secret|(?:api|private)[-_]?key|(?:access|functions|subscription)-key|passw|credential|session|signature|jwt|assertion|^x-auth|(?:^|-)(?:otp|pin)(?:-|$)/i

export function isSecret({ source, path }: NamedField): boolean {
  const [name = ''] = path
  switch (source) {
    case 'cookies':
      return true
    case 'headers':
      return secretHeader.test(name)
    case 'query':
      return partsOf(name).some((part) => isSecretName(part) || secretInQuery.test(part))
    default:
      return path.some(isSecretName)
  }
}

export function isSecretName(name: string): boolean {
  const plain = plainName(name)
  return certainName.test(plain) || likelyName.test(plain)
}

export function namesSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesSecret)
  return (
    isPlainObject(value) &&
    Object.entries(value).some(([name, inner]) => isSecretName(name) || namesSecret(inner))
  )
}

/** A replacer for `JSON.stringify`. */
export function hideSecret(name: string, value: unknown): unknown {
  return isSecretName(name) ? hidden : value
}

/** `user[access token]` has the parts `user` and `accesstoken`. */
function partsOf(name: string): string[] {
  return name.split(/[[\].]+/).map(plainName)
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** Also hides secret variables in a GraphQL request's `variables`. */
export function redactSearch(search: string): string {
  if (search === '') return search
  return search
    .split('&')
    .map((pair) => {
      const [name, value] = [...new URLSearchParams(`?${pair}`)][0] ?? ['', '']
      const written = pair.split('=', 1)[0]!
      if (value === '' && !pair.includes('=')) return pair
      if (isSecret({ source: 'query', path: [name] })) return `${written}=${hidden}`
      return name === 'variables' ? redactVariables(pair, written, value) : pair
    })
    .join('&')
}

function redactVariables(pair: string, written: string, value: string): string {
  let hasSecret = false
  const hide = (name: string, inner: unknown): unknown => {
    hasSecret ||= isSecretName(name)
    return hideSecret(name, inner)
  }
  try {
    const shown = JSON.stringify(JSON.parse(value, hide))
    return hasSecret ? `${written}=${shown}` : pair
  } catch {
    return `${written}=${hidden}` // invalid JSON may end inside a secret
  }
}

function redactPath({ path, params }: RawRequest): string {
  const secrets = Object.keys(params).filter((name) => isSecret({ source: 'params', path: [name] }))
  if (secrets.length === 0) return path
  const values = secrets.map((name) => params[name]!).filter((value) => value !== '')
  const hide = (segment: string) =>
    values.some((value) => percentDecoded(segment).includes(value)) ? hidden : segment
  // A wildcard's value has several segments.
  const isWide = values.some((value) => value.includes('/'))
  return isWide ? `/${hidden}` : path.split('/').map(hide).join('/')
}

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
    if (isHidden && typeof value !== 'boolean') return hidden
    return value instanceof RegExp || typeof value === 'bigint' ? String(value) : value
  }
  return JSON.stringify(show(operators, isSecret(field))) ?? describeValue(operators)
}

/** `GET /items?page=9`, without secrets. */
export function describeRequest(raw: RawRequest): string {
  const { method, search } = raw
  return `${method} ${redactPath(raw)}${search && `?${redactSearch(search)}`}`
}

/* Bodies as the inspector shows them */

/** A secret property in text that may be any part of JSON or of a GraphQL document. */
const scalarProperty =
  /(?<![\w$-])(\\?"?)([A-Za-z_][\w-]*)\1(\s*:\s*)(\\"(?:(?!\\").)*\\"|"(?:[^"\\]|\\.)*"?|[^\s,{}()[\]"]+)/g

const formField = /(name="([^"]*)"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)((?:(?!\r\n--)[^])*)/g

/** @param isCut whether the text is only the beginning of the body */
export function redactBody(text: string, contentType: string, isCut: boolean): string {
  if (/x-www-form-urlencoded/i.test(contentType) && !/^\s*[[{]/.test(text)) return redactSearch(text)
  if (/multipart\//i.test(contentType)) {
    return text.replace(formField, (_, head: string, name: string, value: string) =>
      isSecretName(name) ? `${head}${hidden}` : `${head}${redactScalars(value)}`,
    )
  }
  return (isCut ? undefined : redactJson(text)) ?? redactScalars(text)
}

/** JSON keeps its spelling unless it has secrets; `undefined` when the text is not JSON. */
function redactJson(text: string): string | undefined {
  let hasSecret = false
  const hide = (name: string, value: unknown): unknown => {
    if (isSecretName(name) && value !== null && typeof value !== 'boolean') {
      hasSecret = true
      return hidden
    }
    if (name !== 'query' || typeof value !== 'string') return value
    const shown = redactScalars(value)
    hasSecret ||= shown !== value
    return shown
  }
  try {
    const value = JSON.parse(text, hide) as unknown
    return hasSecret ? JSON.stringify(value) : text
  } catch {
    return undefined
  }
}

function redactScalars(text: string): string {
  return text.replace(scalarProperty, (whole, quote: string, name: string, colon: string, value: string) =>
    isSecretName(name) && !/^(?:null|true|false|\$)/.test(value)
      ? `${quote}${name}${quote}${colon}"${hidden}"`
      : whole,
  )
}

/* Recordings: what replaces a value has the same type, so that the application still works */

/** JSON Web Tokens, and the keys and tokens of well-known services. */
const token =
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|[sr]k_(?:live|test)_\w{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z\d]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,})/

export function looksLikeToken(text: string): boolean {
  return token.test(text)
}

export function hideTokens(text: string, report: (what: string) => void): string {
  return text.replace(new RegExp(token, 'g'), () => {
    report('a token')
    return placeholder
  })
}

/** @param report is called with the path of each replaced value: `data.login.token` */
export function hideSecrets(value: unknown, report: (path: string) => void, name = '', path = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => hideSecrets(entry, report, name, `${path}[]`))
  if (isRecord(value)) {
    const copy = {}
    for (const [key, inner] of Object.entries(value))
      setOwn(copy, key, hideSecrets(inner, report, key, path === '' ? key : `${path}.${key}`))
    return copy
  }
  if (typeof value === 'string') {
    if (!isSecretText(name, value)) return hideTokens(value, () => report(path))
    report(path)
    return placeholder
  }
  if (typeof value !== 'number' || value === 0 || !certainName.test(plainName(name))) return value
  report(path)
  return 0
}

function isSecretText(name: string, value: string): boolean {
  if (value === '' || value === placeholder || !isSecretName(name)) return false
  return certainName.test(plainName(name)) || value.length >= 16 || /\d/.test(value)
}
