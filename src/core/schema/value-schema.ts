import * as v from 'valibot'
import { chosen } from './chosen.ts'

/** A value that is made for each request. One of the keys with a dollar sign; checked where values are compiled. */
export const requestValueSchema = v.strictObject({
  /**
   * A part of the request, by the names of selectors: `params.id`, `query.page`, `body.customer.name`, `headers.x-tenant`,
   * `cookies.session`, `variables.id`. What is missing is `null`.
   */
  $from: v.optional(v.string()),
  /** With `$from`: what a text is read as: `number`, `boolean` or `json`. Default: the value as it is. */
  as: v.optional(v.picklist(['number', 'boolean', 'json'])),
  /** With `$from` and `$text`: the value where a part of the request is missing. Default `null`; in a text, nothing. */
  else: v.optional(v.unknown()),
  /** A text with parts of the request: `Order {params.id} for {body.customer.name}`. A brace is written `\{`. */
  $text: v.optional(v.string()),
  /** The time of the request, as in `2026-11-23T08:00:00.000Z`. The option `values.now` fixes it. */
  $now: v.optional(v.literal(true)),
  /** A UUID, another one each time. The option `values.seed` changes them all. */
  $uuid: v.optional(v.literal(true)),
  /** Sent as it is, with none of these values replaced. */
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
