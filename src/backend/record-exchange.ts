import type { IncomingMessage } from 'node:http'
import type { ReceivedBody } from '../core/answer/exchange.ts'
import { decodeBody } from '../wire/node/decode-body.ts'
import type { Exchange, Header } from '../writer/exchange.ts'
import { maxAnswer } from './ask-backend.ts'
import type { AnswerHead, InterceptedAnswer } from './intercept-answer.ts'

/** Answers that have no end. */
const streams = /^(?:text\/event-stream|multipart\/)/i

/** Why an answer can't be recorded, as its head shows; `undefined` if it can. */
export function whyNotRecorded(
  { method }: IncomingMessage,
  { status, headers }: AnswerHead,
): string | undefined {
  if (method === 'HEAD' || method === 'OPTIONS') return '' // nothing is lost
  if (streams.test(String(headers['content-type'] ?? ''))) return 'it is a stream'
  if (status === 206) return 'it is a part of a file'
  return undefined
}

/**
 * A request and its answer as they are recorded, or why they can't be.
 *
 * @param url path and query as the backend knows them
 */
export function toExchange(
  req: IncomingMessage,
  url: string,
  received: ReceivedBody | undefined,
  answer: InterceptedAnswer,
): Exchange | { why: string } {
  if (answer.end === 'too-large') return { why: `it is larger than ${maxAnswer / 1_048_576} MiB` }
  if (answer.end !== 'complete') return { why: 'it was broken off' }
  if (received && received.kind !== 'complete') return { why: 'the body of the request can not be read' }
  const coding = answer.headers['content-encoding']
  const decoded =
    coding === undefined
      ? { kind: 'complete' as const, bytes: answer.body }
      : decodeBody(answer.body, { 'content-encoding': coding }, maxAnswer)
  if (decoded.kind !== 'complete') return { why: `it can not be decoded from ${String(coding)}` }
  return {
    method: req.method ?? 'GET',
    url,
    requestHeaders: linesOf(req.headers),
    requestBody: received?.bytes,
    status: answer.status,
    responseHeaders: linesOf(withOwnLocation(answer.headers, req)),
    responseBody: decoded.bytes ?? answer.body,
  }
}

function linesOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Header[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((text): Header => [name, text]),
  )
}

/** A redirect that was rewritten to lead to this server leads to whatever server answers later. */
function withOwnLocation(
  headers: AnswerHead['headers'],
  { headers: { host } }: IncomingMessage,
): AnswerHead['headers'] {
  const { location } = headers
  if (typeof location !== 'string' || !URL.canParse(location)) return headers
  const { host: to, pathname, search, hash } = new URL(location)
  return to === host ? { ...headers, location: `${pathname}${search}${hash}` } : headers
}
