import { expect, it } from 'vitest'
import {
  parseHeaders,
  resendProblem,
  toTry,
  urlProblem,
  withContentType,
} from '../../../../src/inspector/page/logic/send.ts'
import { yamlLines } from '../../../../src/inspector/page/logic/values.ts'
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

it('YAML has its keys and comments set apart, and keeps its text', () => {
  const yaml = [
    '# a route',
    '- path: /a',
    '  when: { query: { q: "a # b" } }',
    "  $in: ['#']",
    '  n: 1 # was 2',
    '  "x y": "1" # was 1',
    '- plain: http://x#y',
  ].join('\n')
  const lines = yamlLines(`${yaml}\n`)
  expect(lines.map((pieces) => pieces.map(({ text }) => text).join('')).join('\n')).toBe(yaml)
  const keys = lines.flat().filter(({ kind }) => kind === 'key')
  expect(keys.map(({ text }) => text)).toEqual(['path', 'when', '$in', 'n', '"x y"', 'plain'])
  const comments = lines.flat().filter(({ kind }) => kind === 'comment')
  expect(comments.map(({ text }) => text)).toEqual(['# a route', ' # was 2', ' # was 1'])
})
