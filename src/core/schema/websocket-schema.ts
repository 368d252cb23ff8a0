import * as v from 'valibot'
import { chosen, objectOnly, objectOr, oneOrMore } from './chosen.ts'
import { delaySchema, streamFaultSchema } from './fault-schema.ts'
import type { FixtureRequest } from './function-types.ts'
import { triggersSchema } from './stream-schema.ts'
import { scenarioChange } from './then-schema.ts'
import { anyBody } from './value-schema.ts'

/* The key `websocket` of a route: what the server sends in a WebSocket, and what it answers. */

const code = v.pipe(
  v.number(),
  v.check(
    (given) =>
      (given >= 1000 && given <= 1014 && ![1004, 1005, 1006].includes(given)) ||
      (given >= 3000 && given <= 4999 && Number.isInteger(given)),
    'a close code: 1000 to 1003, 1007 to 1014, or 3000 to 4999',
  ),
)

export const socketCloseSchema = v.strictObject({
  /** Close code: 1000 for the usual end, 4000 to 4999 for those of the application. Default 1000. */
  code: v.optional(code),
  /** Why, at most 123 bytes. Default: none. */
  reason: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => new TextEncoder().encode(text).length <= 123, 'a text of at most 123 bytes'),
    ),
  ),
  /** Milliseconds before it closes: after the messages of `open` or, in a step, after the step before. Default 0. */
  after: v.optional(delaySchema),
})
interface SocketClose extends v.InferInput<typeof socketCloseSchema> {}
const closing = objectOr(socketCloseSchema as v.GenericSchema<SocketClose>, code)

const socketStepEntries = {
  /** Milliseconds before the message, after the one before it. Written as in a response. Default 0. */
  delay: v.optional(delaySchema),
  /**
   * A message. A string is sent as text, everything else as JSON; in code, a `Uint8Array` as bytes. `{ $from: body.id
   * }` takes values from the message that is answered.
   */
  send: v.optional(anyBody),
  /** A binary message, in Base64. */
  bytes: v.optional(v.pipe(v.string(), v.base64('bytes in Base64'))),
  /** Closes the WebSocket, with a code or with `{ code, reason }`. */
  close: v.optional(closing),
  /**
   * The connection fails: `reset`, `truncated` (in the middle of a frame), `malformed` (a frame that breaks the protocol) or
   * `stalled` (nothing is sent or read any more).
   */
  fault: v.optional(streamFaultSchema),
  /** Scenarios that become active for the client, or are no longer active: `{ add: paid, remove: open }`. */
  scenario: v.optional(scenarioChange),
}
/** A message that the server sends, or another thing that it does. */
export const socketStepSchema = v.strictObject(socketStepEntries)
const step: v.GenericSchema<SocketStep> = objectOnly(socketStepSchema)
const steps = v.array(step)

/** How messages of the client are answered. */
export const socketMessageSchema = v.strictObject({
  /**
   * The messages to answer: those that contain these values, such as `{ type: ping }`. A text that is not JSON is a
   * string. A binary message is `{ bytes: … }`, in Base64. Default: every message.
   */
  when: v.optional(v.unknown()),
  ...socketStepEntries,
  /** Further messages or other steps after this one: `{ scenario: { add: paid } }`, or a list of these. */
  then: v.optional(oneOrMore(step, steps)),
})
interface SocketMessage extends v.InferInput<typeof socketMessageSchema> {}

/** A message that the server sends in a WebSocket, or another thing that it does. */
export interface SocketStep extends v.InferInput<typeof socketStepSchema> {}

/**
 * Answers a message in code: with one thing to send, a list, or nothing.
 *
 * @param message JSON as a value, other text as a string, and bytes as `{ bytes: … }` in Base64
 * @param request the request that has opened the WebSocket
 */
export type SocketFunction = (
  message: unknown,
  request: FixtureRequest,
) => SocketStep | SocketStep[] | undefined | Promise<SocketStep | SocketStep[] | undefined>

const socketFunction = v.custom<SocketFunction>((input) => typeof input === 'function')
const messageOrFunction: v.GenericSchema<SocketMessage | SocketFunction> = v.union([
  objectOnly(socketMessageSchema),
  socketFunction,
])

const protocol = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'a name of letters, digits and characters such as "-"'),
)

const open = oneOrMore(step, steps)
const messages = v.array(
  chosen(messageOrFunction, (input): v.GenericSchema =>
    typeof input === 'function' ? socketFunction : objectOnly(socketMessageSchema),
  ),
)

/** Sends and answers of a namespace of Socket.IO. */
export const namespaceSchema = v.strictObject({
  /** Events to send when a client connects to the namespace: one, or a list. Default: nothing. */
  open: v.optional(open),
  /** Answers to events. Default: events are not answered. */
  messages: v.optional(messages),
  /** Triggers that send more events, as those of the route. Default: nothing. */
  on: v.optional(triggersSchema),
})
/** A namespace of Socket.IO. */
export interface FixtureNamespace extends v.InferInput<typeof namespaceSchema> {}

export const websocketSchema = v.strictObject({
  /**
   * The subprotocol that the server speaks, or a list, the preferred one first. `socket.io` is the protocol of Socket.IO 3 and 4.
   * Default: the first that the client names.
   */
  protocol: v.optional(oneOrMore(protocol, v.array(protocol))),
  /** Milliseconds before the WebSocket opens. Default 0. */
  delay: v.optional(delaySchema),
  /** Refuses the WebSocket with an HTTP status, 400 to 599. Default: it opens. */
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  /** Fails instead of opening: `silent` (never opens), `reset` or `empty` (closed without an answer). Default: it opens. */
  fault: v.optional(v.picklist(['silent', 'reset', 'empty'])),
  /** Messages to send when the WebSocket opens: one, or a list. Default: nothing. */
  open: v.optional(open),
  /**
   * Answers to messages. The first that matches a message is sent; in code, an entry may be a function `(message,
   * request) => ({ send: … })`. Default: messages are not answered.
   */
  messages: v.optional(messages),
  /** Socket.IO: the namespaces beside `/`, each with its own `open`, `messages` and `on`. Default: none. */
  namespaces: v.optional(
    objectOnly(v.record(v.string(), objectOnly(namespaceSchema as v.GenericSchema<FixtureNamespace>))),
  ),
  /**
   * What sends more messages: a mutation, a route, a channel or a collection, as for a stream. Its data is the
   * message. Default: nothing.
   */
  on: v.optional(triggersSchema),
  /** Closes the WebSocket after the messages of `open`: a code, or `{ code, reason, after: 30000 }`. Default: it stays open. */
  close: v.optional(closing),
})
/** A mocked WebSocket: how it opens, and its messages. */
export interface FixtureSocket extends v.InferInput<typeof websocketSchema> {}
