import type { GraphQLResult } from '../graphql/result.ts'
import { toJson, writtenNumber } from '../values/exact-number.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { FixtureEvent, triggerNames } from '../schema/stream-schema.ts'

/** `graphql-sse` and `multipart` are those of subscriptions. */
export type StreamFormat = 'sse' | 'ndjson' | 'text' | 'graphql-sse' | 'multipart'

/** How the events of one stream are written over HTTP. */
export interface Framing {
  contentType: string
  headers?: Record<string, string>
  /** Sent with the head. */
  start: string
  frame: (event: StreamEvent) => string | Uint8Array
  heartbeat: string
  /** Sent when the stream is complete, not when it breaks. */
  end: () => string
}

export const sseType = 'text/event-stream; charset=utf-8'
/** Firefox and Safari show an answer as open only with its first bytes. */
export const comment = ':\n\n'
export const boundary = 'graphql'
const bare = { start: '', heartbeat: '', end: () => '' }

export function createFraming(format: StreamFormat): Framing {
  switch (format) {
    case 'sse':
      return { ...bare, contentType: sseType, start: comment, frame: sseFrame, heartbeat: comment }
    case 'ndjson':
      return {
        ...bare,
        contentType: 'application/x-ndjson; charset=utf-8',
        frame: ({ data }) => (data === undefined ? '' : `${toJson(data)}\n`),
      }
    case 'text':
      return { ...bare, contentType: 'text/plain; charset=utf-8', frame: ({ data }) => eventText(data) }
    case 'graphql-sse':
      return {
        contentType: sseType,
        start: comment,
        frame: (event) => ifResult(event, (result) => graphqlFrame('next', result)),
        heartbeat: comment,
        end: () => graphqlFrame('complete'),
      }
    case 'multipart':
      return {
        contentType: `multipart/mixed; boundary=${boundary}; subscriptionSpec=1.0`,
        start: `\r\n--${boundary}`,
        frame: (event) => ifResult(event, (payload) => multipartPart({ payload })),
        heartbeat: multipartPart({}),
        end: () => '--\r\n',
      }
  }
}

/** @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export function sseFrame({ event, id, data, retry }: StreamEvent): string {
  const lines: string[] = []
  if (event !== undefined) lines.push(`event: ${event}`)
  if (id !== undefined) lines.push(`id: ${id}`)
  if (retry !== undefined) lines.push(`retry: ${retry}`)
  // Without data, pages do not get the event.
  if (data !== undefined || event !== undefined)
    for (const line of eventText(data).split(/\r\n|[\r\n]/)) lines.push(`data: ${line}`)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`
}

/** Framing of a stream that several operations share. */
export function operationFraming(id: string): Framing {
  return {
    ...bare,
    contentType: sseType,
    frame: (event) => ifResult(event, (payload) => graphqlFrame('next', { id, payload })),
    end: () => graphqlFrame('complete', { id }),
  }
}

/** @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md */
export function graphqlFrame(event: 'next' | 'complete', data?: object): string {
  return `event: ${event}\ndata:${data ? ` ${toJson(data)}` : ''}\n\n`
}

/** Clients read a part when its boundary follows: https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol */
export function multipartPart(message: object): string {
  return `\r\ncontent-type: application/json; charset=utf-8\r\n\r\n${toJson(message)}\r\n--${boundary}`
}

function ifResult(event: StreamEvent, write: (result: object) => string): string {
  const result = resultOf(event)
  return result ? write(result) : ''
}

/** An event of a subscription as a result. `undefined` for one that only breaks the connection. */
export function resultOf({ data, errors, extensions }: StreamEvent): GraphQLResult | undefined {
  if (data === undefined && !errors) return undefined
  return {
    ...(data !== undefined && { data: data as GraphQLResult['data'] }),
    ...(errors && { errors: errors as unknown as NonNullable<GraphQLResult['errors']> }),
    ...(extensions && { extensions }),
  }
}

/** Each event is a piece of the body that a `Response` gives. */
export const bytesFraming: Framing = { ...bare, contentType: '', frame: ({ data }) => data as Uint8Array }

export function eventText(data: unknown): string {
  if (data === undefined) return ''
  return writtenNumber(data) ?? (typeof data === 'string' ? data : toJson(data)!)
}

/** An event that is due, not yet written in the format of a transport. */
export interface StreamEvent extends Omit<FixtureEvent, 'delay'> {
  isLast?: boolean
  /** Keeps the connection open: no client sees it. */
  isHeartbeat?: boolean
  by?: (typeof triggerNames)[number]
  diagnostic?: Diagnostic | undefined
}
