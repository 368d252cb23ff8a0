import type * as v from 'valibot'
import type { FixtureResponse, FixtureSelector, paginateSchema } from './schema.ts'

/** One page of a list: the selector that asks for it, and its response. */
export interface Page {
  number: number
  /** The first page answers by default too, so it has none. */
  when?: FixtureSelector
  response: FixtureResponse
}

/** The query parameter that selects a page. */
export const pageParameter = 'page'

/**
 * Cuts a list into its pages, each in the envelope of the starter template. An empty list has one empty page.
 *
 * @example
 * paginate({ perPage: 3, items: eightItems }).map((page) => page.response.body)
 * // [{ page: 1, per_page: 3, total: 8, total_pages: 3, has_more: true, data: [ … ] }, …]
 */
export function paginate({ perPage = 20, items }: v.InferOutput<typeof paginateSchema>): Page[] {
  const total = items.length
  const totalPages = Math.max(1, Math.ceil(total / perPage))
  return Array.from({ length: totalPages }, (_, index) => {
    const number = index + 1
    const body = {
      page: number,
      per_page: perPage,
      total,
      total_pages: totalPages,
      has_more: number < totalPages,
      data: items.slice(index * perPage, number * perPage),
    }
    return {
      number,
      ...(number > 1 && { when: { query: { [pageParameter]: number } } }),
      response: { body },
    }
  })
}
