import type { DocumentChecker } from '../../core/graphql/result.ts'
import type { GraphQLSettings } from '../../core/graphql/settings.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import { matchBackend } from '../../core/sad-path/backend-endpoint.ts'
import { findUnmet, type UnmetCondition } from '../../core/select/failed-conditions.ts'
import { matchEndpoint } from '../../core/table/match.ts'
import type { CompiledRoute, RouteTable } from '../../core/table/route-table.ts'
import { belowBase, whyUnwritable } from '../../writer/endpoint-path.ts'
import { UneditableError } from '../../writer/fixture-text.ts'
import type { Json } from '../api/api.ts'
import { readRequest } from '../explain.ts'
import type { JournalEntry } from '../journal.ts'
import { rawRequestOf } from '../show.ts'

/** The routes that a recorded request is read with: those before it may be gone. */
export interface RoutesNow {
  table: RouteTable
  checker?: DocumentChecker | undefined
  graphql: GraphQLSettings
  bases: readonly string[]
}

/**
 * The request as the current routes read it. Without a route for its path, its body is not known.
 *
 * @throws UneditableError
 */
export function requestNow({ table, graphql, bases }: RoutesNow, entry: JournalEntry): ParsedRequest {
  const { method, url, headers, body, params, decided } = entry
  const operation = decided?.operation?.index ?? 0
  if (body && body.bytes.length < body.size)
    throw new UneditableError(`the body of the request has ${body.size} bytes and is not kept as a whole`)
  const match = matchEndpoint(table, method, url, bases)
  if (match) {
    const { path, search } = match
    const raw = { method, url, path, search, headers, params: match.params, body: body?.bytes }
    const read = readRequest(match, raw, operation)
    if ('refused' in read) throw new UneditableError(`the body of the request can't be read: ${read.refused}`)
    return read.request
  }
  const { path: whole, search } = rawRequestOf({ ...entry, match: undefined })
  const base = bases.find((one) => belowBase(whole, one) !== undefined)
  const why = base === undefined ? 'the path is outside of the base' : whyUnwritable(whole)
  if (base === undefined || why !== undefined) throw new UneditableError(why)
  const path = belowBase(whole, base)!
  const raw = { method, url, path, search, headers, params, body: body?.bytes }
  const backend = matchBackend({ graphql, bases: [''] }, method, path)
  const read = body && backend.endpoint.graphql ? readRequest(backend, raw, operation) : undefined
  return read && 'request' in read ? read.request : new ParsedRequest(raw, params, undefined)
}

/** @throws UneditableError if the route would answer */
export function unmetOf({ selector, name }: CompiledRoute, request: ParsedRequest): UnmetCondition[] {
  const unmet = selector ? findUnmet(selector, request) : []
  if (unmet.length === 0) throw new UneditableError(`the selector of "${name}" matches already`)
  return unmet
}

/** Example data of the schema; without one, by the names of the fields. */
export async function exampleFor({ checker }: RoutesNow, { graphql }: ParsedRequest): Promise<Json> {
  const { operation, document, allVariables } = graphql ?? {}
  if (!operation || !document?.ast) return graphql ? { data: {} } : {}
  const { exampleData } = await import('../../core/graphql-schema/example-data.ts')
  return { data: exampleData(document.ast, operation, allVariables, checker) as Json }
}
