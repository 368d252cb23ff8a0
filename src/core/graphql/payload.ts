import { bodyText, isJson, mediaType, notMultipart, parseJson } from '../http/body.ts'
import { readMultipart } from '../http/multipart.ts'
import { isRecord } from '../values/values.ts'
import { Budget } from './budget.ts'
import type { DocumentReader } from './document.ts'
import { GraphQLParams } from './params.ts'
import { firstValues, headerText } from '../http/raw-request.ts'
import type { RawRequest } from '../http/raw-request.ts'

type GraphQLPayload =
  | { params: GraphQLParams; batch?: never; malformed?: never }
  | { batch: GraphQLParams[]; malformed?: never }
  | { malformed: string }

interface Context {
  read: DocumentReader
  budget: Budget
}

type Values = Readonly<Record<string, unknown>>

/** Maximum operations of a batch; clients do not send more. */
const maxBatch = 100

/**
 * Reads a request as GraphQL over HTTP: JSON, a document, a form, the parameters of a GET, an upload, or a batch.
 *
 * Lenient on purpose: a missing body, query or content type is not an error, so that `curl` with only an
 * `operationName` gets the right route. `curl -d 'query A { a }'` sends the content type of a form, and so a document is
 * known by how it begins, unless it is sent as JSON. A parameter of the wrong type is an error.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters
 */
export function readGraphQL(raw: RawRequest, read: DocumentReader, budget = new Budget()): GraphQLPayload {
  const context: Context = { read, budget }
  if (raw.method === 'GET' || raw.method === 'HEAD') return fromFields(firstValues(raw.search), context)
  const type = mediaType(raw)
  if (type === 'multipart/form-data' && raw.body?.length) return fromUpload(raw, context)
  const text = bodyText(raw)
  if (text === undefined || text.trim() === '') return fromFields(firstValues(raw.search), context)
  const isDocument = looksLikeDocument(text)
  if (type === 'application/graphql' || (isDocument && !isJson(type)))
    return fromFields({ ...firstValues(raw.search), query: text }, context)
  if (type === 'application/x-www-form-urlencoded' && !/^\s*[[{]/.test(text))
    return fromFields(firstValues(text), context)
  const json = parseJson(text)
  if (json.malformed === undefined) return fromJson(json.value, context)
  return isDocument ? { malformed: 'it is a GraphQL document, not JSON such as {"query":"{ a }"}' } : json
}

/**
 * Whether a text begins as a GraphQL document does, and neither JSON nor a form: `{ a`, `query A {`, `query ($id: ID) {`. An
 * alias (`{ a: b }`) counts as JSON: some shells take the quotes off, as in `{operationName:A}`.
 */
function looksLikeDocument(text: string): boolean {
  return /^\s*(?:\{\s*(?:[A-Za-z_]\w*\s*(?![\w\s:])|\.\.\.|#)|(?:query|mutation|subscription|fragment)(?:\s+[A-Za-z_]|\s*[({@#])|#)/.test(
    text,
  )
}

function fromJson(value: unknown, context: Context): GraphQLPayload {
  if (Array.isArray(value)) {
    if (value.length === 0) return { malformed: 'a batch needs at least one operation' }
    if (value.length > maxBatch) return { malformed: `a batch may have ${maxBatch} operations at most` }
    if (!value.every(isRecord)) return { malformed: 'every entry of a batch must be an object' }
    const batch: GraphQLParams[] = []
    for (const entry of value) {
      const params = readParams(entry, context)
      if ('malformed' in params) return params
      batch.push(params)
    }
    return { batch }
  }
  if (!isRecord(value)) return { malformed: 'a GraphQL request must be an object, or a list of them' }
  return single(value, context)
}

/** In query strings and forms, `variables` and `extensions` are JSON text. */
function fromFields(fields: Record<string, string>, context: Context): GraphQLPayload {
  const payload: Record<string, unknown> = { ...fields }
  for (const name of ['variables', 'extensions']) {
    if (!fields[name]) continue
    const json = parseJson(fields[name])
    if (json.malformed !== undefined) return { malformed: `"${name}": ${json.malformed}` }
    payload[name] = json.value
  }
  return single(payload, context)
}

/**
 * An upload has its operation in the field `operations`. Its files count towards the body limit and are ignored.
 *
 * @see https://github.com/jaydenseric/graphql-multipart-request-spec
 */
function fromUpload({ body, headers }: RawRequest, context: Context): GraphQLPayload {
  const parts = readMultipart(body!, headerText(headers, 'content-type')!)
  if (!parts) return { malformed: notMultipart }
  const part = parts.find(({ name }) => name === 'operations')
  if (!part || part.filename !== undefined)
    return { malformed: 'the field "operations", which has the query in JSON, is missing in the form' }
  const operations = new TextDecoder().decode(part.bytes)
  const json = parseJson(operations)
  if (json.malformed !== undefined) return { malformed: `"operations": ${json.malformed}` }
  return fromJson(json.value, context)
}

function single(payload: Values, context: Context): GraphQLPayload {
  const params = readParams(payload, context)
  return 'malformed' in params ? params : { params }
}

function readParams(payload: Values, context: Context): GraphQLParams | { malformed: string } {
  const query = given(payload, 'query')
  const operationName = given(payload, 'operationName')
  const variables = given(payload, 'variables')
  const extensions = given(payload, 'extensions')
  if (!isOptionalText(query)) return { malformed: '"query" must be a string' }
  if (!isOptionalText(operationName)) return { malformed: '"operationName" must be a string' }
  if (!isOptionalRecord(variables)) return { malformed: '"variables" must be an object' }
  if (!isOptionalRecord(extensions)) return { malformed: '"extensions" must be an object' }
  // Once the budget is spent, the whole batch is refused.
  const document = query === undefined || context.budget.isSpent ? undefined : context.read(query)
  if (document) context.budget.spend('parsing', document.cost)
  return new GraphQLParams({
    payload,
    query,
    document,
    operationName,
    variables,
    extensions,
    budget: context.budget,
  })
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function isOptionalRecord(value: unknown): value is Values | undefined {
  return value === undefined || isRecord(value)
}

/** A parameter, unless it is absent, `null` or an empty string. */
function given(payload: Values, name: 'query' | 'operationName' | 'variables' | 'extensions'): unknown {
  const value = payload[name]
  return value === null || value === '' ? undefined : value
}
