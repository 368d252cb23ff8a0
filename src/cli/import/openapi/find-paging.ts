import { isRecord } from '../../../core/values/values.ts'
import type { Documents } from '../../openapi/documents.ts'

/** How many items a list has that is made from one or two examples, and how many a page. */
const itemsPerPage = 2

interface Operation {
  item: Record<string, unknown>
  operation: Record<string, unknown>
  method: string
  file: string
}

/**
 * A plain list that is asked for by the number of a page, as `paginate`. Lists in an envelope stay as their example is, since
 * a document does not say what the keys around them mean.
 */
export function findPaging(
  { item, operation, method, file }: Operation,
  body: unknown,
  documents: Documents,
): object | undefined {
  if (method !== 'get' || !Array.isArray(body) || body.length === 0) return undefined
  const names = [item['parameters'], operation['parameters']]
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .map((value) => documents.resolve({ value, file }).value)
    .flatMap((parameter) =>
      isRecord(parameter) && parameter['in'] === 'query' && typeof parameter['name'] === 'string'
        ? [parameter['name']]
        : [],
    )
  const page = names.find((name) => /^_?page(?:_?(?:no|num|number))?$/i.test(name))
  const size = names.find((name) => /^_?(?:per_?page|page_?size|limit)$/i.test(name))
  if (page === undefined) return undefined
  const parameters = {
    ...(page !== 'page' && { page }),
    ...(size !== undefined && size !== 'per_page' && { per_page: size }),
  }
  return {
    style: 'link',
    perPage: itemsPerPage,
    ...(size !== undefined && { maxPerPage: 100 }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    items: body,
  }
}
