import type { Collection } from '../../collection/collection.ts'
import type { CollectionOperation } from '../../collection/operation.ts'
import { findItems } from '../../collection/find-items.ts'
import type { Item, Write, Written } from '../../collection/items.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../../diagnostics/request-texts.ts'
import { mediaType } from '../../http/body.ts'
import { createPagedList, exposed } from '../../paginate/paginate.ts'
import { describeRequest } from '../../request/redact.ts'
import type { ParsedRequest } from '../../request/parsed-request.ts'
import { exactBody } from '../../request-values/read-value.ts'
import { answerIfChanged, isMeant } from '../../response/conditional.ts'
import { prepareResponse } from '../../response/prepare-response.ts'
import type { FixtureResponse } from '../../schema/schema.ts'
import type { CompiledRoute } from '../../table/route-table.ts'
import { isRecord } from '../../values/values.ts'
import type { Answer, Asked } from '../decision.ts'
import { errorResponse, refusePage } from '../error-response.ts'
import { describeRefusal, openCollections, type OpenCollections, type Refused } from './open-collections.ts'
import { queryOf, readListQuery, totalHeader, withRelations } from './list-query.ts'

const statuses: Record<Refused['refused'], number> = {
  unknown: 404,
  taken: 409,
  'no-object': 400,
  'no-id': 400,
  full: 507,
}

/** The answer of a route that a collection has become. */
export function answerCollection(
  asked: Asked,
  route: CompiledRoute,
  { operation, response }: { operation: CollectionOperation; response: FixtureResponse },
  request: ParsedRequest,
): Answer {
  const { does, within, allow, parameter } = operation
  const open = openCollections(asked)
  const collection = within
    ? (open.find(operation.collection.name) ?? operation.collection)
    : operation.collection
  const { params, raw } = request
  const id = params[parameter!] ?? ''
  if (allow) {
    const diagnostic = diagnoseRequest('collection-operation-left-out', route.source, {
      ...{ request: describeRequest(raw), operation: does, name: collection.name },
    })
    return refuse(asked, 405, diagnostic, ['allow', allow.join(', ')])
  }
  const send = (body: unknown, more: FixtureResponse = {}) => {
    const headers = { ...response.headers, ...more.headers }
    return prepareResponse({ ...response, ...more, headers, body }, route.name)
  }
  const parent = within && open.read(within.collection).byId.get(id)
  if (within && !parent) return refuseUnknown(asked, route, within.collection, id)
  const related = parent && { [within.by]: parent[within.collection.id] }
  if (does === 'list') return answerList(asked, route, { collection, open, related, response }, request)

  const found = open.read(collection).byId.get(id)
  if (does !== 'create' && !found) return refuseUnknown(asked, route, collection, id)
  if (does === 'get') {
    const item = withRelations([found!], collection, open, queryOf(collection, raw.search))[0]
    return { response: answerIfChanged(send(item), raw) }
  }
  if (does !== 'create' && !isMeant(send(found), raw)) {
    const details = { request: describeRequest(raw), name: collection.name, id }
    return refuse(asked, 412, diagnoseRequest('collection-item-changed', route.source, details))
  }
  const written = open.write(collection, writeOf(does, id, request, related))
  if ('refused' in written)
    return refuseWrite(asked, route, { written, problem: describeRefusal(written, collection) })
  if (does === 'delete')
    return { response: collection.returnDeleted ? send(written.item) : send(undefined, { status: 204 }) }
  if (does !== 'create') return { response: send(written.item) }
  const location = locationOf(collection, written.id, request, within !== undefined)
  return {
    response: send(written.item, {
      status: 201,
      headers: location === undefined ? {} : exposed({ location }),
    }),
  }
}

function writeOf(
  does: CollectionOperation['does'],
  id: string,
  request: ParsedRequest,
  related: Item | undefined,
): Write {
  if (does === 'delete') return { delete: id }
  const sent = exactBody(request) ?? request.body
  const body = isRecord(sent) ? { ...sent, ...related } : sent
  if (does === 'create') return { create: body }
  if (does === 'replace') return { replace: id, with: body }
  return { update: id, with: body, isMergePatch: mediaType(request.raw) === 'application/merge-patch+json' }
}

/** Below the path of the request, or, for the item of a relation, that of its own collection. */
function locationOf(
  { path }: Collection,
  id: string,
  { raw }: ParsedRequest,
  isNested: boolean,
): string | undefined {
  const [url = ''] = raw.url.split('?', 1)
  const last = `/${encodeURIComponent(id)}`
  if (!isNested) return `${url.replace(/\/$/, '')}${last}`
  const base = url.endsWith(raw.path) ? url.slice(0, url.length - raw.path.length) : undefined
  return base === undefined || /[:*({]/.test(path) ? undefined : `${base}${path}${last}`
}

interface ListContext {
  collection: Collection
  open: OpenCollections
  /** What all items of the list have. */
  related: Item | undefined
  response: FixtureResponse
}

function answerList(
  asked: Asked,
  route: CompiledRoute,
  { collection, open, related, response }: ListContext,
  request: ParsedRequest,
): Answer {
  const { raw } = request
  const all = [...open.read(collection).byId.values()]
  const given = queryOf(collection, raw.search)
  const { query, part, paging, unknown } = readListQuery(collection, all, given)
  const own = Object.entries(related ?? {}).map(([key, value]) => [key, [String(value)]] as const)
  const found = findItems(all, { ...query, filters: [...own, ...query.filters] })
  const diagnostic =
    unknown &&
    diagnoseRequest('collection-query-unknown', route.source, { request: `GET ${raw.path}`, ...unknown })
  const embed = (items: readonly Item[]) => withRelations(items, collection, open, given)
  if (!paging) {
    const items = part ? found.slice(part.start, part.end) : found
    const total = part && exposed(totalHeader(collection, part, [items.length, found.length]))
    const headers = { ...response.headers, ...total }
    const body = embed(items)
    const prepared = prepareResponse({ ...response, headers, body }, route.name)
    return { response: answerIfChanged(prepared, raw), diagnostic }
  }
  const page = createPagedList({ ...paging, items: embed(found) }, route.name, response).pageFor(request)
  if ('refused' in page) return refusePage(asked.match.endpoint, raw, route, page.refused)
  const notice =
    page.notice && diagnoseRequest('page-not-selected', route.source, { name: route.name, ...page.notice })
  return { response: answerIfChanged(page.response, raw), diagnostic: notice ?? diagnostic }
}

function refuseUnknown(asked: Asked, { source }: CompiledRoute, { name }: Collection, id: string): Answer {
  const details = { request: describeRequest(asked.raw), name, id: id.slice(0, 100) }
  return refuse(asked, 404, diagnoseRequest('collection-item-unknown', source, details))
}

export function refuseWrite(
  asked: Asked,
  { source }: CompiledRoute,
  { written, problem = '' }: { written: Written; problem?: string },
): Answer {
  const details = { request: describeRequest(asked.raw), reason: problem }
  const diagnostic = diagnoseRequest('collection-write-refused', source, details)
  return refuse(asked, statuses[(written as Refused).refused], diagnostic)
}

/** As wanted, so that the log says nothing. */
function refuse(
  { match: { endpoint }, raw }: Asked,
  status: number,
  reason: Diagnostic,
  headers: readonly string[] = [],
): Answer {
  const response = errorResponse(status, reason, endpoint, raw)
  return { response: { ...response, headers: [...response.headers, ...headers] }, reason }
}
