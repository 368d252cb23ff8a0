import type { Collection, CollectionOperation } from '../../collection/collection.ts'
import { findItems } from '../../collection/find-items.ts'
import type { Item, Write, WriteOutcome } from '../../collection/items.ts'
import { diagnoseRequest } from '../../diagnostics/request-texts.ts'
import { mediaType } from '../../http/body.ts'
import { createPagedList, exposed } from '../../paginate/paginate.ts'
import { describeRequest } from '../../redact/redact.ts'
import { exactly, type ParsedRequest } from '../../request/parsed-request.ts'
import { answerIfChanged, isMeant } from '../../response/conditional.ts'
import { prepareResponse, type PreparedResponse } from '../../response/prepare-response.ts'
import type { FixtureResponse } from '../../schema/schema.ts'
import { isRecord } from '../../values/values.ts'
import type { Answer, Answering } from '../decision.ts'
import { answerPage, failAsWanted } from '../error-response.ts'
import { describeRefusal, openCollections, type OpenCollections, type Refused } from './open-collections.ts'
import { collectionQuery, readListQuery, totalHeader, withRelations } from './list-query.ts'

const statuses: Record<Refused['refused'], number> = {
  unknown: 404,
  taken: 409,
  'no-object': 400,
  'no-id': 400,
  full: 507,
}

export function answerCollection(
  asked: Answering,
  { operation, response }: { operation: CollectionOperation; response: FixtureResponse },
): Answer {
  const { raw, route, request } = asked
  const { does, within, allow, parameter } = operation
  const open = openCollections(asked)
  const collection = within
    ? (open.find(operation.collection.name) ?? operation.collection)
    : operation.collection
  const id = request.params[parameter!] ?? ''
  if (allow) {
    const details = { request: describeRequest(raw), operation: does, name: collection.name }
    const reason = diagnoseRequest('collection-operation-left-out', route.source, details)
    return failAsWanted(asked, 405, reason, { allow: allow.join(', ') })
  }
  const send = (body: unknown, more: FixtureResponse = {}) => {
    const headers = { ...response.headers, ...more.headers }
    return prepareResponse({ ...response, ...more, headers, body }, route.name)
  }
  const parent = within && open.read(within.collection).byId.get(id)
  if (within && !parent) return refuseUnknown(asked, within.collection, id)
  const related = parent && { [within.by]: parent[within.collection.id] }
  if (does === 'list') return answerList(asked, { collection, open, related, response })

  const found = open.read(collection).byId.get(id)
  if (does !== 'create' && !found) return refuseUnknown(asked, collection, id)
  if (does === 'get') {
    const item = withRelations([found!], collection, open, collectionQuery(collection, raw.search))[0]
    return { response: answerIfChanged(send(item), raw) }
  }
  if (does !== 'create' && !isMeant(send(found), raw)) {
    const details = { request: describeRequest(raw), name: collection.name, id }
    return failAsWanted(asked, 412, diagnoseRequest('collection-item-changed', route.source, details))
  }
  const written = open.write(collection, writeOf(does, id, request, related))
  if ('refused' in written)
    return refuseWrite(asked, { written, problem: describeRefusal(written, collection) })
  if (does === 'delete')
    return { response: collection.returnDeleted ? send(written.item) : send(undefined, { status: 204 }) }
  if (does !== 'create') return { response: send(written.item) }
  const location = locationOf(collection, written.id, request, within !== undefined)
  const headers = location === undefined ? {} : exposed({ location })
  return { response: send(written.item, { status: 201, headers }) }
}

function writeOf(
  does: CollectionOperation['does'],
  id: string,
  request: ParsedRequest,
  related: Item | undefined,
): Write {
  if (does === 'delete') return { delete: id }
  const sent = exactly(request, 'body', [], request.body)
  const body = isRecord(sent) ? { ...sent, ...related } : sent
  if (does === 'create') return { create: body }
  if (does === 'replace') return { replace: id, with: body }
  return { update: id, with: body, isMergePatch: mediaType(request.raw) === 'application/merge-patch+json' }
}

/** URL of a created item: below the path of the request, or below its own collection for the item of a relation. */
function locationOf({ path }: Collection, id: string, { raw }: ParsedRequest, isNested: boolean) {
  const [url = ''] = raw.url.split('?', 1)
  const last = `/${encodeURIComponent(id)}`
  if (!isNested) return `${url.replace(/\/$/, '')}${last}`
  const base = url.endsWith(raw.path) ? url.slice(0, url.length - raw.path.length) : undefined
  return base === undefined || /[:*({]/.test(path) ? undefined : `${base}${path}${last}`
}

interface ListContext {
  collection: Collection
  open: OpenCollections
  /** The item that all items of the list belong to. */
  related: Item | undefined
  response: FixtureResponse
}

function answerList(asked: Answering, { collection, open, related, response }: ListContext): Answer {
  const { raw, route } = asked
  const all = [...open.read(collection).byId.values()]
  const given = collectionQuery(collection, raw.search)
  const { query, part, paging, unknown } = readListQuery(collection, all, given)
  const own = Object.entries(related ?? {}).map(([key, value]) => [key, [String(value)]] as const)
  const found = findItems(all, { ...query, filters: [...own, ...query.filters] })
  const diagnostic =
    unknown &&
    diagnoseRequest('collection-query-unknown', route.source, { request: `GET ${raw.path}`, ...unknown })
  const embed = (items: readonly Item[]) => withRelations(items, collection, open, given)
  const answer = (prepared: PreparedResponse) => ({ response: answerIfChanged(prepared, raw), diagnostic })
  if (paging)
    return answerPage(
      asked,
      createPagedList({ ...paging, items: embed(found) }, route.name, response),
      answer,
    )
  const items = part ? found.slice(part.start, part.end) : found
  const total = part && exposed(totalHeader(collection, part, [items.length, found.length]))
  const headers = { ...response.headers, ...total }
  return answer(prepareResponse({ ...response, headers, body: embed(items) }, route.name))
}

function refuseUnknown(asked: Answering, { name }: Collection, id: string): Answer {
  const details = { request: describeRequest(asked.raw), name, id: id.slice(0, 100) }
  return failAsWanted(asked, 404, diagnoseRequest('collection-item-unknown', asked.route.source, details))
}

export function refuseWrite(
  asked: Answering,
  { written, problem = '' }: { written: WriteOutcome; problem?: string },
): Answer {
  const details = { request: describeRequest(asked.raw), reason: problem }
  const reason = diagnoseRequest('collection-write-refused', asked.route.source, details)
  return failAsWanted(asked, statuses[(written as Refused).refused], reason)
}
