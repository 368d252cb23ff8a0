import { readFileSync } from 'node:fs'

/* docs/fixture-reference.md has an example of each key, which the JSON Schema also suggests in editors. */

export const page = new URL('../docs/fixture-reference.md', import.meta.url)

/** The page as it is. */
export function currentReference(): string {
  return readFileSync(page, 'utf8')
}

/** The definitions of the JSON Schema: what stands before their keys in the headings of the page, and the link in types. */
export const sections: Record<string, [prefix: string, link: string]> = {
  routeSchema: ['', '[route](#route)'],
  selectorSchema: ['when.', '[selector](#selector)'],
  operatorsSchema: ['', '[operators](#operators)'],
  requestValueSchema: ['', '[value of the request](#value-of-the-request)'],
  responseSchema: ['response.', '[response](#response)'],
  delayRangeSchema: ['response.delay.', '[range](#delay-between-two-bounds)'],
  delayCurveSchema: ['response.delay.', '[curve](#delay-as-in-real-networks)'],
  dribbleSchema: ['response.fault.', '[`dribble`](#dribble)'],
  failSchema: ['response.fail.', '[fail](#fail)'],
  addedErrorSchema: ['response.errors[].', '[added error](#added-error)'],
  streamSchema: ['response.stream.', '[stream](#stream)'],
  streamEventSchema: ['response.stream[].', '[event](#event)'],
  triggerSchema: ['response.on.', '[trigger](#trigger)'],
  incrementalSchema: ['response.incremental.', '[incremental](#incremental)'],
  partSchema: ['response.incremental.labels.', '[part](#part)'],
  websocketSchema: ['websocket.', '[WebSocket](#websocket-1)'],
  namespaceSchema: ['websocket.namespaces.', '[namespace](#namespace)'],
  socketStepSchema: ['websocket.open.', '[WebSocket message](#websocket-message)'],
  socketMessageSchema: ['websocket.messages.', '[message answer](#answer-to-a-websocket-message)'],
  socketCloseSchema: ['websocket.close.', '[close](#websocket-close)'],
  paginateSchema: ['paginate.', '[paginated list](#paginate)'],
  collectionSchema: ['collection.', '[collection](#collection)'],
  generateSchema: ['items.generate.', '[generated items](#generated-items)'],
  writeSchema: ['write.', '[write](#write)'],
  thenSchema: ['then.', '[change](#change)'],
  scenarioChangeSchema: ['then.scenario.', '[change of scenarios](#change-of-scenarios)'],
  rateLimitSchema: ['rateLimit.', '[rate limit](#rate-limit)'],
}
