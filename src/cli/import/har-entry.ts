import { isRecord } from '../../core/values/values.ts'
import type { Exchange, Header } from '../../writer/exchange.ts'

/** An entry that can't be read, and why. */
export class BrokenEntry extends Error {}

/** Reads a body that stands in a file beside the HAR file. */
export type ReadBody = (name: string) => Uint8Array

/**
 * The exchange of an entry of a HAR file.
 *
 * @throws BrokenEntry
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
export function readEntry(entry: unknown, readBody: ReadBody): { exchange: Exchange; started: string } {
  const { request, response, startedDateTime } = recordIn(entry, 'it')
  const { method, url, headers, postData } = recordIn(request, 'its request')
  const answer = recordIn(response, 'its response')
  if (typeof method !== 'string' || typeof url !== 'string')
    throw new BrokenEntry('its request has no method or no url')
  if (typeof answer['status'] !== 'number') throw new BrokenEntry('its response has no status')
  const requestHeaders = readHeaders(headers)
  const requestBody = readPostData(postData, requestHeaders)
  const body = readContent(answer, readBody)
  return {
    started: typeof startedDateTime === 'string' ? startedDateTime : '',
    exchange: {
      method,
      url,
      requestHeaders: requestBody?.headers ?? requestHeaders,
      requestBody: requestBody?.bytes,
      status: answer['status'],
      responseHeaders: withType(readHeaders(answer['headers']), body.type, body.isText),
      responseBody: body.bytes,
    },
  }
}

function recordIn(value: unknown, what: string): Record<string, unknown> {
  if (!isRecord(value)) throw new BrokenEntry(`${what} is not an object`)
  return value
}

function readHeaders(list: unknown): Header[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((header: unknown) => {
    if (!isRecord(header) || typeof header['name'] !== 'string' || typeof header['value'] !== 'string')
      return []
    const { name, value } = header
    // Chrome joins the values of a header that was sent several times by line breaks.
    return value.split('\n').map((line) => [name, line] as const)
  })
}

const utf8 = new TextEncoder()

/** A body as it was sent. A form may be given as a list of its fields. */
function readPostData(
  data: unknown,
  headers: readonly Header[],
): { bytes: Uint8Array; headers: readonly Header[] } | undefined {
  if (!isRecord(data)) return undefined
  const { text, params, mimeType } = data
  const type = typeof mimeType === 'string' ? mimeType : undefined
  if (typeof text === 'string' && text !== '')
    return { bytes: utf8.encode(text), headers: withType(headers, type, false) }
  if (!Array.isArray(params) || params.length === 0) return undefined
  const form = new URLSearchParams()
  for (const field of params as unknown[])
    if (isRecord(field) && typeof field['name'] === 'string')
      form.append(field['name'], typeof field['value'] === 'string' ? field['value'] : '')
  const others = headers.filter(([name]) => !isContentType(name))
  return {
    bytes: utf8.encode(String(form)),
    headers: [...others, ['content-type', 'application/x-www-form-urlencoded']],
  }
}

interface Content {
  bytes: Uint8Array
  type: string | undefined
  isText: boolean
}

function readContent({ content, status, bodySize }: Record<string, unknown>, readBody: ReadBody): Content {
  if (!isRecord(content)) return { bytes: new Uint8Array(), type: undefined, isText: false }
  const { text, encoding, mimeType, size, _file } = content
  const type =
    typeof mimeType === 'string' && mimeType !== '' && mimeType !== 'x-unknown' ? mimeType : undefined
  if (typeof _file === 'string') return { bytes: readBody(_file), type, isText: false }
  if (typeof text === 'string') {
    const isBase64 = encoding === 'base64'
    return { bytes: isBase64 ? Buffer.from(text, 'base64') : utf8.encode(text), type, isText: !isBase64 }
  }
  const hasBody = typeof size === 'number' && size > 0 && bodySize !== 0 && status !== 304
  if (hasBody) throw new BrokenEntry('its body is not in the file: export it "with content"')
  return { bytes: new Uint8Array(), type, isText: false }
}

/** The headers with a content type. Text was decoded when the HAR file was made, so that it is in UTF-8 now. */
function withType(headers: readonly Header[], type: string | undefined, isText: boolean): readonly Header[] {
  const all =
    type === undefined || headers.some(([name]) => isContentType(name))
      ? headers
      : [...headers, ['content-type', type] as const]
  if (!isText) return all
  return all.map(([name, value]) =>
    isContentType(name)
      ? [name, value.replace(/(;\s*charset\s*=\s*)"?[^";\s]+"?/i, '$1utf-8')]
      : [name, value],
  )
}

function isContentType(name: string): boolean {
  return name.toLowerCase() === 'content-type'
}
