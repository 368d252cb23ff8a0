import { pageCount } from '../../core/paginate/page-styles.ts'
import { bodyAsText } from '../../core/response/prepare-response.ts'
import { groupBy } from '../../core/values/collections.ts'
import { isRecord, sortedJson } from '../../core/values/values.ts'
import { placeOfRoute } from '../endpoint-path.ts'
import { conditionsKey, type Conditions } from '../fields.ts'
import type { ReadExchange } from '../exchange/read-exchange.ts'
import { Replay } from '../exchange/replay.ts'
import type { WrittenAnswer } from '../write-answer.ts'

export interface PageAnswer {
  exchange: ReadExchange
  index: number
  address: Conditions
  fields: Conditions
  secrets: Conditions
  answer: WrittenAnswer
}

interface PagedRequests {
  address: Conditions
  paginate: object
  /** Headers of every page, without those that `paginate` sends. */
  headers: NonNullable<WrittenAnswer['answer']['headers']>
  members: readonly PageAnswer[]
}

interface Asking {
  startId: string
  sizeId: string | undefined
  /** Whether a page number asks, and not the offset of the first item. */
  isNumbered: boolean
}

interface Page {
  start: number
  size: number
  first: number
  items: readonly unknown[]
  /** Absent where the list stands alone. */
  envelope: Members | undefined
}

/** Values around the list in an envelope, and the list, by their paths: `meta.total`. */
export type Members = Record<string, unknown>

export const pageName = /^_?(?:p|page|page_?(?:no|num|number))$/i
export const offsetName = /^_?(?:offset|skip|start)$/i
export const sizeName = /^_?(?:per_?page|page_?size|limit|size|count|take)$/i

/** Finds lists of which all pages were seen, and which `paginate` gives again with the same bodies. */
export function findPages(answered: readonly PageAnswer[]): { routes: PagedRequests[]; rest: PageAnswer[] } {
  const routes: PagedRequests[] = []
  const isPaged = new Set<PageAnswer>()
  const asking = answered[0]!.exchange.method === 'GET' ? findAsking(answered) : undefined
  if (!asking) return { routes, rest: [...answered] }
  const { startId, sizeId } = asking
  const others = ({ address }: PageAnswer) =>
    new Map([...address].filter(([id]) => id !== startId && id !== sizeId))
  for (const members of groupBy(answered, (one) => conditionsKey(others(one))).values()) {
    const address = others(members[0]!)
    // Without a page, some servers send the whole list.
    const numbered = members.filter((one) => one.address.has(startId))
    for (const some of numbered.length < members.length ? [members, numbered] : [members]) {
      const paginate = recognise(some, asking, address)
      const headers = paginate && commonHeaders(some, 'style' in paginate && paginate.style === 'link')
      if (!headers) continue
      const { source, key } = numbered[0]!.address.get(startId)!
      const isApart = some.length < members.length
      const exists = { source, key, value: { $exists: true } }
      const asked: Conditions = isApart ? new Map([...address, [startId, exists]]) : address
      routes.push({ address: asked, paginate, headers, members: some })
      for (const member of some) isPaged.add(member)
      break
    }
  }
  return { routes, rest: answered.filter((one) => !isPaged.has(one)) }
}

function findAsking(answered: readonly PageAnswer[]): Asking | undefined {
  const parameters = new Map(answered.flatMap(({ address }) => [...address]))
  const idsOf = (name: RegExp) =>
    [...parameters].flatMap(([id, { source, key }]) => (source === 'query' && name.test(key) ? id : []))
  const pageIds = idsOf(pageName)
  const isNumbered = pageIds.length > 0
  const [startId, ...moreStarts] = isNumbered ? pageIds : idsOf(offsetName)
  const [sizeId, ...moreSizes] = idsOf(sizeName).filter((id) => id !== startId)
  if (startId === undefined || moreStarts.length > 0 || moreSizes.length > 0) return undefined
  return { startId, sizeId, isNumbered }
}

