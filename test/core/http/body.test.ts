import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bodyText,
  codingsOf,
  isZlib,
  mediaType,
  parseBody,
  parseJson,
  readMultipart,
  unknownCharset,
} from '../../../src/core/http/body.ts'
import { redactBody } from '../../../src/core/redact/redact.ts'
import { hasExactNumbers } from '../../../src/core/values/exact-number.ts'
import { expectCpuTime } from '../../cpu-time.ts'
import { rawRequest } from '../send.ts'

const parse = (type: string | undefined, body: string | Uint8Array) =>
  parseBody(rawRequest({ headers: { 'content-type': type }, body }))

describe('parseBody', () => {
  it.each<[type: string | undefined, body: string, value: unknown]>([
    ['application/json', '{"a":[1,null]}', { a: [1, null] }],
    ['Application/JSON ; charset=utf-8', '"text"', 'text'],
    ['application/vnd.api+json', 'null', null],
    ['application/json', '\uFEFF{"a":1}', { a: 1 }],
    [undefined, ' \n{"a":1}', { a: 1 }],
    [undefined, '[1]', [1]],
    [undefined, 'hello', 'hello'],
    [undefined, '12', '12'],
    [undefined, '[draft] hello', '[draft] hello'],
    [undefined, '[package]\nname = "a"', '[package]\nname = "a"'],
    ['application/toml', '[1]\na = 1', '[1]\na = 1'],
    ['application/toml', '[1]', '[1]'],
    ['application/x-ndjson', '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n'],
    ['application/x-ndjson', '{"a":1}', '{"a":1}'],
    ['application/jsonl', '[1]\n[2]', '[1]\n[2]'],
    ['application/octet-stream', '{"a":1}\n{"a":2}', '{"a":1}\n{"a":2}'],
    ['application/octet-stream', '{"a":1}', { a: 1 }],
    ['text/json', '[1]', [1]],
    ['application/x-www-form-urlencoded', '{"a":1}', { a: 1 }], // curl -d
    ['text/plain;charset=UTF-8', '{"a":1}', { a: 1 }], // fetch with a text body and no headers
    ['text/plain', '[draft] hello', '[draft] hello'],
    ['text/xml', '<a/>', '<a/>'],
    ['application/json', ' \r\n', undefined],
    ['application/json', '', undefined],
  ])('reads %s %j', (type, body, value) => {
    expect(parse(type, body)).toEqual({ value })
  })

  it.each<[type: string | undefined, bytes: number[], isText: boolean]>([
    ['image/png', [0x89, 0x50], false],
    [undefined, [0xff], false],
    ['application/octet-stream', [0x61], true],
  ])('reads a body that is not text as its bytes: %s %j', (type, bytes, isText) => {
    const { value } = parse(type, Uint8Array.from(bytes)) as { value: unknown }
    expect(isText ? typeof value : value).toEqual(isText ? 'string' : Uint8Array.from(bytes))
  })

  it.each<[body: string, fields: object]>([
    ['a=1&a=2&b=&c=x+y%21', { a: ['1', '2'], b: '', c: 'x y!' }],
    ['[a]=1', { '[a]': '1' }],
    ['[]=1&[]=2', { '[]': ['1', '2'] }],
    ['__proto__=1&constructor=2', Object.fromEntries([['__proto__', '1'], ['constructor', '2']])],
  ])('reads the form %s', (body, fields) => {
    expect(parse('application/x-www-form-urlencoded', body)).toEqual({ value: fields, isForm: true })
  }) // prettier-ignore

  it('reads the fields and files of a multipart form', () => {
    const body = [
      '--x', 'Content-Disposition: form-data; name="amount"', '', '5',
      '--x', 'content-disposition: form-data; name="avatar"; filename="a b.png"', 'Content-Type: image/png', '', '\u0089PNG',
      '--x', 'Content-Disposition: form-data; name="amount"', '', '6',
      '--x', 'Content-Disposition: form-data; name="blob"; filename="blob"', '', '',
      '--x--', '',
    ].join('\r\n') // prettier-ignore
    expect(parse('multipart/form-data; boundary=x', body)).toEqual({
      value: {
        amount: ['5', '6'],
        avatar: { name: 'a b.png', type: 'image/png', size: 5 },
        blob: { name: 'blob', type: 'application/octet-stream', size: 0 },
      },
      isForm: true,
    })
  })

  it.each(['multipart/form-data', 'multipart/form-data; boundary=y'])('refuses what is not a %s', (type) => {
    const malformed = 'it is not a multipart form (check the "boundary" of its content type)'
    expect(parse(type, '--x--\r\n')).toEqual({ malformed })
  })

  it.each([
    ['application/json', '{"a":'],
    ['application/x-www-form-urlencoded', '{"a":'],
    ['application/problem+json', 'no'],
    [undefined, '{"a":1'],
  ])('refuses malformed JSON: %s %j', (type, body) => {
    expect(parse(type, body)).toEqual({
      malformed: expect.stringMatching(
        new RegExp(`\\(the body is ${body.length} characters long\\)$`),
      ) as string,
    })
  })

  const encoded = (text: string, encoding: BufferEncoding) => Uint8Array.from(Buffer.from(text, encoding))
  const value = { a: 'é' }
  it.each<[type: string | undefined, body: Uint8Array]>([
    ['application/json; charset=utf-8', encoded('{"a":"é"}', 'utf8')],
    ['application/json;charset="UTF-8"', encoded('{"a":"é"}', 'utf8')],
    ['application/json; charset=latin1', encoded('{"a":"é"}', 'latin1')],
    ["text/plain; charset='iso-8859-15' ; x=y", encoded('{"a":"é"}', 'latin1')],
    ['application/json; charset=utf-16le', encoded('{"a":"é"}', 'utf16le')],
    ['application/json', encoded('\uFEFF{"a":"é"}', 'utf16le')],
    ['application/json; charset=latin1', encoded('\uFEFF{"a":"é"}', 'utf8')],
    [undefined, encoded('\uFEFF{"a":"é"}', 'utf16le').map((_, index, all) => all[index ^ 1]!)],
    ['application/json; charset=', encoded('{"a":"é"}', 'utf8')],
    ['application/octet-stream; charset=binary', encoded('{"a":"é"}', 'utf8')],
  ])('reads %s in its charset', (type, body) => {
    expect(parse(type, body)).toEqual({ value })
  })

  it('reads invalid UTF-8 as replacement characters', () => {
    expect(parse('text/plain', new Uint8Array([0x61, 0xff]))).toEqual({ value: 'a\uFFFD' })
  })
})

