import { describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../../src/core/graphql/document.ts'
import { readGraphQL, type GraphQLParams } from '../../../src/core/graphql/params.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { rawRequest } from '../send.ts'
import type { RawRequest } from '../../../src/core/http/raw-request.ts'

const readDocument = createDocumentReader(defaultGraphQL)
/** What is read at once: everything but an upload. */
const readNow = (raw: RawRequest) => readGraphQL(raw, readDocument)

describe('readGraphQL', () => {
  const q = '{ a }'
  const read = (type: string | undefined, body?: string, search = '') =>
    readNow(rawRequest({ method: 'POST', search, headers: { 'content-type': type }, body }))
  const one = (fields: Partial<GraphQLParams>) => ({
    params: fields,
  })

  it.each<[type: string | undefined, body: string | undefined, fields: Partial<GraphQLParams>, search?: string]>([
    ['application/json', '{"query":"{ a }","operationName":"A","variables":{"b":1}}', { query: q, operationName: 'A', variables: { b: 1 } }],
    ['application/graphql-response+json; charset=utf-8', '{"query":"{ a }"}', { query: q }],
    [undefined, '{"operationName":"A"}', { operationName: 'A' }],
    ['text/plain;charset=UTF-8', ' {"operationName":"A"}', { operationName: 'A' }],
    ['application/x-www-form-urlencoded', '{"operationName":"A"}', { operationName: 'A' }],
    ['application/json', '\uFEFF{"operationName":"A"}', { operationName: 'A' }],
    ['application/json', '{}', {}],
    ['application/json', '{"query":null,"operationName":null,"variables":null}', {}],
    ['application/json', '{"query":"","operationName":"","variables":"","extensions":""}', {}],
    ['application/json', '{"extensions":{"persistedQuery":{"version":1}}}', { extensions: { persistedQuery: { version: 1 } } }],
    ['application/x-www-form-urlencoded', 'extensions={"a":1}', { extensions: { a: 1 } }],
    ['application/graphql', '{ a }', { query: q }],
    ['application/graphql; charset=utf-8', '\uFEFF{ a }', { query: q }],
    ['application/graphql', '{ a }', { query: q, operationName: 'A' }, 'operationName=A&query=x'],
    ['application/x-www-form-urlencoded', 'query A { a }', { query: 'query A { a }' }],
    ['application/x-www-form-urlencoded', q, { query: q }],
    ['application/x-www-form-urlencoded', q, { query: q, operationName: 'A' }, 'operationName=A'],
    ['text/plain', 'mutation($id: ID) { a(id: $id) }', { query: 'mutation($id: ID) { a(id: $id) }' }],
    [undefined, '{ ...A } fragment A on Query { a }', { query: '{ ...A } fragment A on Query { a }' }],
    [undefined, '# the hero\n{ a }', { query: '# the hero\n{ a }' }],
    ['application/x-www-form-urlencoded', 'query=query', { query: 'query' }],
    ['application/x-www-form-urlencoded', 'query=%7B+a+%7D&operationName=A&variables=%7B%22b%22%3A1%7D', { query: q, operationName: 'A', variables: { b: 1 } }],
    ['application/x-www-form-urlencoded', 'variables=', {}],
    ['application/json', '', {}],
    ['application/json', ' \n', { operationName: 'A' }, 'operationName=A'],
    [undefined, undefined, {}],
    [undefined, undefined, { query: q, variables: { b: [1] } }, 'query={ a }&variables={"b":[1]}'],
  ])('POST %s %j', (type, body, fields, search) => {
    expect(read(type, body, search)).toMatchObject(one(fields))
  }) // prettier-ignore

  it.each<[search: string, fields: Partial<GraphQLParams>]>([
    ['', {}],
    ['query=%7B%20a%20%7D&query=x', { query: q }],
    ['operationName=A&variables=%7B%22b%22:1%7D', { operationName: 'A', variables: { b: 1 } }],
    ['operationName=&variables=null', {}],
  ])('GET "%s"', (search, fields) => {
    for (const method of ['GET', 'HEAD'])
      expect(readNow(rawRequest({ method, search, body: '{"operationName":"X"}' }))).toMatchObject(one(fields))
  }) // prettier-ignore

  it('keeps the whole payload', () => {
    const payload = { operationName: 'A', extensions: { persistedQuery: { version: 1 } } }
    expect(read('application/json', JSON.stringify(payload))).toMatchObject({ params: { payload } })
    expect(read('application/x-www-form-urlencoded', 'variables={"a":1}&id=7')).toMatchObject({
      params: { payload: { id: '7', variables: { a: 1 } } },
    })
  })

  it('reads a batch in its order', () => {
    expect(read(undefined, '[{"operationName":"A"},{},{"query":"{ a }"}]')).toMatchObject({
      batch: [one({ operationName: 'A' }).params, one({}).params, one({ query: q }).params],
    })
    expect(read(undefined, JSON.stringify(Array(100).fill({})))).toMatchObject({
      batch: Array(100).fill(one({}).params),
    })
  })

  const json = 'application/json'
  it.each<[type: string | undefined, body: string | undefined, reason: RegExp, search?: string]>([
    [json, '{"query":', /\(the body is 9 characters long\)$/],
    [json, 'null', /^a GraphQL request must be an object, or a list of them$/],
    [json, '"text"', /^a GraphQL request must be an object, or a list of them$/],
    [json, '7', /^a GraphQL request must be an object, or a list of them$/],
    [json, '[]', /^a batch needs at least one operation$/],
    [json, JSON.stringify(Array(101).fill({})), /^a batch may have 100 operations at most$/],
    [json, '[{},null]', /^every entry of a batch must be an object$/],
    [json, '[[{}]]', /^every entry of a batch must be an object$/],
    [json, '["a"]', /^every entry of a batch must be an object$/],
    [json, '{"query":1}', /^"query" must be a string$/],
    [json, '{"operationName":["A"]}', /^"operationName" must be a string$/],
    [json, '{"variables":"a"}', /^"variables" must be an object$/],
    [json, '{"variables":[]}', /^"variables" must be an object$/],
    [json, '[{},{"extensions":false}]', /^"extensions" must be an object$/],
    [undefined, undefined, /^"extensions" must be an object$/, 'extensions=1'],
    [json, 'query A { a }', /^it is a GraphQL document, not JSON such as \{"query":"\{ a \}"\}$/],
    [json, q, /^it is a GraphQL document, not JSON/],
    [undefined, '{operationName:A}', /characters long\)$/],
    [undefined, '{ operationName : A }', /characters long\)$/],
    [undefined, '{"a', /characters long\)$/],
    ['text/plain', 'queries', /characters long\)$/],
    ['application/x-www-form-urlencoded', 'variables={', /^"variables": /],
    [undefined, undefined, /^"variables": /, 'variables=x'],
  ])('refuses %s %j', (type, body, reason, search) => {
    expect(read(type, body, search)).toEqual({ malformed: expect.stringMatching(reason) as string })
  })

  it('refuses malformed variables of a GET', () => {
    expect(readNow(rawRequest({ search: 'query=x&variables={' })).malformed).toMatch(/^"variables": /)
  })
})
