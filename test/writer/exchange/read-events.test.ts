import { expect, it } from 'vitest'
import { Omissions } from '../../../src/writer/omissions.ts'
import { readEvents } from '../../../src/writer/exchange/read-events.ts'
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
