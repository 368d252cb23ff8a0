import {
  bodyText,
  isJson,
  mediaType,
  notMultipart,
  type ParsedBody,
  parseJson,
  readMultipart,
} from '../http/body.ts'
import { isRecord } from '../values/values.ts'
import { Budget } from './budget.ts'
import type { DocumentReader } from './document.ts'
import { GraphQLParams, type GraphQLPayload } from './params.ts'
import { firstValues, headerText } from '../http/raw-request.ts'
import type { RawRequest } from '../http/raw-request.ts'

type GraphQLRequest =
  | { params: GraphQLParams; batch?: never; malformed?: never }
  | { batch: GraphQLParams[]; malformed?: never }
  | { malformed: string }

/** Maximum operations of a batch; clients do not send more. */
const maxBatch = 100

/**
 * Lenient on purpose: `curl` with only an `operationName` gets the right route, without a query or a content type. `curl
 * -d 'query A { a }'` sends the type of a form, so the beginning of the text decides, except in JSON.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters
 */
export function readGraphQL(raw: RawRequest, read: DocumentReader, budget = new Budget()): GraphQLRequest {
  const body = readPayload(raw)
  if (body.malformed !== undefined) return body
  const malformed = findMistake(body.value)
  if (malformed !== undefined) return { malformed }
  const paramsOf = (payload: GraphQLPayload) => {
    // Once the budget is spent, the whole batch is refused.
    const document = payload.query && !budget.isSpent ? read(payload.query) : undefined
    if (document) budget.spend('parsing', document.tokens)
    return new GraphQLParams(payload, document, budget)
  }
  const payload = body.value as GraphQLPayload | GraphQLPayload[]
  return Array.isArray(payload) ? { batch: payload.map(paramsOf) } : { params: paramsOf(payload) }
}

function readPayload(raw: RawRequest): ParsedBody {
  const search = firstValues(raw.search)
  if (raw.method === 'GET' || raw.method === 'HEAD') return fromFields(search)
  const type = mediaType(raw)
  if (type === 'multipart/form-data' && raw.body?.length) return fromUpload(raw)
  const text = bodyText(raw)
  if (text === undefined || text.trim() === '') return fromFields(search)
  const isDocument = looksLikeDocument(text)
  if (type === 'application/graphql' || (isDocument && !isJson(type)))
    return fromFields({ ...search, query: text })
  if (type === 'application/x-www-form-urlencoded' && !/^\s*[[{]/.test(text))
    return fromFields(firstValues(text))
  const json = parseJson(text)
  return json.malformed !== undefined && isDocument
    ? { malformed: 'it is a GraphQL document, not JSON such as {"query":"{ a }"}' }
    : json
}

/** An alias (`{ a: b }`) counts as JSON, since some shells remove the quotes, as in `{operationName:A}`. */
function looksLikeDocument(text: string): boolean {
  return /^\s*(?:\{\s*(?:[A-Za-z_]\w*\s*(?![\w\s:])|\.\.\.|#)|(?:query|mutation|subscription|fragment)(?:\s+[A-Za-z_]|\s*[({@#])|#)/.test(
    text,
  )
}

/** In query strings and forms, `variables` and `extensions` are JSON text. */
function fromFields(fields: Record<string, string>): ParsedBody {
  const payload: Record<string, unknown> = { ...fields }
  for (const name of ['variables', 'extensions']) {
    if (!fields[name]) continue
    const json = parseJson(fields[name])
    if (json.malformed !== undefined) return { malformed: `"${name}": ${json.malformed}` }
    payload[name] = json.value
  }
  return { value: payload }
}

/** @see https://github.com/jaydenseric/graphql-multipart-request-spec */
function fromUpload({ body, headers }: RawRequest): ParsedBody {
  const parts = readMultipart(body!, headerText(headers, 'content-type')!)
  if (!parts) return { malformed: notMultipart }
  const part = parts.find(({ name }) => name === 'operations')
  if (!part || part.filename !== undefined)
    return { malformed: 'the field "operations", which has the query in JSON, is missing in the form' }
  const json = parseJson(new TextDecoder().decode(part.bytes))
  return json.malformed === undefined ? json : { malformed: `"operations": ${json.malformed}` }
}

function findMistake(payload: unknown): string | undefined {
  if (!Array.isArray(payload))
    return isRecord(payload)
      ? wrongParameter(payload)
      : 'a GraphQL request must be an object, or a list of them'
  if (payload.length === 0) return 'a batch needs at least one operation'
  if (payload.length > maxBatch) return `a batch may have ${maxBatch} operations at most`
  if (!payload.every(isRecord)) return 'every entry of a batch must be an object'
  return payload.map(wrongParameter).find((mistake) => mistake !== undefined)
}

const parameters = { query: 'string', operationName: 'string', variables: 'object', extensions: 'object' }

/** `null` and an empty string count as absent. */
function wrongParameter(payload: Record<string, unknown>): string | undefined {
  for (const [name, type] of Object.entries(parameters)) {
    const value = payload[name]
    if (value === undefined || value === null || value === '') continue
    if (type === 'string' ? typeof value !== 'string' : !isRecord(value))
      return `"${name}" must be ${type === 'string' ? 'a string' : 'an object'}`
  }
  return undefined
}