it('is undefined without a body', () => {
  expect(bodyText(rawRequest())).toBeUndefined()
  expect(bodyText(rawRequest({ body: '' }))).toBeUndefined()
  expect(bodyText(rawRequest({ body: ' ü' }))).toBe(' ü')
})

it.each([
  [undefined, undefined],
  ['application/json', undefined],
  ['application/json; charset=utf8', undefined],
  ['application/json; charset=klingon', 'klingon'],
  ['application/vnd.api+json; CharSet="x"', 'x'],
  ['text/csv;charset=utf-7', 'utf-7'],
  ['application/graphql; charset=y', 'y'],
  ['application/x-www-form-urlencoded; charset=y', 'y'],
  ['; charset=y', 'y'],
  ['application/octet-stream; charset=binary', undefined],
  ['multipart/form-data; boundary=x; charset=binary', undefined],
])('of the content type %j, the unknown charset is %j', (type, charset) => {
  expect(unknownCharset({ 'content-type': type })).toBe(charset)
})

it.each([
  [undefined, ''],
  ['', ''],
  ['TEXT/HTML', 'text/html'],
  ['text/html ;charset=x', 'text/html'],
])('takes the media type of %j as %j', (header, type) => {
  expect(mediaType(rawRequest({ headers: { 'content-type': header } }))).toBe(type)
})

it('keeps a "__proto__" in JSON a plain key', () => {
  const { value } = parseJson('{"__proto__":{"a":1}}') as { value: object }
  expect(Object.keys(value)).toEqual(['__proto__'])
})

const bytes = (text: string) => new TextEncoder().encode(text)

