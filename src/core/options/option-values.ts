import * as v from 'valibot'

/* The kinds of values that options take. */

export const text = v.pipe(v.string(), v.nonEmpty())
export const texts = v.union([text, v.pipe(v.array(text), v.nonEmpty())])
export const trueOrFalse = v.boolean()
export const path = v.pipe(v.string(), v.regex(/^\/[^?#]*$/))

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  return v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))
}

/** @param expected what the option expects, for the message about another value */
export function option<S extends v.GenericSchema>(schema: S, expected: string) {
  return v.pipe(v.optional(schema), v.description(expected))
}

const onTexts = ['true', '1', 'on', 'yes']
const offTexts = ['false', '0', 'off', 'no', '']

/** On or off, perhaps from an environment variable. */
export const onOrOff = v.union([
  trueOrFalse,
  v.pipe(
    v.string(),
    v.check((text) => [...onTexts, ...offTexts].includes(text.trim().toLowerCase())),
  ),
])

export function isOn(value: boolean | string): boolean {
  return typeof value === 'boolean' ? value : onTexts.includes(value.trim().toLowerCase())
}
