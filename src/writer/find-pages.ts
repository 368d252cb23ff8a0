import { bodyAsText } from '../core/response/prepare-response.ts'
import { isRecord } from '../core/values/values.ts'
import { conditionsKey, type Conditions } from './field-values.ts'
import { Replay } from './replay.ts'
import { matchEnvelope, type Page } from './match-envelope.ts'
import { groupBy } from '../core/values/collections.ts'
import type { Answered } from './written-route.ts'

/** The pages of a list that were all seen. */
interface PagedRequests {
  /** What all of the requests have in common. */
  address: Conditions
  paginate: object
  /** Those of every page, besides those that `paginate` sends. */
  headers: Record<string, string | string[]>
  members: readonly Answered[]
}

const pageName = /^_?(?:p|page|page_?(?:no|num|number))$/i
const offsetName = /^_?(?:offset|skip|start)$/i
const sizeName = /^_?(?:per_?page|page_?size|limit|size|count|take)$/i

/**
 * Finds lists that were fetched in pages: all of their pages were seen, and `paginate` gives the same bodies again.
 *
 * @returns the lists, and everything else
 */
export function findPages(answered: readonly Answered[]): { routes: PagedRequests[]; rest: Answered[] } {
  const routes: PagedRequests[] = []
  const isPaged = new Set<Answered>()
  const pageIds = idsOf(answered, pageName)
  const startIds = pageIds.length > 0 ? pageIds : idsOf(answered, offsetName)
  if (startIds.length !== 1 || answered[0]!.recording.method !== 'GET') return { routes, rest: [...answered] }
  const startId = startIds[0]!
  const sizeIds = idsOf(answered, sizeName).filter((id) => id !== startId)
  if (sizeIds.length > 1) return { routes, rest: [...answered] }
  const sizeId = sizeIds[0]
  const others = ({ address }: Answered) =>
    new Map([...address].filter(([id]) => id !== startId && id !== sizeId))
  for (const members of groupBy(answered, (one) => conditionsKey(others(one))).values()) {
    const address = others(members[0]!)
    // Without a page, some servers send the whole list.
    const numbered = members.filter((one) => one.address.has(startId))
    for (const some of numbered.length < members.length ? [members, numbered] : [members]) {
      const paginate = recognise(some, startId, sizeId, pageIds.length > 0, address)
      const headers = paginate && commonHeaders(some, 'style' in paginate && paginate.style === 'link')
      if (!headers) continue
      const isApart = some.length < members.length
      const { source, key } = numbered[0]!.address.get(startId)!
      const asked: Conditions = new Map(
        isApart ? [...address, [startId, { source, key, value: { $exists: true } }]] : address,
      )
      routes.push({ address: asked, paginate, headers, members: some })
      for (const member of some) isPaged.add(member)
      break
    }
  }
  return { routes, rest: answered.filter((one) => !isPaged.has(one)) }
}

function idsOf(answered: readonly Answered[], name: RegExp): string[] {
  const ids = new Set<string>()
  for (const { address } of answered)
    for (const [id, { source, key }] of address) if (source === 'query' && name.test(key)) ids.add(id)
  return [...ids]
}

