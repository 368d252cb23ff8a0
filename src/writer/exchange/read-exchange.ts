import { bodyText, parseBody } from '../../core/http/body.ts'
import { canonicalBase, canonicalRequestPath, trimSlash } from '../../core/http/path.ts'
import { splitOrigin } from '../../core/http/route-url.ts'
import { streamToken } from '../../core/http/protocols.ts'
import type { RawRequest } from '../../core/http/raw-request.ts'
import { createDocumentReader, type DocumentReader } from '../../core/graphql/document.ts'
import { readGraphQL, type GraphQLParams } from '../../core/graphql/params.ts'
import { defaultGraphQL, isGraphQLGet } from '../../core/graphql/settings.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import { describeRequest, redactUrl } from '../../core/redact/redact.ts'
import { asJson } from '../../core/values/json-value.ts'
import { defined, nestsDeeperThan, ownValue } from '../../core/values/values.ts'
import { belowBase, endpointPath, whyUnwritable, type EndpointPath } from '../endpoint-path.ts'
import type { Exchange, Header, SavedAnswer, WriteOptions } from './exchange.ts'
import {
  isCall,
  isNameless,
  nameless,
  recordedOperation,
  readElsewhere,
  type RecordedOperation,
} from '../operation.ts'
import type { Omissions } from '../omissions.ts'
import type { OwnLinks } from './own-links.ts'
import { isEventStream, readEvents } from './read-events.ts'

export interface ReadExchange extends RecordedOperation {
  /** `POST` for every GraphQL request, as its route has it. */
  method: string
  path: EndpointPath
  request: ParsedRequest
  origin: string
  where: string
  status: number
  responseHeaders: readonly Header[]
  responseBody: Uint8Array
  ownLinks?: OwnLinks | undefined
  saved?: SavedAnswer | undefined
}

export function createExchangeReader(
  { graphqlPaths = defaultGraphQL.paths, base = '' }: WriteOptions,
  omissions: Omissions,
): (exchange: Exchange) => ReadExchange[] {
  const settings = { graphqlPaths: graphqlPaths.map(trimSlash), base: canonicalBase(base) }
  const shared = new Map<string, Exchange>()
  const context = { ...settings, read: createDocumentReader(defaultGraphQL), omissions, shared }
  return (exchange) => readExchange(exchange, context)
}

interface ExchangeContext {
  graphqlPaths: readonly string[]
  base: string
  read: DocumentReader
  omissions: Omissions
  /** Operations whose results are in the stream of another request, by its token and their id. */
  shared: Map<string, Exchange>
}

/** Characters. */
const maxUrl = 16_384
/** Maximum characters of a method, which is a part of the file's name. The longest registered one has 17. */
const maxMethod = 40
const maxLevels = 500
const tooDeep = `its body has more than ${maxLevels} levels`

function readExchange(exchange: Exchange, context: ExchangeContext): ReadExchange[] {
  const { omissions, base, graphqlPaths } = context
  const { requestHeaders, requestBody, status, responseHeaders, responseBody, ownLinks, saved } = exchange
  const method = exchange.method.toUpperCase()
  const skip = (why: string, where = method) => {
    omissions.add('a request', why, where)
    return []
  }
  if (exchange.url.length > maxUrl) return skip(`its URL has ${exchange.url.length} characters`)
  const given = exchange.url.startsWith('/') ? `http://localhost${exchange.url}` : exchange.url // `//a` is a path
  const url = URL.canParse(given) && new URL(given)
  if (!url || !/^https?:$/.test(url.protocol)) return skip('its URL is not valid')
  const fullPath = canonicalRequestPath(url.pathname)
  if (fullPath === undefined) return skip('the percent-encoding of its path is malformed')
  const path = exchange.isElsewhere ? `${url.origin}${fullPath}` : belowBase(fullPath, base)
  if (path === undefined) return skip(`its path is not below ${base}`, `${method} ${redactUrl(url.pathname)}`)
  const search = url.search.slice(1)
  const asked = { method, url: `${path}${search && `?${search}`}`, path, search }
  const raw = { ...asked, headers: headerRecord(requestHeaders), body: requestBody }
  const above = fullPath.split('/').length - splitOrigin(path).pathname.split('/').length // of `base`
  const endpoint = endpointPath(path.replace(/(?!^)\/+$/, ''), saved?.params.slice(above))
  const parts = graphqlPaths.includes(endpoint.template) ? readShared(raw, exchange, context) : undefined
  if (parts) return parts.flatMap((part) => readExchange(part, context))
  const why = whySkipped(raw, exchange) ?? whyUnwritable(endpoint.template)
  if (why !== undefined) return skip(why, describeRequest(raw))
  const answered = {
    path: endpoint,
    origin: url.origin,
    status,
    responseHeaders,
    responseBody,
    ownLinks,
    saved,
  }
  const mayBeGraphQL = method === 'POST' || (method === 'GET' && isGraphQLGet(search))
  if (mayBeGraphQL && graphqlPaths.includes(endpoint.template)) {
    const operations = readOperations(
      raw,
      { ...answered, method: 'POST', where: `POST ${endpoint.template}` },
      context,
    )
    return operations ?? skip('its body is not a GraphQL request', describeRequest(raw))
  }
  const body = parseBody(raw)
  // Where routes select by the body, such a request gets a 400.
  if (body.malformed !== undefined)
    return skip('its body is not what its content type says', describeRequest(raw))
  if (nestsDeeperThan(body.value, maxLevels)) return skip(tooDeep, describeRequest(raw))
  const where = `${method} ${endpoint.template}`
  const params =
    mayBeGraphQL && (method === 'GET' || (typeof body.value === 'object' && !body.isForm))
      ? readElsewhere(raw, context.read)
      : undefined
  if (params === 'batch')
    return skip('it is a batch, and the option "graphql.path" does not have its path', where)
  if (Array.isArray(body.value) && body.value.some(isCall)) return skip('it is a batch of JSON-RPC', where)
  if (params && isNameless(params, method === 'GET')) return skip(nameless, where)
  const request = new ParsedRequest(
    raw,
    defined(endpoint.params) as Record<string, string>,
    body.value,
    undefined,
    body.isForm,
  )
  return [{ ...answered, ...recordedOperation(params), isCall: isCall(body.value), method, where, request }]
}

