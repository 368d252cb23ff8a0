import type { OperationDefinitionNode } from 'graphql'
import {
  bodyText,
  type FormPart,
  isJson,
  mediaType,
  notMultipart,
  type ParsedBody,
  parseJson,
  readMultipart,
  UploadedFile,
} from '../http/body.ts'
import { firstValues, headerText, type RawRequest } from '../http/raw-request.ts'
import { getOrMake, oncePerObject } from '../values/collections.ts'
import { quote } from '../values/describe-value.ts'
import { parseExactly } from '../values/exact-number.ts'
import { isRecord, ownValue, setOwn, valueAt, type Values } from '../values/values.ts'
import { Budget } from './budget.ts'
import { documentText, maxTextLength } from './document-text.ts'
import {
  createDocumentReader,
  documentReaderOf,
  operationOf,
  type DocumentReader,
  type ParsedDocument,
} from './document.ts'
import type { ErrorLocation } from './formatted-error.ts'
import { locate, positionsOf } from './locations.ts'
import type { FittedResult, GraphQLResult } from './result.ts'
import { defaultGraphQL } from './settings.ts'
import { shapeResult } from './shape-result.ts'
import { argumentsOf, defaultsOf } from './selections.ts'

export { documentReaderOf }

/** An empty string counts as absent. */
export interface GraphQLPayload extends Values {
  query?: string | null | undefined
  operationName?: string | null | undefined
  variables?: Values | null | undefined
  extensions?: Values | null | undefined
}

export class GraphQLParams {
  readonly query: string | undefined
  readonly operationName: string | undefined
  readonly variables: Values | undefined
  /** Additional data, such as `persistedQuery` with its hash. */
  readonly extensions: Values | undefined
  readonly operation: OperationDefinitionNode | undefined
  /** Includes default values; `undefined` if there are no variables. */
  readonly allVariables: Values | undefined
  // `private`, since `#` fields are slow to create.
  private texts: Map<boolean, string | undefined> | undefined
  private cachedExactVariables: Values | undefined

  constructor(
    readonly payload: GraphQLPayload = {},
    readonly document: ParsedDocument | undefined = undefined,
    /** Shared by the operations of a batch. */
    readonly budget = new Budget(),
    private readonly readExactly = (): GraphQLPayload => payload,
  ) {
    this.query = payload.query || undefined
    this.operationName = payload.operationName || undefined
    this.variables = payload.variables || undefined
    this.extensions = payload.extensions || undefined
    this.operation = document && operationOf(document, this.operationName)
    this.allVariables = this.withDefaults(this.variables)
  }

  /** The payload with its numbers as they were sent. */
  get exactPayload(): GraphQLPayload {
    return this.readExactly()
  }

  /** `allVariables` with their numbers as they were sent. */
  get exactVariables(): Values | undefined {
    return (this.cachedExactVariables ??= this.withDefaults(this.exactPayload.variables || undefined))
  }

  private withDefaults(variables: Values | undefined): Values | undefined {
    const { operation } = this
    return operation?.variableDefinitions?.length
      ? { ...defaultsOf(operation), ...variables }
      : (variables ?? (operation && {}))
  }

  /** The document as text, the same for equivalent documents; `undefined` if it is too large. */
  documentText(hasTypes: boolean): string | undefined {
    const { operation } = this
    if (!operation) return undefined
    return getOrMake((this.texts ??= new Map<boolean, string | undefined>()), hasTypes, () => {
      const text = documentText(this.document!, operation, hasTypes)
      this.budget.spend('parsing', (text?.length ?? maxTextLength) >> 3)
      return text
    })
  }

  /** One entry for each alias. Without such a field or a document, the variables of the request. */
  argumentsOf(path: readonly string[]): [Values, ...Values[]] {
    const { operation, document, allVariables: variables } = this
    const positions = operation
      ? positionsOf(path, [operation.selectionSet], { fragments: document!.fragments, variables })
      : []
    const [first, ...others] = positions.flatMap(({ nodes }) =>
      nodes.map((node) => argumentsOf(node, variables)),
    )
    return first ? [first, ...others] : [{ ...this.variables }]
  }

  /** Where the field of an error is in the document. */
  locate(path: readonly unknown[], data?: unknown): ErrorLocation[] {
    return locate(this, path, data)
  }

  /** Cuts a result to what the operation selects. */
  shape(result: GraphQLResult): FittedResult {
    return shapeResult(result, this.document!, this.operation!, this.variables, this.budget)
  }

  /** Copies the operation: its next answer has a budget of its own. */
  again(budget: Budget): GraphQLParams {
    return new GraphQLParams(this.payload, this.document, budget, this.readExactly)
  }
}

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
  const paramsOf = (payload: GraphQLPayload, index = 0) => {
    // Once the budget is spent, the whole batch is refused.
    const document = payload.query && !budget.isSpent ? read(payload.query) : undefined
    if (document) budget.spend('parsing', document.tokens)
    return new GraphQLParams(payload, document, budget, () => exactPayloads(raw)[index] ?? payload)
  }
  const payload = body.value as GraphQLPayload | GraphQLPayload[]
  return Array.isArray(payload)
    ? { batch: payload.map((one, index) => paramsOf(one, index)) }
    : { params: paramsOf(payload) }
}

