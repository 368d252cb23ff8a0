import { headerIn, parameterOf } from '../http/body.ts'
import { percentDecoded } from '../http/path.ts'
import type { RawRequest } from '../http/raw-request.ts'
import { describeValue } from '../values/describe-value.ts'
import { toJson } from '../values/exact-number.ts'
import { asJson } from '../values/json-value.ts'
import { isPlainObject, isRecord, setOwn } from '../values/values.ts'
import { redactMarkup } from './redact-markup.ts'
import { hidden, placeholder, redactSearch, redactText } from './redact-text.ts'
import {
  isCertainName,
  isCount,
  isListedPair,
  isSecret,
  isSecretName,
  isSecretText,
  type NamedField,
} from './secret-names.ts'

export { hidden, placeholder, redactSearch, redactText } from './redact-text.ts'
export { isSecret, isSecretName } from './secret-names.ts'

/** Logs end up in bug reports, the inspector in screenshots, and recorded fixtures in a repository. */

/** Replaces a secret value in a sentence. */
export const redacted = '… (redacted)'
/** Replaces a secret value other than the expected one. */
export const anotherValue = 'another value (redacted)'
/** Replaces a secret value that operators do not match. */
export const sentValue = 'the value that was sent (redacted)'

export function holdsSecret(value: unknown): boolean {
  let isFound = false
  hideSecrets(value, () => (isFound = true), hidden)
  return isFound
}

function redactPath({ path, params = {} }: RawRequest): string {
  const secrets = Object.keys(params).filter((name) => isSecret({ source: 'params', path: [name] }))
  const values = secrets.map((name) => params[name]!).filter((value) => value !== '')
  const hide = (segment: string) =>
    values.some((value) => percentDecoded(segment).includes(value)) ? hidden : segment
  // A wildcard's value has several segments.
  const isWide = values.some((value) => value.includes('/'))
  return isWide ? `/${hidden}` : redactText(path.split('/').map(hide).join('/'))
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
  return toJson(show(operators, isSecret(field))) ?? describeValue(operators)
}

/** `GET /items?page=9`, without secrets. */
export function describeRequest(raw: RawRequest): string {
  const { method, search } = raw
  return `${method} ${redactPath(raw)}${search && `?${redactSearch(search)}`}`
}

/** Like `describeRequest`, of a request that is not read: `GET /items`, without its query. */
export function describeAsked(method: string | undefined, url = ''): string {
  return `${method} ${redactUrl(url.split('?', 1)[0]!)}`
}

/* URLs, headers and bodies, as the inspector shows them and recordings write them */

