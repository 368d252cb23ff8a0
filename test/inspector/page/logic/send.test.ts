import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asCurl,
  asFetch,
  fromGraphql,
  parseHeaders,
  resendProblem,
  toGraphql,
  toTry,
  urlProblem,
  withContentType,
} from '../../../../src/inspector/page/logic/send.ts'
import { details } from './request.ts'

const body = (text: string) => ({ size: text.length, text, isCut: false })

it('a recorded request can be edited, without what the browser sets and what is hidden', () => {
  const headers = { host: 'localhost', authorization: '…', 'x-tenant': 'a: b', 'content-type': 'text/plain' }
  const request = details({ method: 'POST', url: '/a?b=c', headers, body: body('x') })
  expect(toTry(request)).toEqual({
    method: 'POST',
    url: '/a?b=c',
    headers: 'x-tenant: a: b\ncontent-type: text/plain',
    body: 'x',
  })
})

it.each([
  [details(), undefined],
  [details({ body: body('x') }), undefined],
  [details({ url: '/a?token=…' }), 'Secret values are hidden: replace each …, then send.'],
  [details({ body: body('{"password":"…"}') }), 'Secret values are hidden: replace each …, then send.'],
  [details({ body: { ...body('x'), isCut: true } }), expect.stringContaining('too long')],
  [details({ body: { size: 3, isCut: false } }), expect.stringContaining('not text')],
])('request %# can be sent as it is, or not', (request, problem) => {
  expect(resendProblem(request)).toEqual(problem)
})

it.each([
  ['', { headers: {} }],
  [
    'X-Tenant:a\n\n  accept :  text/html , */*  ',
    { headers: { 'x-tenant': 'a', accept: 'text/html , */*' } },
  ],
  ['a: b:c', { headers: { a: 'b:c' } }],
  ['a: 1\nno header', { problem: 'Line 2 is not a header. Write it as "name: value".' }],
  ['ä: 1', { problem: 'Line 1 is not a header. Write it as "name: value".' }],
])('the headers %j', (text, parsed) => expect(parseHeaders(text)).toEqual(parsed))

it.each(['/', '/items?page=2', '/a/%20'])('%s can be sent', (url) => expect(urlProblem(url)).toBeUndefined())
it.each(['', 'items', '//example.com/', 'https://example.com/'])('%s is not of this server', (url) =>
  expect(urlProblem(url)).toBeDefined(),
)

it('a body that looks like JSON is sent as JSON, if nothing else is said', () => {
  expect(withContentType({}, ' {"a":1}')).toEqual({ 'content-type': 'application/json' })
  expect(withContentType({}, 'a=1')).toEqual({})
  expect(withContentType({ 'content-type': 'text/plain' }, '[]')).toEqual({ 'content-type': 'text/plain' })
})

const variables = '{\n  "id": 7\n}'
it.each([
  ['', { query: '', variables: '', operationName: '' }],
  ['{"query":"{ a }"}', { query: '{ a }', variables: '', operationName: '' }],
  [
    '{"query":"{ a }","variables":{"id":7},"operationName":"A"}',
    { query: '{ a }', variables, operationName: 'A' },
  ],
  [
    '{"query":"{ a }","variables":"{ \\"id\\":"}',
    { query: '{ a }', variables: '{ "id":', operationName: '' },
  ],
  ['{"query":"{ a }","extensions":{}}', undefined],
  [
    '{"query":"{ a }","variables":{"id":12345678901234567}}',
    { query: '{ a }', variables: variables.replace('7', '12345678901234567'), operationName: '' },
  ],
  ['[]', undefined],
  ['a=1', undefined],
])('the GraphQL parts of the body %j', (text, parts) => {
  expect(toGraphql(text)).toEqual(parts)
  if (parts && text !== '')
    expect(JSON.parse(fromGraphql(parts))).toEqual({ query: '', ...(JSON.parse(text) as object) })
})

const origin = 'http://localhost:5173'
const browserHeaders = {
  host: 'localhost:5173',
  'user-agent': 'Mozilla',
  'sec-fetch-mode': 'cors',
  cookie: '…',
  'accept-encoding': 'gzip',
  'content-length': '2',
}

describe('as cURL', () => {
  it.each([
    [
      { method: 'GET', url: '/items?page=2', headers: browserHeaders },
      `curl 'http://localhost:5173/items?page=2'`,
    ],
    [
      { method: 'DELETE', url: '/items/1', headers: {} },
      'curl http://localhost:5173/items/1 \\\n  -X DELETE',
    ],
    [{ method: 'HEAD', url: '/', headers: {} }, 'curl http://localhost:5173/ \\\n  --head'],
    [
      {
        method: 'POST',
        url: '/graphql',
        headers: { ...browserHeaders, 'content-type': 'application/json', 'x-tenant': "it's" },
        body: body(`{"a":"it's"}`),
      },
      String.raw`curl http://localhost:5173/graphql \
  -H 'content-type: application/json' \
  -H 'x-tenant: it'\''s' \
  --data-raw '{"a":"it'\''s"}'`,
    ],
  ])('%#', (request, command) => expect(asCurl(request, origin)).toBe(command))

  it.skipIf(process.platform === 'win32')('a shell gives curl what was sent, whatever it was', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => !value.includes('\0'))
    const texts = fc.sample(text, 100).map((value) => value.toWellFormed())
    const commands = texts.map((sent) =>
      asCurl({ method: 'POST', url: '/', headers: {}, body: body(sent) }, origin),
    )
    // One shell for all of them.
    const script = `curl() { printf '%s\\0' "$3"; }\n${commands.join('\n')}`
    const printed = execFileSync('sh', ['-c', script]).toString().split('\0')
    expect(printed.slice(0, -1)).toEqual(texts)
  })
})

it.each([
  [{ method: 'GET', url: '/items', headers: browserHeaders }, 'await fetch("/items")'],
  [
    { method: 'POST', url: '/a', headers: { 'x-a': '1' }, body: body('</script>') },
    'await fetch("/a", {\n  "method": "POST",\n  "headers": {\n    "x-a": "1"\n  },\n  "body": "</script>"\n})',
  ],
])('as fetch: %#', (request, code) => expect(asFetch(request)).toBe(code))
