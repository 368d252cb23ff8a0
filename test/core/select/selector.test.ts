import { describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../../src/core/graphql/document.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { GraphQLParams } from '../../../src/core/graphql/params.ts'
import { ParsedRequest } from '../../../src/core/request/parsed-request.ts'
import type { Predicate } from '../../../src/core/schema/schema.ts'
import type { FixtureSelector } from '../../../src/core/schema/selector-schema.ts'
import { readField, selectsByBody } from '../../../src/core/select/selector.ts'
import { parsedRequest, rawRequest, failedConditions } from '../send.ts'
import { compileSelector } from '../../../src/core/select/compile-selector.ts'

const place = (path: readonly string[]) => ({ file: 'a.yaml', pointer: path.join('/') })

const compile = (when: FixtureSelector | Predicate) => compileSelector(when, place).selector
const holds = (when: FixtureSelector, request: ParsedRequest) =>
  failedConditions(compile(when), request).length === 0

/** An object with one key, `__proto__` included. */
const one = <T>(key: string, value: T) => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as Record<string, T> // prettier-ignore

const prototypeNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

describe('texts: query, params, headers, cookies', () => {
  const request = parsedRequest(
    {
      search:
        'page=2&page=3&empty=&bare&q=a%20b&version=1.10&zip=01234&long=12345678901234567&digits=1234567890123456&yes=true',
      headers: { 'x-tenant': 'a', 'x-list': ['a', 'b'], cookie: 'session=1; session=2; theme=%C3%BC' },
    },
    undefined,
    { id: '404', name: 'a/b' },
  )

  it.each<[when: FixtureSelector, holds: boolean]>([
    [{ query: { page: 2 } }, true],
    [{ query: { page: '02' } }, false],
    [{ query: { version: 1.1 } }, true],
    [{ query: { version: '1.1' } }, false],
    [{ query: { version: '1.10' } }, true],
    [{ query: { zip: 1234 } }, true],
    [{ query: { zip: '1234' } }, false],
    [{ query: { empty: 0 } }, false],
    [{ query: { long: 12345678901234567 } }, false],
    [{ query: { long: '12345678901234567' } }, true],
    [{ query: { digits: 1234567890123456 } }, true],
    [{ query: { digits: 1234567890123457 } }, false],
    [{ query: { yes: 'true' } }, true],
    [{ query: { yes: 1 } }, false],
    [{ query: { Page: 2 } }, false],
    [{ query: { empty: '' } }, true],
    [{ query: { bare: '' } }, true],
    [{ query: { absent: '' } }, false],
    [{ query: { q: 'a b' } }, true],
    [{ query: {} }, true],
    [{}, true],
    [{ query: { page: 2, q: 'x' } }, false],
    [{ params: { id: 404 } }, true],
    [{ params: { other: '404' } }, false],
    [{ headers: { 'X-Tenant': 'a' } }, true],
    [{ headers: { 'x-tenant': 'A' } }, false],
    [{ headers: { 'X-LIST': 'a, b' } }, true],
    [{ headers: { 'x-list': 'a' } }, false],
    [{ cookies: { session: 1 } }, true],
    [{ cookies: { Session: 1 } }, false],
    [{ cookies: { theme: 'ü' } }, true],
    [{ query: { page: 2 }, cookies: { session: 1 }, headers: { 'x-tenant': 'a' } }, true],
    [{ query: { page: 2 }, cookies: { session: 1 }, headers: { 'x-tenant': 'b' } }, false],
  ])('%j: %s', (when, expected) => {
    expect(holds(when, request)).toBe(expected)
  })

  it.each<[literal: string | number | boolean, text: string]>([
    [true, 'true'],
    [false, 'false'],
    [0, '0'],
    [-1.5, '-1.5'],
    ['', ''],
    ['null', 'null'],
  ])('compares %j by its text', (literal, text) => {
    expect(holds({ query: { a: literal } }, parsedRequest({ search: `a=${text}` }))).toBe(true)
    expect(holds({ query: { a: literal } }, parsedRequest({ search: `a=${text}x` }))).toBe(false)
  })

  it.each(prototypeNames)('takes %s for a plain name', (name) => {
    const has = {
      query: parsedRequest({ search: `${name}=1` }),
      headers: parsedRequest({ headers: one(name.toLowerCase(), '1') }),
      cookies: parsedRequest({ headers: { cookie: `${name}=1` } }),
      params: parsedRequest({}, undefined, one(name, '1')),
    }
    for (const source of ['query', 'headers', 'cookies', 'params'] as const) {
      expect([source, holds({ [source]: one(name, 1) }, has[source])]).toEqual([source, true])
      expect([source, holds({ [source]: one(name, 1) }, parsedRequest())]).toEqual([source, false])
      expect([source, holds({ [source]: one(name, '') }, parsedRequest())]).toEqual([source, false])
    }
  })
})

describe('values: body, variables', () => {
  it.each<[literal: unknown, value: unknown, holds: boolean]>([
    [{ a: 1 }, { a: '1' }, false],
    [{ a: '1' }, { a: 1 }, false],
    [{ a: true }, { a: 'true' }, false],
    [{ a: 0 }, { a: false }, false],
    [{ a: { b: { c: 1 } } }, { a: { b: { c: 1, d: 1 }, e: 1 } }, true],
    [{ a: { b: 1 } }, { a: null }, false],
    [{ 'a.b': 1 }, { a: { b: 1 } }, true],
    [{ 'a.b': { 'c.d': 1 } }, { a: { b: { c: { d: 1 } } } }, true],
    [{ 'a.b': 1, a: { c: 2 } }, { a: { b: 1, c: 2 } }, true],
    [{ 'a.b': 1, a: { b: 2 } }, { a: { b: 1 } }, false],
    [{ 'a.b': 1, a: { b: 1 } }, { a: { b: 1 } }, true],
    [{ 'a\\.b': 1 }, { 'a.b': 1 }, true],
    [{ 'a\\.b': 1 }, { a: { b: 1 } }, false],
    [{ 'a.b': 1 }, { 'a.b': 1 }, false],
    [{ 'a\\.b.c': 1 }, { 'a.b': { c: 1 } }, true],
    [{ 'a\\\\.b': 1 }, { 'a\\': { b: 1 } }, true],
    [{ 'a\\b': 1 }, { 'a\\b': 1 }, true],
    [{ 'a\\..b': 1 }, { 'a.': { b: 1 } }, true],
    [{ $or: [{ 'a\\.b': 1 }] }, { 'a.b': 1 }, true],
    [{ a: null }, { a: null }, true],
    [{ a: null }, {}, false],
    [{ a: null }, { a: 'null' }, false],
    [{ a: {} }, { a: { b: 1 } }, true],
    [{ a: {} }, { a: [] }, false],
    [{ a: {} }, { a: null }, false],
    [{ a: {} }, {}, false],
    [{ a: [] }, { a: [] }, true],
    [{ a: [] }, {}, false],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, true],
    [{ a: [{ b: 1 }] }, { a: [{ b: '1' }] }, false],
    [{ a: [[{}], null] }, { a: [[{ b: 1 }], null] }, true],
    [{ a: { length: 1 } }, { a: [7] }, false],
    [{ a: { length: 1 } }, { a: { length: 1 } }, true],
    [{ a: { length: 1 } }, { a: 'x' }, false],
    [{ '': 1 }, { '': 1 }, true],
    [{ '': 1 }, {}, false],
    [{ 'a.': 1 }, { a: { '': 1 } }, true],
    [{}, { a: 1 }, true],
    [{}, [], false],
    [{}, undefined, false],
  ])('%j on %j: %s', (literal, value, expected) => {
    const variables = value as GraphQLParams['variables']
    const graphql = new ParsedRequest(rawRequest(), {}, value, new GraphQLParams({ variables }))
    expect(holds({ body: literal }, parsedRequest({}, value))).toBe(expected)
    expect(holds({ variables: literal as Record<string, unknown> }, graphql)).toBe(expected)
  })

  it.each<[literal: unknown, body: unknown, holds: boolean]>([
    ['text', 'text', true],
    ['1', 1, false],
    [1, 1, true],
    [null, null, true],
    [null, undefined, false],
    [[], [], true],
    [[{ a: 1 }], [{ a: 1, b: 2 }], true],
    [[{ a: 1 }], { 0: { a: 1 } }, false],
  ])('the body %j on %j: %s', (literal, body, expected) => {
    expect(holds({ body: literal }, parsedRequest({}, body))).toBe(expected)
  })

  it.each(prototypeNames)('takes %s for a plain name', (name) => {
    for (const literal of [one(name, 1), one(`${name}.a`, 1), one('a', [one(name, 1)]), one(name, {})]) {
      const carries = JSON.parse(
        JSON.stringify(literal).replace(`${name}.a":1`, `${name}":{"a":1}`),
      ) as unknown
      expect(holds({ body: literal }, parsedRequest({}, carries))).toBe(true)
      expect(holds({ body: literal }, parsedRequest({}, {}))).toBe(false)
      expect(holds({ body: literal }, parsedRequest({}, { a: [{}] }))).toBe(false)
    }
  })
})

