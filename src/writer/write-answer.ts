import { mimes } from 'mrmime'
import { isBodiless, textTypeOf } from '../core/response/prepare-response.ts'
import {
  hideSecrets,
  isSecret,
  looksLikeToken,
  placeholder,
  redactBody,
  redactSearch,
} from '../core/request/redact.ts'
import { hasExactNumbers } from '../core/values/exact-number.ts'
import { asJson } from '../core/values/json-value.ts'
import { nestsDeeperThan } from '../core/values/values.ts'
import type { Header } from './exchange.ts'
import type { Omissions } from './omissions.ts'

export interface Answer {
  status?: number
  headers?: Record<string, string | string[] | { $text: string }>
  body?: unknown
  delay?: unknown
  fault?: unknown
}

export interface WrittenAnswer {
  answer: Answer
  file?: { bytes: Uint8Array; extension: string }
  isJson: boolean
  key: string
}

interface AnswerSource {
  status: number
  responseHeaders: readonly Header[]
  responseBody: Uint8Array
  /** Redirects within it become relative. */
  origin: string
  where: string
  /** Its extension may give the type: text at `/config.js` is JavaScript. */
  path: string
  /** Characters of a text that is not JSON; a longer one is a file. Default 8000. */
  maxText?: number
}

const maxJson = 100_000
/** A fixture file is read as a whole: a larger one keeps only short bodies. */
const maxFile = 4_000_000
const maxJsonOfLarge = 2_000
const maxDepth = 90

export function longestJson(answers: readonly { responseBody: Uint8Array }[]): number {
  const size = answers.reduce((sum, { responseBody }) => sum + responseBody.length, 0)
  return size > maxFile ? maxJsonOfLarge : maxJson
}

