import { keyPath } from '../../core/select/selector.ts'
import { groupBy } from '../../core/values/collections.ts'
import { isRecord, ownValue, setOwn } from '../../core/values/values.ts'
import {
  envelopeOf,
  isUsual,
  membersOf,
  namePaths,
  offsetName,
  onlyList,
  pageName,
  renamed,
  sizeName,
} from '../../writer/pages/find-pages.ts'
import type { ApiOperation, Documents } from '../../openapi/documents.ts'
import type { Omissions } from '../../writer/omissions.ts'

/** Keys that hold data about the page, as in `{ data, meta: { page, total } }`. */
const ofPaging = /^_?(?:meta(?:data)?|page|pag(?:ing|ination)|page_?info)$/i

/** Lists of a number of pages are `paginate`; other envelopes agree with the list in them. */
export function pagesOf(
  { method, parameters, endpoint: where }: ApiOperation,
  body: unknown,
  fits: (value: unknown) => boolean,
  { documents, omissions }: { documents: Documents; omissions: Omissions },
): { paginate?: object; value: unknown } {
  const members = isRecord(body) ? membersOf(body, ofPaging) : {}
  const data = onlyList([members])
  const items = data === undefined ? body : members[data]
  if (!Array.isArray(items) || items.length === 0) return { value: body }
  const queries = parameters.filter(({ value }) => value['in'] === 'query')
  const named = (name: RegExp) => queries.find(({ value }) => name.test(String(value['name'])))
  const asked = named(pageName) ?? named(offsetName)
  const [start, size] = [asked, named(sizeName)].map((one) => one && String(one.value['name']))
  const isOffset = start !== undefined && !pageName.test(start)
  const schema = asked && documents.resolve({ value: asked.value['schema'], file: asked.file }).value
  const firstPage = (ownValue(schema, 'default') ?? ownValue(schema, 'minimum')) === 0 ? 0 : 1
  const length = items.length
  const more = { total: length, has_more: false }
  const numbers: Readonly<Record<string, unknown>> = isOffset
    ? { offset: 0, limit: length, ...more }
    : { page: firstPage, per_page: length, total_pages: 1, ...more }
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
  if (method !== 'GET' || start === undefined || !isWhole || value !== agreeing) return { value }
  if (isOffset && data === undefined) {
    omissions.add(`the parameter "${start}"`, 'a list has such pages only in an envelope', where)
    return { value }
  }
  const [ofStart, ofSize] = isOffset ? ['offset', 'limit'] : ['page', 'per_page']
  return {
    value,
    paginate: {
      ...(isOffset ? { style: 'offset' } : data === undefined && { style: 'link' }),
      ...(firstPage === 0 && !isOffset && { firstPage }),
      perPage: length,
      ...(size !== undefined && !isOffset && { maxPerPage: 100 }),
      ...renamed('parameters', { [ofStart]: start, ...(size !== undefined && { [ofSize]: size }) }),
      ...(data !== undefined && renamed('envelope', envelopeOf(data, standards, names))),
      items,
    },
  }
}
