import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bodyAsText,
  FileBody,
  headerOf,
  prepareResponse,
  withoutHeader,
} from '../../../src/core/response/prepare-response.ts'
import type { FixtureResponse } from '../../../src/core/schema/schema.ts'
import { withLocations } from '../../../src/core/answer/operations/fit-to-operation.ts'
import { GraphQLParams } from '../../../src/core/graphql/params.ts'
import type { GraphQLResult } from '../../../src/core/graphql/result.ts'

const json = 'application/json; charset=utf-8'
const plain = 'text/plain; charset=utf-8'
const nosniff = ['x-content-type-options', 'nosniff']
const bytes = (text: string) => new TextEncoder().encode(text)

describe('prepareResponse', () => {
  it.each<[response: FixtureResponse, type: string | undefined, length: string, body: string | Uint8Array]>([
    [{}, undefined, '0', ''],
    [{ body: undefined }, undefined, '0', ''],
    [{ body: null }, json, '4', 'null'],
    [{ body: { a: [1, null, undefined], b: undefined } }, json, '19', '{"a":[1,null,null]}'],
    [{ body: 0 }, json, '1', '0'],
    [{ body: false }, json, '5', 'false'],
    [{ body: 'ASCII \x7f' }, plain, '7', 'ASCII \x7f'],
    [{ body: '' }, plain, '0', ''],
    [{ body: 'ü€😀' }, plain, '9', bytes('ü€😀')],
    [{ body: { name: 'Jürgen' } }, json, '18', bytes('{"name":"Jürgen"}')],
    [{ body: '\uD800' }, plain, '3', bytes('\uFFFD')],
    [{ body: { a: '\uD800' } }, json, '14', '{"a":"\\ud800"}'],
    [{ body: new FileBody(new Uint8Array([0, 255]), 'image/png') }, 'image/png', '2', new Uint8Array([0, 255])],
    [{ body: new FileBody(bytes('<a/>'), 'text/xml') }, 'text/xml', '4', '<a/>'],
    [{ body: new FileBody(new Uint8Array(), 'text/css') }, 'text/css', '0', ''],
    [{ body: new FileBody(bytes('a'.repeat(65_536)), 'text/css') }, 'text/css', '65536', 'a'.repeat(65_536)],
  ])('%j: %s, %s bytes', (response, type, length, body) => {
    expect(prepareResponse(response)).toEqual({
      status: 200,
      headers: [
        ...(type ? ['content-type', type] : []),
        'cache-control',
        'no-store',
        ...(type ? nosniff : []),
        ...(response.body instanceof FileBody ? ['accept-ranges', 'bytes'] : []),
        'content-length',
        length,
      ],
      body,
      delay: 0,
    })
  }) // prettier-ignore

  // Of a long text, each answer that is not read would be a copy; as one text, 512 MB of ASCII would end the process.
  it.each(['text', 'file'])('a long body is bytes: a %s', (kind) => {
    const long = bytes('a'.repeat(65_537))
    const { body, headers } = prepareResponse({
      body: kind === 'file' ? new FileBody(long, 'text/css') : 'a'.repeat(65_537),
    })
    expect([body instanceof Uint8Array, Buffer.compare(Buffer.from(body), long)]).toEqual([true, 0])
    expect(headers).toContain('65537')
  })

  it.each<[status: number, length: string[]]>([
    [204, []],
    [205, ['content-length', '0']],
    [304, []],
  ])('%i carries no body, and no headers about one', (status, length) => {
    for (const body of [
      undefined,
      { a: 1 },
      'text',
      new Uint8Array(1),
      new FileBody(new Uint8Array(1), 'image/png'),
    ]) {
      expect(prepareResponse({ status, body, delay: 7 }, 'r')).toEqual({
        status,
        headers: ['cache-control', 'no-store', 'x-mock-route', 'r', ...length],
        body: '',
        delay: 7,
      })
    }
  })

  it.each<[headers: FixtureResponse['headers'], list: string[]]>([
    [{ 'X-A': 1, 'x-b': true }, ['content-type', json, 'cache-control', 'no-store', ...nosniff, 'x-a', '1', 'x-b', 'true']],
    [{ 'Content-Type': 'a/b' }, ['content-type', 'a/b', 'cache-control', 'no-store', ...nosniff]],
    [{ 'CACHE-CONTROL': 'max-age=1' }, ['content-type', json, 'cache-control', 'max-age=1', ...nosniff]],
    [{ 'Set-Cookie': ['a=1', 'b=2'] }, ['content-type', json, 'cache-control', 'no-store', ...nosniff, 'set-cookie', 'a=1', 'set-cookie', 'b=2']],
    [{ 'X-A': 'one', 'x-a': 'two' }, ['content-type', json, 'cache-control', 'no-store', ...nosniff, 'x-a', 'two']],
    [{ 'Content-Length': 99, 'Transfer-Encoding': 'chunked' }, ['content-type', json, 'cache-control', 'no-store', ...nosniff]],
    [{ 'content-type': [] }, ['cache-control', 'no-store', ...nosniff]],
    [{ 'x-a': 'é\u0100😀' }, ['content-type', json, 'cache-control', 'no-store', ...nosniff, 'x-a', 'é%C4%80%F0%9F%98%80']],
    [JSON.parse('{"__proto__":"1"}') as FixtureResponse['headers'], ['content-type', json, 'cache-control', 'no-store', ...nosniff, '__proto__', '1']],
  ])('headers %j', (headers, list) => {
    expect(prepareResponse({ headers, body: 1 }).headers).toEqual([...list, 'content-length', '1'])
  }) // prettier-ignore

  it.each([
    ['plain', 'plain'],
    ['café ÿ', 'café ÿ'],
    ['a — b', 'a %E2%80%94 b'],
    ['👩‍🚀', '%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80'],
    ['a\r\nset-cookie: x', 'a%0D%0Aset-cookie: x'],
    ['a\uD800b', 'a%EF%BF%BDb'],
    ['\x80\x9f\x7f\0', '%C2%80%C2%9F%7F%00'],
    ['', ''],
  ])('the route %j is named "%s"', (name, header) => {
    expect(headerOf(prepareResponse({}, name), 'x-mock-route')).toBe(header)
  })

  it('is ready for HTTP, whatever the body and the names are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ü', '€', '😀', '\uDC00', '\n', '\0', '\x85') })
    fc.assert(
      fc.property(fc.oneof(text, fc.jsonValue()), text, (body, name) => {
        const response = prepareResponse({ body, headers: { 'x-name': name } }, name)
        const sent = typeof response.body === 'string' ? Buffer.from(response.body, 'latin1') : response.body
        expect(headerOf(response, 'content-length')).toBe(String(sent.length))
        expect(response.headers.every((part) => /^[\t\x20-\x7e\xa0-\xff]*$/.test(part))).toBe(true)
        const expected = typeof body === 'string' ? body.toWellFormed() : JSON.stringify(body)
        expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(sent)).toBe(expected)
        expect(bodyAsText(response.body)).toBe(expected)
      }),
    )
  })

  it.each<[name: string, body: unknown, message: RegExp]>([
    ['a BigInt', [1n], /BigInt/],
    ['a function', () => 1, /^a function is not a JSON value$/],
    ['a symbol', Symbol('s'), /^a symbol is not a JSON value$/],
  ])('refuses %s', (_, body, message) => {
    expect(() => prepareResponse({ body })).toThrow(message)
  })
})

