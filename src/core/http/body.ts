import { addField, fieldValues, headerText, textOf, type RawRequest } from './raw-request.ts'

export type ReceivedBody = { kind: 'complete'; bytes: Uint8Array | undefined } | UnreadableBody

/** Why there is no body for selectors. */
export type UnreadableBody =
  /** The limit in bytes, as sent or decoded. */
  | { kind: 'too-large'; limit: number }
  | { kind: 'encoding-unknown'; accepted: readonly string[] }
  | { kind: 'encoding-corrupt'; reason: string }
  /** Text in a charset that is not supported. */
  | { kind: 'charset-unknown'; charset: string }
  /** An earlier middleware parsed it to a value that can't be serialised again. */
  | { kind: 'parsed-by-others'; reason: string }
  /** Read before the handler was called. */
  | { kind: 'used' }

/** Thrown when the client disconnects before its request is complete, or before the backend answers. */
export class ClientLeft extends Error {}

export type ParsedBody = { value: unknown; isForm?: boolean; malformed?: never } | { malformed: string }

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })
const utf8 = new TextDecoder() // strips a byte order mark

/** `undefined` when there is no body. Bytes that are invalid in its charset become U+FFFD. */
export function bodyText({ body, headers }: Pick<RawRequest, 'body' | 'headers'>): string | undefined {
  if (!body?.length) return undefined
  if (headers['content-type'] === 'application/json' && body[0]! < 0x80) return utf8.decode(body) // nearly every request
  const label = byteOrderMark(body) ?? charsetOf(textOf(headers['content-type']))
  return ((label && decoderFor(label)) || utf8).decode(body)
}

/** `undefined` if the charset is supported. */
export function unknownCharset(headers: RawRequest['headers']): string | undefined {
  const type = headers['content-type']
  if (type === undefined || type === 'application/json') return undefined
  const charset = charsetOf(textOf(headers['content-type']))
  // Other bodies are not read as text: an upload may have `charset=binary`.
  return charset && isText(mediaType({ headers })) && !decoderFor(charset) ? charset : undefined
}

/**
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
  if (/^\s*[[{]/.test(text) && !typesLikeJson.test(type)) {
    const json = parseJson(text)
    // Text and names of form fields can begin with a bracket. Only JSON begins with a brace.
    const isMeantAsJson = (type === '' || isForm) && text.trimStart().startsWith('{')
    if (json.malformed === undefined || isMeantAsJson) return json
  }
  if (isForm) return { value: fieldValues(text), isForm }
  return { value: (isText(type) && type !== '') || isUtf8(raw.body!) ? text : raw.body }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    return strictUtf8.decode(bytes) !== undefined
  } catch {
    return false
  }
}

/** Types whose text may look like JSON but is not: several values, or a table. */
const typesLikeJson = /[/+.-](?:ndjson|jsonl|json-seq|jsonlines|toml|yaml)$/

/** A repeated field has the list of its values. A file becomes its name, type and size. */
function parseMultipart({ body, headers }: RawRequest): ParsedBody {
  const parts = readMultipart(body!, textOf(headers['content-type'])!)
  if (!parts) return { malformed: notMultipart }
  const fields = Object.create(null) as Record<string, unknown>
  for (const { name, filename, type, bytes } of parts) {
    const value = filename === undefined ? utf8.decode(bytes) : new UploadedFile(filename, type, bytes)
    addField(fields, name, value)
  }
  return { value: fields, isForm: true }
}

export const notMultipart = 'it is not a multipart form (check the "boundary" of its content type)'

/** The media type in lower case, without parameters; empty when the request names none. */
export function mediaType({ headers }: Pick<RawRequest, 'headers'>): string {
  const type = textOf(headers['content-type']) ?? ''
  return type === 'application/json' ? type : withoutParameters(type) // nearly every request
}

/** A content type without its parameters, in lower case. */
export function withoutParameters(type: string): string {
  return type.split(';', 1)[0]!.trim().toLowerCase()
}

/** A content type whose text has been encoded again. */
export function inUtf8(type: string): string {
  return type.replace(/(;\s*charset\s*=\s*)"?[^";\s]+"?/i, '$1utf-8')
}

/** More levels than any client sends on purpose, since functions that walk a value recurse once per level. */
const maxJsonDepth = 500

export function parseJson(text: string, parse: (json: string) => unknown = JSON.parse): ParsedBody {
  try {
    if (nestsDeeper(text, maxJsonDepth)) return { malformed: `it nests deeper than ${maxJsonDepth} levels` }
    return { value: parse(text) }
  } catch (error) {
    // V8 quotes the text around the place, which may be a password.
    const reason = (error as Error).message.replace(/, (?:\.{3})?".*"(?:\.{3})?(?= is not valid JSON$)/s, '')
    return { malformed: `${reason} (the body is ${text.length} characters long)` }
  }
}

function nestsDeeper(json: string, levels: number): boolean {
  if (json.length <= 2 * levels) return false
  let depth = 0
  // A text without an end is one token: it must not be searched again from each of its quotes.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.?)*"?|[[{]|[\]}]/gs)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > levels) return true
  }
  return false
}

