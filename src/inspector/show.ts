import type { SourceLocation } from '../core/diagnostics/diagnostic.ts'
import { charsetOf } from '../core/http/body.ts'
import { clientOf } from '../core/http/whose-state.ts'
import { firstValues, headerText, type RawRequest, type Headers } from '../core/http/raw-request.ts'
import {
  describeRequest,
  hidden,
  isSecretName,
  redactBody,
  redactHeader,
  redactText,
} from '../core/redact/redact.ts'
import type { PreparedResponse } from '../core/response/prepare-response.ts'
import type { CompiledRoute, Endpoint, RouteResponse } from '../core/table/route-table.ts'
import { toBase64 } from '../core/stream/compile-socket.ts'
import { asJson } from '../core/values/json-value.ts'
import { isRecord } from '../core/values/values.ts'
import type {
  AnsweredBy,
  Explanation,
  Json,
  Position,
  RequestDetails,
  RequestSummary,
  RouteInfo,
  ShownBody,
} from './api/api.ts'
import { errorsOf, type Frame, type JournalEntry } from './journal.ts'
import { writeSelector } from './write-selector.ts'
import { cutText } from '../core/values/describe-value.ts'

/** `GET /items` */
export function endpointId({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`
}

const answers: Record<CompiledRoute['response']['kind'], RouteInfo['answers']> = {
  static: 'static',
  values: 'values',
  result: 'graphql',
  paged: 'paginate',
  stream: 'stream',
  collection: 'collection',
  function: 'function',
  backend: 'backend',
  websocket: 'websocket',
  sequence: 'sequence',
  broken: 'error',
}

export function showRoute(endpoint: Endpoint, route: CompiledRoute, hits: number): RouteInfo {
  const { method, path } = endpoint
  const { response } = route
  const pages = response.kind === 'paged' ? response.list.pageCount : 1
  return {
    id: route.id,
    name: route.name,
    method,
    path,
    ...(route.selector && { when: writeSelector(route.selector) }),
    scenarios: [...(route.scenarios ?? [])],
    answers: answers[response.kind],
    ...(pages > 1 && { pages }),
    ...showSent(response),
    isGraphQL: endpoint.graphql !== undefined,
    isTemplate: route.source.isTemplate ?? false,
    hits,
    ...shownPosition(route.source),
  }
}

/** Shows what is known without a request: the status of a collection, or of the backend, depends on it. */
function showSent(response: RouteResponse): Pick<RouteInfo, 'status' | 'delay' | 'fault'> {
  const given = response.kind === 'websocket' ? response.handshake : 'given' in response && response.given
  if (!given) return {}
  const isFixed = response.kind !== 'collection' && response.kind !== 'backend'
  const { status = isFixed ? 200 : undefined, delay = 0, fault } = given
  return {
    ...(status !== undefined && { status }),
    ...(delay !== 0 && { delay: delay as Json }),
    ...(fault !== undefined && { fault: fault }),
  }
}

export function shownPosition({ file, line, column }: Partial<SourceLocation>): Position {
  return {
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  }
}

/** A route as a request names it. */
export function showNamed({ id, name, source }: CompiledRoute): { id: string; name: string } & Position {
  return { id, name, ...shownPosition(source) }
}

export function showAnsweredBy(answeredBy: AnsweredBy, route: CompiledRoute | undefined): AnsweredBy {
  return answeredBy === 'route' && route?.source.isTemplate ? 'template' : answeredBy
}

export function showSummary(entry: JournalEntry): RequestSummary {
  const { id, start, method, headers, route, operationName, operationType, status, duration } = entry
  const errors = errorsOf(entry)
  const client = clientOf(headers)
  const variables = previewVariables(entry)
  const { url, path } = shownUrl(entry)
  return {
    id,
    time: Math.round(performance.timeOrigin + start),
    method,
    url,
    ...(path !== splitUrl(url)[0] && { path }),
    ...(client !== '' && { client }),
    ...(operationName !== undefined && { operationName }),
    ...(operationType && { operationType: operationType as RequestSummary['operationType'] & string }),
    ...(variables !== undefined && { variables }),
    ...(status !== undefined && { status }),
    ...(duration !== undefined && { duration: Math.round(duration * 1000) / 1000 }),
    ...(entry.wait > 0 && { delay: Math.round(entry.wait) }),
    ...(entry.response && { size: entry.stream?.size ?? entry.responseSize }),
    answeredBy: showAnsweredBy(entry.answeredBy, route),
    ...(errors && { errors }),
    ...(entry.isServer && { isServer: true }),
    ...(entry.isAborted && { isAborted: true }),
    ...(entry.isUnanswered && { isUnanswered: true }),
    ...(entry.stream && { stream: { state: entry.stream.state, frames: entry.stream.count } }),
    ...(route && { route: showNamed(route) }),
    scenarios: [...entry.scenarios],
  }
}

export function showDetails(entry: JournalEntry, decision: Explanation): RequestDetails {
  const { headers, body, response, responseSize } = entry
  return {
    ...showSummary(entry),
    headers: showHeaders(headers),
    ...(body && { body: showBody(body.bytes, body.size, headerText(headers, 'content-type')) }),
    ...(response && { response: showResponse(response, responseSize) }),
    ...(entry.stream && { frames: entry.stream.frames.map(showFrame) }),
    decision,
  }
}

function showFrame(frame: Frame): Frame {
  return { ...frame, time: Math.round(frame.time), text: redactBody(frame.text, 'application/json') }
}

/** Maximum bytes of each body that are searched. */
const maxSearched = 65_536
/** Characters in which a search looks for secrets, which takes long: 0.1 to 0.6 s for a million. */
const maxRedacted = 2_000_000

/** Whether headers or bodies have a text, in any case. What is secret is not found. */
export function createSearch(given: string): (entry: JournalEntry) => boolean {
  const search = given.toLowerCase()
  if (search === '') return () => true
  let redacted = 0
  return ({ headers, body, response }) => {
    const bodies = [body?.bytes, response?.body].map((bytes) => bytes?.slice(0, maxSearched) ?? '')
    const texts = bodies.map((part) => (typeof part === 'string' ? part : decoder.decode(part)))
    const names = [Object.entries(headers), response?.headers ?? []].flat(3).join(': ')
    const all = [names, ...texts].join('\n').toLowerCase()
    if (!all.includes(search) || (redacted += all.length) > maxRedacted) return false
    const answer = response && showResponse({ ...response, body: bodies[1]! }, maxSearched)
    const sent = body && showBody(bodies[0]!, maxSearched, headerText(headers, 'content-type'))
    const lines = [showHeaders(headers), answer?.headers ?? {}].flatMap(Object.entries)
    const shown = [...lines.map((line) => line.join(': ')), sent?.text, answer?.body.text]
    return shown.join('\n').toLowerCase().includes(search)
  }
}

const decoder = new TextDecoder()

function showResponse(response: PreparedResponse, size: number): NonNullable<RequestDetails['response']> {
  const { status, body, fault } = response
  const headers: Record<string, string> = {}
  for (let i = 0; i < response.headers.length; i += 2) {
    const [name, value] = [response.headers[i]!.toLowerCase(), response.headers[i + 1]!]
    const shown = redactHeader(name, value)
    headers[name] = name in headers ? `${headers[name]}, ${shown}` : shown
  }
  return {
    status,
    headers,
    body: showBody(body, size, headers['content-type']),
    ...(fault !== undefined && { fault: typeof fault === 'string' ? fault : JSON.stringify(fault) }),
  }
}

function showHeaders(headers: Headers): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const text = headerText(headers, name)
    if (text !== undefined) shown[name] = redactHeader(name, text)
  }
  return shown
}

/** `bytes` may be the beginning of a body of `size` bytes. */
export function showBody(bytes: string | Uint8Array, size: number, contentType = ''): ShownBody {
  const isCut = bytes.length < size
  const text = typeof bytes === 'string' ? bytes : decode(bytes, contentType, isCut)
  const isImage =
    typeof bytes !== 'string' && text === undefined && !isCut && /^image\/[\w.+-]+/i.test(contentType)
  return {
    size,
    ...(text !== undefined && { text: redactBody(text, contentType) }),
    ...(isImage && { base64: toBase64(bytes) }),
    isCut,
  }
}

/** `undefined` for what is not text. The last character of a cut body may be incomplete. */
function decode(bytes: Uint8Array, contentType: string, isCut: boolean): string | undefined {
  try {
    const text = new TextDecoder(charsetOf(contentType) ?? 'utf-8', { fatal: true }).decode(bytes, {
      stream: isCut,
    })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** The body is the part that is kept. */
export function rawRequestOf({ method, url, headers, path, params, body }: JournalEntry): RawRequest {
  const [asked, search] = splitUrl(url)
  return { method, url, headers, path: path ?? asked, search, params, body: body?.bytes }
}

function shownUrl(entry: JournalEntry): { url: string; path: string } {
  const raw = rawRequestOf(entry)
  const [path] = splitUrl(entry.url)
  const base = path.endsWith(raw.path) ? path.slice(0, -raw.path.length) : ''
  const below = describeRequest(raw).slice(entry.method.length + 1)
  return { url: `${redactText(base)}${below}`, path: splitUrl(below)[0] }
}

function splitUrl(url: string): [path: string, search: string] {
  const start = url.indexOf('?')
  return start === -1 ? [url, ''] : [url.slice(0, start), url.slice(start + 1)]
}

const maxVariables = 3
const maxValue = 40

/** `id: 7, page: 2` */
function previewVariables(entry: JournalEntry): string | undefined {
  if (!entry.isGraphQL) return undefined
  const text = Object.entries(readVariables(entry)).slice(0, maxVariables).map(previewValue).join(', ')
  return text === '' ? undefined : text
}

function previewValue([name, value]: [string, unknown]): string {
  const text = isSecretName(name)
    ? hidden
    : redactText(typeof value === 'string' ? value : JSON.stringify(value))
  return `${name}: ${cutText(text, maxValue)}`
}

function readVariables({ body, url }: JournalEntry): Record<string, unknown> {
  const text = body ? decoder.decode(body.bytes) : (firstValues(splitUrl(url)[1])['variables'] ?? '')
  const given = asJson(text)?.value // nothing if the body is cut, or is not JSON
  const payload: unknown = body ? given : { variables: given }
  const first: unknown = Array.isArray(payload) ? payload[0] : payload
  return isRecord(first) && isRecord(first['variables']) ? first['variables'] : {}
}
