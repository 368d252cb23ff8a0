import type { Collection, Relation } from '../../collection/collection.ts'
import { comparedText, fieldOf, itemReader, readSort, type SortKey } from '../../collection/find-items.ts'
import type { Item } from '../../collection/items.ts'
import { type Paging, lenientPaging, styles } from '../../paginate/page-styles.ts'
import { idText } from '../../values/exact-number.ts'
import { groupBy } from '../../values/collections.ts'
import { asJson } from '../../values/json-value.ts'
import { isRecord, words } from '../../values/values.ts'
import type { OpenCollections } from './open-collections.ts'

/* What the query of a request asks of a list, in the dialect of the collection. */

/** Parameters of `json-server` 0.17, and those that it ignores: JSONP and what keeps an answer out of a cache. */
const ofJsonServer = words('q _sort _order _start _end _limit _page _embed _expand callback _')

/** The query of a request to a collection. A query of `simple-rest` is translated to that of `json-server`. */
export function collectionQuery({ dialect }: Collection, search: string): URLSearchParams {
  const given = new URLSearchParams(`?${search}`)
  if (dialect !== 'simple-rest') return given
  const read = (name: string) => asJson(given.get(name) ?? '')?.value
  const listOf = (name: string) => [read(name) ?? []].flat().map(String)
  const [field, order = ''] = listOf('sort')
  const [start = '0', end] = listOf('range')
  const query = new URLSearchParams(listOf('embed').map((name) => ['_embed', name]))
  if (field !== undefined) query.set('_sort', field)
  query.set('_order', order)
  if (end !== undefined) query.set('_start', start)
  if (end !== undefined) query.set('_end', String(Number(end) + 1))
  const add = (key: string, value: unknown): void => {
    if (isRecord(value)) for (const [name, part] of Object.entries(value)) add(`${key}.${name}`, part)
    else for (const one of [value].flat()) query.append(key, comparedText(one) ?? '')
  }
  const filter = read('filter')
  if (isRecord(filter)) for (const [key, value] of Object.entries(filter)) add(key, value)
  return query
}

/** How many items there are, where the answer has a part of them. */
export function totalHeader(
  { dialect, name }: Collection,
  { start }: { start: number },
  [length, total]: readonly [number, number],
): Record<string, string> {
  if (dialect !== 'simple-rest') return { 'x-total-count': String(total) }
  const range = length === 0 ? '*' : `${start}-${start + length - 1}`
  return { 'content-range': `${encodeURIComponent(name)} ${range}/${total}` }
}

/** Filters on fields that no item has are ignored, such as `?t=1700000000`. */
export function readListQuery(
  { dialect, paging, relations }: Collection,
  items: readonly Item[],
  given: URLSearchParams,
) {
  const isPlain = dialect === 'plain'
  const ofPaging = paging
    ? styles[paging.style].parameters.map((name) => paging.parameters[name] ?? name)
    : []
  const reserved = new Set([...ofPaging, ...(isPlain ? ['sort'] : ofJsonServer)])
  const hasField = (field: string) => {
    const read = itemReader(field)
    return items.some((item) => read(item) !== undefined)
  }
  const filters: [string, string[]][] = []
  for (const key of new Set(given.keys())) {
    if (reserved.has(key)) continue
    const { field, operator } = fieldOf(key, !isPlain)
    if (operator !== undefined || hasField(field)) filters.push([key, given.getAll(key)])
  }
  const sortParameter = dialect === 'json-server' ? '_sort' : 'sort'
  const sort = isPlain ? readSort(given.get('sort') ?? '') : sortOf(given)
  const unsorted = items.length > 0 ? sort.find(({ field }) => !hasField(field)) : undefined
  const unrelated = isPlain ? undefined : findUnrelated(given, relations)
  return {
    query: {
      filters,
      hasOperators: !isPlain,
      text: isPlain ? undefined : (given.get('q') ?? undefined),
      sort,
    },
    part: isPlain || paging ? undefined : partOf(given),
    paging: paging ?? (!isPlain && given.has('_page') ? pagesOf(given) : undefined),
    unknown: unsorted
      ? { parameter: sortParameter, name: unsorted.field, known: Object.keys(items[0]!) }
      : unrelated,
  }
}

function sortOf(given: URLSearchParams): SortKey[] {
  const orders = (given.get('_order') ?? '').split(',')
  return readSort(given.get('_sort') ?? '').map(({ field, isDescending }, index) => ({
    field,
    isDescending: isDescending || orders[index]?.trim().toLowerCase() === 'desc',
  }))
}

/** `undefined` for the whole list. */
function partOf(given: URLSearchParams): { start: number; end: number } | undefined {
  const number = (name: string) => {
    const value = Number.parseInt(given.get(name) ?? '', 10)
    return value >= 0 ? value : undefined
  }
  const [start = 0, end, limit] = ['_start', '_end', '_limit'].map(number)
  if (end !== undefined) return { start, end }
  if (limit !== undefined) return { start, end: start + limit }
  return start > 0 ? { start, end: Infinity } : undefined
}

/** `_page` and `_limit` of `json-server`, with its header `link`. */
function pagesOf(given: URLSearchParams): Omit<Paging, 'items'> {
  const limit = Number.parseInt(given.get('_limit') ?? '', 10)
  return {
    ...lenientPaging,
    style: 'link',
    perPage: limit >= 1 ? limit : 10,
    parameters: { page: '_page', per_page: '_limit' },
  }
}

function findUnrelated(given: URLSearchParams, relations: readonly Relation[]) {
  const known = relations.map(({ name }) => name)
  for (const parameter of ['_embed', '_expand']) {
    const name = given.getAll(parameter).find((one) => !known.includes(one))
    if (name !== undefined) return { parameter, name, known }
  }
  return undefined
}

/** Copies of the items with those that `_embed` and `_expand` name. */
export function withRelations(
  items: readonly Item[],
  { relations, dialect, id }: Collection,
  { find, read }: OpenCollections,
  given: URLSearchParams,
): readonly Item[] {
  if (dialect === 'plain') return items
  const names = new Set([...given.getAll('_embed'), ...given.getAll('_expand')])
  let related = items
  for (const { name, kind, collection, by } of relations.filter((one) => names.has(one.name))) {
    const other = find(collection)
    if (!other) continue
    const { byId } = read(other)
    if (kind === 'one')
      related = related.map((item) => ({ ...item, [name]: byId.get(idText(item[by]) ?? '') ?? null }))
    else {
      const groups = groupBy(byId.values(), (one) => idText(one[by]))
      related = related.map((item) => ({ ...item, [name]: groups.get(idText(item[id])) ?? [] }))
    }
  }
  return related
}
