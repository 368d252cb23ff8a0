import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import * as zlib from 'node:zlib'
import { expect } from 'vitest'
import { browserHeaders, type Initiator } from './browser-request.ts'
import type { ContractRequest, ContractResponse, Send } from './contract.ts'

/** Reuses connections like a browser, at most six to a server. */
const agent = new Agent({ keepAlive: true, maxSockets: 6 })

export interface SendOptions {
  /** What sends the request; by default a script with `fetch`. */
  initiator?: Initiator
}

/**
 * Sends requests like Chromium, and checks that browsers can read every answer. A request's own headers take precedence over
 * those of the browser. Redirects are not followed, and URLs are not normalised.
 */
export function sendTo(origin: string, { initiator }: SendOptions = {}): Send {
  return async (asked) => {
    const headers = { ...browserHeaders(asked, origin, initiator), ...asked.headers }
    const { response, bytes } = await exchange(origin, { ...asked, headers })
    return checkedResponse(asked, response, bytes)
  }
}

export interface Exchange {
  response: IncomingMessage
  bytes: Buffer
}

/** Sends a request with these headers only, and gives the whole answer, unchecked. */
export function exchange(
  origin: string,
  { method = 'GET', url, headers = {}, body }: Omit<ContractRequest, 'body'> & { body?: string | Uint8Array },
): Promise<Exchange> {
  const { hostname, port } = new URL(origin)
  const hasLength = body !== undefined && headers['transfer-encoding'] === undefined
  const length = hasLength ? { 'content-length': Buffer.byteLength(body) } : {}
  return new Promise((resolve, reject) => {
    const send = (): ClientRequest => {
      const sent = request(
        { agent, hostname, port, method, path: url, headers: { ...length, ...headers } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => resolve({ response, bytes: Buffer.concat(chunks) }))
        },
      )
      // A server may close an idle connection just when it is used again. Browsers then send the request again.
      sent.on('error', (error: NodeJS.ErrnoException) =>
        sent.reusedSocket && error.code === 'ECONNRESET' ? send() : reject(error),
      )
      return sent.end(body)
    }
    send()
  })
}

/** Headers that a response may have only once. */
const single = new Set([
  'access-control-allow-origin',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'transfer-encoding',
  'x-mock-route',
])

export function checkHeaderNames(sent: readonly string[]): void {
  const names = sent.map((name) => name.toLowerCase())
  // A middleware that mistakes a list of headers for an object, or a string for a list, sends names such as `0` and `c`.
  expect(names.filter((name) => !/^[a-z][a-z0-9-]+$/.test(name))).toEqual([])
  expect(names.filter((name, index) => single.has(name) && names.indexOf(name) !== index)).toEqual([])
}

function checkedResponse(
  { method }: ContractRequest,
  { rawHeaders, headers, statusCode: status }: IncomingMessage,
  bytes: Buffer,
): ContractResponse {
  checkHeaderNames(rawHeaders.filter((_, index) => index % 2 === 0))
  const hasBody = method !== 'HEAD' && bytes.length > 0
  const isOurs = headers['x-mock-route'] !== undefined
  if (hasBody && isOurs) {
    expect(headers['content-type'], 'the content type').toBeDefined()
    if (headers['content-length'] === undefined) expect(headers['transfer-encoding']).toBe('chunked')
  }
  if (hasBody && headers['content-length'] !== undefined)
    expect(headers['content-length']).toBe(String(bytes.length))
  const text = (hasBody ? decode(bytes, headers['content-encoding']) : bytes).toString()
  const joined = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
  return { status: status!, headers: Object.fromEntries(joined) as Record<string, string>, text }
}

export function decode(bytes: Buffer, encoding: string | undefined): Buffer {
  switch (encoding) {
    case undefined:
    case 'identity':
      return bytes
    case 'gzip':
      return zlib.gunzipSync(bytes)
    case 'deflate':
      return zlib.inflateSync(bytes)
    case 'br':
      return zlib.brotliDecompressSync(bytes)
    default:
      throw new Error(`No decoder for the content encoding ${encoding}`)
  }
}