/** `undefined` if no `paginate` gives all answers. */
function recognise(members: readonly PageAnswer[], asking: Asking, address: Conditions): object | undefined {
  const { startId, sizeId, isNumbered } = asking
  const bodies = members.map(bodyOf)
  const isPlain = bodies.every(Array.isArray)
  const envelopes = bodies.every(isRecord) ? bodies.map((body) => membersOf(body)) : []
  const data = onlyList(envelopes)
  // A plain list that is asked for by offset is of no style.
  if (isPlain ? !isNumbered : data === undefined) return undefined
  const asked = members.map((one) => numberOf(one, startId))
  const firstPage = isNumbered && !asked.includes(0) ? 1 : 0
  const starts = asked.map((start) => start ?? firstPage)
  const sizes = members.map((one) => numberOf(one, sizeId))
  if (new Set(starts).size < 2 || [...starts, ...sizes].includes(NaN)) return undefined
  const lists = data === undefined ? bodies : envelopes.map((envelope) => envelope[data])
  const given = sizes.filter((size) => size !== undefined)
  const perPage = given[0] ?? largestPage(lists as unknown[][], starts, isNumbered)
  const pages = lists.map((items, index): Page => {
    const [start, size = perPage] = [starts[index]!, sizes[index]]
    const first = isNumbered ? (start - firstPage) * size : start
    return { start, size, first, items: items as unknown[], envelope: envelopes[index] }
  })
  const items = joinItems(pages)
  if (!items || perPage < 1) return undefined
  const envelope = data === undefined ? {} : matchEnvelope(pages, data, items.length, isNumbered)
  if (!envelope || (isPlain && !isWhole(members, pages, items.length))) return undefined
  const keyOf = (id: string) => members.flatMap((one) => one.address.get(id)?.key ?? [])[0]!
  const names = {
    [isNumbered ? 'page' : 'offset']: keyOf(startId),
    ...(sizeId !== undefined && { [isNumbered ? 'per_page' : 'limit']: keyOf(sizeId) }),
  }
  const paginate = {
    ...(isPlain ? { style: 'link' } : !isNumbered && { style: 'offset' }),
    ...(isNumbered && firstPage === 0 && { firstPage }),
    perPage,
    ...(isNumbered && given.length > 0 && { maxPerPage: Math.max(100, ...given) }),
    ...renamed('parameters', names),
    ...renamed('envelope', envelope),
    items,
  }
  return givesTheSame(members, paginate, address) ? paginate : undefined
}

function bodyOf({ answer: { answer, isJson, file } }: PageAnswer): unknown {
  return answer.status === undefined && isJson && !file ? answer.body : undefined
}

/** @param opened the keys of objects whose members count */
export function membersOf(body: object, opened = /(?:)/, at = '', levels = 3): Members {
  const members = Object.entries(body).flatMap(([key, value]): [string, unknown][] => {
    const path = at + key.replace(/[\\.]/g, '\\$&')
    return isRecord(value) && levels > 0 && opened.test(key)
      ? Object.entries(membersOf(value, opened, `${path}.`, levels - 1))
      : [[path, value]]
  })
  return Object.fromEntries(members)
}

/** The path of the list in all envelopes; `undefined` if the paths differ in number, or another member is a list. */
export function onlyList(envelopes: readonly Members[]): string | undefined {
  const paths = Object.keys(envelopes[0] ?? {})
  if (envelopes.some((envelope) => Object.keys(envelope).length !== paths.length)) return undefined
  const lists = paths.filter((path) => envelopes.every((envelope) => Array.isArray(envelope[path])))
  return lists.length === 1 ? lists[0] : undefined
}

/** NaN if it is not a number. */
function numberOf({ address }: PageAnswer, id: string | undefined): number | undefined {
  const value = id === undefined ? undefined : address.get(id)?.value
  if (value === undefined) return undefined
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : NaN
}

function largestPage(lists: readonly unknown[][], starts: readonly number[], isNumbered: boolean): number {
  const longest = Math.max(...lists.map(({ length }) => length))
  if (isNumbered) return longest
  // An offset grows by the size of a page.
  const [first = 0, second = 0] = [...starts].sort((a, b) => a - b)
  return Math.max(longest, second - first)
}

function joinItems(pages: readonly Page[]): unknown[] | undefined {
  const items = new Map<number, unknown>()
  for (const page of pages)
    for (const [offset, item] of page.items.entries()) {
      const index = page.first + offset
      if (items.has(index) && JSON.stringify(items.get(index)) !== JSON.stringify(item)) return undefined
      items.set(index, item)
    }
  const list = Array.from({ length: items.size }, (_, index) => items.get(index))
  return items.size > 0 && list.every((_, index) => items.has(index)) ? list : undefined
}