/** The operations with their numbers as they were sent. */
const exactPayloads = oncePerObject((raw: RawRequest) => {
  const read = readPayload(raw, parseExactly)
  return (read.malformed === undefined ? [read.value].flat() : []) as GraphQLPayload[]
})

function readPayload(raw: RawRequest, parse?: typeof parseExactly): ParsedBody {
  if (raw.method === 'GET' || raw.method === 'HEAD') return fromFields(firstValues(raw.search), parse)
  const type = mediaType(raw)
  if (type === 'multipart/form-data' && raw.body?.length) return fromUpload(raw, parse)
  const text = bodyText(raw)
  if (text === undefined || text.trim() === '') return fromFields(firstValues(raw.search), parse)
  const isDocument = looksLikeDocument(text)
  if (type === 'application/graphql' || (isDocument && !isJson(type)))
    return fromFields({ ...firstValues(raw.search), query: text }, parse)
  if (type === 'application/x-www-form-urlencoded' && !/^\s*[[{]/.test(text))
    return fromFields(firstValues(text), parse)
  const json = parseJson(text, parse)
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
function fromFields(fields: Record<string, string>, parse?: typeof parseExactly): ParsedBody {
  const payload: Record<string, unknown> = { ...fields }
  for (const name of ['variables', 'extensions']) {
    if (!fields[name]) continue
    const json = parseJson(fields[name], parse)
    if (json.malformed !== undefined) return { malformed: `"${name}": ${json.malformed}` }
    payload[name] = json.value
  }
  return { value: payload }
}

/** @see https://github.com/jaydenseric/graphql-multipart-request-spec */
function fromUpload({ body, headers }: RawRequest, parse?: typeof parseExactly): ParsedBody {
  const parts = readMultipart(body!, headerText(headers, 'content-type')!)
  if (!parts) return { malformed: notMultipart }
  const part = parts.find(({ name }) => name === 'operations')
  if (!part || part.filename !== undefined)
    return { malformed: 'the field "operations", which has the query in JSON, is missing in the form' }
  const operations = parseJson(new TextDecoder().decode(part.bytes), parse)
  if (operations.malformed !== undefined) return { malformed: `"operations": ${operations.malformed}` }
  const malformed = putFiles(operations.value, parts)
  return malformed === undefined ? operations : { malformed: `"map": ${malformed}` }
}

/** Puts the files into the variables, where the field "map" says. @returns what is wrong with it */
function putFiles(operations: unknown, parts: readonly FormPart[]): string | undefined {
  const byName = new Map(parts.map((part) => [part.name, part]))
  const field = byName.get('map')
  if (!field) return undefined
  const map = parseJson(new TextDecoder().decode(field.bytes))
  if (map.malformed !== undefined) return map.malformed
  for (const [name, paths] of Object.entries(isRecord(map.value) ? map.value : {})) {
    const part = byName.get(name)
    if (!part) return `the form has no file ${quote(name.slice(0, 100))}`
    const file = new UploadedFile(part.filename ?? '', part.type, part.bytes)
    for (const path of [paths].flat().map(String)) {
      const keys = path.split('.')
      const last = keys.pop()!
      const around = valueAt(operations, keys)
      const has = Array.isArray(around)
        ? ownValue(around, last) !== undefined
        : isRecord(around) && !(around instanceof UploadedFile)
      if (!has) return `the operations have no ${quote(path.slice(0, 100))}`
      setOwn(around as object, last, file)
    }
  }
  return undefined
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

const parameters = [
  ['query', 'string'],
  ['operationName', 'string'],
  ['variables', 'object'],
  ['extensions', 'object'],
] as const

/** `null` and an empty string count as absent. */
function wrongParameter(payload: Record<string, unknown>): string | undefined {
  for (const [name, type] of parameters) {
    const value = payload[name]
    if (value === undefined || value === null || value === '') continue
    if (type === 'string' ? typeof value !== 'string' : !isRecord(value))
      return `"${name}" must be ${type === 'string' ? 'a string' : 'an object'}`
  }
  return undefined
}

/** A document that selects operations. */
export function readDocument(
  query: string,
): { text: string; hasTypes: boolean; name: string | undefined } | { reason: string } {
  const document = createDocumentReader(defaultGraphQL)(query)
  const wrong = document.syntaxError ?? document.error
  if (wrong) {
    const [at] = wrong.locations ?? []
    return {
      reason: `${wrong.message.replace(/\.$/, '')}${at ? ` (line ${at.line}, column ${at.column} of the query)` : ''}`,
    }
  }
  const operation = operationOf(document)
  if (!operation) return { reason: 'it must have one operation' }
  const text = documentText(document, operation)
  if (text === undefined) return { reason: 'it is too large' }
  const hasTypes = text !== documentText(document, operation, false)
  return { text, hasTypes, name: operation.name?.value }
}
