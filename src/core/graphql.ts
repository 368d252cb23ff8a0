import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
// The parser alone: the whole of graphql-js costs every dev server's start three times as much.
import { Kind } from 'graphql/language/kinds.js'
import { parse } from 'graphql/language/parser.js'
import { valueFromASTUntyped } from 'graphql/utilities/valueFromASTUntyped.js'
import { bodyText, mediaType, parseJson } from './body.ts'
import { firstValues, queryValue, type RawRequest } from './request.ts'
import { isRecord } from './values.ts'

/** The parameters of one GraphQL request (GraphQL over HTTP, section "Request Parameters"). */
export interface GraphQLParams {
  query?: string | undefined
  operationName?: string | undefined
  variables?: Readonly<Record<string, unknown>> | undefined
  /** The whole payload that the others were read from. */
  payload: Readonly<Record<string, unknown>>
}

export type GraphQLPayload =
  | { params: GraphQLParams; batch?: never; malformed?: never }
  | { batch: GraphQLParams[]; malformed?: never }
  | { malformed: string }

/** A list longer than this is not a batch that a client built. */
const maxBatch = 100

/** Whether a GET names something to run; one that does not (a browser's visit) is not a GraphQL request. */
export function isGraphQLGet(search: string): boolean {
  return queryValue(search, 'query') !== undefined || queryValue(search, 'operationName') !== undefined
}

/**
 * Reads a request as GraphQL over HTTP: JSON, `application/graphql`, a form, the parameters of a GET, or a batch.
 *
 * Lenient on purpose: a missing body, query or content type is no error, so that `curl` with nothing but an
 * `operationName` gets the route it asks for.
 */
