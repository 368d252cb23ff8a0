import type { DocumentReader } from '../core/graphql/document.ts'
import { readGraphQL, type GraphQLParams, type GraphQLPayload } from '../core/graphql/params.ts'
import type { RawRequest } from '../core/http/raw-request.ts'
import { holdsSecret } from '../core/redact/redact.ts'
import { isRecord, ownValue } from '../core/values/values.ts'

export interface RecordedOperation {
  /** The GraphQL request, also at a path that is not in `graphql.path`: there, `request` has none. */
  graphql?: GraphQLParams | undefined
  operationName?: string | undefined
  /** Whether it is JSON-RPC: another method is another operation, and each request has another `id`. */
  isCall?: boolean
}

/** @see https://www.jsonrpc.org/specification */
export function isCall(body: unknown): boolean {
  return typeof ownValue(body, 'jsonrpc') === 'string' && typeof ownValue(body, 'method') === 'string'
}

/** Names of a document that the server knows. */
export const documentIds = ['documentId', 'id', 'doc_id', 'queryId'] as const

export function documentIdOf(payload: GraphQLPayload): [key: string, id: string] | undefined {
  const key = documentIds.find((name) => typeof payload[name] === 'string')
  return key && [key, payload[key] as string]
}

export function hashOf({ extensions }: GraphQLParams): unknown {
  return ownValue(extensions?.['persistedQuery'], 'sha256Hash')
}

/** The operation of what is a GraphQL request by its content. */
export function readElsewhere(raw: RawRequest, read: DocumentReader): GraphQLParams | 'batch' | undefined {
  const payload = readGraphQL(raw, read)
  if (payload.malformed !== undefined) return undefined
  const isOperation = (params: GraphQLParams) =>
    params.operation !== undefined ||
    hashOf(params) !== undefined ||
    (isRecord(params.variables) && documentIdOf(params.payload) !== undefined)
  if (payload.batch) return payload.batch.some(isOperation) ? 'batch' : undefined
  return isOperation(payload.params) ? payload.params : undefined
}

export function recordedOperation(graphql: GraphQLParams | undefined): RecordedOperation {
  return graphql ? { graphql, operationName: graphql.operationName ?? graphql.operation?.name?.value } : {}
}

export const nameless = 'its operation has no name, and its document a credential'

/** Whether the operation has no name, so that its route would answer every other operation. */
export function isNameless(params: GraphQLParams, isInQuery = false): boolean {
  const { query } = params
  const { operationName } = isInQuery ? params : recordedOperation(params)
  return operationName === undefined && query !== undefined && holdsSecret(query)
}
