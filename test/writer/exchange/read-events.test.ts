import { expect, it } from 'vitest'
import { Omissions } from '../../../src/writer/omissions.ts'
import { readEvents, readResults } from '../../../src/writer/exchange/read-events.ts'
import { parsedRequest } from '../../core/send.ts'
import { writeAnswer } from '../../../src/writer/write-answer.ts'

it.each([
  ['data: {"n":1}\n\n', [{ data: { n: 1 } }]],
  [':\n\nretry: 100\n\nevent: tick\nid: 7\ndata: one\ndata:two\n\n', [{ retry: 100 }, { event: 'tick', id: '7', data: 'one\ntwo' }]],
  ['data: a\r\n\r\ndata: b\r\rdata: cut', [{ data: 'a' }, { data: 'b' }]],
  ['data: [not json\n\n', [{ data: '[not json' }]],
  ['event: empty\n\nunknown: 1\n\n', []],
  ['data: {"__proto__":1}\n\n', [{ data: JSON.parse('{"__proto__":1}') as unknown }]],
  ['', []],
])('%j', (text, events) => {
  expect(readEvents(text, () => {})).toEqual(events)
}) // prettier-ignore

const source = {
  status: 200,
  responseHeaders: [
    ['content-type', 'text/event-stream'],
    ['cache-control', 'no-cache'],
    ['x-a', 'b'],
  ] as const,
  origin: 'http://localhost',
  where: 'GET /events',
  path: '/events',
}
const answerTo = (body: string, accept?: string) => {
  const request = accept === undefined ? {} : { request: parsedRequest({ headers: { accept } }) }
  return writeAnswer({ ...source, ...request, responseBody: new TextEncoder().encode(body) }, new Omissions())
    .answer
}

it('a recorded stream is written as one, without what is secret', () => {
  expect(answerTo('data: {"password":"hunter2"}\n\ndata: [DONE]\n\n', 'text/event-stream')).toEqual({
    headers: { 'x-a': 'b' },
    stream: [{ data: { password: expect.not.stringContaining('hunter2') as string } }, { data: '[DONE]' }],
    end: 'complete',
  })
})

it.each<[what: string, accept: string | undefined, end: string | undefined]>([
  ['an EventSource, which reconnects', 'text/event-stream', undefined],
  ['a client that reads to the end', '*/*', 'complete'],
  ['nobody knows whom', undefined, undefined],
])('the end of a stream to %s', (_, accept, end) => {
  expect(answerTo('data: 1\n\n', accept).end).toBe(end)
})

const sse = 'text/event-stream; charset=utf-8'
const multipart = 'multipart/mixed; boundary="graphql"; subscriptionSpec=1.0'
const part = (message: object) =>
  `\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(message)}\r\n--graphql`
const results = [
  { data: { changed: { id: '7' } } },
  { data: { changed: null }, errors: [{ message: 'Lost.' }] },
]

it.each<[what: string, type: string, text: string, stream: unknown[], isComplete: boolean]>([
  ['graphql-sse', sse, `:\n\n${results.map((one) => `event: next\ndata: ${JSON.stringify(one)}\n\n`).join('')}event: complete\ndata:\n\n`, results, true],
  ['a client that has left', sse, `event: next\ndata: ${JSON.stringify(results[0])}\n\nevent: next\ndata: {"da`, [results[0]], false],
  ['messages without a type', sse, `data: ${JSON.stringify(results[0])}\n\n`, [results[0]], false],
  ['what is no result', sse, 'event: next\ndata: 7\n\nevent: other\ndata: {}\n\n', [], false],
  ['multipart', multipart, `--graphql${part({})}${results.map((payload) => part({ payload })).join('')}--\r\n`, results, true],
  ['multipart, cut off', multipart.replaceAll('"', ''), `--graphql${part({ payload: results[0] })}\r\ncontent-type: app`, [results[0]], false],
  ['multipart, an error of the server', multipart, `--graphql${part({ payload: null, errors: [{}] })}--`, [], true],
])('results of a subscription: %s', (_, type, text, stream, isComplete) => {
  expect(readResults(text, type, () => {})).toEqual({ results: stream, isComplete })
}) // prettier-ignore
