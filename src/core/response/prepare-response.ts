import { lookup } from 'mrmime'
import type { Delay, Fault } from '../schema/fault-schema.ts'
import { addField, type Headers } from '../http/raw-request.ts'
import { toJson, writtenNumber } from '../values/exact-number.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import type { Incremental } from '../schema/stream-schema.ts'
import type { Then } from '../schema/then-schema.ts'

export interface PreparedResponse {
  status: number
  /** Alternating names and values, as `writeHead` takes them. */
  headers: readonly string[]
  /** A string is pure ASCII. It can be written as latin1, which is fastest. */
  body: string | Uint8Array
  delay: Delay
  fault: Fault | undefined
  /** The `content-length` for `HEAD`, where it is not that of the body; empty if nobody knows it. */
  headLength?: string | undefined
  /** When parts come that a GraphQL operation puts off. */
  incremental?: Incremental | undefined
  /** Changes that the answer makes for those that follow. */
  then?: Then | undefined
}

export class JsonText {
  constructor(readonly text: string) {}
}

const charset = '; charset=utf-8'
const json = `application/json${charset}`
const plainText = `text/plain${charset}`
const binary = 'application/octet-stream'
const utf8 = new TextEncoder()

/**
 * @param textType of a body that is text: at `/config.js` it is JavaScript, which browsers do not run as plain text
 * @throws TypeError when the body is not a JSON value
 */
export function prepareResponse(
  response: FixtureResponse,
  routeName?: string,
  textType = plainText,
): PreparedResponse {
  const { status = 200, delay = 0, fault, incremental, then, headers: own } = response
  // A body that can't be sent has no headers, either.
  const given = isBodiless(status) ? undefined : response.body
  const { body, contentType } = serialise(given, textType)
  const hasRanges = isFileBody(given)
  const length = status === 204 || status === 304 ? undefined : String(body.length)
  const headers = own
    ? mergeHeaders(own, contentType, routeName, length, hasRanges)
    : ownHeaders(contentType, routeName, length, hasRanges)
  const headLength = own && length === '0' ? lengthIn(own) : undefined
  return {
    status,
    headers,
    body,
    delay,
    fault,
    ...(incremental && { incremental }),
    ...(then && { then }),
    ...(headLength && { headLength }),
  }
}

/** A route for `HEAD` says how long the body is that it does not have. */
function lengthIn(headers: NonNullable<FixtureResponse['headers']>): string | undefined {
  const [, length] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-length') ?? []
  return /^\d+$/.test(String(length)) ? String(length) : undefined
}

/** RFC 9110 sections 8.6, 15.3.5 and 15.4.5: no body, and for 204 and 304 no length, either. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

/** A response with these headers in place of those with the same names; one that is `undefined` is left out. */
export function withHeaders(
  response: PreparedResponse,
  given: Readonly<Record<string, string | undefined>>,
): PreparedResponse {
  const kept = headerPairs(response).filter(([name]) => !Object.hasOwn(given, name))
  const added = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...response, headers: [...kept, ...added].flat() as string[] }
}

export function withoutHeader(response: PreparedResponse, name: string): PreparedResponse {
  return withHeaders(response, { [name]: undefined })
}

/** Alternating names and values. A literal without `push`: a growing list reserves memory, in each route. */
function ownHeaders(
  type: string | undefined,
  routeName: string | undefined,
  length: string | undefined,
  hasRanges: boolean,
) {
  return [
    ...(type === undefined ? [] : ['content-type', type]),
    'cache-control',
    'no-store',
    ...(type === undefined ? [] : ['x-content-type-options', 'nosniff']), // a page of another site can't load it as a script
    ...(routeName === undefined ? [] : ['x-mock-route', headerValue(routeName)]),
    ...(hasRanges ? ['accept-ranges', 'bytes'] : []),
    ...(length === undefined ? [] : ['content-length', length]),
  ]
}