export function isJson(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || type.endsWith('+json')
}

function isText(type: string): boolean {
  return /^$|^text\/|[/+](?:json|xml)$|^application\/(?:x-www-form-urlencoded|graphql)$/.test(type)
}

export function charsetOf(type = ''): string | undefined {
  return /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(type)?.[1]
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

/** A file of a multipart form, in a request's `body`; on GraphQL endpoints in its `variables`. */
export class UploadedFile {
  /** The name as the client sent it; empty when it sent none. */
  readonly name: string
  /** The content type, or `application/octet-stream`. */
  readonly type: string
  /** The size in bytes. */
  readonly size: number
  readonly #content: Uint8Array

  constructor(name: string, type: string, content: Uint8Array) {
    this.name = name
    this.type = type || 'application/octet-stream'
    this.size = content.length
    this.#content = content
    Object.freeze(this) // functions get it without a copy
  }

  /** A copy of the content. */
  bytes(): Uint8Array {
    return this.#content.slice()
  }

  /** The content, read as UTF-8. */
  text(): string {
    return utf8.decode(this.#content)
  }
}

export interface FormPart {
  name: string
  /** The name of a file; `undefined` for a field. */
  filename: string | undefined
  /** The content type of the part; empty when it has none. */
  type: string
  bytes: Uint8Array
}

const oneByteEach = new TextDecoder('windows-1252') // has a character for each byte, so positions stay the same

/** `undefined` when the body is no form. @see https://www.rfc-editor.org/rfc/rfc7578 */
export function readMultipart(body: Uint8Array, contentType: string): FormPart[] | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const text = `\r\n${oneByteEach.decode(body)}` // the first delimiter then begins like the others
  const delimiter = `\r\n--${boundary}`
  const parts: FormPart[] = []
  let start = text.indexOf(delimiter)
  while (start !== -1) {
    const after = start + delimiter.length
    if (text.startsWith('--', after)) return parts
    const headEnd = text.indexOf('\r\n\r\n', after)
    start = text.indexOf(delimiter, headEnd)
    if (headEnd === -1 || start === -1) return undefined
    const bytesAt = (from: number, to: number) => body.subarray(from - 2, to - 2)
    const part = readPart(
      utf8.decode(bytesAt(after, headEnd)),
      bytesAt(headEnd + 4, Math.max(start, headEnd + 4)),
    )
    if (part) parts.push(part)
  }
  return undefined // the last delimiter is missing
}

/** Characters of the name and the type of a file, which a GraphQL upload may put into thousands of places. */
const maxPartText = 1_000

function readPart(head: string, bytes: Uint8Array): FormPart | undefined {
  const disposition = headerIn(head, 'content-disposition')
  const name = parameterOf(disposition, 'name')
  if (name === undefined) return undefined
  const type = headerIn(head, 'content-type').trim().slice(0, maxPartText)
  return { name, filename: parameterOf(disposition, 'filename')?.slice(0, maxPartText), type, bytes }
}

export function headerIn(head: string, name: string): string {
  for (const line of head.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1)
  }
  return ''
}

/** A parameter. In quotes, only `"` and line breaks are percent-encoded (WHATWG HTML, section 4.10.21.8). */
export function parameterOf(header: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}\\*?\\s*=\\s*(?:"([^"]*)"|([^;\\s]*))`, 'i').exec(header)
  const value = match?.[1] ?? match?.[2]
  return value?.replace(/%(?:22|0D|0A)/gi, (escape) => decodeURIComponent(escape))
}

/** Clients apply one or two at most. Each one costs as much time as the body limit allows. */
const maxCodings = 4

/** In the order of decoding; `undefined` when there are too many. @see https://www.rfc-editor.org/rfc/rfc9110#section-8.4 */
export function codingsOf(headers: RawRequest['headers']): string[] | undefined {
  const applied = headerText(headers, 'content-encoding')
  if (applied === undefined) return []
  const codings = applied
    .split(',', maxFields)
    .map((coding) =>
      coding
        .trim()
        .toLowerCase()
        .replace(/^x-gzip$/, 'gzip'),
    )
    .filter((coding) => coding !== '' && coding !== 'identity')
  return codings.length > maxCodings ? undefined : codings.reverse()
}

const maxFields = 100

/** The codings to undo, or what the body is without that: a text in plain, or one that can't be read. */
export function codingsToUndo(
  bytes: Uint8Array,
  headers: RawRequest['headers'],
  supported: () => readonly string[],
): string[] | ReceivedBody {
  const charset = unknownCharset(headers)
  if (charset !== undefined) return { kind: 'charset-unknown', charset }
  if (headers['content-encoding'] === undefined || bytes.length === 0) return { kind: 'complete', bytes }
  const [codings, accepted] = [codingsOf(headers), supported()]
  const isKnown = codings?.every((coding) => accepted.includes(coding))
  return isKnown ? codings! : { kind: 'encoding-unknown', accepted }
}

/** `deflate` means zlib (RFC 9110, section 8.4.1.2), but many clients send raw deflate. The first two bytes tell. */
export function isZlib(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}
