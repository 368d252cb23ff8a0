import { keyPath } from '../../core/select/selector.ts'
import { groupBy } from '../../core/values/collections.ts'
import { isRecord, ownValue, setOwn } from '../../core/values/values.ts'
import {
  envelopeOf,
  isUsual,
  membersOf,
  namePaths,
  onlyList,
  pageName,
  renamed,
  sizeName,
} from '../../writer/pages/find-pages.ts'
import type { ApiOperation, Documents } from '../../openapi/documents.ts'

/** Keys that hold data about the page, as in `{ data, meta: { page, total } }`. */
const ofPaging = /^_?(?:meta(?:data)?|page|pag(?:ing|ination)|page_?info)$/i

/** Lists of a number of pages are `paginate`; other envelopes agree with the list in them. */
export function pagesOf(
  { method, parameters }: ApiOperation,
  body: unknown,
  fits: (value: unknown) => boolean,
  documents: Documents,
): { paginate?: object; value: unknown } {
  const members = isRecord(body) ? membersOf(body, ofPaging) : {}
  const data = onlyList([members])
  const items = data === undefined ? body : members[data]
  if (!Array.isArray(items) || items.length === 0) return { value: body }
  const queries = parameters.filter(({ value }) => value['in'] === 'query')
  const named = (name: RegExp) => queries.find(({ value }) => name.test(String(value['name'])))
  const [asked, sized] = [named(pageName), named(sizeName)]
  const [page, size] = [asked, sized].map((one) => one && String(one.value['name']))
  const schema = asked && documents.resolve({ value: asked.value['schema'], file: asked.file }).value
  const firstPage = (ownValue(schema, 'default') ?? ownValue(schema, 'minimum')) === 0 ? 0 : 1
  const length = items.length
  const ofOne = { page: firstPage, per_page: length, total_pages: 1, total: length, has_more: false }
  const numbers: Readonly<Record<string, unknown>> = ofOne
  const standards = Object.keys(numbers)
  const isNumber = (standard: string, path: string) =>
    isUsual(standard, path) && typeof members[path] === typeof numbers[standard]
  const paths = Object.keys(members).filter((path) => path !== data)
  // Each object of an envelope has numbers of its own.
  const found = [...groupBy(paths, (path) => path.slice(0, path.lastIndexOf('.') + 1)).values()].flatMap(
    (same) => Object.entries(namePaths(same, standards, isNumber)),
  )
  const agreeing = structuredClone(body)
  for (const [standard, path] of found) {
    const keys = keyPath('body', path)
    setOwn(keys.slice(0, -1).reduce(ownValue, agreeing) as object, keys.at(-1)!, numbers[standard])
  }
  const value = fits(agreeing) ? agreeing : body
  const names = Object.fromEntries(found)
  const isWhole = found.length === paths.length && Object.keys(names).length === found.length
  if (method !== 'GET' || page === undefined || !isWhole || value !== agreeing) return { value }
  return {
    value,
    paginate: {
      ...(data === undefined && { style: 'link' }),
      ...(firstPage === 0 && { firstPage }),
      perPage: length,
      ...(size !== undefined && { maxPerPage: 100 }),
      ...renamed('parameters', { page, ...(size !== undefined && { per_page: size }) }),
      ...(data !== undefined && renamed('envelope', envelopeOf(data, standards, names))),
      items,
    },
  }
}
