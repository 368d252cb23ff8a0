import * as v from 'valibot'

/* Parts of the shapes, which have no name of their own in `GET openapi.json`. */

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export const json = v.unknown() as unknown as v.GenericSchema<unknown, Json>
export const text = v.string()
export const integer = v.pipe(v.number(), v.integer())
export const whole = v.pipe(integer, v.minValue(0))
export const positive = v.pipe(integer, v.minValue(1))
export const names = v.array(text)
export const texts = v.record(text, text)

export const position = {
  /** Relative to the project's root if it is inside, with `/`. Absent for a route without a file. */
  file: v.exactOptional(text),
  /** From 1. Absent for a route without a position. */
  line: v.exactOptional(positive),
  /** From 1. Absent for a route in code. */
  column: v.exactOptional(positive),
}
/** A place in a file. Lines and columns count from 1. */
export type Position = v.InferOutput<v.StrictObjectSchema<typeof position, undefined>>

export const answeredBy = v.picklist([
  /** A route of the project's fixture files, or of the starter templates. */
  'route',
  'template',
  /** A route whose fault broke the connection or the body. */
  'fault',
  /** An override of the control API: an error, a fault or offline. */
  'override',
  /** No route: the endpoint exists, and none of its routes matches. */
  'nothing',
  /** The request was refused: origin, host name, body, or an invalid GraphQL operation. */
  'refused',
  /** Preflights, the GraphiQL page, and GraphQL requests that the schema answers. */
  'plugin',
  /** Left to the next middleware, a proxy or the application. */
  'passed-on',
])
/** Part of the mock API that has answered a request. */
export type AnsweredBy = v.InferOutput<typeof answeredBy>
