import { headerText, type RawRequest } from '../http/raw-request.ts'
import { headerOf, type PreparedResponse, withHeaders } from './prepare-response.ts'

/**
 * The whole response with several ranges, which a server may ignore, and with `If-Range`: nothing can be compared.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14
 */
export function applyRange(response: PreparedResponse, { method, headers }: RawRequest): PreparedResponse {
  const asked = headers['range']
  if (asked === undefined || method !== 'GET' || headers['if-range'] !== undefined) return response
  if (response.status !== 200 || headerOf(response, 'accept-ranges') !== 'bytes') return response
  const { length } = response.body
  const range = parseRange(headerText(headers, 'range')!, length)
  if (range === undefined) return response
  if (range === 'unsatisfiable') {
    return { ...withRange(response, `bytes */${length}`, 0), status: 416, body: '' }
  }
  const [start, end] = range
  const whole = response.body
  const body = typeof whole === 'string' ? whole.slice(start, end + 1) : whole.subarray(start, end + 1)
  const written = `bytes ${start}-${end}/${length}`
  return { ...withRange(response, written, body.length), status: 206, body }
}

/** `bytes=0-99`, `bytes=100-` or `bytes=-100`; `undefined` for a header to ignore. */
function parseRange(
  header: string,
  length: number,
): [start: number, end: number] | 'unsatisfiable' | undefined {
  const match = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header)
  if (!match || match[1] + match[2]! === '') return undefined
  const [first, last] = [match[1]!, match[2]!]
  if (first === '') {
    const start = Math.max(0, length - Number(last))
    return start < length ? [start, length - 1] : 'unsatisfiable'
  }
  const [start, end] = [Number(first), last === '' ? Infinity : Number(last)]
  if (end < start) return undefined
  return start < length ? [start, Math.min(end, length - 1)] : 'unsatisfiable'
}

function withRange(response: PreparedResponse, range: string, length: number): PreparedResponse {
  return withHeaders(response, { 'content-range': range, 'content-length': String(length) })
}
