import type { RequestDetails } from '../../api/api.ts'
import { exactJson, toJson, unmarked } from '../../../core/values/exact-number.ts'
import { isRecord } from '../../../core/values/values.ts'

export interface TriedRequest {
  method: string
  url: string
  /** One `name: value` a line. */
  headers: string
  body: string
}

export const emptyTry: TriedRequest = { method: 'GET', url: '/', headers: '', body: '' }

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** The body of a GraphQL request in its parts; `variables` as JSON. */
export interface GraphqlTry {
  query: string
  variables: string
  operationName: string
}

/** `undefined` for a body that is something else. */
export function toGraphql(body: string): GraphqlTry | undefined {
  const payload = body === '' ? {} : exactJson(body)?.value
  if (!isRecord(payload)) return undefined
  const { query = '', variables, operationName = '', ...others } = payload
  if (typeof query !== 'string' || typeof operationName !== 'string' || Object.keys(others).length > 0)
    return undefined
  const isText = typeof variables === 'string' // while it is typed, it is no JSON yet
  return {
    query,
    operationName,
    variables: isText ? variables : variables ? unmarked(JSON.stringify(variables, null, 2)) : '',
  }
}

export function fromGraphql({ query, variables, operationName }: GraphqlTry): string {
  const json = exactJson(variables)
  return toJson({
    query,
    ...(variables !== '' && { variables: json ? json.value : variables }),
    ...(operationName !== '' && { operationName }),
  })!
}

/** The text that the server shows in place of a secret value. */
const hidden = '…'

/** Headers with a hidden value are left out. */
export function toTry({ method, url, headers, body }: RequestDetails): TriedRequest {
  const lines = ownHeaders(headers)
    .filter(([, value]) => !value.includes(hidden))
    .map(([name, value]) => `${name}: ${value}`)
  return { method, url, headers: lines.join('\n'), body: body?.text ?? '' }
}

/** A page can't send the handshake of a WebSocket by itself. */
export function isSocket({ headers }: Pick<RequestDetails, 'headers'>): boolean {
  return headers['upgrade']?.toLowerCase() === 'websocket'
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

export function urlProblem(url: string): string | undefined {
  return /^\/(?!\/)/.test(url) ? undefined : 'Write path and query, as in /items?page=2.'
}

export function withContentType(headers: Record<string, string>, body: string): Record<string, string> {
  const isJson = /^\s*[[{]/.test(body)
  return isJson && !('content-type' in headers) ? { ...headers, 'content-type': 'application/json' } : headers
}

const automatic =
  /^(?:accept-encoding|accept-language|connection|content-length|cookie|dnt|host|keep-alive|origin|pragma|priority|referer|te|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via|proxy-.*|sec-.*)$/

type Sent = Pick<RequestDetails, 'method' | 'url' | 'headers' | 'body'>

function ownHeaders(headers: Record<string, string>): [string, string][] {
  return Object.entries(headers).filter(([name]) => !automatic.test(name))
}

export function asCurl({ method, url, headers, body }: Sent, origin: string): string {
  const parts = [`curl ${quote(origin + url)}`]
  const usual = body?.text ? 'POST' : 'GET'
  if (method === 'HEAD') parts.push('--head')
  else if (method !== usual) parts.push(`-X ${quote(method)}`)
  for (const [name, value] of ownHeaders(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body?.text) parts.push(`--data-raw ${quote(body.text)}`)
  return parts.join(' \\\n  ')
}

export function asFetch({ method, url, headers, body }: Sent): string {
  const init = {
    ...(method !== 'GET' && { method }),
    ...(ownHeaders(headers).length > 0 && { headers: Object.fromEntries(ownHeaders(headers)) }),
    ...(body?.text && { body: body.text }),
  }
  const options = Object.keys(init).length > 0 ? `, ${JSON.stringify(init, null, 2)}` : ''
  return `await fetch(${JSON.stringify(url)}${options})`
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Returns `false` if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Without https, the clipboard API is only available on localhost.
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'visually-hidden'
  // Inside a modal dialog, nothing outside of it can be focused.
  const parent = document.querySelector('dialog[open]') ?? document.body
  const focused = document.activeElement
  parent.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
