import * as v from 'valibot'
import { chosen } from './chosen.ts'

export const fileReferenceSchema = v.strictObject({ file: v.pipe(v.string(), v.nonEmpty('a path')) })

/** A value that is made for each request. One of the keys with a dollar sign; checked where values are compiled. */
export const requestValueSchema = v.strictObject({
  /**
   * A part of the request, by the names of selectors: `params.id`, `query.page`, `body.customer.name`, `headers.x-tenant`,
   * `cookies.session`, `variables.id`. What is missing is `null`.
   */
  $from: v.optional(v.string()),
  /**
   * With `$from`: the type to which a text is converted: `number`, `boolean`, `json`, or `list` for a parameter that may be
   * repeated. Default: the value as it is.
   */
  as: v.optional(v.picklist(['number', 'boolean', 'json', 'list'])),
  /** With `$from` and `$text`: the value if a part of the request is missing. Default `null`; in a text, nothing. */
  else: v.optional(v.unknown()),
  /** A text with parts of the request: `Order {params.id} for {body.customer.name}`. Write `\{` for a brace. */
  $text: v.optional(v.string()),
  /** The time of the request, as in `2026-11-23T08:00:00.000Z`. The option `values.now` fixes it. */
  $now: v.optional(v.literal(true)),
  /** A UUID, a different one each time. The option `values.seed` changes all of them. */
  $uuid: v.optional(v.literal(true)),
  /**
   * An item of the collection of this name: the one with the `id` or, without an `id`, the one that `write` has
   * written.
   */
  $item: v.optional(v.string()),
  /** With `$item`: its id. `$id` is a variable of the GraphQL operation. */
  id: v.optional(v.unknown()),
  /** The items of the collection of this name. */
  $list: v.optional(v.string()),
  /**
   * With `$list`: what the items must have, as in `{ state: $state, total_gte: 5 }`. Conditions that are null or
   * missing are ignored.
   */
  where: v.optional(v.unknown()),
  /** With `$list`: a field, or several with commas; `-created` puts the highest first. */
  sort: v.optional(v.unknown()),
  /**
   * With `$list`: whether it is sent as a Relay connection, paged by the arguments of its field; a text is its `__typename`, such as
   * `OrderConnection`. Default `false`.
   */
  connection: v.optional(v.union([v.boolean(), v.string()], 'true, false or the name of a type')),
  /** A value that is sent as it is, without replacing any of these values in it. */
  $literal: v.optional(v.unknown()),
})

export const fileTextSchema = v.strictObject({ $text: v.string() })

/** Any value; editors complete the keys of a value of the request everywhere inside. */
export const bodySchema: v.GenericSchema = v.union([
  requestValueSchema,
  v.array(v.lazy(() => bodySchema)),
  v.record(
    v.string(),
    v.lazy(() => bodySchema),
  ),
  v.unknown(),
])
export const anyBody = chosen(bodySchema, () => v.unknown())
