import { print } from 'graphql/language/printer.js'
import { createDocumentReader } from '../../core/graphql/document.ts'
import { GraphQLParams } from '../../core/graphql/params.ts'
import { defaultGraphQL } from '../../core/graphql/settings.ts'
import type { Route } from '../../core/fixture/route.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import { isMet, type Field, type Selector } from '../../core/select/selector.ts'
import type { DocumentOperation } from '../documents/read-documents.ts'

export interface MatchedRoute {
  route: Route
  /** A selector names the operation; a default route answers whatever no other one does. */
  isNamed: boolean
}

/** The known part of the request of an operation: it has no variables and headers. */
export function operationRequest({ document, name }: DocumentOperation, path: string): ParsedRequest {
  const query = print(document)
  const read = createDocumentReader(defaultGraphQL)
  const payload = { query, ...(name !== undefined && { operationName: name }) }
  const graphql = new GraphQLParams(payload, read(query))
  const raw = { method: 'POST', url: path, path, search: '', headers: {} }
  return new ParsedRequest(raw, {}, payload, graphql)
}

/** The routes that may answer an operation, up to the first certain one; its variables are unknown. */
export function findAnswering(routes: readonly Route[], request: ParsedRequest): MatchedRoute[] {
  const found: MatchedRoute[] = []
  for (const route of routes.filter(({ selector }) => selector)) {
    const fit = fitOf(route.selector!, request)
    if (fit === 'no') continue
    found.push({ route, isNamed: fit !== 'open' })
    if (fit === 'always' && !route.scenarios) return found
  }
  const defaults = routes.filter(({ selector }) => !selector).map((route) => ({ route, isNamed: false }))
  return [...found, ...defaults]
}

/** `named` depends on the rest of the request; `open` says nothing about the operation. */
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

export function wantedNames({ equalities }: Selector): string[] {
  return equalities.flatMap(({ field, value }) => (isName(field) ? String(value) : []))
}
