import { hideUsers } from '../values/url-user.ts'
import {
  isCertainName,
  isCount,
  isListedPair,
  isSecretName,
  isSecretParameter,
  looksSecret,
} from './secret-names.ts'

/** Replaces a secret value where space is short: in a URL, a body, a selector. */
export const hidden = '…'
/** Replaces a secret value in a recorded body, where the key stays. */
export const placeholder = 'redacted'

/*
 * Text may be any part of JSON, of JSON inside a string, of a GraphQL document or of a URL. No pattern here reads a character
 * twice: texts are long.
 */

/** A name, its quotes and the sign before its value. Commas, and comments before a string, are GraphQL's. */
const gap = String.raw`(?:[\s,]|(?<!\\)\\+[nrt])*`
const comment = String.raw`(?:(?:#(?:[^\n\\]|\\(?!n)){0,200}(?:\n|\\+n)${gap}){1,20}(?=\\*["':=]))?`
const property = new RegExp(
  String.raw`(?:(?<=\\[nrt]|(?:^|\s)--?)|(?<![\w.$\\-]))(?:(\\*)"([^"\\\n]{3,80})\1"|(\$?)([A-Za-z_][\w.-]{2,})([\\"'\]]*))${gap}${comment}(=>|[:=])${gap}${comment}`,
  'g',
)

const variableType = /[\w[\]!\s,]*=[\s,]*/y
const opening = /(\\*)(["'])/y
/** A value without quotes, or a block of lines in YAML. */
const bareValue =
  /[|>][-+\d]{0,2}[ \t]*(?:\r?\n[ \t]+[^\r\n]*)+|(?:(?:bearer|basic|digest|token)\s+)?(?:[^\s\\,{}()[\]"'&;<=>]|\\(?!["nrt]))(?:[^\s\\,{}()[\]"&;<]|\\(?!["nrt]))*/iy
const restOfLine = /[^\r\n"'\\<]*/y
const harmless = /^(?:null|true|false|\$.*|(?:String|ID|Int|Float|Boolean)!?|include|omit|same-origin)$/

/** `{"name": "password", "value": …}`, with both in any order. */
const flatObject = /\{[^{}"]*"[^{}]*/g
const pairName =
  /(?<!\\)(\\*)"(?:name|key|field|id|header|parameter|property|label|path)\1"\s*:\s*\1"([^"\\]{1,80})\1"/gi
const pairValue = /(?<!\\)\\*"(?:value|val|values)\\*"\s*:\s*/gi

/** `["authorization", "Bearer …"]`, as in a list of headers. */
const listedPair = /\[\s*(\\*)"([^"\\]{1,80})\1"\s*,\s*(?=\1"([^"\\]*)\1"\s*\])/g

/** JSON Web Tokens, and the keys and tokens of well-known services. */
const token =
  /(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]{8,}|(?=\.\.))(?:\.[\w-]*){0,4}|\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|gl(?:pat|dt|rt|soat)-[\w-]{16,}|[sr]k_(?:live|test)_\w{16,}|sk-(?:ant-|proj-|svcacct-)[\w-]{16,}|sk-[A-Za-z\d]{32,}|xox[abeprs]-[\w-]{10,}|xapp-[\w-]{10,}|A(?:KIA|SIA)[A-Z\d]{16}|AIza[\w-]{30,}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,}|npm_[A-Za-z\d]{30,}|pypi-[\w-]{30,}|dckr_pat_[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|hf_\w{30,}|whsec_[\w+/=]{20,}|shp(?:at|ca|pa|ss)_[\da-f]{32}|hvs\.[\w-]{20,}|gsk_\w{30,}|xai-\w{30,}|dop_v1_[\da-f]{40,}|sbp_[\da-f]{40}|ATATT3[\w=-]{30,}|AGE-SECRET-KEY-1[A-Z\d]{40,})/g

