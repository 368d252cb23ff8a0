import * as v from 'valibot'
import { objectOnly } from './chosen.ts'
import { addedErrorSchema, faultSchema, positive } from './fault-schema.ts'
import { headers, status } from './header-schema.ts'
import { anyBody } from './value-schema.ts'

/** Requests that fail, and how. */
export const failSchema = v.strictObject({
  /**
   * The share of requests that fail, 0 to 1. Which ones follows from the seed (the option `values`) and from their number. Default
   * 0.
   */
  share: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  /** Requests that fail, by their number: `[3, 7]`. Default: none. */
  calls: v.optional(v.array(positive)),
  /** The status that they get, 200 to 599. Default 500; with `errors` 200. */
  status: v.optional(status),
  /** Headers beside it, such as `{ retry-after: 1 }`. Default: none. */
  headers: v.optional(headers),
  /** The body. Default: an error that says why, on the GraphQL endpoint in `errors`. */
  body: v.optional(anyBody),
  /** GraphQL: the errors of the operation, whose `data` is null. Default: none. */
  errors: v.optional(v.array(objectOnly(addedErrorSchema))),
  /** Instead of a status: how the connection fails while the response is sent. Written as in a response. Default: none. */
  fault: v.optional(faultSchema),
})
/** Requests that fail, and how. */
export interface Fail extends v.InferInput<typeof failSchema> {}
