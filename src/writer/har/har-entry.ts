import { inUtf8 } from '../../core/http/body.ts'
import { redactUrl } from '../../core/redact/redact.ts'
import { compareTexts, isRecord } from '../../core/values/values.ts'
import type { Exchange, Header } from '../exchange/exchange.ts'
import { harRequest, whyNotWanted, type HarFilter } from './har-filter.ts'
import type { Omissions } from '../omissions.ts'

export interface HarEntry {
  exchange: Exchange
  started: string
}

/** Playwright can write bodies to files next to the HAR file. */
type ReadBody = (name: string) => Uint8Array

interface Reading {
  filter: HarFilter
  omissions: Omissions
  readBody: ReadBody
}

/** @param number of the entry in its file, from 1. `undefined` for an entry that is named in `omissions` */
export function readWanted(
  entry: unknown,
  number: number,
  { filter, omissions, readBody }: Reading,
): HarEntry | undefined {
  const why = whyNotWanted(entry, filter)
  try {
    if (why === undefined) {
      const read = readEntry(entry, readBody, filter.origin)
      if (lacksBody(entry, read.exchange)) omissions.add('a request body', notInFile, describeEntry(entry))
      return read
    }
    omissions.add('a request', why, describeEntry(entry))
  } catch (error) {
    if (!(error instanceof BrokenEntry)) throw error
    omissions.add(`entry ${number}`, error.message, describeEntry(entry))
  }
  return undefined
}

/** Method and URL of an entry, without the query. */
function describeEntry(entry: unknown): string {
  const { method, url } = harRequest(entry)
  return typeof url === 'string'
    ? `${String(method)} ${redactUrl(url.split(/[?#]/, 1)[0]!.slice(0, 200))}`
    : 'an unknown request'
}

/** Some browsers order entries by their end. */
export function inOrder(entries: readonly HarEntry[]): Exchange[] {
  return entries.toSorted((a, b) => compareTexts(a.started, b.started)).map(({ exchange }) => exchange)
}

export class BrokenEntry extends Error {}

/**
 * @throws BrokenEntry
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
function readEntry(entry: unknown, readBody: ReadBody, origin: string | undefined): HarEntry {
  const { request, response, startedDateTime } = recordIn(entry, 'it')
  const { method, url, headers, postData } = recordIn(request, 'its request')
  const answer = recordIn(response, 'its response')
  if (typeof method !== 'string' || typeof url !== 'string')
    throw new BrokenEntry('its request has no method or no url')
  if (typeof answer['status'] !== 'number') throw new BrokenEntry('its response has no status')
  const requestHeaders = readHeaders(headers)
  const requestBody = readPostData(postData, requestHeaders, readBody)
  const body = readContent(answer, readBody)
  // Browsers send it with each request of a script for another origin.
  const own = origin ?? requestHeaders.find(([name]) => name.toLowerCase() === 'origin')?.[1]
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
      isElsewhere: own !== undefined && URL.canParse(url) && new URL(url).origin !== own,
    },
  }
}

function recordIn(value: unknown, what: string): Record<string, unknown> {
  if (!isRecord(value)) throw new BrokenEntry(`${what} is not an object`)
  return value
}

function readHeaders(list: unknown): Header[] {
  if (!Array.isArray(list)) return []
  return list.filter(isRecord).flatMap(({ name, value }) => {
    if (typeof name !== 'string' || typeof value !== 'string') return []
    // Chrome joins the values of a repeated header by line breaks.
    return value.split('\n').map((line) => [name, line] as const)
  })
}

const utf8 = new TextEncoder()

/** A form may be a list of its fields. */
function readPostData(
  data: unknown,
  headers: readonly Header[],
  readBody: ReadBody,
): { bytes: Uint8Array; headers: readonly Header[] } | undefined {
  if (!isRecord(data)) return undefined
  const { text, params, mimeType, _file } = data
  const type = typeof mimeType === 'string' ? mimeType : undefined
  if (typeof _file === 'string') return { bytes: readBody(_file), headers: withType(headers, type, false) }
  if (typeof text === 'string' && text !== '')
    return { bytes: utf8.encode(text), headers: withType(headers, type, false) }
  if (!Array.isArray(params) || params.length === 0) return undefined
  const form = new URLSearchParams()
  for (const { name, value } of params.filter(isRecord))
    if (typeof name === 'string') form.append(name, typeof value === 'string' ? value : '')
  const others = headers.filter(([name]) => !isContentType(name))
  return {
    bytes: utf8.encode(String(form)),
    headers: [...others, ['content-type', 'application/x-www-form-urlencoded']],
  }
}

const notInFile = 'it is not in the file, so requests that differ in it alone share a route'

/** Playwright has no body of a form with files, and other tools have none at all. */
function lacksBody(entry: unknown, { requestBody, requestHeaders }: Exchange): boolean {
  if (requestBody) return false
  const headers = new Map(requestHeaders.map(([name, value]) => [name.toLowerCase(), value]))
  const size = headers.get('content-length') ?? harRequest(entry)['bodySize']
  return (
    Number(size) > 0 ||
    headers.has('transfer-encoding') ||
    (!(Number(size) >= 0) && headers.has('content-type'))
  )
}

function readContent({ content, status, bodySize }: Record<string, unknown>, readBody: ReadBody) {
  const { text, encoding, mimeType, size, _file } = isRecord(content) ? content : {}
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

/** Text in a HAR file is already decoded, so its charset is UTF-8. */
function withType(headers: readonly Header[], type: string | undefined, isText: boolean): readonly Header[] {
  const isGiven = type === undefined || headers.some(([name]) => isContentType(name))
  const all = isGiven ? headers : [...headers, ['content-type', type] as const]
  if (!isText) return all
  return all.map(([name, value]) => [name, isContentType(name) ? inUtf8(value) : value])
}

function isContentType(name: string): boolean {
  return name.toLowerCase() === 'content-type'
}