function recognise(
  members: readonly Answered[],
  startId: string,
  sizeId: string | undefined,
  isNumbered: boolean,
  address: Conditions,
): object | undefined {
  const pages = members.map((one) => toPage(one, startId, sizeId))
  if (!pages.every((page) => page !== undefined)) return undefined
  if (new Set(pages.map(({ start }) => start ?? (isNumbered ? 1 : 0))).size < 2) return undefined
  const isPlainList = pages.every(({ body }) => Array.isArray(body))
  if (isPlainList && !isNumbered) return undefined // no style has it
  const envelope = isPlainList ? undefined : matchEnvelope(pages, isNumbered)
  if (!isPlainList && !envelope) return undefined
  const itemsOf = ({ body }: Page) =>
    envelope ? ((body as Record<string, unknown>)[envelope.data] as unknown[]) : (body as unknown[])
  const perPage =
    pages.find(({ size }) => size !== undefined)?.size ?? largestPage(pages, isNumbered, itemsOf)
  const items = joinItems(pages, isNumbered, perPage, itemsOf)
  if (!items || perPage < 1) return undefined
  if (!envelope && !isWhole(members, pages, isNumbered, perPage, items.length)) return undefined
  const names = {
    [isNumbered ? 'page' : 'offset']: keyOf(members, startId),
    ...(sizeId !== undefined && { [isNumbered ? 'per_page' : 'limit']: keyOf(members, sizeId) }),
  }
  const parameters = Object.fromEntries(Object.entries(names).filter(([standard, name]) => standard !== name))
  const renamed = Object.fromEntries(
    Object.entries(envelope ?? {}).filter(([standard, name]) => standard !== name),
  )
  const sizes = pages.flatMap(({ size }) => size ?? [])
  const style = isPlainList ? 'link' : isNumbered ? 'page' : 'offset'
  const paginate = {
    ...(style !== 'page' && { style }),
    perPage,
    ...(isNumbered && sizes.length > 0 && { maxPerPage: Math.max(100, ...sizes) }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(Object.keys(renamed).length > 0 && { envelope: renamed }),
    items,
  }
  return givesTheSame(members, paginate, address) ? paginate : undefined
}

function toPage(
  { address, answer }: Answered,
  startId: string,
  sizeId: string | undefined,
): Page | undefined {
  const { status, body } = answer.answer
  if (status !== undefined || !answer.isJson || answer.file || typeof body !== 'object') return undefined
  const start = numberOf(address, startId)
  const size = sizeId === undefined ? undefined : numberOf(address, sizeId)
  return Number.isNaN(start) || Number.isNaN(size) ? undefined : { start, size, body }
}

function numberOf(address: Conditions, id: string): number | undefined {
  const value = address.get(id)?.value
  if (value === undefined) return undefined
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : NaN
}

function keyOf(members: readonly Answered[], id: string): string {
  return members.flatMap(({ address }) => address.get(id)?.key ?? [])[0]!
}

function largestPage(
  pages: readonly Page[],
  isNumbered: boolean,
  itemsOf: (page: Page) => unknown[],
): number {
  const lengths = pages.map((page) => itemsOf(page).length)
  if (isNumbered) return Math.max(...lengths)
  // An offset grows by the size of a page.
  const starts = pages.map(({ start = 0 }) => start).sort((a, b) => a - b)
  return Math.max(...lengths, (starts[1] ?? 0) - (starts[0] ?? 0))
}

/** All items in their order; `undefined` when some were not seen, or have changed meanwhile. */
function joinItems(
  pages: readonly Page[],
  isNumbered: boolean,
  perPage: number,
  itemsOf: (page: Page) => unknown[],
): unknown[] | undefined {
  const items = new Map<number, unknown>()
  for (const page of pages) {
    const { start = isNumbered ? 1 : 0, size = perPage } = page
    const first = isNumbered ? (start - 1) * size : start
    for (const [offset, item] of itemsOf(page).entries()) {
      const index = first + offset
      if (items.has(index) && JSON.stringify(items.get(index)) !== JSON.stringify(item)) return undefined
      items.set(index, item)
    }
  }
  const list = Array.from({ length: items.size }, (_, index) => items.get(index))
  return items.size > 0 && [...items.keys()].every((index) => index >= 0 && index < items.size)
    ? list
    : undefined
}

/** Whether the end of a list without an envelope was seen: its length in a header, a page that is not full, or an empty one. */
function isWhole(
  members: readonly Answered[],
  pages: readonly Page[],
  isNumbered: boolean,
  perPage: number,
  total: number,
): boolean {
  const counts = members.flatMap(({ answer }) => answer.answer.headers?.['x-total-count'] ?? [])
  if (counts.length > 0) return counts.every((count) => count === String(total))
  return pages.some(({ start = isNumbered ? 1 : 0, size = perPage, body }) => {
    const last = (start - 1) * size + size
    return (body as unknown[]).length < size && last >= total
  })
}

/** The headers of all pages; `undefined` when they differ, and `paginate` would not send them. */
function commonHeaders(
  members: readonly Answered[],
  isLink: boolean,
): Record<string, string | string[]> | undefined {
  const [first, ...others] = members.map(({ answer }) =>
    Object.entries(answer.answer.headers ?? {}).filter(
      ([name]) => !isLink || (name !== 'link' && name !== 'x-total-count'),
    ),
  )
  const isSame = others.every((headers) => JSON.stringify(headers) === JSON.stringify(first))
  return isSame ? Object.fromEntries(first!) : undefined
}

/** Whether a route with `paginate` gives every recorded body again. */
function givesTheSame(members: readonly Answered[], paginate: object, address: Conditions): boolean {
  const path = members[0]!.recording.path.template
  const replay = new Replay([{ path, paginate }])
  const hasSequence = groupBy(members, (one) => conditionsKey(one.address))
  for (const same of hasSequence.values())
    if (same.some(({ answer }) => answer.key !== same[0]!.answer.key)) return false
  if (address.size > 0 && [...address.values()].some(({ source }) => source === 'body')) return false
  return members.every(({ recording, answer }) => {
    const given = replay.answer(recording.request, 'GET')
    if (given?.status !== 200) return false
    return isEqual(JSON.parse(bodyAsText(given.body)) as unknown, answer.answer.body)
  })
}

/** Whether two JSON values are equal, whatever the order of their keys. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((entry, index) => isEqual(entry, b[index]))
  if (isRecord(a) && isRecord(b)) {
    const keys = Object.keys(a)
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
    )
  }
  return a === b
}
