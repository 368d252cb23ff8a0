import { OperationTypeNode } from 'graphql/language/ast.js'
import { mimes } from 'mrmime'
import { charsetOf, inUtf8, withoutParameters } from '../core/http/body.ts'
import { acceptsEvents } from '../core/http/raw-request.ts'
import type { ParsedRequest } from '../core/request/parsed-request.ts'
import { isBodiless, textTypeOf } from '../core/response/prepare-response.ts'
import { hideSecrets, placeholder, redactBody, redactHeader, urlsIn } from '../core/redact/redact.ts'
import { hasExactNumbers } from '../core/values/exact-number.ts'
import { asJson } from '../core/values/json-value.ts'
import { compareTexts, defined, filled, nestsDeeperThan } from '../core/values/values.ts'
import type { FixtureEvent, FixtureStream } from '../core/schema/stream-schema.ts'
import { readModelStream } from '../core/stream/models/read-lines.ts'
import { isEventStream, maxPieces, readEvents, readResults } from './exchange/read-events.ts'
import type { Header } from './exchange/exchange.ts'
import type { Omissions } from './omissions.ts'
import { recordedCookie } from './recorded-cookie.ts'

export interface ResponseKeys {
  status?: number
  headers?: Record<string, string | string[] | { $text: string }>
  body?: unknown
  stream?: FixtureEvent[] | FixtureStream
  end?: 'complete'
  delay?: unknown
  fault?: unknown
}

export interface WrittenAnswer {
  answer: ResponseKeys
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
  /** Path whose extension may give the type: text at `/config.js` is JavaScript. */
  path: string
  /** A client other than an `EventSource` may read the events to the end. */
  request?: Pick<ParsedRequest, 'raw' | 'graphql' | 'operationType'>
  /** Whether a developer has written it: no value is a credential, and each header is meant. */
  isOwn?: boolean
  /** Whether headers that servers add are kept, since a developer has written them. */
  isMeant?: boolean
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
  const headers = writtenHeaders(source, omissions)
  const type = [headers['content-type']].flat()[0]
  const report = (what: string) => omissions.add(`response body "${what}"`, 'it is a credential', where)
  if (isEventStream(type)) {
    for (const name of ['content-type', 'cache-control', 'x-accel-buffering']) delete headers[name] // the server sends its own
    const events = eventsIn(new TextDecoder().decode(bytes), type!, source.request, report)
    const answer = { ...defined({ headers: filled(headers) }), ...events }
    return { answer, isJson: 'body' in answer, key: JSON.stringify(answer) }
  }
  const hasBody = !isBodiless(status) && bytes.length > 0
  const read: ReadBody = hasBody ? readBody(bytes, type, source, longest, report) : { isJson: false }
  const { body, isJson, bytes: ofFile, ownType, isInUtf8 } = read
  const isOwnType =
    ownType !== undefined && (type === undefined || withoutUtf8(type) === withoutUtf8(ownType))
  const isHead = source.request?.raw.method === 'HEAD'
  const [, length] = source.responseHeaders.find(([name]) => /^content-length$/i.test(name)) ?? []
  if (isHead && length !== undefined && /^[1-9]\d{0,14}$/.test(length)) headers['content-length'] = length
  if (isOwnType || (!hasBody && !isHead))
    delete headers['content-type'] // the server sends it by itself
  else if (type !== undefined && isInUtf8) headers['content-type'] = inUtf8(type)
  const answer = defined({ status: status === 200 ? undefined : status, headers: filled(headers), body })
  const key = JSON.stringify(answer)
  if (!ofFile) return { answer, isJson, key }
  const extension = fileExtension(type)
  const latin1 = new TextDecoder('latin1').decode(ofFile)
  return { answer, isJson, file: { bytes: ofFile, extension }, key: `${key} ${extension} ${latin1}` }
}

/** The answer of a stream: its events, or the one result of a query. */
function eventsIn(
  text: string,
  type: string,
  request: AnswerSource['request'],
  report: (what: string) => void,
): Pick<ResponseKeys, 'body' | 'stream' | 'end'> {
  const read = request?.graphql && readResults(text, type, report)
  const model = read ? undefined : modelStreamIn(text, report)
  if (model) return { stream: model }
  const stream = read?.results ?? readEvents(text, report)
  // A client of graphql-sse sends queries and mutations like subscriptions.
  if (read && request.operationType !== OperationTypeNode.SUBSCRIPTION && stream.length === 1)
    return { body: stream[0] }
  const isReadToEnd = !read && request !== undefined && !acceptsEvents(request.raw)
  const hasEnded = read?.isComplete === true || isReadToEnd || stream.at(-1)?.data === '[DONE]'
  return { stream, ...(hasEnded && { end: 'complete' }) }
}

