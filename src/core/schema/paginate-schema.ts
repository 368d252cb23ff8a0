import * as v from 'valibot'
import { itemsSchema } from './collection-schema.ts'
import { positive } from './fault-schema.ts'

/** A list that is sent in pages. */
export const paginateSchema = v.strictObject({
  /**
   * All items in their order: a list, `{ file: items.json }` for a file with the list, or in code a function that
   * returns it. Leave this out with `collection`, which has the items.
   */
  items: v.optional(itemsSchema),
  /**
   * How clients ask for a page, and what is sent around it: `page`, `offset`, `cursor`, `link` (RFC 8288) or, on the
   * GraphQL endpoint, `relay`. Default `page`.
   */
  style: v.optional(v.picklist(['page', 'offset', 'cursor', 'link', 'relay'])),
  /** Items per page if the client does not choose. Default 20. */
  perPage: v.optional(positive),
  /**
   * The maximum number of items that a client may ask for. Default 100 with `offset`, `cursor` and `relay`; with
   * `page` and `link`, the client can't choose unless this is set.
   */
  maxPerPage: v.optional(positive),
  /** The number of the first page, with `page` and `link`: 0 or 1. Default 1. */
  firstPage: v.optional(v.picklist([0, 1])),
  /**
   * With `cursor` and `relay`: the key of an item that is its cursor, such as `id`. Default: an opaque text for the position in
   * the list.
   */
  cursor: v.optional(v.pipe(v.string(), v.nonEmpty('the key of an item'))),
  /**
   * Other names for the parameters: `{ page: p }` reads `?p=2`. Where the query does not have it, it is read from the
   * body, in which dots reach inside: `{ page: paging.number }`. Default: the standard names.
   */
  parameters: v.optional(
    v.record(v.picklist(['page', 'per_page', 'offset', 'limit', 'cursor']), v.optional(v.string())),
  ),
  /**
   * Other names for the keys around the items: `{ data: results }`. Dots put a key below others, as in `{ total: meta.total }`,
   * and `\\.` is a dot in a key. The value `false` leaves a key out. More keys are sent if they have a name: `is_first`, `is_last`, and
   * after `first_`, `prev_`, `next_` or `last_` a `url` or the parameter, as in `{ next_url: next }`. Default: the standard names.
   */
  envelope: v.optional(v.record(v.string(), v.union([v.string(), v.literal(false)], 'a string or false'))),
  /**
   * What is sent past the end of the list: no items (`empty`), the first page (`default`), or a 404 (`error`).
   * Default `empty`.
   */
  outOfRange: v.optional(v.picklist(['default', 'empty', 'error'])),
  /**
   * What is sent when a parameter is invalid, such as `page=two`: a 400 (`error`), or the first page (`default`).
   * Default `error`.
   */
  malformed: v.optional(v.picklist(['default', 'error'])),
  /** `relay`: path of the connection below `data`, by response keys: `hero.friends`. */
  field: v.optional(v.pipe(v.string(), v.nonEmpty('a path'))),
  /**
   * `relay`: the `__typename` of a connection in shaped data, such as `OrderConnection`, whose edges are `OrderEdge`. Default: by that
   * of the items.
   */
  typeName: v.optional(v.pipe(v.string(), v.nonEmpty('the name of a type'))),
})
