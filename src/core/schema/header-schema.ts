import * as v from 'valibot'
import { isPlainObject } from '../values/values.ts'
import { chosen, objectOnly } from './chosen.ts'
import { requestValueSchema } from './value-schema.ts'

/* The status and the headers of a response in the fixture schema. */

/** Node sends `trailer` only with a chunked body, and throws otherwise. */
const headerName = v.pipe(
  v.string(),
  v.regex(/^(?![Tt][Rr][Aa][Ii][Ll][Ee][Rr]$)[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, ({ input }) =>
    /^trailer$/i.test(input)
      ? 'Node sends it only with a body in chunks.'
      : 'its name may only have letters, digits and characters such as "-".',
  ),
)
const headerText = v.pipe(
  v.string(),
  v.regex(/^[^\0-\x08\x0A-\x1F\x7F]*$/, 'a header value (no line breaks)'),
)
const headerValue = v.union(
  [headerText, v.number(), v.boolean(), v.array(headerText)],
  'a string without line breaks, a number, a boolean, or a list of strings',
)
const isRequestValue = (input: unknown) =>
  isPlainObject(input) && Object.keys(input).some((key) => Object.hasOwn(requestValueSchema.entries, key))
const headerOrValue = chosen(v.union([headerValue, v.pipe(requestValueSchema, v.minEntries(1))]), (input) =>
  isRequestValue(input) ? v.unknown() : headerValue,
)

export const status = v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))
export const headers = objectOnly(v.record(headerName, headerOrValue))
/** Headers that code returns: it has the request, and needs no values of it. */
export const literalHeaders = objectOnly(v.record(headerName, headerValue))
