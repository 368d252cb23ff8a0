import * as v from 'valibot'
import { isPlainObject } from '../values/values.ts'
import { chosen, objectOr } from './chosen.ts'

/* The parts of a response and of a route in the fixture schema: slow and broken connections, limits, added errors. */

export const positive = v.pipe(v.number(), v.integer(), v.minValue(1))
const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647))

/** A wait between two bounds, uniformly distributed. */
export const delayRangeSchema = v.strictObject({
  /** Fewest milliseconds. */
  min: milliseconds,
  /** Most milliseconds. */
  max: milliseconds,
})

/** A wait as in real networks: mostly short, sometimes long (log-normal), at most 60 seconds. */
export const delayCurveSchema = v.strictObject({
  /** Median in milliseconds: half of the requests wait this long or less. */
  median: milliseconds,
  /**
   * How widely the waits vary: 0 not at all, 1 a lot. Default 0.5: 90 % of the waits are between 0.44 and 2.3
   * medians.
   */
  sigma: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(5))),
})

const delays = v.union([milliseconds, delayRangeSchema, delayCurveSchema])
const emptyRange = v.custom<never>(() => false, 'a range whose "min" is not above its "max"')
export const delaySchema = chosen(delays, (input) => {
  if (!isPlainObject(input)) return milliseconds
  if ('median' in input) return delayCurveSchema
  return (input['min'] as number) > (input['max'] as number) ? emptyRange : delayRangeSchema
})

/** A body that is sent in chunks. */
export const dribbleSchema = v.strictObject({
  /** Milliseconds until the last chunk. */
  dribble: milliseconds,
})

const brokenConnection = v.picklist(['reset', 'empty', 'truncated', 'malformed', 'stalled', 'silent'])
export const faultSchema = objectOr(dribbleSchema, brokenConnection)

/** How a connection breaks in the middle of a stream. */
export const streamFaultSchema = v.picklist(['reset', 'truncated', 'malformed', 'stalled'])

/** How often a route answers. More requests get a 429 with `Retry-After`. */
export const rateLimitSchema = v.strictObject({
  /** Answered requests per window. */
  requests: positive,
  /** Length of a window in milliseconds; it begins with its first request. */
  per: positive,
})

/** How long an answer waits. */
export type Delay = v.InferInput<typeof delays>
/** How a connection fails. */
export type Fault = v.InferInput<typeof faultSchema>
/** How a connection breaks in the middle of a stream. */
export type StreamFault = v.InferOutput<typeof streamFaultSchema>
/** How often a route answers. */
export type RateLimit = v.InferInput<typeof rateLimitSchema>

/** An error that is added to the `errors` of the backend's answer. */
export const addedErrorSchema = v.strictObject({
  /** Message that says what failed. */
  message: v.string(),
  /**
   * The path of the failed field, as response keys and list indexes: `[hero, friends, 1, name]`. Its value becomes
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