/**
 * The single connection mode of graphql-sse: each operation with its results, as if it had a stream of its own. `undefined` for
 * other requests.
 */
function readShared(raw: RawRequest, exchange: Exchange, { shared, omissions }: ExchangeContext) {
  const { method } = raw
  const { status, responseHeaders, responseBody } = exchange
  if (method === 'PUT' && status === 201) return []
  const token = streamToken(raw)
  if (token === undefined) return undefined
  if (method === 'POST' && status === 202) {
    const id = ownValue(ownValue(asJson(bodyText(raw) ?? '')?.value, 'extensions'), 'operationId')
    shared.set(`${token} ${String(id)}`, exchange)
    return []
  }
  const type = responseHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  if (method !== 'GET' || !isEventStream(type)) return method === 'DELETE' ? [] : undefined
  const texts = new Map<string, string>()
  const report = (what: string) =>
    omissions.add(`response body "${what}"`, 'it is a credential', `GET ${raw.path}`)
  for (const { event, data } of readEvents(new TextDecoder().decode(responseBody), report)) {
    const key = `${token} ${String(ownValue(data, 'id'))}`
    const result = event === 'next' ? JSON.stringify(ownValue(data, 'payload')) : ''
    texts.set(key, `${texts.get(key) ?? ''}event: ${event}\ndata: ${result}\n\n`)
  }
  return [...texts].flatMap(([key, text]) => {
    const operation = shared.get(key)
    const own = { status, responseHeaders, responseBody: new TextEncoder().encode(text) }
    return operation ? { ...operation, ...own } : []
  })
}

/** An operation of a batch has its part of the answer; `undefined` for a request that is not GraphQL. */
function readOperations(
  raw: RawRequest,
  answered: Omit<ReadExchange, 'request' | keyof RecordedOperation>,
  { read, omissions }: ExchangeContext,
): ReadExchange[] | undefined {
  const payload = readGraphQL(raw, read)
  if (payload.malformed !== undefined) return undefined
  const { where } = answered
  const payloads = (payload.batch ?? [payload.params]).map((params) => params.payload)
  if (nestsDeeperThan(payloads, maxLevels)) {
    omissions.add('a request', tooDeep, where)
    return []
  }
  const readOne = (params: GraphQLParams, one: typeof answered): ReadExchange[] => {
    if (!isNameless(params))
      return [
        { ...one, ...recordedOperation(params), request: new ParsedRequest(raw, {}, params.payload, params) },
      ]
    omissions.add('a request', nameless, where)
    return []
  }
  if (!payload.batch) {
    if (asksForText(answered.responseBody)) {
      omissions.add('an answer', 'it only asks for the text of a persisted query', where)
      return []
    }
    return readOne(payload.params, answered)
  }
  const answers = parse(answered.responseBody)
  if (
    nestsDeeperThan(answers, maxLevels) ||
    !Array.isArray(answers) ||
    answers.length !== payload.batch.length
  ) {
    omissions.add('a batch', 'its answer is not a list with one result for each operation', where)
    return []
  }
  return payload.batch.flatMap((params, index) => {
    const responseBody = new TextEncoder().encode(JSON.stringify(answers[index]))
    return readOne(params, { ...answered, responseBody })
  })
}

/** A server that does not know the hash asks for the text, which the next request has. */
function asksForText(body: Uint8Array): boolean {
  if (body.length > 2000) return false
  const errors = ownValue(parse(body), 'errors')
  return Array.isArray(errors) && errors.some((one) => ownValue(one, 'message') === 'PersistedQueryNotFound')
}

function whySkipped({ method, headers }: RawRequest, { status, responseBody }: Exchange): string | undefined {
  if (method.length > maxMethod || !/^[A-Z]+(?:-[A-Z]+)*$/.test(method)) return 'its method is not valid'
  if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined)
    return 'preflight requests are answered by the plugin'
  if (status <= 0) return 'it has no answer' // Playwright writes -1
  if (status === 101) return 'WebSockets are not imported'
  if (!Number.isInteger(status) || status < 200 || status > 599) return `its status is ${status}`
  if (status === 206) return 'its answer (206) is only a part of a file'
  if (status === 304 && responseBody.length === 0) return 'its answer (304) was in the cache of the browser'
  return undefined
}

function headerRecord(list: readonly Header[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of list) {
    const key = name.toLowerCase()
    const before = Object.hasOwn(headers, key) ? `${headers[key]}${key === 'cookie' ? '; ' : ', '}` : ''
    headers[key] = before + value
  }
  return headers
}

function parse(bytes: Uint8Array): unknown {
  return asJson(new TextDecoder().decode(bytes))?.value
}