export function readGraphQL(raw: RawRequest): GraphQLPayload {
  if (raw.method === 'GET' || raw.method === 'HEAD') return fromFields(firstValues(raw.search))
  const text = bodyText(raw)
  if (text === undefined || text.trim() === '') return fromFields(firstValues(raw.search))
  const type = mediaType(raw)
  if (type === 'application/graphql')
    return { params: readParams({ ...firstValues(raw.search), query: text }) }
  if (type === 'application/x-www-form-urlencoded' && !/^\s*[[{]/.test(text))
    return fromFields(firstValues(text))
  const json = parseJson(text)
  if (json.malformed !== undefined) return json
  return fromJson(json.value)
}

function fromJson(value: unknown): GraphQLPayload {
  if (Array.isArray(value)) {
    if (value.length === 0) return { malformed: 'a batch needs at least one operation' }
    if (value.length > maxBatch) return { malformed: `a batch may have ${maxBatch} operations at most` }
    if (!value.every(isRecord)) return { malformed: 'every entry of a batch must be an object' }
    return { batch: value.map(readParams) }
  }
  if (!isRecord(value)) return { malformed: 'a GraphQL request must be an object, or a list of them' }
  return { params: readParams(value) }
}

/** Query strings and forms carry `variables` as JSON text. */
function fromFields(fields: Record<string, string>): GraphQLPayload {
  if (!fields.variables) return { params: readParams(fields) }
  const variables = parseJson(fields.variables)
  if (variables.malformed !== undefined) return { malformed: `"variables": ${variables.malformed}` }
  return { params: readParams({ ...fields, variables: variables.value }) }
}

function readParams(payload: Readonly<Record<string, unknown>>): GraphQLParams {
  const { query, operationName, variables } = payload
  return {
    query: typeof query === 'string' ? query : undefined,
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
    variables: isRecord(variables) ? variables : undefined,
    payload,
  }
}

interface ParsedDocument {
  /** Whether `@skip` or `@include` may leave out a part of it. */
  isConditional: boolean
  operations: OperationDefinitionNode[]
  fragments: Map<string, FragmentDefinitionNode>
}

/** Documents are parsed once. The oldest leave first; long ones are not kept, so memory is bounded. */
const documents = new Map<string, ParsedDocument>()
const maxDocuments = 500
const maxKeptLength = 32_768

/** A text that is no GraphQL document counts as one without operations: the starter templates answer any text. */
function parseDocument(query: string): ParsedDocument {
  const known = documents.get(query)
  if (known) return known
  const parsed: ParsedDocument = {
    isConditional: /@\s*(?:skip|include)\b/.test(query),
    operations: [],
    fragments: new Map(),
  }
  for (const definition of definitionsOf(query)) {
    if (definition.kind === Kind.OPERATION_DEFINITION) parsed.operations.push(definition)
    else if (definition.kind === Kind.FRAGMENT_DEFINITION)
      parsed.fragments.set(definition.name.value, definition)
  }
  if (query.length <= maxKeptLength) {
    if (documents.size >= maxDocuments) documents.delete(documents.keys().next().value!)
    documents.set(query, parsed)
  }
  return parsed
}

function definitionsOf(query: string): DocumentNode['definitions'] {
  try {
    return parse(query).definitions
  } catch {
    return [] // a syntax error, or nested too deep for the stack
  }
}

/** The operation that a request runs: the one it names, else the document's only one. */
export function operationOf(params: GraphQLParams): OperationDefinitionNode | undefined {
  if (!params.query) return undefined
  const { operations } = parseDocument(params.query)
  if (params.operationName !== undefined) {
    return operations.find((operation) => operation.name?.value === params.operationName)
  }
  return operations.length === 1 ? operations[0] : undefined
}

export interface ErrorLocation {
  line: number
  column: number
}

/**
 * The places in the request's query text of the field that an error's `path` leads to, as graphql-js reports them:
 * one for each field node that is merged into the response key.
 *
 * Where the operation does not select that path, its own start is given; where the request carries no document, line 1,
 * column 1.
 *
 * @see https://spec.graphql.org/October2021/#sec-Errors.Error-result-format
 */
export function locate(params: GraphQLParams, path: readonly unknown[]): ErrorLocation[] {
  const operation = operationOf(params)
  if (!operation) return [{ line: 1, column: 1 }]
  const fields = fieldsAt(params, operation, path)
  return (fields.length > 0 ? fields : [operation]).map((node) => {
    const { line, column } = node.loc!.startToken
    return { line, column }
  })
}

const noDocument = {}

/**
 * What the locations of a request depend on and nothing else: as long as it is the same, so are they. `undefined` when
 * they depend on the variables too.
 */
export function locationsKey(params: GraphQLParams): object | undefined {
  const operation = operationOf(params)
  if (!operation) return noDocument
  return parseDocument(params.query!).isConditional ? undefined : operation
}

/**
 * The arguments of the field that a path of response keys leads to, with variables in their places. Where the operation
 * does not select the path, or there is no document, the variables themselves, by name.
 */
export function fieldArguments(params: GraphQLParams, path: readonly string[]): Record<string, unknown> {
  const operation = operationOf(params)
  const [field] = operation ? fieldsAt(params, operation, path) : []
  if (!operation || !field) return { ...params.variables }
  const variables = variablesOf(params, operation)
  return Object.fromEntries(
    (field.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]),
  )
}

/** The variables of a request, with the defaults that its operation gives. */
function variablesOf(
  { variables }: GraphQLParams,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Record<string, unknown> {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  )
  return { ...(Object.fromEntries(defaults) as Record<string, unknown>), ...variables }
}

/** The fields that a path of response keys leads to. Several, where an operation selects the same key repeatedly. */
function fieldsAt(
  params: GraphQLParams,
  operation: OperationDefinitionNode,
  path: readonly unknown[],
): FieldNode[] {
  const { fragments } = parseDocument(params.query!)
  const variables = variablesOf(params, operation)
  let sets: SelectionSetNode[] = [operation.selectionSet]
  let fields: FieldNode[] = []
  for (const key of path) {
    if (typeof key !== 'string') continue // an index into a list: the field stays the same
    fields = collectFields(sets, key, fragments, variables)
    sets = fields.flatMap((field) => field.selectionSet ?? [])
  }
  return fields
}

/** All fields with one response key, in document order, through inline fragments and spreads. */
function collectFields(
  sets: readonly SelectionSetNode[],
  responseKey: string,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: GraphQLParams['variables'],
): FieldNode[] {
  const fields: FieldNode[] = []
  const visited = new Set<string>()
  // A stack of our own: fragments can be chained deeper than the engine's stack is.
  const pending: SelectionNode[] = []
  const enter = (selections: readonly SelectionNode[]) => pending.push(...selections.toReversed())
  enter(sets.flatMap(({ selections }) => selections))
  for (let selection = pending.pop(); selection; selection = pending.pop()) {
    if (!isIncluded(selection, variables)) continue
    if (selection.kind === Kind.FIELD) {
      if ((selection.alias ?? selection.name).value === responseKey) fields.push(selection)
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      enter(selection.selectionSet.selections)
    } else if (!visited.has(selection.name.value)) {
      visited.add(selection.name.value)
      enter(fragments.get(selection.name.value)?.selectionSet.selections ?? [])
    }
  }
  return fields
}

function isIncluded(selection: SelectionNode, variables: GraphQLParams['variables']): boolean {
  return (selection.directives ?? []).every(({ name, arguments: args }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true
    const value = args?.find((argument) => argument.name.value === 'if')?.value
    const condition =
      value?.kind === Kind.BOOLEAN
        ? value.value
        : value?.kind === Kind.VARIABLE
          ? variables?.[value.name.value]
          : undefined
    return name.value === 'skip' ? condition !== true : condition !== false
  })
}
