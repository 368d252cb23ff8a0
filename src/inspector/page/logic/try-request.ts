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

/** What the server shows in place of a secret value. */
const hidden = '…'

/** The form's fields for a recorded request. Headers with a hidden value are left out. */
export function toTry({ method, url, headers, body }: RequestDetails): TriedRequest {
  const lines = ownHeaders(headers)
    .filter(([, value]) => !value.includes(hidden))
    .map(([name, value]) => `${name}: ${value}`)
  return { method, url, headers: lines.join('\n'), body: body?.text ?? '' }
}

/** Why a recorded request can't be sent as it is; `undefined` if it can. */
export function resendProblem({ url, body }: RequestDetails): string | undefined {
  if (body?.isCut) return 'Its body was too long to be recorded in full. Complete it, then send.'
  if (body && body.size > 0 && body.text === undefined) return 'Its body is not text, and was not recorded.'
  if (url.includes(hidden) || body?.text?.includes(hidden))
    return `Secret values are hidden: replace each ${hidden}, then send.`
  return undefined
}

type Parsed = { headers: Record<string, string> } | { problem: string }

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

/** Adds `content-type: application/json` if the body looks like JSON and the header is missing. */
export function withContentType(headers: Record<string, string>, body: string): Record<string, string> {
  const isJson = /^\s*[[{]/.test(body)
  return isJson && !('content-type' in headers) ? { ...headers, 'content-type': 'application/json' } : headers
}
