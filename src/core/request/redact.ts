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
  /^(?:[ct]vv2?|cvc2?|pin|(?:new|old|current|card)pin|(?:auth|authorization|verification|security|sms|reset|onetime|login|backup|recovery)code)$|pwd|otp$|(?:otp|mfa|2fa|twofactor)code$|passcode$|(?:api|app|auth|private|access|encryption|decryption|signing|master|session|shared|hmac|ssh)keys?$|secret|passw|passphrase|credential/

/** In a recording, their values must look secret, too: a `session` may be one of a conference. */
const likelyName =
  /^(?:(?:access|refresh|id|auth|oauth|bearer|session|api|app|csrf|xsrf|authenticity|reset|verification|confirmation|activation|invite|login|signup|magic|mfa|otp|jwt|security|user|device|push|remember(?:me)?)?tokens?|auth|authorization|sig|jwt|session|sid|sessionid|(?:x|db|user|smtp|my|new|old|current)?pass)$|apikey|privatekey|accesskey|signature/

/** Secret only in a query string (`?code=` of OAuth, `?key=`); in a path, they are mostly country codes or record keys. */
const secretInQuery = /^(?:code|keys?)$/

const secretHeader =
  /authorization|cookie|token|(?:functions|subscription)-key|session|jwt|assertion|^x-(?:auth|key$)|(?:^|-)(?:otp|pin|pass)(?:-|$)/i

