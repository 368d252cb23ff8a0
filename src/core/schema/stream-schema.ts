import * as v from 'valibot'
import { isPlainObject } from '../values/values.ts'
import { chosen, objectOnly, objectOr, oneOrMore } from './chosen.ts'
import { addedErrorSchema, delaySchema, streamFaultSchema } from './fault-schema.ts'
import { thenObject } from './then-schema.ts'
import { anyBody, fileReferenceSchema } from './value-schema.ts'

/* The parts of a response that is sent event by event. */

const oneLine = v.pipe(v.string(), v.regex(/^[^\0\r\n]*$/, 'a text without line breaks'))
const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(0))

/** One event of a stream. */
export const streamEventSchema = v.strictObject({
  /** Server-sent events: the type that the page listens for. Default: none, which pages receive as `message`. */
  event: v.optional(oneLine),
  /**
   * Server-sent events: a client that reconnects sends the last id it has received, and continues after that event.
   * Default: none.
   */
  id: v.optional(v.union([oneLine, v.number()], 'a text or a number')),
  /**
   * Data to send: a string as text, everything else as JSON. For a subscription, the `data` of the result. For a language
   * model, a line: `{ text }`, `{ thinking }`, `{ tool, input }`, `{ refusal }`, `{ error }` or `{ finish }`.
   */
  data: v.optional(anyBody),
  /** Subscriptions: the errors of the result. `locations` are computed from the request's query. Default: none. */
  errors: v.optional(v.array(v.record(v.string(), v.unknown()))),
  /** Subscriptions: the `extensions` of the result. Default: none. */
  extensions: v.optional(v.record(v.string(), v.unknown())),
  /**
   * Server-sent events: milliseconds after which a client reconnects when it has lost the connection. Default: the
   * client's own.
   */
  retry: v.optional(milliseconds),
  /** Milliseconds to wait before it, as for a response. Default: `each` of the stream, else 0. */
  delay: v.optional(delaySchema),
  /** How the connection breaks after it: `reset`, `truncated`, `malformed` or `stalled`. Default: it does not. */
  fault: v.optional(streamFaultSchema),
  /** Changes that it makes for later answers, as a response does: `{ scenario: { add: paid } }`. Default: none. */
  then: v.optional(thenObject),
})

const eventList = v.array(objectOnly(streamEventSchema))

/** A stream with a format, or made from a text. */
export const streamSchema = v.strictObject({
  /**
   * How events are written: `sse` (server-sent events), `ndjson` (one line of JSON per event), `text` (just their
   * `data`), or as the API of a language model does: `openai-chat`, `openai-responses`, `anthropic`, `google` or `ai-sdk` (UI
   * messages of the AI SDK). Default `sse`; for a GraphQL subscription, as the client asks.
   */
  as: v.optional(
    v.picklist(['sse', 'ndjson', 'text', 'openai-chat', 'openai-responses', 'anthropic', 'google', 'ai-sdk']),
  ),
  /** The events in their order. */
  events: v.optional(eventList),
  /**
   * Instead of `events`: a text that is sent word by word. `{ file: answer.md }` names a file next to the fixture
   * file.
   */
  text: v.optional(objectOr(fileReferenceSchema, v.string())),
  /** Milliseconds to wait before the first event. Default: that of `each`. */
  first: v.optional(delaySchema),
  /** Milliseconds to wait before each event without a `delay`. Default 0. */
  each: v.optional(delaySchema),
})

/** Named types: TypeScript gives up on a whole route that is inferred in one go (TS2589). */
export const streamOrEvents: v.GenericSchema<FixtureEvent[] | FixtureStream> = objectOr(
  streamSchema,
  eventList,
)

const name = v.pipe(v.string(), v.nonEmpty('a name'))

/** A source of further events for an open stream: one of `mutation`, `route`, `push` and `collection`. */
export const triggerSchema = v.strictObject({
  /** The name of a GraphQL mutation: the `data` of each successful answer is sent. */
  mutation: v.optional(name),
  /** The name of a route: the body of each of its answers is sent. */
  route: v.optional(name),
  /** The name of a channel: events that a test, the inspector or the control API pushes to it are sent. */
  push: v.optional(name),
  /** The name of a collection: each item that is created, updated or deleted is sent. */
  collection: v.optional(name),
  /** Server-sent events: the type of the events. Default: none; of a collection `created`, `updated` or `deleted`. */
  event: v.optional(oneLine),
})

export const triggerNames = ['mutation', 'route', 'push', 'collection'] as const
const notOne = v.custom<never>(() => false, 'an object with one of mutation, route, push and collection')
const oneTrigger = chosen(triggerSchema, (input) =>
  isPlainObject(input) && triggerNames.filter((key) => input[key] !== undefined).length > 1
    ? notOne
    : isPlainObject(input) && Object.keys(input).every((key) => key === 'event')
      ? notOne
      : objectOnly(triggerSchema),
)
const triggers = v.pipe(v.array(oneTrigger), v.nonEmpty('at least one trigger'))
export const triggersSchema: v.GenericSchema<Trigger | Trigger[]> = oneOrMore(oneTrigger, triggers)

export const endSchema = v.picklist(['stay', 'complete', 'reset', 'truncated', 'malformed', 'stalled'])

/** One event of a stream, as a fixture or a function gives it. */
export interface FixtureEvent extends v.InferInput<typeof streamEventSchema> {}
/** A stream with its format. */
export interface FixtureStream extends v.InferInput<typeof streamSchema> {}
/** A source of further events for an open stream. */
export interface Trigger extends v.InferInput<typeof triggerSchema> {}
/** When the parts come that `@defer` and `@stream` put off. */
export interface Incremental extends v.InferInput<typeof incrementalSchema> {}
/** The end of a stream: what happens after its last event. */
export type StreamEnd = v.InferInput<typeof endSchema>

/** A part of a GraphQL answer that `@defer` or `@stream` puts off. */
export const partSchema = v.strictObject({
  /** Milliseconds to wait before it; of a streamed list, before each further item. Default: that of `incremental`. */
  delay: v.optional(delaySchema),
  /** Why the part fails: it then has no data. Default: it does not fail. */
  errors: v.optional(v.pipe(v.array(objectOnly(addedErrorSchema)), v.nonEmpty('at least one error'))),
})

/** When the parts of a GraphQL answer come that `@defer` and `@stream` put off. */
export const incrementalSchema = v.strictObject({
  /** Milliseconds to wait before each part; of a streamed list, before each further item. Default 0. */
  delay: v.optional(delaySchema),
  /** Parts by their `label` in the query. */
  labels: v.optional(objectOnly(v.record(v.string(), objectOnly(partSchema)))),
})

export const isIterable = (input: unknown): input is EventSource =>
  typeof input === 'object' && input !== null && (Symbol.asyncIterator in input || Symbol.iterator in input)

/** Events that a function gives one after the other, as a generator does. */
export type EventSource = AsyncIterable<FixtureEvent> | Iterable<FixtureEvent>
const eventSource = v.custom<EventSource>(isIterable, 'a list of events, or a generator of them')

const functionStream = v.strictObject({
  ...streamSchema.entries,
  events: v.optional(eventSource),
  text: v.optional(v.string()),
})
export const functionStreamSchema = chosen(v.union([eventSource, functionStream]), (input) =>
  Array.isArray(input) ? eventList : isPlainObject(input) ? functionStream : eventSource,
)
