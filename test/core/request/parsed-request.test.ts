import fc from 'fast-check'
import { createDocumentReader } from '../../../src/core/graphql/document.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { describe, expect, it } from 'vitest'
import { GraphQLParams } from '../../../src/core/graphql/params.ts'
import { functionRequest, ParsedRequest } from '../../../src/core/request/parsed-request.ts'
import { parsedRequest, rawRequest } from '../send.ts'
import { firstValues, headerText } from '../../../src/core/http/raw-request.ts'
import { sampling } from '../../sampling.ts'

const readDocument = createDocumentReader(defaultGraphQL)

const piece = fc.constantFrom('a', 'b', 'ab', '&', '=', '%', '+', '?', '#', '%61', '%C3', 'ü', '😀', ';', '.')
const text = fc.oneof(
  fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
)
/** Names that are often in the search string. */
const searchAndName = fc.oneof(
  fc.tuple(text, text),
  text.chain((search) => fc.tuple(fc.constant(search), fc.constantFrom(...search.split(/[&=]/), 'a'))),
)

describe('firstValues', () => {
  it.each<[search: string, name: string, value: string | undefined]>([
    ['page=2&page=3', 'page', '2'],
    ['page', 'page', ''],
    ['page=', 'page', ''],
    ['page=&page=2', 'page', ''],
    ['mypage=1&page=2', 'page', '2'],
    ['pages=1', 'page', undefined],
    ['PAGE=1', 'page', undefined],
    ['&&page=2', 'page', '2'],
    ['a=page=2', 'page', undefined],
    ['a=b=c', 'a', 'b=c'],
    ['&=x', '', 'x'],
    ['?a=1', 'a', undefined],
    ['?a=%31', 'a', undefined],
    ['p%61ge=%32', 'page', '2'],
    ['a=%zz', 'a', '%zz'],
    ['a+b=c+d', 'a b', 'c d'],
    ['', '', undefined],
    ['__proto__=1', '__proto__', '1'],
    ['a=1', 'toString', undefined],
  ])('of %j, %j is %j', (search, name, value) => {
    expect(firstValues(search)[name]).toBe(value)
  })

  it('gives the same value as URLSearchParams for any search string and name', () => {
    fc.assert(
      fc.property(searchAndName, ([search, name]) => {
        const values = firstValues(search)
        expect(Object.hasOwn(values, name) ? values[name] : undefined).toBe(
          new URLSearchParams(`?${search}`).get(name) ?? undefined,
        )
      }),
      sampling(50),
    )
  })

  it('treats names of object members like any other name', () => {
    const values = firstValues('__proto__=1&constructor=2&__proto__=3')
    expect(Object.entries(values)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
    expect(Object.getPrototypeOf(values)).toBeNull()
  })
})

it.each([
  [{ a: 'x' }, 'a', 'x'],
  [{ a: ['x', 'y'] }, 'a', 'x, y'],
  [{ a: undefined }, 'a', undefined],
  [{}, 'constructor', undefined],
])('headerText of %j, %j is %j', (headers, name, text) => {
  expect(headerText(headers, name)).toBe(text)
})

describe('ParsedRequest', () => {
  it.each([
    [{ url: '/a?b', headers: { host: 'x.test:1' } }, 'http://x.test:1/a?b'],
    [{ url: '/a', headers: { ':authority': 'x.test', ':scheme': 'https' } }, 'https://x.test/a'],
    [{ url: '/a', host: 'x.test:1', isSecure: true }, 'https://x.test:1/a'],
    [{ url: 'https://y.test/a', headers: { host: 'x.test' } }, 'https://y.test/a'],
    [{ url: '/a', headers: { host: 'a b' } }, 'http://localhost/a'],
    [{ url: '*', headers: { host: 'x.test' } }, 'http://x.test/'],
  ])('the URL of %j is %s', (raw, href) => {
    expect(parsedRequest(raw).url.href).toBe(href)
  })

  it.each([
    [{}, true],
    [{ headers: { host: 'app.localhost:1' } }, true],
    [{ host: '[::1]:1' }, true],
    [{ headers: { host: 'x.test' } }, false],
    [{ headers: { ':authority': '192.168.1.5' } }, false],
    [{ headers: { host: 'a b' } }, false],
    [{ headers: { host: 'localhost' }, inspected: { otherMachine: () => '192.0.2.1' } }, false],
    [{ headers: { host: 'localhost' }, inspected: { otherMachine: () => undefined } }, true],
  ])('whether %j is local: %s', (raw, isLocal) => {
    expect(functionRequest(parsedRequest(raw)).isLocal).toBe(isLocal)
  })

  it('shows what a function in a fixture file may read', () => {
    const request = new ParsedRequest(
      rawRequest({
        method: 'POST',
        path: '/a/7',
        search: 'x=1&x=2&y=%20',
        headers: { cookie: 'a=1; a=2; b="q"; c=%20; bad=%zz; __proto__=p' },
      }),
      { id: '7' },
      { z: 1 },
    )
    expect({
      method: request.method,
      path: request.path,
      url: request.url.href,
      params: request.params,
      query: request.query,
      cookies: Object.entries(request.cookies),
      body: request.body,
    }).toEqual({
      method: 'POST',
      path: '/a/7',
      url: 'http://localhost/a/7?x=1&x=2&y=%20',
      params: { id: '7' },
      query: { x: '1', y: ' ' },
      cookies: [
        ['a', '1'],
        ['b', '"q"'],
        ['c', ' '],
        ['bad', '%zz'],
        ['__proto__', 'p'],
      ],
      body: { z: 1 },
    })
    expect(request.query).toBe(request.query)
    expect(request.cookies).toBe(request.cookies)
  })

  it('has no cookies and no GraphQL where there are none', () => {
    const request = parsedRequest()
    expect([Object.keys(request.cookies), request.operationName, request.operationType]).toEqual([
      [],
      undefined,
      undefined,
    ])
    expect(request.variables).toBeUndefined()
  })

  it.each<[query: string | undefined, named: string | undefined, name: string | undefined, type?: string]>([
    ['mutation M { a }', undefined, 'M', 'mutation'],
    ['{ a }', undefined, undefined, 'query'],
    ['query A { a } subscription B { b }', 'B', 'B', 'subscription'],
    ['query A { a } query B { b }', undefined, undefined],
    ['query A { a }', 'Other', 'Other'],
    [undefined, 'Named', 'Named'],
    ['query {', 'Named', 'Named'],
    ['query {', undefined, undefined],
  ])('names the operation of %j, named %j: %j', (query, operationName, name, type) => {
    const document = query === undefined ? undefined : readDocument(query)
    const params = new GraphQLParams({ query, operationName }, document)
    const request = new ParsedRequest(rawRequest(), {}, undefined, params)
    expect([request.operationName, request.operationType]).toEqual([name, type])
  })
})
