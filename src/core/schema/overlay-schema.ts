import * as v from 'valibot'

/** An error that is added to the `errors` of the backend's answer. */
export const addedErrorSchema = v.strictObject({
  /** What has failed. */
  message: v.string(),
  /**
   * Response keys and indexes of lists that lead to the field that has failed: `[hero, friends, 1, name]`. Its value becomes
   * null.
   */
  path: v.optional(v.array(v.union([v.string(), v.number()], 'a response key or an index'))),
  /** Positions in the query text. Default: those of the field at `path`. */
  locations: v.optional(v.array(v.strictObject({ line: v.number(), column: v.number() }))),
  /** Anything else, such as `{ code: NOT_FOUND }`. */
  extensions: v.optional(v.record(v.string(), v.unknown())),
})

/** An error that is added to the `errors` of the backend's answer. */
export type AddedError = v.InferOutput<typeof addedErrorSchema>
