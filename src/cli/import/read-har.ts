import { createReadStream, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { JSONParser } from '@streamparser/json'
import { formatSize } from '../../core/values/describe-value.ts'
import { redactUrl } from '../../core/request/redact.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord } from '../../core/values/values.ts'
import { isReallyInside } from '../../loader/watch/links.ts'
import type { Exchange, Header } from '../../writer/exchange.ts'
import type { Omissions } from '../../writer/omissions.ts'
import type { Progress } from '../progress.ts'
import { requestOf, whyNotWanted, type HarFilter } from './har-filter.ts'

/** Bytes of bodies: only they limit the size of a HAR file. */
const maxKept = 300_000_000

/**
 * The exchanges in the order in which they started. The file is read in pieces, so that a large one takes little memory.
 *
 * @throws Error when the file can't be read, or is not a HAR file
 */
export async function readHar(
  path: string,
  filter: HarFilter,
  omissions: Omissions,
  progress: Progress,
): Promise<Exchange[]> {
  const found: { exchange: Exchange; started: string }[] = []
  let count = 0
  let kept = 0
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false })
  parser.onValue = ({ value: entry }) => {
    count++
    const why = whyNotWanted(entry, filter)
    if (why !== undefined) return omissions.add('a request', why, describeEntry(entry))
    try {
      const read = readEntry(entry, path)
      kept += read.exchange.responseBody.length + (read.exchange.requestBody?.length ?? 0)
      found.push(read)
    } catch (error) {
      if (!(error instanceof BrokenEntry)) throw error
      omissions.add(`entry ${count}`, error.message, describeEntry(entry))
    }
    if (kept > maxKept) throw new TooLarge()
  }
  const broken = await whyBroken(parser, path, progress)
  if (count === 0)
    throw new Error(
      broken === undefined
        ? `${path} has no requests. In a HAR file, they are in "log.entries".`
        : `${path} is not a HAR file: ${broken}`,
    )
  if (broken !== undefined)
    omissions.add('the rest of the file', `it ends in the middle, after ${count} entries`, path)
  // Some browsers order entries by their end.
  return found
    .sort((a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : 0))
    .map(({ exchange }) => exchange)
}

/** Without the query. */
function describeEntry(entry: unknown): string {
  const { method, url } = requestOf(entry)
  return typeof url === 'string'
    ? `${String(method)} ${redactUrl(url.split(/[?#]/, 1)[0]!.slice(0, 200))}`
    : 'an unknown request'
}

class TooLarge extends Error {
  constructor() {
    super(`The bodies in the HAR file have more than ${maxKept / 1e6} MB. Import it in parts, with --url.`)
  }
}

async function whyBroken(parser: JSONParser, path: string, progress: Progress): Promise<string | undefined> {
  let failure: Error | undefined
  parser.onError = (error) => void (failure ??= error) // also what `onValue` has thrown
  let isFirst = true
  let size = 0
  for await (const piece of createReadStream(path, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
    const hasMark = isFirst && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf
    isFirst = false
    size += piece.length
    progress(() => `Reading: ${formatSize(size)} of ${formatSize(statSync(path).size)}`)
    if (!parser.isEnded) parser.write(hasMark ? piece.subarray(3) : piece)
    if (failure) break
  }
  if (failure instanceof TooLarge) throw failure
  if (failure) return reasonOf(failure)
  return parser.isEnded ? undefined : 'its JSON has no end'
}

/** Playwright can write bodies into files beside the HAR file. A HAR file of others must not name `.env`, nor a link to it. */
function readBodyFile(har: string, name: string): Uint8Array {
  const folder = dirname(har)
  const path = join(folder, name)
  if (!isReallyInside(folder, path)) throw new BrokenEntry(`its body is in ${name}, outside of the folder`)
  if (/(?:^|[\\/])\./.test(name)) throw new BrokenEntry(`its body is in ${name}, a hidden file`)
  try {
    if (!statSync(path).isFile()) throw new BrokenEntry(`its body is in ${name}, which is not a file`)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof BrokenEntry) throw error
    throw new BrokenEntry(`its body can't be read: ${reasonOf(error)}`)
  }
}

class BrokenEntry extends Error {}

/**
 * @throws BrokenEntry
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
function readEntry(entry: unknown, har: string): { exchange: Exchange; started: string } {
  const { request, response, startedDateTime } = recordIn(entry, 'it')
  const { method, url, headers, postData } = recordIn(request, 'its request')
  const answer = recordIn(response, 'its response')
  if (typeof method !== 'string' || typeof url !== 'string')
    throw new BrokenEntry('its request has no method or no url')
  if (typeof answer['status'] !== 'number') throw new BrokenEntry('its response has no status')
  const requestHeaders = readHeaders(headers)
  const requestBody = readPostData(postData, requestHeaders)
  const body = readContent(answer, har)
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
): { bytes: Uint8Array; headers: readonly Header[] } | undefined {
  if (!isRecord(data)) return undefined
  const { text, params, mimeType } = data
  const type = typeof mimeType === 'string' ? mimeType : undefined
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

function readContent({ content, status, bodySize }: Record<string, unknown>, har: string) {
  const { text, encoding, mimeType, size, _file } = isRecord(content) ? content : {}
  const type =
    typeof mimeType === 'string' && mimeType !== '' && mimeType !== 'x-unknown' ? mimeType : undefined
  if (typeof _file === 'string') return { bytes: readBodyFile(har, _file), type, isText: false }
  if (typeof text === 'string') {
    const isBase64 = encoding === 'base64'
    return { bytes: isBase64 ? Buffer.from(text, 'base64') : utf8.encode(text), type, isText: !isBase64 }
  }
  const hasBody = typeof size === 'number' && size > 0 && bodySize !== 0 && status !== 304
  if (hasBody) throw new BrokenEntry('its body is not in the file: export it "with content"')
  return { bytes: new Uint8Array(), type, isText: false }
}

/** Text in a HAR file is decoded, so that its charset is UTF-8. */
function withType(headers: readonly Header[], type: string | undefined, isText: boolean): readonly Header[] {
  const isGiven = type === undefined || headers.some(([name]) => isContentType(name))
  const all = isGiven ? headers : [...headers, ['content-type', type] as const]
  if (!isText) return all
  const inUtf8 = (text: string) => text.replace(/(;\s*charset\s*=\s*)"?[^";\s]+"?/i, '$1utf-8')
  return all.map(([name, value]) => [name, isContentType(name) ? inUtf8(value) : value])
}

function isContentType(name: string): boolean {
  return name.toLowerCase() === 'content-type'
}
