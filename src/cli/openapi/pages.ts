import { isRecord } from '../../core/values/values.ts'
import { pageName, renamed, sizeName, usualNames } from '../../writer/pages/find-pages.ts'
import type { ApiOperation } from '../../loader/openapi/documents.ts'

/** Lists of a number of pages are `paginate`; other envelopes agree with the list in them. */
export function pagesOf(
  { method, parameters }: ApiOperation,
  body: unknown,
  fits: (value: unknown) => boolean,
): { paginate?: object; value: unknown } {
  const data = isRecord(body) ? onlyList(body) : undefined
  const items = data === undefined ? body : (body as Record<string, unknown>)[data]
  if (!Array.isArray(items) || items.length === 0) return { value: body }
  const length = items.length
  const numbers = { page: 1, per_page: length, total: length, total_pages: 1, has_more: false }
  const names = data === undefined ? {} : envelopeNames(body as Record<string, unknown>, numbers)
  const agreeing = data === undefined ? body : agreeWith(numbers, body as Record<string, unknown>)
  const value = fits(agreeing) ? agreeing : body
  const queries = parameters.filter((one) => one['in'] === 'query').map((one) => String(one['name']))
  const page = queries.find((name) => pageName.test(name))
  const size = queries.find((name) => sizeName.test(name))
  const isWhole = data === undefined || Object.keys(names).length === Object.keys(body as object).length - 1
  if (method !== 'GET' || page === undefined || !isWhole || value !== agreeing) return { value }
  const others = Object.keys(numbers).map((standard) => [standard, names[standard] ?? false] as const)
  return {
    value,
    paginate: {
      ...(data === undefined && { style: 'link' }),
      perPage: length,
      ...(size !== undefined && { maxPerPage: 100 }),
      ...renamed('parameters', { page, ...(size !== undefined && { per_page: size }) }),
      ...(data !== undefined && renamed('envelope', { data, ...Object.fromEntries(others) })),
      items,
    },
  }
}

/** As in `{ data, meta: { page, total } }`. */
const ofPaging = /^_?(?:meta(?:data)?|pag(?:ing|ination)|page_?info)$/i

function agreeWith(
  numbers: Readonly<Record<string, unknown>>,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const keys = new Map(Object.entries(envelopeNames(body, numbers)).map(([standard, key]) => [key, standard]))
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (ofPaging.test(key) && isRecord(value)) return [key, agreeWith(numbers, value)]
      const standard = keys.get(key)
      return [key, standard === undefined ? value : numbers[standard]]
    }),
  )
}

function onlyList(body: Record<string, unknown>): string | undefined {
  const lists = Object.keys(body).filter((key) => Array.isArray(body[key]))
  return lists.length === 1 ? lists[0] : undefined
}

/** The keys that look like those of an envelope, by their standard names. */
function envelopeNames(body: Record<string, unknown>, standards: object): Record<string, string> {
  const names: Record<string, string> = {}
  for (const standard of ['page', 'total_pages', 'has_more', 'per_page', 'total'] as const) {
    const key = Object.keys(body).find(
      (key) =>
        usualNames[standard]!.test(key) &&
        typeof body[key] === typeof standards[standard as never] &&
        !Object.values(names).includes(key),
    )
    if (key !== undefined) names[standard] = key
  }
  return names
}
