import type { Delivery, DeferredPart, PartData } from '../graphql/put-off.ts'
import type { GraphQLResult } from '../graphql/result.ts'
import { headerText, type RawRequest } from '../http/raw-request.ts'
import type { FixtureEvent } from '../schema/stream-schema.ts'
import { boundary, createFraming, type Framing, graphqlFrame, multipartPart } from './frames.ts'

/**
 * How the parts of an answer are written. `labels` is the format before the two with a specification, which Relay and urql
 * read: a payload for each part, as multipart or as server-sent events.
 */
export interface PartsFormat {
  style: 'incrementalSpec=v0.2' | 'deferSpec=20220824' | 'labels'
  isEvents: boolean
}

/** The first that a client names; `undefined` if it accepts one JSON only. */
export function partsFormat({ headers }: RawRequest): PartsFormat | undefined {
  const accept = headerText(headers, 'accept') ?? ''
  const [named, type, parameters = ''] = /(multipart\/mixed|text\/event-stream)([^,]*)/i.exec(accept) ?? []
  if (named === undefined) return undefined
  const known = /\b(?:incrementalSpec=v0\.2|deferSpec=20220824)\b/.exec(parameters)?.[0]
  return { style: (known as PartsFormat['style'] | undefined) ?? 'labels', isEvents: type!.startsWith('t') }
}

export function partsFraming({ style, isEvents }: PartsFormat): Framing {
  if (isEvents)
    return { ...createFraming('graphql-sse'), frame: ({ data }) => graphqlFrame('next', data as object) }
  const parameter = style === 'labels' ? '' : `; ${style}`
  return {
    ...createFraming('multipart'),
    contentType: `multipart/mixed; boundary="${boundary}"${parameter}`,
    frame: ({ data }) => multipartPart(data as object),
    heartbeat: '',
  }
}

/** The payloads, each as the data of an event. */
export function writeParts(
  [first, ...later]: readonly Delivery[],
  { extensions }: GraphQLResult,
  { style }: PartsFormat,
): FixtureEvent[] {
  const [{ data, errors }] = first!.sent as [PartData]
  const isNew = style === 'incrementalSpec=v0.2'
  const payloads = [
    {
      delay: 0,
      data: {
        data,
        ...errorsIn(errors),
        ...(extensions !== undefined && { extensions }),
        ...(isNew && { pending: first!.pending.map(writePending) }),
      },
    },
    ...later.flatMap((delivery): { delay: number; data: object }[] => {
      if (isNew) return [{ delay: delivery.delay, data: writeDelivery(delivery) }]
      const incremental = [...delivery.sent, ...failedParts(delivery)].flatMap((sent) =>
        writeLabelled(sent, style),
      )
      if (style === 'deferSpec=20220824')
        return incremental.length > 0 ? [{ delay: delivery.delay, data: { incremental } }] : []
      return incremental.map((data, index) => ({ delay: index === 0 ? delivery.delay : 0, data }))
    }),
  ]
  return payloads.map(({ delay, data }, index) => ({
    delay,
    data: { ...data, hasNext: index < payloads.length - 1 },
  }))
}

function errorsIn(errors: readonly unknown[] | undefined) {
  return errors && errors.length > 0 ? { errors } : {}
}

/** @see https://github.com/graphql/graphql-spec/pull/1110 */
function writeDelivery({ pending, sent, completed }: Delivery): object {
  const incremental = sent.map(({ part, path, data, items, errors }) => ({
    id: String(part.id),
    ...(data && path.length > part.path.length && { subPath: path.slice(part.path.length) }),
    ...(data ? { data } : { items }),
    ...errorsIn(errors),
  }))
  return {
    ...(pending.length > 0 && { pending: pending.map(writePending) }),
    ...(incremental.length > 0 && { incremental }),
    ...(completed.length > 0 && {
      completed: completed.map(({ part, errors }) => ({ id: String(part.id), ...errorsIn(errors) })),
    }),
  }
}

function writePending({ id, path, label }: DeferredPart) {
  return { id: String(id), path, ...(label !== undefined && { label }) }
}

interface Labelled extends Omit<PartData, 'data' | 'items'> {
  data?: PartData['data'] | null
  items?: PartData['items'] | null
}

function failedParts({ completed }: Delivery): Labelled[] {
  return completed.flatMap(({ part, errors }) =>
    errors
      ? {
          part,
          path: part.path,
          ...(part.start === undefined ? { data: null } : { items: null, start: part.start }),
          errors: [...errors],
        }
      : [],
  )
}

/** @see https://github.com/graphql/graphql-spec/tree/48cf7263a71a683fab03d45d309fd42d8d9a6659/spec */
function writeLabelled(
  { part: { label }, path, data, items, start = 0, errors }: Labelled,
  style: PartsFormat['style'],
): object[] {
  const rest = label === undefined ? {} : { label }
  if (data !== undefined) return [{ data, path, ...rest, ...errorsIn(errors) }]
  if (style !== 'labels') return [{ items, path: [...path, start], ...rest, ...errorsIn(errors) }]
  return (items ?? [null]).map((item, index) => {
    const own = errors.filter(
      (error) => items === null || Number(error.path?.[path.length] ?? start) === start + index,
    )
    return { data: item, path: [...path, start + index], ...rest, ...errorsIn(own) }
  })
}
