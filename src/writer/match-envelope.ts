import { isRecord } from '../core/values/values.ts'
import { pageCount } from '../core/paginate/page-styles.ts'

/** One page as it was asked for and answered. */
export interface Page {
  start: number | undefined
  size: number | undefined
  body: unknown
}

/** Names of an envelope's keys by their standard names; `false` for those that it does not have. */
export type Envelope = { data: string } & Record<string, string | false>

/** Keys of servers, by the standard name that they most likely mean. */
const usualNames: Record<string, RegExp> = {
  page: /^(?:current_?)?page(?:_?(?:no|num|number|index))?$|^current$/i,
  per_page: /per_?page|size|limit/i,
  offset: /offset|skip|start|from/i,
  limit: /limit|size|take|per_?page|max/i,
  total: /total|count/i,
  total_pages: /pages|page_?count|last/i,
  has_more: /more|next/i,
}

/**
 * Which keys of the bodies mean what, found out by their values in all pages. `undefined` when a key means nothing that
 * `paginate` sends, since it would be missing.
 */
export function matchEnvelope(pages: readonly Page[], isNumbered: boolean): Envelope | undefined {
  const bodies = pages.map(({ body }) => body)
  if (!bodies.every(isRecord)) return undefined
  const keys = Object.keys(bodies[0]!)
  if (bodies.some((body) => Object.keys(body).length !== keys.length)) return undefined
  const lists = keys.filter((key) => bodies.every((body) => Array.isArray(body[key])))
  const [data] = lists
  if (data === undefined || lists.length > 1) return undefined
  const lengths = bodies.map((body) => (body[data] as unknown[]).length)
  const expected = expectedValues(pages, lengths, isNumbered)
  const free = new Set(Object.keys(expected))
  const envelope: Envelope = { data }
  const means = (key: string, standard: string) =>
    bodies.every((body, index) => body[key] === expected[standard]![index])
  for (const key of keys.filter((key) => key !== data)) {
    const fitting = [...free].filter((standard) => means(key, standard))
    const meant = fitting.find((standard) => usualNames[standard]!.test(key)) ?? fitting[0]
    if (meant === undefined) return undefined
    free.delete(meant)
    envelope[meant] = key
  }
  for (const standard of free) envelope[standard] = false
  return envelope
}

/** The value of each standard key in each page. */
function expectedValues(
  pages: readonly Page[],
  lengths: readonly number[],
  isNumbered: boolean,
): Record<string, unknown[]> {
  const perPage = pages.find(({ size }) => size !== undefined)?.size ?? Math.max(...lengths)
  const parts = pages.map(({ start = isNumbered ? 1 : 0, size = perPage }, index) => {
    const first = isNumbered ? (start - 1) * size : start
    return { first, size, end: lengths[index] === 0 ? 0 : first + lengths[index]! }
  })
  const total = Math.max(...parts.map(({ end }) => end))
  const hasMore = parts.map(({ first, size }) => first + size < total)
  const totals = parts.map(() => total)
  const sizes = parts.map(({ size }) => size)
  return isNumbered
    ? {
        page: pages.map(({ start = 1 }) => start),
        per_page: sizes,
        total: totals,
        total_pages: parts.map(({ size }) => pageCount(total, size)),
        has_more: hasMore,
      }
    : { offset: parts.map(({ first }) => first), limit: sizes, total: totals, has_more: hasMore }
}