export function writeAnswer(source: AnswerSource, omissions: Omissions, longest = maxJson): WrittenAnswer {
  const { responseBody: bytes, where } = source
  const status = source.status === 304 && bytes.length > 0 ? 200 : source.status // a browser's cache had the body
  const headers = headersOf(source, omissions)
  const type = [headers['content-type']].flat()[0]
  const report = (what: string) => omissions.add(`response body "${what}"`, 'it is a credential', where)
  const hasBody = !isBodiless(status) && bytes.length > 0
  const read: ReadBody = hasBody ? readBody(bytes, type, source, longest, report) : { isJson: false }
  const { body, isJson, bytes: ofFile, ownType } = read
  const isOwnType =
    ownType !== undefined && (type === undefined || withoutUtf8(type) === withoutUtf8(ownType))
  if (!hasBody || isOwnType) delete headers['content-type'] // the server sends it by itself
  const answer = {
    ...(status !== 200 && { status }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
  }
  const key = JSON.stringify(answer)
  if (!ofFile) return { answer, isJson, key }
  const extension = fileExtension(type)
  const latin1 = new TextDecoder('latin1').decode(ofFile)
  return { answer, isJson, file: { bytes: ofFile, extension }, key: `${key} ${extension} ${latin1}` }
}

function withoutUtf8(type: string): string {
  return type
    .toLowerCase()
    .replace(/\s*;\s*charset\s*=\s*"?utf-?8"?\s*$/, '')
    .trim()
}

interface ReadBody {
  body?: unknown
  bytes?: Uint8Array
  isJson: boolean
  /** The content type that the server gives by itself. */
  ownType?: string
}

function readBody(
  bytes: Uint8Array,
  type: string | undefined,
  { path, maxText = 8_000 }: AnswerSource,
  longest: number,
  report: (what: string) => void,
): ReadBody {
  const text = decode(bytes, type)
  if (text === undefined) return { bytes, isJson: false }
  const mayBeJson = type === undefined ? /^\s*[[{]/.test(text) : /^[^;]*[/+]json\b/i.test(type)
  const json = mayBeJson ? asJson(text) : undefined
  const isJson = json !== undefined
  const isExact = json !== undefined && hasExactNumbers(text) && !nestsDeeperThan(json.value, maxDepth)
  const value = isExact ? hideSecrets(json.value, report) : undefined
  const written = isExact ? JSON.stringify(value) : redactBody(text, type ?? '', placeholder)
  if (!isExact && written !== text) report('a token')
  const fits = isJson
    ? isExact && written.length <= longest && isWritable(written)
    : written.length <= maxText
  if (!fits) return { bytes: new TextEncoder().encode(written), isJson }
  if (!isJson) return { body: written, isJson, ownType: textTypeOf(path) ?? 'text/plain' }
  // A string would be sent as text.
  return typeof value === 'string'
    ? { body: written, isJson }
    : { body: value, isJson, ownType: 'application/json' }
}

/** Characters that YAML can't have, even escaped, or that editors change. */
const unwritable = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/

function isWritable(text: string): boolean {
  return !unwritable.test(text) && text.isWellFormed()
}

/** `undefined` for what is not UTF-8 text. */
function decode(bytes: Uint8Array, type = ''): string | undefined {
  const charset = /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(type)?.[1] ?? 'utf-8'
  if (!/^(?:utf-?8|us-ascii|ascii)$/i.test(charset)) return undefined
  if (/^(?:image\/(?!svg)|audio\/|video\/|font\/)/i.test(type)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return isWritable(text) ? text : undefined
  } catch {
    return undefined
  }
}

export function headersOf(
  source: Pick<AnswerSource, 'responseHeaders' | 'where' | 'origin'>,
  omissions: Omissions,
): Record<string, string | string[]> {
  const { responseHeaders, where, origin } = source
  const headers: Record<string, string | string[]> = {}
  for (const [given, value] of responseHeaders) {
    const name = given.toLowerCase()
    const why = whyLeftOut(name, value)
    if (why) omissions.add(`response header "${name}"`, why, where)
    if (why !== undefined) continue
    const kept = ownUrls(name, value, origin)
    if (kept.isRedacted) omissions.add('response header "location"', 'its query has a credential', where)
    headers[name] = Object.hasOwn(headers, name) ? [headers[name]!, kept.text].flat() : kept.text
  }
  // Sorted, so that a second recording is the same.
  return Object.fromEntries(Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Headers of one connection or one transfer; no omission names them. */
const ofConnection =
  /^(?::.*|connection|keep-alive|proxy-.*|transfer-encoding|te|trailer|upgrade|content-length|content-encoding|content-md5|digest|content-digest|repr-digest|alt-svc|http2-settings|accept-ranges|x-mock-route)$/

const ofOneAnswer =
  /^(?:date|age|expires|etag|last-modified|.*(?:request|correlation|trace|span|transaction|operation|activity)-?id|traceparent|tracestate|b3|x-b3-.*|cf-.*|x-amzn?-.*|fly-.*|x-vercel-.*|x-(?:runtime|response-time|timer|served-by|cache.*|varnish|azure-ref|fb-debug)|server-timing|via|nel|report-to|reporting-endpoints|x-?ratelimit-(?:remaining|reset|used)|ratelimit.*)$/

/** Headers that servers add to each answer. */
const ofServer =
  /^(?:server|x-powered-by|x-aspnet.*|x-generator|cache-control|pragma|vary|access-control-.*|timing-allow-origin|strict-transport-security|content-security-policy.*|x-(?:content-type-options|frame-options|xss-protection|dns-prefetch-control|download-options|permitted-cross-domain-policies|robots-tag)|referrer-policy|permissions-policy|feature-policy|document-policy|cross-origin-.*|origin-agent-cluster|expect-ct|p3p)$/

export const ofServers = 'servers add it to each answer'

/** `undefined` for a header that is kept; `''` when there is nothing to say about the loss. */
function whyLeftOut(name: string, value: string): string | undefined {
  if (ofConnection.test(name) || !/^[!#$%&'*+\-.^`|~\w]+$/.test(name)) return ''
  if (/^access-control-/.test(name)) return ofServers // `-allow-credentials` is not one
  if (isSecret({ source: 'headers', path: [name] }) || looksLikeToken(value)) return 'it is a credential'
  if (ofOneAnswer.test(name)) return 'its value differs with each answer'
  if (ofServer.test(name)) return ofServers
  if (/[\0-\x08\x0A-\x1F\x7F]/.test(value)) return 'its value has control characters'
  return undefined
}

/** Redirects and links to the recorded server lead to the mock server. */
function ownUrls(name: string, value: string, origin: string): { text: string; isRedacted: boolean } {
  if (name === 'link') return { text: value.replaceAll(`<${origin}/`, '</'), isRedacted: false }
  if (name !== 'location') return { text: value, isRedacted: false }
  const text = value.startsWith(`${origin}/`) ? value.slice(origin.length) : value
  const start = text.indexOf('?')
  if (start === -1) return { text, isRedacted: false }
  const search = redactSearch(text.slice(start + 1))
  const shown = `${text.slice(0, start)}?${search}`.replaceAll('=…', `=${placeholder}`)
  return { text: shown, isRedacted: shown !== text }
}

/** An extension of fixture files is none for a body, and the loader warns of `orders.json.txt`. */
export function fileExtension(type = ''): string {
  const plain = type.split(';', 1)[0]!.trim().toLowerCase()
  if (plain === 'text/plain') return 'txt' // the first in the list is `conf`
  const known = Object.keys(mimes).find((extension) => mimes[extension] === plain)
  if (known === undefined) return 'bin'
  return /^(?:ya?ml|json[c5]?|[mc]?[jt]s)$/.test(known) ? 'txt' : known
}