function mergeHeaders(
  own: NonNullable<FixtureResponse['headers']>,
  ...defaults: Parameters<typeof ownHeaders>
): string[] {
  const merged = new Map<string, string[]>()
  const list = ownHeaders(...defaults)
  for (let i = 0; i < list.length; i += 2) merged.set(list[i]!, [list[i + 1]!])
  const length = merged.get('content-length')
  for (const [name, value] of Object.entries(own)) {
    merged.set(
      name.toLowerCase(),
      (Array.isArray(value) ? value : [value]).map((text) => headerValue(String(text))),
    )
  }
  const type = merged.get('content-type')
  const [standardType] = defaults
  if (type && standardType?.endsWith(charset)) merged.set('content-type', type.map(withCharset))
  merged.delete('transfer-encoding')
  merged.delete('content-length')
  if (length) merged.set('content-length', length)
  return [...merged].flatMap(([name, values]) => values.flatMap((value) => [name, value]))
}

/** Without a charset, clients guess the encoding. */
function withCharset(type: string): string {
  return /^text\//i.test(type) && !/;\s*charset\s*=/i.test(type) ? `${type}${charset}` : type
}

function serialise(body: unknown, textType: string): { body: string | Uint8Array; contentType?: string } {
  if (body === undefined) return { body: '' }
  if (isFileBody(body)) return { body: asciiOrBytes(body.bytes), contentType: body.contentType }
  if (body instanceof JsonText) return { body: textOrBytes(body.text), contentType: json }
  if (typeof body === 'string' && writtenNumber(body) === undefined)
    return { body: textOrBytes(body), contentType: textType }
  // A copy, since the caller may still write to the bytes.
  if (ArrayBuffer.isView(body)) return { body: asciiOrBytes(bytesOf(body).slice()), contentType: binary }
  const text = toJson(body)
  if (text === undefined) throw new TypeError(`a ${typeof body} is not a JSON value`)
  return { body: textOrBytes(text), contentType: json }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** A longer body is kept as bytes: of a string, each answer that a client does not read would be a copy. */
const maxAsciiLength = 65_536

/** A pure ASCII string has as many bytes as characters and needs no encoding. */
function textOrBytes(text: string): string | Uint8Array {
  return text.length <= maxAsciiLength && /^[\0-\x7F]*$/.test(text) ? text : utf8.encode(text)
}

/** With a NUL, they are no text, or one in UTF-16. */
function asciiOrBytes(bytes: Uint8Array): string | Uint8Array {
  const isLarge = bytes.length > maxAsciiLength
  return isLarge || bytes.some((byte) => byte === 0 || byte > 0x7f)
    ? bytes
    : new TextDecoder('latin1').decode(bytes)
}

/** Header values are Latin-1 (RFC 9110 section 5.5); other characters are percent-encoded. */
export function headerValue(text: string): string {
  if (/^[\t\x20-\x7E\xA0-\xFF]*$/.test(text)) return text
  return text.toWellFormed().replace(/[^\t\x20-\x7E\xA0-\xFF]+/g, encodeURIComponent)
}

export function bodyAsText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}

export function headerPairs({ headers }: Pick<PreparedResponse, 'headers'>): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i < headers.length; i += 2) pairs.push([headers[i]!, headers[i + 1]!])
  return pairs
}

/** Headers by their names; a repeated one is a list. */
export function headerRecord(pairs: Iterable<readonly [string, string]>): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of pairs) addField(headers, name, value)
  return headers
}

/** Alternating names and values of headers by their names. */
export function headerList(headers: Headers): string[] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().flatMap((text) => [name, text]),
  )
}

export function headerOf({ headers }: PreparedResponse, name: string): string | undefined {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return headers[i + 1]
  return undefined
}

const fileKey = Symbol.for('unplugin-mock-api.file')

/** The content of a file. Unlike other bytes, it has a content type, and clients can ask for a range of it. */
export class FileBody {
  readonly [fileKey] = true

  constructor(
    readonly bytes: Uint8Array,
    readonly contentType: string,
  ) {}
}

/** Whether the body is a file, perhaps of another copy of this package: a bundle may have two. */
export function isFileBody(body: unknown): body is FileBody {
  return typeof body === 'object' && body !== null && (body as Partial<FileBody>)[fileKey] === true
}

const textTypes = /^text\/|[/+](?:json|xml)$|javascript$/

export function contentTypeOf(file: string): string {
  return textTypeOf(file) ?? lookup(file) ?? 'application/octet-stream'
}

/** `undefined` where the extension names no type, or one of bytes. */
export function textTypeOf(path: string): string | undefined {
  const type = lookup(path)
  return type && textTypes.test(type) ? `${type}; charset=utf-8` : undefined
}
