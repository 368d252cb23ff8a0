import type { RawRequest } from '../http/raw-request.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'
import type { Delay } from '../schema/fault-schema.ts'
import type { FixtureResponse, FunctionResponse } from '../schema/schema.ts'
import {
  isIterable,
  type EventSource,
  type FixtureEvent,
  type StreamEnd,
  type Trigger,
} from '../schema/stream-schema.ts'
import type { Then } from '../schema/then-schema.ts'
import { isPlainObject } from '../values/values.ts'
import { isModel, type ModelName, ModelStream } from './models/models.ts'
import { type StreamEvent, createFraming, type StreamFormat, type Framing } from './frames.ts'

/** A stream for one request. `openEvents` gives its events when they are due. */
export interface PreparedStream {
  events: EventSource
  first?: Delay | undefined
  each?: Delay | undefined
  end: StreamEnd
  on: readonly Trigger[]
  /** How events are written over HTTP. */
  framing: Framing
  /** The request, from which varying delays are derived. */
  raw: RawRequest
  /** The last event that the client has. */
  resumeAfter?: string | undefined
  /** The answer of which the events are parts. */
  whole?: PreparedResponse
  /** Stops what makes the events, when nobody takes them any more. */
  cancel?: () => void
  /** Gives the whole answer to a client of a language model that wants no events. */
  model?: ModelStream
  /** Subscriptions: makes an event the result of the operation. */
  fit?: ((event: StreamEvent) => StreamEvent) | undefined
  /** Changes what follows, as an event says. */
  change?: (then: Then) => void
}

/** The file that a stream's text is in. A loader puts the text in its place. */
export function textFileOf({ stream }: Pick<FixtureResponse, 'stream'>): string | undefined {
  return isPlainObject(stream) && isPlainObject(stream.text) ? stream.text.file : undefined
}

/** The API of a language model that the stream is written for. */
export function modelOf({ stream }: Pick<FunctionResponse, 'stream'>): ModelName | undefined {
  const as: unknown = isPlainObject(stream) && !isIterable(stream) ? stream.as : undefined
  return isModel(as) ? as : undefined
}

/** @param asked the format that the client of a subscription has asked for; default: that of the fixture */
export function readStream(
  { stream, end, on }: Pick<FunctionResponse, 'stream' | 'end' | 'on'>,
  raw: RawRequest,
  { format, body }: { format?: StreamFormat | undefined; body?: unknown } = {},
): PreparedStream {
  const given = isPlainObject(stream) && !isIterable(stream) ? stream : { events: stream as EventSource }
  const {
    as = 'sse',
    events,
    text,
    first,
    each,
  } = given as Exclude<typeof given, EventSource> & { text?: string }
  const triggers = [on ?? []].flat()
  const staysOpen = format !== undefined || as === 'sse' || triggers.length > 0
  const model = format === undefined && isModel(as) ? new ModelStream(as, { raw, body }) : undefined
  return {
    events: events ? (model && Array.isArray(events) ? inPieces(events) : events) : inWords(text ?? ''),
    first,
    each,
    end: end ?? (staysOpen ? 'stay' : 'complete'),
    on: triggers,
    framing: model?.framing() ?? createFraming(format ?? (as as StreamFormat)),
    ...(model && { model }),
    raw,
    resumeAfter: resumeAfter(raw),
  }
}

function inWords(text: string): FixtureEvent[] {
  return wordsOf(text).map((data) => ({ data }))
}

/** Words, each with the space before it, as language models send them. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? []
}

/** Lines of a language model, with a text in words: what is before it is so for the first, and what follows for the last. */
function inPieces(events: readonly FixtureEvent[]): FixtureEvent[] {
  return events.flatMap((event) => {
    const { data, delay, ...after } = event
    const key =
      isPlainObject(data) && ['text', 'thinking', 'refusal'].find((one) => typeof data[one] === 'string')
    if (!key) return event
    const words = wordsOf((data as Record<string, string>)[key]!)
    return words.map((word, index) => ({
      data: { [key]: word },
      ...(index === 0 && delay !== undefined && { delay }),
      ...(index === words.length - 1 && after),
    }))
  })
}

function resumeAfter({ headers }: RawRequest): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Whether a client that comes back has had everything: a 204 stops an EventSource. */
export function isOver({ events, end, resumeAfter }: PreparedStream): boolean {
  if (end !== 'complete' || resumeAfter === undefined || !Array.isArray(events)) return false
  return indexAfter(events as FixtureEvent[], resumeAfter) === events.length
}

/** 0 for an id that no event has. */
export function indexAfter(events: readonly FixtureEvent[], id: string): number {
  return events.findLastIndex((event) => event.id !== undefined && String(event.id) === id) + 1
}