/** The lines of a language model, if its first event is one. */
function modelStreamIn(text: string, report: (what: string) => void): FixtureStream | undefined {
  if (!/^data: ?\{.*"(?:type|object|candidates)"/m.test(text)) return undefined
  return readModelStream(readEvents(text, report, maxPieces).map(({ data }) => data))
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
  /** Whether its text has been encoded again. */
  isInUtf8?: boolean
}

function readBody(
  bytes: Uint8Array,
  type: string | undefined,
  { path, maxText = 8_000, isOwn = false }: AnswerSource,
  longest: number,
  report: (what: string) => void,
): ReadBody {
  const decoded = decode(bytes, type)
  if (!decoded) return { bytes, isJson: false }
  const { text, isPlain } = decoded
  const mayBeJson = type === undefined ? /^\s*[[{]/.test(text) : /^[^;]*[/+]json\b/i.test(type)
  const json = mayBeJson ? asJson(text) : undefined
  const isJson = json !== undefined
  const isExact = json !== undefined && hasExactNumbers(text) && !nestsDeeperThan(json.value, maxDepth)
  let isRedacted = false
  const reportOne = (what: string) => {
    isRedacted = true
    report(what)
  }
  const value = isExact && !isOwn ? hideSecrets(json.value, reportOne) : json?.value
  const inText = () => (isOwn ? text : redactBody(text, type ?? '', placeholder))
  const written = isExact ? JSON.stringify(value) : inText()
  if (!isExact && written !== text) reportOne('a token')
  if (!isPlain && !isRedacted) return { bytes, isJson }
  const fits = isJson
    ? isExact && written.length <= longest && isWritable(written)
    : written.length <= maxText
  if (!fits || !isPlain) return { bytes: new TextEncoder().encode(written), isJson, isInUtf8: true }
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

/** `undefined` for what is not text; it is plain if YAML can have it, and its bytes are UTF-8. */
function decode(bytes: Uint8Array, type = ''): { text: string; isPlain: boolean } | undefined {
  if (/^(?:image\/(?!svg)|audio\/|video\/|font\/)/i.test(type)) return undefined
  const isText = /^text\/|[/+](?:json|xml)\b|javascript|graphql|x-www-form/i.test(type)
  const charset = charsetOf(type) ?? 'utf-8'
  const isUtf8 = /^(?:utf-?8|us-ascii|ascii)$/i.test(charset)
  try {
    const decoder = new TextDecoder(isUtf8 ? 'utf-8' : charset, { fatal: true, ignoreBOM: true })
    const text = decoder.decode(bytes)
    return { text, isPlain: isUtf8 && isWritable(text) }
  } catch {
    return isText ? { text: new TextDecoder('latin1').decode(bytes), isPlain: false } : undefined
  }
}

export function writtenHeaders(
  source: Pick<AnswerSource, 'responseHeaders' | 'where' | 'origin' | 'isOwn' | 'isMeant'>,
  omissions: Omissions,
): Record<string, string | string[]> {
  const { responseHeaders, where, origin, isOwn, isMeant } = source
  const headers: Record<string, string | string[]> = {}
  const add = (name: string, value: string) => {
    headers[name] = Object.hasOwn(headers, name) ? [headers[name]!, value].flat() : value
  }
  for (const [given, value] of responseHeaders) {
    const name = given.toLowerCase()
    if (isOwn && !ofConnection.test(name)) {
      add(name, value)
      continue
    }
    const cookie = name === 'set-cookie' ? recordedCookie(value) : undefined
    if (cookie) {
      add(name, cookie.text)
      omissions.add(`the value of the cookie "${cookie.name}"`, 'it is a credential', where)
      continue
    }
    const own = ownUrls(name, value, origin)
    const kept = redactHeader(name, own, placeholder)
    const isUrl = Object.hasOwn(urlsIn, name)
    const why = whyLeftOut(name, value, isMeant) ?? (kept === own || isUrl ? undefined : 'it is a credential')
    if (why) omissions.add(`response header "${name}"`, why, where)
    if (why !== undefined) continue
    if (kept !== own) omissions.add(`response header "${name}"`, 'its URL has a credential', where)
    add(name, kept)
  }
  // Sorted, so that a second recording is the same.
  return Object.fromEntries(Object.entries(headers).sort(([a], [b]) => compareTexts(a, b)))
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
function whyLeftOut(name: string, value: string, isMeant = false): string | undefined {
  if (ofConnection.test(name) || !/^[!#$%&'*+\-.^`|~\w]+$/.test(name)) return ''
  if (/^access-control-/.test(name)) return ofServers // `-allow-credentials` is not one
  if (ofOneAnswer.test(name) && !isMeant) return 'its value differs with each answer'
  if (ofServer.test(name) && !isMeant) return ofServers
  if (/[\0-\x08\x0A-\x1F\x7F]/.test(value)) return 'its value has control characters'
  return undefined
}

/** Redirects and links to the recorded server lead to the mock server; `http://api//a` does not lead to `//a`. */
function ownUrls(name: string, value: string, origin: string): string {
  if (!Object.hasOwn(urlsIn, name) || origin === '') return value
  return value.replace(urlsIn[name]!, (url) =>
    url.replace(`${origin}/`, (start, at: number) =>
      at <= 'url='.length && url[at + start.length] !== '/' ? '/' : start,
    ),
  )
}

/** An extension of fixture files is none for a body, and the loader warns of `orders.json.txt`. */
export function fileExtension(type = ''): string {
  const plain = withoutParameters(type)
  if (plain === 'text/plain') return 'txt' // the first in the list is `conf`
  const known = Object.keys(mimes).find((extension) => mimes[extension] === plain)
  if (known === undefined) return 'bin'
  return /^(?:ya?ml|json[c5]?|[mc]?[jt]s)$/.test(known) ? 'txt' : known
}