describe('readMultipart', () => {
  it('reads what FormData writes', async () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'a"b', 'a\r\nb', 'é', '[]', 'name="x"'),
      fc.string({ minLength: 1 }),
    )
    const part = fc.record({ name, file: fc.option(name), content: fc.uint8Array({ maxLength: 30 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        const form = new FormData()
        for (const { name, file, content } of parts) {
          if (file === null) form.append(name, new TextDecoder().decode(content))
          else form.append(name, new Blob([content], { type: 'image/png' }), file)
        }
        const response = new Response(form)
        const type = response.headers.get('content-type')!
        const body = new Uint8Array(await response.arrayBuffer())
        const again = await new Response(body, { headers: { 'content-type': type } }).formData()
        const expected = await Promise.all(
          [...again].map(async ([name, value]) =>
            typeof value === 'string'
              ? { name, filename: undefined, type: '', bytes: bytes(value) }
              : {
                  name,
                  filename: value.name,
                  type: value.type,
                  bytes: new Uint8Array(await value.arrayBuffer()),
                },
          ),
        )
        const read = readMultipart(body, type)!.map((one) => ({ ...one, bytes: new Uint8Array(one.bytes) }))
        expect(read).toEqual(expected)
      }),
    )
  })

  it.each<[what: string, type: string, body: string]>([
    ['no boundary', 'multipart/form-data', '--x--\r\n'],
    ['another boundary', 'multipart/form-data; boundary=y', '--x--\r\n'],
    ['no end', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'],
    ['a part without content', 'multipart/form-data; boundary=x', '--x\r\n--x--\r\n'],
    ['nothing', 'multipart/form-data; boundary=x', ''],
  ])('refuses a body with %s', (_, type, body) => {
    expect(readMultipart(bytes(body), type)).toBeUndefined()
  })

  it.each<[type: string, body: string]>([
    ['multipart/form-data; boundary="a b"', '--a b\r\ncontent-disposition:form-data;name=q\r\n\r\n1\r\n--a b--'],
    ['multipart/form-data;charset=utf-8; Boundary=x', 'preamble\r\n--x\r\nX: y\r\nContent-Disposition: form-data; name="q"\r\n\r\n1\r\n--x--\r\nepilogue'],
    ['multipart/form-data; boundary=x', '--x\r\nX: y\r\n\r\nno name\r\n--x\r\nContent-Disposition: form-data; filename="name=f"; name="q"\r\n\r\n1\r\n--x--'],
  ])('reads %s %j', (type, body) => {
    expect(readMultipart(bytes(body), type)!.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)])).toEqual([['q', '1']])
  }) // prettier-ignore
})

const quotes = '\\"'.repeat(200_000)

it.each<[what: string, text: string]>([
  ['a text', `["${quotes}`],
  ['a text after its last backslash', `["${quotes}\\`],
  ['a text after a long number', `[1234567890123456789,"${quotes}`],
])('a body that ends within %s is refused in time that grows with the length', (_, text) => {
  expectCpuTime(250, () => expect(parseJson(text)).toHaveProperty('malformed'))
  expectCpuTime(250, () => redactBody(text, 'application/json'))
  expectCpuTime(250, () => hasExactNumbers(text))
})

it.each<[header: string | undefined, codings: string[] | undefined]>([
  [undefined, []],
  ['', []],
  ['identity', []],
  ['gzip', ['gzip']],
  ['X-GZip', ['gzip']],
  ['gzip, identity ,BR', ['br', 'gzip']],
  ['a, b, c, d', ['d', 'c', 'b', 'a']],
  ['a, b, c, d, e', undefined],
  [',,a,', ['a']],
  [`${'identity,'.repeat(10_000)}gzip`, []], // never read to its end
])('content-encoding %j', (header, codings) => {
  expect(codingsOf({ 'content-encoding': header })).toEqual(codings)
})

it.each([
  [[0x78, 0x9c], true],
  [[0x78, 0x01], true],
  [[0x78, 0x9d], false],
  [[0x4b, 0x04], false],
  [[], false],
])('zlib begins with %j: %s', (bytes, expected) => {
  expect(isZlib(Uint8Array.from(bytes))).toBe(expected)
})
