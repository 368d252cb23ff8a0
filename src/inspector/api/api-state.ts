import * as v from 'valibot'
import type { Overrides as Switches } from '../../core/state/overrides.ts'
import { integer, json, names, position, positive, text, texts, whole } from './shapes.ts'

/* The shapes of what changes while the server runs. */

export const NewScenario = v.strictObject({
  /** A list of names, or a text with commas between them, as in the option. */
  scenario: v.union(
    [text, v.array(v.pipe(text, v.nonEmpty('the name of a scenario')))],
    'a name, or a list of names',
  ),
})

const scenarioNow = v.strictObject({
  /** The current scenarios of the server, or of the client that asks (`x-mock-client`). */
  scenario: names,
  /** Scenarios that an answer has made active or inactive (`then`), with the id of its route. */
  changed: v.exactOptional(v.array(v.strictObject({ name: text, isActive: v.boolean(), by: text }))),
})
export type ScenarioNow = v.InferOutput<typeof scenarioNow>

export const ScenarioState = v.strictObject({
  ...scenarioNow.entries,
  /** All scenarios that routes name, with the ids of these routes. */
  known: v.array(v.strictObject({ name: text, routes: names })),
})

const milliseconds = v.pipe(whole, v.maxValue(2_147_483_647))

export const Overrides = v.strictObject({
  routes: v.exactOptional(texts),
  delay: v.exactOptional(
    v.union([milliseconds, v.record(text, milliseconds)], 'milliseconds, or an object of them'),
  ),
  failNext: v.exactOptional(
    v.strictObject({
      count: positive,
      status: v.exactOptional(v.pipe(integer, v.minValue(200), v.maxValue(599))),
      fault: v.exactOptional(v.picklist(['reset', 'empty', 'truncated', 'malformed', 'stalled', 'silent'])),
      endpoint: v.exactOptional(text),
    }),
  ),
  sadPath: v.exactOptional(text),
  nextAnswer: v.exactOptional(
    v.strictObject({
      endpoint: text,
      operationName: v.exactOptional(text),
      status: v.exactOptional(v.pipe(integer, v.minValue(200), v.maxValue(599))),
      headers: v.exactOptional(texts),
      body: v.exactOptional(v.unknown()),
    }),
  ),
  offline: v.exactOptional(v.boolean()),
  chaos: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
}) satisfies v.GenericSchema<Switches>

export const CollectionInfo = v.strictObject({
  name: text,
  path: text,
  /** The key of the id. */
  id: text,
  items: whole,
  /** Number of changes since the file was read, or since a reset. */
  changes: whole,
  ...position,
})

export const CollectionList = v.strictObject({ collections: v.array(CollectionInfo) })

const item = v.record(text, json)
export const CollectionItems = v.strictObject({
  ...CollectionInfo.entries,
  /** The first 1000, in their order. */
  shown: v.array(item),
  /** Ids of items that the file does not have. */
  created: names,
  /** Ids of items that are not as in the file. */
  updated: names,
  /** Items of the file that are gone. */
  deleted: v.array(item),
})

export const CollectionItem = v.strictObject({ item })
export const NewItems = v.strictObject({ items: v.array(v.unknown()) })
export const SavedCollection = v.strictObject({ collection: text })

export const NewPush = v.strictObject({
  /** The streams with `on: { push: channel }`. */
  channel: v.exactOptional(text),
  /** Instead of a channel, the streams of a route, by its name or id. */
  route: v.exactOptional(text),
  /** Instead of a channel, the stream that answers this request. */
  request: v.exactOptional(integer),
  /** Data to send. Absent, nothing is sent. */
  data: v.exactOptional(json),
  /** Server-sent events: the type of the event. */
  event: v.exactOptional(v.pipe(text, v.regex(/^[^\0\r\n]*$/, 'a text without line breaks'))),
  /** With `route` or `request`: the stream ends then, or its connection breaks. */
  end: v.exactOptional(v.picklist(['complete', 'reset', 'truncated', 'malformed', 'stalled'])),
})

export const PushResult = v.strictObject({
  /** How many streams it has reached. */
  streams: whole,
})

export const ResetOptions = v.strictObject({
  /** Whether recorded requests are forgotten, too. Default `false`. */
  requests: v.exactOptional(v.boolean()),
})

export const ResetResult = v.strictObject({
  /** The id of the last request before the reset; 0 if there was none. */
  lastRequest: whole,
})
