import { expect, it } from 'vitest'
import { applyRange } from '../../../src/core/response/byte-range.ts'
import { FileBody, headerOf, prepareResponse } from '../../../src/core/response/prepare-response.ts'
import type { FixtureResponse } from '../../../src/core/schema/schema.ts'
import { rawRequest } from '../send.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const file = (text: string, response: FixtureResponse = {}) =>
  prepareResponse({ ...response, body: new FileBody(bytes(text), 'text/plain; charset=utf-8') }, 'n')

const ask = (range: string, response = file('0123456789'), method = 'GET', more = {}) => {
  const answer = applyRange(response, rawRequest({ method, headers: { range, ...more } }))
  return {
    status: answer.status,
    range: headerOf(answer, 'content-range'),
    length: headerOf(answer, 'content-length'),
    body: typeof answer.body === 'string' ? answer.body : new TextDecoder().decode(answer.body),
  }
}
const whole = { status: 200, range: undefined, length: '10', body: '0123456789' }

it.each<[range: string, body: string, contentRange: string]>([
  ['bytes=0-3', '0123', 'bytes 0-3/10'],
  ['bytes=4-4', '4', 'bytes 4-4/10'],
  ['bytes=7-', '789', 'bytes 7-9/10'],
  ['bytes=-2', '89', 'bytes 8-9/10'],
  ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ['bytes=5-99', '56789', 'bytes 5-9/10'],
  [' Bytes = 1 - 2 ', '12', 'bytes 1-2/10'],
])('%s is answered with %s', (range, body, contentRange) => {
  expect(ask(range)).toEqual({ status: 206, range: contentRange, length: String(body.length), body })
})

it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('%s is refused', (range) => {
  expect(ask(range)).toEqual({ status: 416, range: 'bytes */10', length: '0', body: '' })
})

it.each(['bytes=0-1,3-4', 'bytes=', 'bytes=-', 'bytes=3-1', 'items=0-1', 'bytes=a-b', ''])(
  '%s is ignored',
  (range) => {
    expect(ask(range)).toEqual(whole)
  },
)

it('is by bytes, not by characters', () => {
  expect(ask('bytes=0-1', file('éa'))).toEqual({ status: 206, range: 'bytes 0-1/3', length: '2', body: 'é' })
})

it('is for files that are got, and only without a condition', () => {
  expect(ask('bytes=0-3', file('0123456789'), 'HEAD')).toEqual(whole)
  expect(ask('bytes=0-3', file('0123456789'), 'GET', { 'if-range': '"a"' })).toEqual(whole)
  expect(ask('bytes=0-3', file('0123456789', { headers: { 'Accept-Ranges': 'none' } }))).toEqual(whole)
  expect(ask('bytes=0-3', prepareResponse({ body: '0123456789' }))).toEqual(whole)
  expect(ask('bytes=0-3', file('0123456789', { status: 404 })).status).toBe(404)
})

it('of an empty file there is no part', () => {
  expect(ask('bytes=0-', file(''))).toEqual({ status: 416, range: 'bytes */0', length: '0', body: '' })
})

it('a file says that it has ranges, and keeps its other headers', () => {
  const response = file('0123456789', { headers: { 'x-a': ['1', '2'] } })
  expect(headerOf(response, 'accept-ranges')).toBe('bytes')
  const { headers } = applyRange(response, rawRequest({ headers: { range: 'bytes=0-0' } }))
  const names = headers.filter((_, index) => index % 2 === 0)
  expect(names.filter((name) => name === 'content-length')).toHaveLength(1)
  expect(names).toEqual(
    expect.arrayContaining(['content-type', 'cache-control', 'x-mock-route', 'x-a', 'x-a']),
  )
})