describe('GraphQL', () => {
  it.each<[when: FixtureSelector, holds: boolean]>([
    [{ operationName: 'A' }, true],
    [{ operationName: 'a' }, false],
    [{ operationType: 'mutation' }, true],
    [{ operationType: 'query' }, false],
    [{ variables: { id: 7 } }, true],
    [{ operationName: 'A', variables: { id: '7' } }, false],
  ])('%j: %s', (when, expected) => {
    const query = 'mutation A { a }'
    const document = createDocumentReader(defaultGraphQL)(query)
    const params = new GraphQLParams({ query, variables: { id: 7 } }, document)
    expect(holds(when, new ParsedRequest(rawRequest(), {}, {}, params))).toBe(expected)
    expect(holds(when, parsedRequest())).toBe(false)
  })
})

describe('failedConditions', () => {
  it.each<[when: FixtureSelector | Predicate, failed: [selector: string, expected: string, received: string][]]>([
    [{ query: { page: 2 } }, [['query.page', 'the string "2"', 'nothing']]],
    [{ query: { page: '2' } }, [['query.page', 'the string "2"', 'nothing']]],
    [{ query: { tag: 'c' } }, [['query.tag', 'the string "c"', '"a", "b"']]],
    [{ query: { $only: ['a'] } }, [['query', '{"$only":["a"]}', 'one that also has "tag"']]],
    [{ headers: { 'X-A': 'b' } }, [['headers.x-a', 'the string "b"', 'the string "a"']]],
    [{ headers: { 'X-A': 'a' }, body: { 'a.b.c': 1 } }, []],
    [{ body: { 'a.b': 1, c: 2 } }, [['body.a.b', 'the number 1', 'an object'], ['body.c', 'the number 2', 'nothing']]],
    [{ body: { l: [1], a: null } }, [['body.a', 'null', 'an object'], ['body.l', '[1]', 'a list']]],
    [{ body: 7 }, [['body', 'the number 7', 'an object']]],
    [() => { throw new TypeError('called again') }, [['predicate', 'a truthy value', 'a falsy value']]],
  ])('of %j are %j', (when, failed) => {
    const request = parsedRequest({ search: 'tag=a&tag=b', headers: { 'x-a': 'a' } }, { a: { b: { c: 1 } }, l: [2] })
    expect(failedConditions(compile(when), request)).toEqual(
      failed.map(([selector, expected, received]) => ({ selector, expected, received })),
    )
  }) // prettier-ignore
})

