import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/core/table/route-table.ts'
import { diagnoseRequest } from '../../../src/core/diagnostics/request-texts.ts'
import { errorResponse } from '../../../src/core/answer/error-response.ts'
import { explainUnmatched } from '../../../src/core/answer/explain-unmatched.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { parsedRequest, rawRequest, readResponse, tableOf } from '../send.ts'
import { placeInStack } from '../../../src/core/values/thrown.ts'

const endpointOf = (fixture: Fixture): Endpoint => tableOf(fixture).endpoints[0]!
const plain = endpointOf([{ path: '/a' }])
const graphql = endpointOf([{ path: '/graphql' }])
const text = { message: 'The body of GET /a exceeds 1 B.', fix: 'Send less, or raise the option "bodyLimit".' } // prettier-ignore
const code = 'request-body-too-large'
const diagnosed = (place = {}) => diagnoseRequest(code, place, { request: 'GET /a', limit: 1 })

describe('errorResponse', () => {
  it.each<[name: string, endpoint: Endpoint, place: object, details: Record<string, unknown>, body: object]>([
    ['plain', plain, {}, {}, { error: { ...text, code } }],
    ['plain, with more', plain, { file: 'a.ts', line: 2 }, { x: [1] }, { error: { ...text, code, place: 'a.ts:2', x: [1] } }],
    ['GraphQL', graphql, {}, {}, { errors: [{ message: text.message, extensions: { code, fix: text.fix } }] }],
    ['GraphQL, with more', graphql, { file: 'a.ts' }, { x: 1 }, { errors: [{ message: text.message, extensions: { code, fix: text.fix, place: 'a.ts', x: 1 } }] }],
  ])('%s', (_, endpoint, place, details, body) => {
    expect(readResponse(errorResponse({ endpoint, raw: rawRequest() }, 413, diagnosed(place), details))).toEqual({
      status: 413,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-length': String(JSON.stringify(body).length),
      },
      body,
      delay: 0,
    })
  }) // prettier-ignore
})

describe('explainUnmatched', () => {
  const place = 'fixtures/a.ts:1:1'
  const explain = (endpoint: Endpoint, request = parsedRequest()) => {
    const { response, diagnostic } = explainUnmatched(endpoint, request)
    const { status, body } = readResponse(response)
    expect(status).toBe(404)
    return { diagnostic, error: (body as { error: { routes: { route: string }[]; more?: number } }).error }
  }

  it.each<[when: object, search: string, body: unknown, said: string]>([
    [{ query: { $only: ['page'] } }, 'page=1&debug=1', {}, 'query to be {"$only":["page"]}, not one that also has "debug"'],
    [{ body: { a: { b: 1, $only: ['b'] } } }, '', { a: { b: 1, c: 2, d: 3 } }, 'body.a to be {"$only":["b"]}, not one that also has "c", "d"'],
    [{ body: { a: { $only: ['b'] } } }, '', { a: 7 }, 'body.a to be {"$only":["b"]}, not the number 7'],
  ])('names what %j does not list', (when, search, body, said) => {
    const endpoint = endpointOf([{ path: '/a', when }])
    const { diagnostic } = explain(endpoint, parsedRequest({ path: '/a', search }, body))
    expect(diagnostic!.message).toContain(`wants ${said}.`)
  }) // prettier-ignore

  it('lists all failed conditions of each route, the nearest route first', () => {
    const endpoint = endpointOf([
      { path: '/a', name: 'one', when: { query: { page: 2 }, headers: { x: 1 } } },
      { path: '/a', when: { body: { l: [1] } } },
      { path: '/a', when: () => { throw new TypeError('called again') } },
    ])
    const request = parsedRequest({ path: '/a', search: 'page=3' }, { l: [] })
    const { diagnostic, error } = explain(endpoint, request)
    const page = { selector: 'query.page', expected: 'the string "2"', received: 'the string "3"' }
    const message = `No route matched GET /a?page=3. Closest: "GET /a #2" (${place}) wants body.l to be [1], not an empty list.`
    const fix = 'Correct the request, correct a selector, or add a route without "when" as the default.'
    expect(error).toEqual({
      message,
      code: 'route-unmatched',
      fix,
      routes: [
        { route: 'GET /a #2', place, unmet: [{ selector: 'body.l', expected: '[1]', received: 'an empty list' }] },
        { route: 'GET /a #3', place, unmet: [{ selector: 'predicate', expected: 'a truthy value', received: 'a falsy value' }] },
        { route: 'one', place, unmet: [page, { selector: 'headers.x', expected: 'the string "1"', received: 'nothing' }] },
      ],
    })
    expect(diagnostic).toEqual({
      code: 'route-unmatched',
      severity: 'error',
      message,
      fix,
      frame: [
        `  - "GET /a #3" (${place}), whose function "when" returned a falsy value`,
        `  - "one" (${place}) wants query.page to be the string "2", not the string "3", and headers.x to be the string "1", not nothing`,
      ].join('\n'),
    })
  }) // prettier-ignore

  it('does not list the only route a second time', () => {
    const endpoint = endpointOf([{ path: '/a', when: { query: { page: 2 } } }])
    expect(explain(endpoint).diagnostic).not.toHaveProperty('frame')
  })

  it.each([
    [20, undefined],
    [21, 1],
    [25, 5],
  ])('of %i routes, shows 20 and counts the others: %j', (count, more) => {
    const endpoint = endpointOf(Array.from({ length: count }, (_, n) => ({ path: '/a', when: { query: { n } } }))) // prettier-ignore
    const { diagnostic, error } = explain(endpoint)
    expect([error.routes.length, error.more]).toEqual([20, more])
    expect(diagnostic!.frame!.split('\n').slice(19)).toEqual(more ? [`  … and ${more} more`] : [])
  })
})

describe('placeInStack', () => {
  const at = (stack: string | undefined) => Object.assign(new Error('m'), { stack })

  it.each<[error: unknown, place: object]>([
    [at('Error: m\n    at f (/p/b.ts:1:1)\n    at g (/p/fixtures/a.ts:12:7)'), { line: 12 }],
    [at('Error: m\n    at /p/fixtures/a.ts:3:4\n    at /p/fixtures/a.ts:9:9'), { line: 3 }],
    [at('Error: m\n    at async file:///p/fixtures/a.ts:3:4'), { line: 3 }],
    [at('Error: m\n    at f (C:\\p\\fixtures\\a.ts:3:4)'), { line: 3 }],
    [at('Error: m\n    at f (C:/p/fixtures/a.ts:3:4)'), { line: 3 }],
    [at('Error: m\n    at f (/p/b.ts:1:1)'), {}],
    [at('Error: in fixtures/a.ts: oh'), {}],
    [at(undefined), {}],
    ['fixtures/a.ts:1:1', {}],
    [null, {}],
  ])('%#', (error, place) => {
    expect(placeInStack(error, 'fixtures/a.ts')).toEqual(place)
  })
})