it('headerOf takes the first value', () => {
  const response = prepareResponse({ headers: { a: ['1', '2'], b: 'a' } })
  expect([headerOf(response, 'a'), headerOf(response, 'b'), headerOf(response, '1')]).toEqual([
    '1',
    'a',
    undefined,
  ])
})

describe('withLocations', () => {
  const at = [{ line: 1, column: 1 }]
  const asked = new GraphQLParams()

  it('adds missing locations in the order of the specification, and changes nothing else', () => {
    const body = Object.freeze({
      data: { a: null },
      errors: Object.freeze([
        Object.freeze({ extensions: { x: 1 }, path: ['a'], message: 'm' }),
        { message: 'n', path: ['a'], locations: [] },
        { message: 'no path' },
        null,
      ]) as GraphQLResult['errors'],
      extensions: 1,
    })
    expect(JSON.stringify(withLocations(body, asked))).toBe(
      JSON.stringify({
        data: { a: null },
        errors: [
          { message: 'm', locations: at, extensions: { x: 1 }, path: ['a'] },
          { message: 'n', path: ['a'], locations: [] },
          { message: 'no path' },
          null,
        ],
        extensions: 1,
      }),
    )
  })

  it('takes locations that are undefined for missing', () => {
    const body = { errors: [{ message: 'm', path: ['a'], locations: undefined }] }
    expect(withLocations(body, asked).errors).toEqual([{ message: 'm', path: ['a'], locations: at }])
  })
})

it('sends bytes as they are now', () => {
  const bytes = new Uint8Array([1, 200, 3])
  const { headers, body } = prepareResponse({ body: bytes.subarray(1) })
  bytes.fill(0)
  expect(headers).toEqual(['content-type', 'application/octet-stream', 'cache-control', 'no-store', ...nosniff, 'content-length', '2']) // prettier-ignore
  expect(body).toEqual(new Uint8Array([200, 3]))
})

it('keeps delay and fault for the host', () => {
  const delay = { median: 5 }
  const fault = { dribble: 3 }
  expect(prepareResponse({ delay, fault })).toMatchObject({ delay, fault })
})

it.each<[name: string, headers: string[], left: string[]]>([
  ['x-mock-route', ['x-mock-route', 'r', 'a', '1'], ['a', '1']],
  ['content-length', ['expose', 'content-length', 'content-length', '3'], ['expose', 'content-length']],
  ['b', ['a', 'b', 'c', 'b'], ['a', 'b', 'c', 'b']],
  ['a', [], []],
])('withoutHeader leaves every other header: without %s', (name, headers, left) => {
  const response = Object.freeze({ ...prepareResponse({ body: 1 }), headers: Object.freeze(headers) })
  expect(withoutHeader(response, name)).toEqual({ ...response, headers: left })
})

it.each<[type: string, body: unknown, sent: string]>([
  ['text/html', '<p>é</p>', 'text/html; charset=utf-8'],
  ['Text/CSV; header=present', 'a', 'Text/CSV; header=present; charset=utf-8'],
  ['text/html; Charset=latin1', 'a', 'text/html; Charset=latin1'],
  ['text/html', new FileBody(new TextEncoder().encode('é'), 'text/plain; charset=utf-8'), 'text/html; charset=utf-8'],
  ['text/html', new FileBody(new Uint8Array([0xe9]), 'application/octet-stream'), 'text/html'],
  ['text/html', new Uint8Array([0xe9]), 'text/html'],
  ['application/xml', '<a/>', 'application/xml'],
  ['image/png', 'x', 'image/png'],
])('the content type %s of %j is sent as %s', (type, body, sent) => {
  expect(headerOf(prepareResponse({ headers: { 'Content-Type': type }, body }), 'content-type')).toBe(sent)
}) // prettier-ignore
