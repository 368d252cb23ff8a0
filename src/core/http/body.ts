import { readMultipart } from './multipart.ts'
import { firstValues, textOf } from './raw-request.ts'
import type { RawRequest } from './raw-request.ts'

/** The body that a host has read: its decoded bytes, or why there are none. */
export type ReceivedBody = { kind: 'complete'; bytes: Uint8Array | undefined } | UnreadableBody

/** Why a body that a selector may need can't be read. */
export type UnreadableBody =
  /** Larger than the limit in bytes, as sent or decoded. */
  | { kind: 'too-large'; limit: number }
  /** Its content coding is not supported. */
  | { kind: 'encoding-unknown'; accepted: readonly string[] }
  /** Its bytes are not valid in its content coding. */
  | { kind: 'encoding-corrupt'; reason: string }
  /** Text in a charset that is not supported. */
  | { kind: 'charset-unknown'; charset: string }
  /** An earlier middleware parsed it to a value that can't be serialised again. */
  | { kind: 'parsed-by-others'; reason: string }
  /** Read before the handler was called. */
  | { kind: 'used' }

/** Thrown by a host when the client disconnects before it has sent its request, or before the backend has answered it. */
export class ClientLeft extends Error {}

export type ParsedBody =
  /** `isForm`: the fields of a form, which are all text. */
  { value: unknown; isForm?: boolean; malformed?: never } | { malformed: string }

const utf8 = new TextDecoder() // strips a byte order mark

/** The body as text; `undefined` when there is none. Bytes that are invalid in its charset become U+FFFD. */
export function bodyText(raw: RawRequest): string | undefined {
  const { body, headers } = raw
  if (!body?.length) return undefined
  if (headers['content-type'] === 'application/json' && body[0]! < 0x80) return utf8.decode(body) // nearly every request
  const label = byteOrderMark(body) ?? charsetOf(headers)
  return ((label && decoderFor(label)) || utf8).decode(body)
}

/** The charset of a text body if it is not supported. */
export function unknownCharset(headers: RawRequest['headers']): string | undefined {
  const type = headers['content-type']
  if (type === undefined || type === 'application/json') return undefined
  const charset = charsetOf(headers)
  // Other bodies are not read as text: an upload may have `charset=binary`.
  return charset && isText(mediaType({ headers })) && !decoderFor(charset) ? charset : undefined
}

/**
 * The body as a value: JSON, the fields of a form, or text.
 *
 * A body that looks like JSON is read as JSON even with another content type: `curl -d '{…}'` sends the type of a form,
 * and many hand-written `fetch` calls send none.
 */
export function parseBody(raw: RawRequest): ParsedBody {
  const type = mediaType(raw)
  if (type === 'multipart/form-data' && raw.body?.length) return parseMultipart(raw)
  const text = bodyText(raw)
  if (text === undefined || text.trim() === '') return { value: undefined }
  if (isJson(type)) return parseJson(text)
  const isForm = type === 'application/x-www-form-urlencoded'
  if (looksLikeJson(text) && !typesLikeJson.test(type)) {
    const json = parseJson(text)
    // Text, or the name of a form field, can begin with a bracket. Only JSON begins with a brace.
    const isMeantAsJson = (type === '' || isForm) && text.trimStart().startsWith('{')
    if (json.malformed === undefined || isMeantAsJson) return json
  }
  return isForm ? { value: firstValues(text), isForm } : { value: text }
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}

/** Types whose text may look like JSON but is not: several values, or a table. */
const typesLikeJson = /[/+.-](?:ndjson|jsonl|json-seq|jsonlines|toml|yaml)$/

/** The fields of a form by name; a repeated field has its first value. A file becomes its name, type and size. */
function parseMultipart({ body, headers }: RawRequest): ParsedBody {
  const parts = readMultipart(body!, textOf(headers['content-type'])!)
  if (!parts) return { malformed: notMultipart }
  const fields = Object.create(null) as Record<string, unknown>
  for (const { name, filename, type, bytes } of parts) {
    fields[name] ??=
      filename === undefined
        ? utf8.decode(bytes)
        : { name: filename, type: type || 'application/octet-stream', size: bytes.length }
  }
  return { value: fields, isForm: true }
}

export const notMultipart = 'it is not a multipart form (check the "boundary" of its content type)'

/** The media type of the request's body in lower case, without parameters; empty when the request names none. */
export function mediaType({ headers }: Pick<RawRequest, 'headers'>): string {
  const type = textOf(headers['content-type']) ?? ''
  if (type === 'application/json') return type // nearly every request
  return type.split(';', 1)[0]!.trim().toLowerCase()
}

/** More levels than any client sends on purpose. Functions that walk a value recurse once per level. */
const maxJsonDepth = 500

export function parseJson(text: string): ParsedBody {
  try {
    if (nestsDeeper(text, maxJsonDepth)) return { malformed: `it nests deeper than ${maxJsonDepth} levels` }
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { malformed: `${(error as Error).message} (the body is ${text.length} characters long)` }
  }
}

/** Counts brackets outside strings. */
function nestsDeeper(json: string, levels: number): boolean {
  if (json.length <= 2 * levels) return false
  let depth = 0
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > levels) return true
  }
  return false
}

/** Whether a media type is JSON. */
export function isJson(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || type.endsWith('+json')
}

function isText(type: string): boolean {
  return /^$|^text\/|[/+](?:json|xml)$|^application\/(?:x-www-form-urlencoded|graphql)$/.test(type)
}

function charsetOf(headers: RawRequest['headers']): string | undefined {
  return /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(textOf(headers['content-type']) ?? '')?.[1]
}

/** A byte order mark takes precedence over any header (https://encoding.spec.whatwg.org/#decode). */
function byteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined
}

function decoderFor(charset: string): TextDecoder | undefined {
  if (charset.toLowerCase() === 'utf-8') return utf8
  try {
    return new TextDecoder(charset)
  } catch {
    return undefined // the charset does not exist, or the runtime does not support it
  }
}
