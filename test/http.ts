import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import * as zlib from 'node:zlib'
import { expect } from 'vitest'
import { browserHeaders, type Initiator } from './browser-request.ts'
import type { ContractRequest, ContractResponse, Send } from './contract.ts'

/** Connections are kept and used again, as browsers do; at most six to a server. */
const agent = new Agent({ keepAlive: true, maxSockets: 6 })

export interface SendOptions {
  /** Who asks; a script with `fetch` by default. */
  initiator?: Initiator
}

/**
 * Sends requests to a server as Chromium does, and checks that every answer is one that a browser can read. A request's own
 * headers come before the browser's. `node:http` neither follows redirects nor normalises URLs.
 */
export function sendTo(origin: string, { initiator }: SendOptions = {}): Send {
  return async (asked) => {
    const headers = { ...browserHeaders(asked, origin, initiator), ...asked.headers }
    const { response, bytes } = await exchange(origin, { ...asked, headers })
    return checkedResponse(asked, response, bytes)
  }
}

function exchange(
  origin: string,
  asked: ContractRequest,
): Promise<{ response: IncomingMessage; bytes: Buffer }> {
  const { method = 'GET', url, headers, body } = asked
  const { hostname, port } = new URL(origin)
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
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
      // A server may close a kept connection at the very moment it is used again. Browsers then ask once more.
      sent.on('error', (error: NodeJS.ErrnoException) =>
        sent.reusedSocket && error.code === 'ECONNRESET' ? send() : reject(error),
      )
      return sent.end(body)
    }
    send()
  })
}

/** Headers of which an answer has at most one. */
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
  // A middleware that takes a list of headers for an object, or a text for a list, sends names such as `0` and `c`.
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

function decode(bytes: Buffer, encoding: string | undefined): Buffer {
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
