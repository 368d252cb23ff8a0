import * as v from 'valibot'
import { objectOnly, oneOrMore } from './chosen.ts'

/* The key `then`: what an answer, an event or a message changes for what follows. */

/** A name travels in headers and cookies, in a list with commas. */
export const scenarioName = v.pipe(
  v.string(),
  v.regex(/^(?!\s)[^,\0-\x1F\x7F]+(?<!\s)$/, 'a name without commas and line breaks'),
)
export const scenarioNames = v.pipe(v.array(scenarioName), v.nonEmpty('a list of at least one name'))
const oneOrMoreNames: v.GenericSchema<string | string[]> = oneOrMore(scenarioName, scenarioNames)

/** Scenarios that become active or inactive for the client. */
export const scenarioChangeSchema = v.strictObject({
  /** The scenario that is active from now on, or a list. Default: none. */
  add: v.optional(oneOrMoreNames),
  /** The scenario that is no longer active, or a list. Default: none. */
  remove: v.optional(oneOrMoreNames),
})
export interface ScenarioChange extends v.InferInput<typeof scenarioChangeSchema> {}
export const scenarioChange = objectOnly(scenarioChangeSchema as v.GenericSchema<ScenarioChange>)

export const thenSchema = v.strictObject({
  /** Scenarios that become active for the client, or are no longer active: `{ add: signed-in, remove: signed-out }`. */
  scenario: v.optional(scenarioChange),
})
/** Changes that an answer makes for those that follow. */
export interface Then extends v.InferInput<typeof thenSchema> {}
export const thenObject = objectOnly(thenSchema as v.GenericSchema<Then>)
