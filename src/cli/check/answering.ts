import { print } from 'graphql/index.js'
import { createDocumentReader } from '../../core/graphql/document.ts'
import { GraphQLParams } from '../../core/graphql/params.ts'
import { defaultGraphQL } from '../../core/graphql/settings.ts'
import type { Route } from '../../core/fixture/route.ts'
import { RawRequest } from '../../core/http/raw-request.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import { isMet, type Field, type Selector } from '../../core/select/selector.ts'
import type { Operation } from '../documents/read-documents.ts'

/** A route that answers an operation. */
export interface Answering {
  route: Route
  /** Whether its selector names the operation: a default route answers whatever no other one does. */
  isNamed: boolean
}

/** The request that sends an operation, as far as it is known: without variables and headers. */
export function requestOf({ document, name }: Operation, path: string): ParsedRequest {
  const query = print(document)
  const read = createDocumentReader(defaultGraphQL)
  const payload = { query, ...(name !== undefined && { operationName: name }) }
  const graphql = new GraphQLParams(payload, read(query))
  const raw = new RawRequest({ method: 'POST', url: path, path, search: '', headers: {} })
  return new ParsedRequest(raw, {}, payload, graphql)
}

/**
 * The routes of an endpoint that can answer an operation: those whose conditions on the operation hold, up to the first one
 * without further conditions. What the variables and the rest of the request will be is unknown.
 */
export function findAnswering(routes: readonly Route[], request: ParsedRequest): Answering[] {
  const found: Answering[] = []
  for (const route of routes.filter(({ selector }) => selector)) {
    const fit = fitOf(route.selector!, request)
    if (fit === 'no') continue
    found.push({ route, isNamed: fit !== 'open' })
    if (fit === 'always' && !route.scenarios) return found
  }
  const defaults = routes.filter(({ selector }) => !selector).map((route) => ({ route, isNamed: false }))
  return [...found, ...defaults]
}

/**
 * Whether a selector fits an operation: `always`, `named` (depending on the rest of the request), `open` (nothing in it is
 * about the operation), or `no`.
 */
function fitOf({ equalities, tests }: Selector, request: ParsedRequest): 'always' | 'named' | 'open' | 'no' {
  const conditions = [
    ...equalities.map((equality) => ({ field: equality.field, holds: () => isMet(equality, request) })),
    ...tests.map(({ field, holds }) => ({ field, holds: () => holds(request) })),
  ]
  const known = conditions.filter(({ field }) => field && isOfOperation(field))
  if (!known.every(({ holds }) => holds())) return 'no'
  if (known.length === 0) return 'open'
  return known.length === conditions.length ? 'always' : 'named'
}

function isOfOperation(field: Field): boolean {
  return isName(field) || field.source === 'operationType' || field.source === 'document'
}

function isName({ source, path }: Field): boolean {
  return source === 'operationName' || (source === 'body' && path[0] === 'operationName')
}

/** The operation names that a selector wants literally. */
export function wantedNames({ equalities }: Selector): string[] {
  return equalities.flatMap(({ field, value }) => (isName(field) ? String(value) : []))
}