describe('predicates', () => {
  const test = (predicate: unknown) => compile(predicate as Predicate).tests[0]!

  it.each([
    [true, true],
    [1, true],
    [false, false],
    [undefined, false],
    [0, false],
  ])('that return %j hold: %s', (result, expected) => {
    expect(test(() => result).holds(parsedRequest())).toBe(expected)
  })
})

describe('compileSelector', () => {
  it('compiles scalars to equalities, and everything else to tests', () => {
    const { equalities, tests } = compile({
      query: { a: 1 },
      headers: { 'X-B': true },
      operationName: 'N',
      body: { 'c.d': null, e: { f: 2 }, g: [1], h: {} },
    })
    expect(equalities.map(({ field, value }) => [field.id, field.path, value])).toEqual([
      ['query.a', ['a'], 1],
      ['headers.x-b', ['x-b'], 'true'],
      ['operationName', [], 'N'],
      ['body.c.d', ['c', 'd'], null],
      ['body.e.f', ['e', 'f'], 2],
    ])
    expect(tests.map(({ field, written }) => [field?.id, written])).toEqual([
      ['body.g', [1]],
      ['body.h', {}],
    ])
  })
})

it.each<[when: FixtureSelector | Predicate, needed: boolean]>([
  [{}, false],
  [{ query: { a: 1 }, params: { a: 1 }, headers: { a: 1 }, cookies: { a: 1 } }, false],
  [{ query: { a: 1 }, body: { a: 1 } }, true],
  [{ body: [] }, true],
  [{ variables: {} }, true],
  [{ operationName: 'A' }, true],
  [{ operationType: 'query' }, true],
  [() => true, true],
])('%j needs the body: %s', (when, needed) => {
  expect(selectsByBody(compile(when))).toBe(needed)
})

it('reads a field', () => {
  const request = parsedRequest({ search: 'a.b=1' }, { a: { b: [{ c: 2 }] } })
  const [query] = compile({ query: { 'a.b': 1 } }).equalities
  const [list] = compile({ body: { 'a.b': [] } }).tests
  expect(readField(request, query!.field)).toBe('1')
  expect(readField(request, list!.field!)).toEqual([{ c: 2 }])
})
