import type { RequestDetails } from '../../api.ts'
import { ownHeaders } from './copy-as.ts'

/** The fields of the form "Try a request", as they are typed. */
export interface TriedRequest {
  method: string
  url: string
  /** One `name: value` a line. */
  headers: string
  body: string
}

export const emptyTry: TriedRequest = { method: 'GET', url: '/', headers: '', body: '' }

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** A recorded request, to be changed and sent. */
export function toTry({ method, url, headers, body }: RequestDetails): TriedRequest {
  const lines = ownHeaders(headers).map(([name, value]) => `${name}: ${value}`)
  return { method, url, headers: lines.join('\n'), body: body?.text ?? '' }
}

export type Parsed = { headers: Record<string, string> } | { problem: string }

/** Reads the headers of the form. */
export function parseHeaders(text: string): Parsed {
  const headers: Record<string, string> = {}
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined)
      return { problem: `Line ${index + 1} is not a header. Write it as "name: value".` }
    headers[name.toLowerCase()] = value!
  }
  return { headers }
}

/** What is wrong with a URL that should be sent to this server; `undefined` if nothing is. */
export function urlProblem(url: string): string | undefined {
  return /^\/(?!\/)/.test(url) ? undefined : 'Write path and query, as in /items?page=2.'
}

/** The content type of a body without one: JSON where it is JSON. */
export function withContentType(headers: Record<string, string>, body: string): Record<string, string> {
  const isJson = /^\s*[[{]/.test(body)
  return isJson && !('content-type' in headers) ? { ...headers, 'content-type': 'application/json' } : headers
}