/** The end of a list shows in a header with its length, a page that is not full, or an empty one. */
function isWhole(members: readonly PageAnswer[], pages: readonly Page[], total: number): boolean {
  const counts = members.flatMap(({ answer }) => answer.answer.headers?.['x-total-count'] ?? [])
  if (counts.length > 0) return counts.every((count) => count === String(total))
  return pages.some(({ first, size, items }) => items.length < size && first + size >= total)
}

const usualNames: Record<string, RegExp> = {
  page: /^(?:current_?)?page(?:_?(?:no|num|number|index))?$|^current$/i,
  per_page: /per_?page|size|limit/i,
  offset: /offset|skip|start|from/i,
  limit: /limit|size|take|per_?page|max/i,
  total: /total|count/i,
  total_pages: /pages|page_?count|last/i,
  has_more: /more|next/i,
}

/** Whether a standard name is one for what is at a path. */
export function isUsual(standard: string, path: string): boolean {
  return usualNames[standard]!.test(path.slice(path.lastIndexOf('.') + 1))
}

/** The paths by their standard names: of those that fit a path, the first that is usual for it. */
export function namePaths(
  paths: readonly string[],
  standards: readonly string[],
  fits: (standard: string, path: string) => boolean,
): Record<string, string> {
  const names: Record<string, string> = {}
  for (const path of paths) {
    const fitting = standards.filter((standard) => !(standard in names) && fits(standard, path))
    const meant = fitting.find((standard) => isUsual(standard, path)) ?? fitting[0]
    if (meant !== undefined) names[meant] = path
  }
  return names
}

/**
 * The envelope's paths by their standard names, found by their values; `false` for a missing one.
 * `undefined` when `paginate` would lose a member.
 */
function matchEnvelope(
  pages: readonly Page[],
  data: string,
  total: number,
  isNumbered: boolean,
): Record<string, string | false> | undefined {
  const expected = pages.map(({ start, size, first }): Record<string, unknown> => {
    const has_more = first + size < total
    return isNumbered
      ? { page: start, per_page: size, total_pages: pageCount(total, size), total, has_more }
      : { offset: first, limit: size, total, has_more }
  })
  const standards = Object.keys(expected[0]!)
  const paths = Object.keys(pages[0]!.envelope!).filter((path) => path !== data)
  const names = namePaths(paths, standards, (standard, path) =>
    pages.every(({ envelope }, index) => envelope![path] === expected[index]![standard]),
  )
  return Object.keys(names).length === paths.length ? envelopeOf(data, standards, names) : undefined
}

export function envelopeOf(
  data: string,
  standards: readonly string[],
  names: Readonly<Record<string, string>>,
): Record<string, string | false> {
  return { data, ...Object.fromEntries(standards.map((standard) => [standard, names[standard] ?? false])) }
}

export function renamed(key: string, names: Record<string, string | false>): object {
  const others = Object.entries(names).filter(([standard, name]) => standard !== name)
  return others.length > 0 ? { [key]: Object.fromEntries(others) } : {}
}

/** `undefined` when they differ: `paginate` would not send them. */
function commonHeaders(
  members: readonly PageAnswer[],
  isLink: boolean,
): PagedRequests['headers'] | undefined {
  const isOwn = ([name]: [string, unknown]) => !isLink || (name !== 'link' && name !== 'x-total-count')
  const [first, ...others] = members.map(({ answer: { answer } }) =>
    Object.fromEntries(Object.entries(answer.headers ?? {}).filter(isOwn)),
  )
  return others.every((headers) => JSON.stringify(headers) === JSON.stringify(first)) ? first : undefined
}

function givesTheSame(members: readonly PageAnswer[], paginate: object, address: Conditions): boolean {
  for (const same of groupBy(members, (one) => conditionsKey(one.address)).values())
    if (same.some(({ answer }) => answer.key !== same[0]!.answer.key)) return false // a sequence
  if ([...address.values()].some(({ source }) => source === 'body')) return false
  const replay = new Replay([{ ...placeOfRoute(members[0]!.exchange.path.template), paginate }])
  return members.every(({ exchange, answer }) => {
    const given = replay.page(exchange.request)
    return (
      given?.status === 200 &&
      sortedJson(JSON.parse(bodyAsText(given.body))) === sortedJson(answer.answer.body)
    )
  })
}