/** A URL, or a part of one from its path on. */
export function redactUrl(url: string, mark = hidden): string {
  const [path = '', ...parts] = url.split(/(?=[?#])/)
  const shown = parts.map((part) =>
    part.includes('=') ? part[0]! + redactSearch(part.slice(1), { mark }) : redactText(part, { mark }),
  )
  return redactText(path, { mark }) + shown.join('')
}

const whole = /^.*$/gs
/** Headers that hold URLs. */
export const urlsIn: Readonly<Record<string, RegExp>> = {
  location: whole,
  'content-location': whole,
  referer: whole,
  link: /<[^>]*/g,
  refresh: /url=.*/gis,
}

export function redactHeader(name: string, value: string, mark = hidden): string {
  if (isSecret({ source: 'headers', path: [name] })) return mark
  if (name === 'sec-websocket-protocol')
    return value.replace(/(?<=([^\s,]+)\s*,\s*)[^\s,]+/g, (one, before: string) =>
      isSecretName(before) ? mark : one,
    )
  const urls = Object.hasOwn(urlsIn, name) ? urlsIn[name] : undefined
  return urls ? value.replace(urls, (url) => redactUrl(url, mark)) : redactBody(value, '', mark)
}

/** @param text may be only the beginning of the body */
export function redactBody(text: string, contentType: string, mark = hidden): string {
  if (/multipart\//i.test(contentType) || /^--\S+\r?\ncontent-/i.test(text))
    return redactMultipart(text, contentType, mark)
  const isData = /^\s*[[{]/.test(text)
  if (/x-www-form-urlencoded/i.test(contentType) && !isData) return redactSearch(text, { mark })
  if (/^\s*</.test(text) || (!isData && /html|xml/i.test(contentType))) return redactMarkup(text, mark)
  return redactText(isData ? redactTexts(text, mark) : text, {
    mark,
    isCode: !isData && /javascript|ecmascript|css/i.test(contentType),
  })
}

const written = /"(?:[^"\\]|\\.?)*"?/gs
const mayBeBody = /^"(?:\\[nrt]|\s)*(?:<[a-z!?]|--\S+?\\[nr])/i

/** Bodies inside of texts of JSON: markup and forms. */
function redactTexts(json: string, mark: string): string {
  return json.replace(written, (text) => {
    const value = mayBeBody.test(text) ? (asJson(text) ?? asJson(`${text}"`))?.value : undefined
    const shown = typeof value === 'string' ? redactBody(value, '', mark) : value
    return shown === value ? text : JSON.stringify(shown)
  })
}

function redactMultipart(text: string, contentType: string, mark: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const boundary = parameterOf(contentType, 'boundary') ?? /^--(\S+)/.exec(text)?.[1]
  const delimiter =
    boundary !== undefined && text.includes(`--${boundary}`) ? `${end}--${boundary}` : `${end}--`
  const parts = text.split(delimiter).map((part) => {
    const start = part.indexOf(end + end) + 2 * end.length
    if (start < 2 * end.length) return part
    const [head, content] = [part.slice(0, start), part.slice(start)]
    const name = parameterOf(headerIn(head, 'content-disposition'), 'name') ?? ''
    return head + (isSecretName(name) ? mark : redactBody(content, headerIn(head, 'content-type'), mark))
  })
  return parts.join(delimiter)
}

/* Values: what replaces one in a recording has the same type, so that the application still works */

/** Keys that name the value next to them: `{ "name": "password", "value": … }`; `path` is that of a JSON Patch. */
const namingKey = /^(?:name|key|field|id|header|parameter|property|label|path)$/i
const valueKey = /^(?:value|val|values)$/i

/** @param report is called with the path of each replaced value: `data.login.token` */
export function hideSecrets(
  value: unknown,
  report: (path: string) => void,
  mark = placeholder,
  name = '',
  path = '',
): unknown {
  if (Array.isArray(value)) {
    const [first, second] = value as unknown[]
    const isPair = value.length === 2 && typeof first === 'string' && typeof second === 'string'
    const owner = isPair && isListedPair(first, second) ? first : name
    return value.map((entry, index) =>
      hideSecrets(entry, report, mark, index === 1 ? owner : name, `${path}[]`),
    )
  }
  if (isRecord(value)) {
    const copy = {}
    const isSecret = isCertainName(name) // and so is all that it holds
    const named = Object.entries(value).find(
      ([key, one]) => namingKey.test(key) && typeof one === 'string' && isSecretName(one),
    )?.[1]
    for (const [key, inner] of Object.entries(value)) {
      const owner = isSecret ? name : named !== undefined && valueKey.test(key) ? String(named) : key
      setOwn(copy, key, hideSecrets(inner, report, mark, owner, path === '' ? key : `${path}.${key}`))
    }
    return copy
  }
  const shown = hideSecret(value, mark, name)
  if (shown !== value) report(path)
  return shown
}

function hideSecret(value: unknown, mark: string, name: string): unknown {
  if (typeof value === 'string') {
    const isHidden = mark === placeholder ? isSecretText(name, value) : value !== '' && isSecretName(name)
    return isHidden ? mark : redactBody(value, '', mark)
  }
  if (typeof value !== 'number') return value
  if (mark === placeholder) return isCertainName(name) ? 0 : value
  return isSecretName(name) && !isCount(name) ? mark : value
}