export function isSecret({ source, path }: NamedField): boolean {
  const [name = ''] = path
  switch (source) {
    case 'cookies':
      return true
    case 'headers':
      return secretHeader.test(name) || isSecretName(name)
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

export function holdsSecret(value: unknown): boolean {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return redactText(text) !== text
}

/** `user[access token]` has the parts `user` and `accesstoken`. */
function partsOf(name: string): string[] {
  return name.split(/[[\].]+/).map(plainName)
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** Also hides what is secret inside a value: the variables and literals of a GraphQL request. */
export function redactSearch(search: string): string {
  if (search === '') return search
  return search
    .split('&')
    .map((pair) => {
      const [name, value] = [...new URLSearchParams(`?${pair}`)][0] ?? ['', '']
      const written = pair.split('=', 1)[0]!
      if (value === '' && !pair.includes('=')) return pair
      if (isSecret({ source: 'query', path: [name] })) return `${written}=${hidden}`
      const shown = redactText(value)
      return shown === value ? pair : `${written}=${shown.replace(/[&#+%\s]/g, encodeURIComponent)}`
    })
    .join('&')
}

function redactPath({ path, params }: RawRequest): string {
  const secrets = Object.keys(params).filter((name) => isSecret({ source: 'params', path: [name] }))
  if (secrets.length === 0) return hideTokens(path, hidden)
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

/* Bodies, as the inspector shows them and recordings write them */

/** Their words are code: what stands behind a name is mostly no value. */
const isCode = /\b(?:html|javascript|ecmascript|css|xml)\b/i

/** @param text may be only the beginning of the body */
export function redactBody(text: string, contentType: string, mark = hidden): string {
  if (isCode.test(contentType)) return hideTokens(text, mark)
  if (/x-www-form-urlencoded/i.test(contentType) && !/^\s*[[{]/.test(text))
    return redactSearch(text).replaceAll(`=${hidden}`, `=${mark}`)
  if (!/multipart\//i.test(contentType)) return redactText(text, mark)
  const parts = text.split('\r\n--').map((part) => {
    const start = part.indexOf('\r\n\r\n') + 4
    const name = /\bname="([^"]*)"/.exec(part.slice(0, Math.max(start, 0)))?.[1] ?? ''
    if (start < 4) return part
    return part.slice(0, start) + (isSecretName(name) ? mark : redactText(part.slice(start), mark))
  })
  return parts.join('\r\n--')
}

/**
 * A name, its quotes and the sign before its value, in text that may be any part of JSON, of JSON inside a string, of a
 * GraphQL document or of a URL. Like all patterns here, it reads no character twice: texts are long.
 */
const property =
  /(?:(?<=\\[nrt])|(?<![\w.$\\-]))(?:(\\*)"([^"\\\n]{1,80})\1"|(\$?)([A-Za-z_][\w.-]*)([\\"'\]]*))\s*([:=])\s*/g

const variableType = /[\w[\]!\s]*=\s*/y
const opening = /(\\*)(["'])/y
const bareValue =
  /(?:(?:bearer|basic|digest|token)\s+)?(?:[^\s\\,{}()[\]"'&;<=>]|\\(?!["nrt]))(?:[^\s\\,{}()[\]"&;<]|\\(?!["nrt]))*/iy
const harmless = /^(?:null|true|false|\$.*|(?:String|ID|Int|Float|Boolean)!?)$/

/** Keeps the quotes, so that JSON stays JSON. */
export function redactText(text: string, mark = hidden): string {
  let shown = ''
  let kept = 0
  const names = new RegExp(property)
  for (let found = names.exec(text); found; found = names.exec(text)) {
    const [, , quoted, dollar, bare = '', closing = '', sign] = found
    if (!(quoted ?? bare).split('.').some(isSecretName)) continue
    let start = names.lastIndex
    if (dollar && sign === ':') {
      const type = matchAt(variableType, text, start)
      if (!type) continue
      start += type[0].length
    }
    const nameQuote = quoted === undefined ? (/^\\*"/.exec(closing)?.[0] ?? '') : `${found[1]}"`
    const isProse =
      nameQuote === '' && sign === ':' && /\w $/.test(text.slice(Math.max(0, found.index - 2), found.index))
    const value = valueAt(text, start, isProse)
    if (!value) continue
    const quote = value.quote || nameQuote
    shown += text.slice(kept, start) + quote + mark + quote
    names.lastIndex = kept = value.end
  }
  return hideTokens(shown + text.slice(kept), mark)
}

/** `undefined` for a value that is no secret, such as `null`. */
function valueAt(text: string, start: number, isProse: boolean): { end: number; quote: string } | undefined {
  const [quote, backslashes = '', sign = ''] = matchAt(opening, text, start) ?? []
  if (quote !== undefined) {
    const isBlock = sign === '"' && text.startsWith(quote.repeat(3), start)
    const delimiter = isBlock ? quote.repeat(3) : quote
    return {
      end: endOfString(text, start + delimiter.length, backslashes.length, delimiter),
      quote: delimiter,
    }
  }
  if (text[start] === '{' || text[start] === '[') return { end: endOfBrackets(text, start), quote: '' }
  const [bare] = matchAt(bareValue, text, start) ?? []
  if (bare === undefined || harmless.test(bare) || (isProse && /^[a-z]+[.!?]?$/i.test(bare))) return undefined
  return { end: start + bare.length, quote: '' }
}

function matchAt(pattern: RegExp, text: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start
  return pattern.exec(text)
}

/** A string inside of JSON has its quotes escaped once a level: they have 0, 1, 3, 7 backslashes. */
function endOfString(text: string, start: number, level: number, delimiter: string): number {
  const quotes = delimiter.endsWith('"') ? /(?<!\\)\\*"/g : /(?<!\\)\\*'/g
  quotes.lastIndex = start
  for (let found = quotes.exec(text); found; found = quotes.exec(text)) {
    const before = found[0].length - 1
    const first = found.index + before - level
    if (before % (2 * level + 2) === level && text.startsWith(delimiter, first))
      return first + delimiter.length
  }
  return text.length
}

function endOfBrackets(text: string, start: number): number {
  const signs = /(?<!\\)(\\*)"|[{}[\]]/g
  signs.lastIndex = start
  let depth = 0
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const [sign, backslashes] = found
    if (backslashes !== undefined)
      signs.lastIndex = endOfString(text, signs.lastIndex, backslashes.length, sign)
    else if ((depth += sign === '{' || sign === '[' ? 1 : -1) === 0) return signs.lastIndex
  }
  return text.length
}

/* Recordings: what replaces a value has the same type, so that the application still works */

/** JSON Web Tokens, and the keys and tokens of well-known services. */
const token =
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|[sr]k_(?:live|test)_\w{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z\d]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,})/

export function looksLikeToken(text: string): boolean {
  return token.test(text)
}

function hideTokens(text: string, mark = placeholder): string {
  return text.replace(new RegExp(token, 'g'), mark)
}

/** @param report is called with the path of each replaced value: `data.login.token` */
export function hideSecrets(value: unknown, report: (path: string) => void, name = '', path = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => hideSecrets(entry, report, name, `${path}[]`))
  if (isRecord(value)) {
    const copy = {}
    const isSecret = certainName.test(plainName(name)) // and so is all that it holds
    for (const [key, inner] of Object.entries(value))
      setOwn(
        copy,
        key,
        hideSecrets(inner, report, isSecret ? name : key, path === '' ? key : `${path}.${key}`),
      )
    return copy
  }
  if (typeof value === 'string') {
    const shown = isSecretText(name, value) ? placeholder : redactText(value, placeholder)
    if (shown !== value) report(path)
    return shown
  }
  if (typeof value !== 'number' || value === 0 || !certainName.test(plainName(name))) return value
  report(path)
  return 0
}

function isSecretText(name: string, value: string): boolean {
  if (value === '' || value === placeholder || !isSecretName(name)) return false
  return certainName.test(plainName(name)) || value.length >= 16 || /\d/.test(value)
}