const pem = /(?<=-----BEGIN (?:[A-Z\d]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----)[^-]*(?:-(?!----)[^-]*)*/g
const bearer =
  /\b(bearer\s+)(?![a-z_]+=(?:\\*["']\w|\w)|(?:tokens?|auth\w*|scheme|credentials?)\b)((?=[a-z]*[^a-z\s"'\\,;<>&)]|[a-z]{16})[^\s"'\\,;<>&]+|(?<=(?:^|["'=])bearer\s)[^\s"'\\]+(?=$|\\*["']))/gi
const basic = /\b(basic\s+)([A-Za-z\d+/]{4,}={0,2})/gi
const search = /(?<=[?#])[^\s"'<>`\\]+/g
/** The path of a link that grants access: it contains a token, sometimes after the user. */
const action =
  /(\/(?:(?:password|email|account|phone|user|accept|join)[-_]?)?(?:reset|verify|verification|activate|activation|invite|invitation|unsubscribe|magic|otp|(?:confirm|confirmation)(?=[-_]?(?:email|account|password))|(?<=\/(?:email|account)[-_])confirm(?:ation)?)(?:[-_]?(?:password|email|account|phone|token|link|user|code))?\/)([^\s?#"'<>\\&;,/]+(?:\/[^\s?#"'<>\\&;,/]+)?)/gi

export interface TextSettings {
  mark?: string
  /** In code, what follows a bare name is usually not a value. */
  isCode?: boolean
  /** Names are words of sentences, too: `Password: required`. */
  isProse?: boolean
  /** How often the text was inside of a query string. */
  depth?: number
}

/** Keeps the quotes, so that JSON stays JSON. */
export function redactText(text: string, settings: TextSettings = {}): string {
  const { mark = hidden } = settings
  if (/^[\w.-]{0,15}$/.test(text)) return text // most values, and lists have thousands
  const plain = unescaped(text)
  const shown = hideValues(hideInUrls(plain, settings), settings)
    .replace(pem, mark)
    .replace(bearer, `$1${mark}`)
    .replace(basic, (whole, scheme: string, value: string) => (isLogin(value) ? scheme + mark : whole))
    .replace(token, mark)
  return shown === plain ? text : shown
}

/** Many languages write `/` as `\/` and `&` as `\u0026`. What JSON needs escaped stays so. */
function unescaped(text: string): string {
  return text.replace(
    /(?<!\\)(\\+)(?:\/|u00(?!27|5c|7f)([2-7][\da-f]))/gi,
    (_, { length }: string, code?: string) => {
      if (code === undefined) return '/'
      return code === '22'
        ? `${'\\'.repeat(2 * length - 1)}"`
        : String.fromCharCode(Number.parseInt(code, 16))
    },
  )
}

function isLogin(base64: string): boolean {
  if (base64.replace(/=/g, '').length % 4 === 1) return false
  try {
    return atob(base64).includes(':')
  } catch {
    return false
  }
}

/* URLs */

/** Further in, a query string inside of a query string is text. */
const maxDepth = 3

function hideInUrls(text: string, settings: TextSettings): string {
  const { mark = hidden, depth = 0 } = settings
  const shown = hideUsers(text, mark).replace(
    action,
    (_, before: string, given: string) =>
      before +
      given
        .split('/')
        .map((segment) => (looksLikeCode(segment) ? mark : segment))
        .join('/'),
  )
  if (depth >= maxDepth) return shown
  return shown.replace(search, (found) =>
    found.includes('=') ? redactSearch(found, { ...settings, depth: depth + 1 }) : found,
  )
}

/** Neither `step2`, `email-2fa`, `new.html`, a date nor a small number. */
function looksLikeCode(segment: string): boolean {
  if (/^(?:[a-z]{1,8}-?\d{1,2}[a-z]{0,4}|\d{1,5}|\d{4}-\d\d-\d\d.*|.*\.[a-z]{2,5}|:\w+)$/.test(segment))
    return false
  return segment.length >= 6 && (/\d/.test(segment) || /^[\w~+=]{20,}$/.test(segment))
}

/** A query string without its secrets, including those in the variables and literals of a GraphQL request. */
export function redactSearch(query: string, settings: TextSettings = {}): string {
  const { mark = hidden, depth = 0 } = settings
  return query
    .split('&')
    .map((pair) => {
      const [name, value] = [...new URLSearchParams(`?${pair}`)][0] ?? ['', '']
      const written = pair.split('=', 1)[0]!
      if (value === '' && !pair.includes('=')) return redactText(pair, settings)
      // In a text, `?code=` is usually a country code.
      const isHidden = depth === 0 || value.length >= 10 ? isSecretParameter : isSecretName
      if (isHidden(name)) return `${written}=${mark}`
      const shown = redactText(value, { ...settings, depth: Math.max(depth, 1) })
      return shown === value ? pair : `${written}=${shown.replace(/[&#+%\s]/g, encodeURIComponent)}`
    })
    .join('&')
}

/* Names and their values */

interface SecretPlace {
  start: number
  end: number
  quote: string
}

function hideValues(text: string, settings: TextSettings): string {
  const { mark = hidden } = settings
  const places = [...namedPlaces(text, settings), ...pairedPlaces(text)].sort((a, b) => a.start - b.start)
  let shown = ''
  let kept = 0
  for (const { start, end, quote } of places) {
    if (start < kept) continue
    shown += text.slice(kept, start) + quote + mark + quote
    kept = end
  }
  return shown + text.slice(kept)
}

function* namedPlaces(text: string, settings: TextSettings): Generator<SecretPlace> {
  const names = new RegExp(property)
  for (let found = names.exec(text); found; found = names.exec(text)) {
    const [, , quoted, dollar, bare = '', closing = '', sign] = found
    const name = quoted ?? bare
    if (!isSecretName(name)) continue
    if (text[found.index - 1] === '/' && found[0].endsWith(':')) continue // a verb in a path: `/token:revoke`
    let start = names.lastIndex
    if (dollar && sign === ':') {
      const type = matchAt(variableType, text, start)
      if (!type) continue
      start += type[0].length
    }
    const nameQuote = quoted === undefined ? (/^\\*"/.exec(closing)?.[0] ?? '') : `${found[1]}"`
    const before = text.slice(Math.max(0, found.index - 2), found.index)
    const isProse = nameQuote === '' && sign === ':' && (settings.isProse === true || /\w $/.test(before))
    const isBareInCode = settings.isCode === true && quoted === undefined
    if (isBareInCode && !matchAt(opening, text, start)) continue
    if (isBareInCode && sign === '=>') continue // a function
    const value = valueAt(text, start, isProse)
    // Cookies are a list.
    if (value?.quote === '' && /cookies?$/i.test(name))
      value.end = Math.max(value.end, start + matchAt(restOfLine, text, start)![0].length)
    if (!value || isHarmless(text, value, name, isBareInCode)) continue
    names.lastIndex = value.end
    yield { start, end: value.end, quote: value.quote || nameQuote }
  }
}

function isHarmless(text: string, { start, end, quote }: SecretPlace, name: string, isBareInCode: boolean) {
  const given = text.slice(start + quote.length, end - quote.length)
  // Labels are sentences, or a word: `password: 'Password'`.
  if (isBareInCode)
    return /\s|^(?:\p{Lu}\p{Ll}*)?$/u.test(given) || !(isCertainName(name) || looksSecret(given))
  if (quote !== '') return false
  return /^[[{]\s*[\]}]$/.test(given) || (/^\d+$/.test(given) && isCount(name))
}

function* pairedPlaces(text: string): Generator<SecretPlace> {
  for (const { 0: pair, 2: name, 3: value, index } of text.matchAll(listedPair))
    if (isListedPair(name!, value!)) yield valueAt(text, index + pair.length, false)!
  let last = 0
  for (const { 0: object, index } of text.matchAll(flatObject)) {
    if (![...object.matchAll(pairName)].some(([, , name]) => isSecretName(name!))) continue
    for (const found of object.matchAll(pairValue)) {
      const start = index + found.index + found[0].length
      const value = start < last ? undefined : valueAt(text, start, false)
      if (!value) continue
      last = value.end
      yield { ...value, quote: value.quote || /\\*"/.exec(found[0])![0] }
    }
  }
}

/** `undefined` for a value that is not a secret, such as `null`. */
function valueAt(text: string, start: number, isProse: boolean): SecretPlace | undefined {
  const [quote, backslashes = '', sign = ''] = matchAt(opening, text, start) ?? []
  if (quote !== undefined) {
    const isBlock = sign === '"' && text.startsWith(quote.repeat(3), start)
    const delimiter = isBlock ? quote.repeat(3) : quote
    const end = endOfString(text, start + delimiter.length, backslashes.length, delimiter)
    return { start, end, quote: delimiter }
  }
  if (text[start] === '{' || text[start] === '[') return { start, end: endOfBrackets(text, start), quote: '' }
  const [bare] = matchAt(bareValue, text, start) ?? []
  if (bare === undefined || harmless.test(bare) || (isProse && /^[a-z]+[.!?]?$/i.test(bare))) return undefined
  return { start, end: start + bare.length, quote: '' }
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
