import { describe, expect, it } from 'vitest'
import type { UploadedFile } from '../../../src/core/http/body.ts'
import type { FixtureRequest } from '../../../src/core/schema/function-types.ts'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { routesOf, send, tableOf } from '../send.ts'

const json = 'application/json; charset=utf-8'
const graphql = 'application/graphql-response+json; charset=utf-8'
const accepts = { accept: 'application/graphql-response+json' }
const own = 'application/vnd.example+json'
const data = { hero: 'R2-D2' }

const fixture = [
  { path: '/graphql', name: 'default', response: { body: { data } } },
  { path: '/graphql', name: 'failing', when: { operationName: 'Fails' }, response: { body: { errors: [{ message: 'no', path: ['hero'] }], data: null } } },
  { path: '/graphql', name: 'persisted', when: { extensions: { persistedQuery: { sha256Hash: { $regex: '^abc' } } } }, response: { body: { data: { persisted: true } } } },
  { path: '/graphql', name: 'by document', when: { query: 'query { a(x: 1, y: $v) { b ...F } } fragment F on B { c }' }, response: { body: { data: { a: {} } } } },
  { path: '/graphql', name: 'by plain document', when: { query: '{ u { name id } }' }, response: { body: { data: { u: {} } } } },
  { path: '/graphql', name: 'by named document', when: { query: 'mutation Save { save }' }, response: { body: { data: { save: 1 } } } },
  { path: '/graphql', name: 'uploaded', when: { operationName: 'Upload', variables: { to: 'album' } }, response: { body: { data: { upload: true } } } },
  { path: '/graphql', name: 'own type', when: { operationName: 'Own' }, response: { headers: { 'content-type': own }, body: { data } } },
  { path: '/graphql', name: 'function', when: { operationName: 'Function' }, response: ({ extensions }: { extensions: unknown }) => ({ body: { data: extensions } }) },
] // prettier-ignore

const lenient = tableOf(fixture)
const strict = tableOf(fixture, { strict: true })
const post = (table: typeof lenient, body: unknown, headers: Record<string, string> = {}) =>
  send(table, 'POST /graphql', {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

const persistedQueryNotFound = {
  errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
}

describe('the route that answers', () => {
  it.each<[body: unknown, route: string]>([
    [{}, 'default'],
    [{ query: 'query Fails { hero }' }, 'failing'],
    [{ extensions: { persistedQuery: { version: 1, sha256Hash: 'abcdef' } } }, 'persisted'],
    [{ extensions: { other: 1 } }, 'default'],
    [{ operationName: 'Fails', extensions: { persistedQuery: { version: 1, sha256Hash: 'xabc' } } }, 'failing'],
    [{ query: 'query Other($v: Int) { a(y: $v, x: 1) { __typename ... on B { c } b } }', variables: { v: 2 } }, 'by document'],
    [{ query: '{ a(y: $v, x: 1) { b } }' }, 'default'],
    [{ query: '{ x: a(y: $v, x: 1) { b ...F } } fragment F on B { c }' }, 'default'],
    [{ query: '{ u { ...N id } } fragment N on U { name }' }, 'by plain document'],
    [{ query: '{ u { ... on U { name id } } }' }, 'by plain document'],
    [{ query: '{ u { name } }' }, 'default'],
    [{ query: 'mutation Save { save __typename }' }, 'by named document'],
    [{ query: 'mutation Other { save }' }, 'default'],
    [{ query: 'mutation Save { save other }' }, 'default'],
    [{ query: 'no document' }, 'default'],
    [{ query: 'query A { a } query Fails { b }', operationName: 'Fails' }, 'failing'],
  ])('%j: %s', async (body, route) => {
    const { status, headers } = await post(lenient, body)
    expect([status, headers['x-mock-route']]).toEqual([200, route])
  }) // prettier-ignore
})

describe('an upload', () => {
  const form = (fields: Record<string, string>) => {
    const parts = Object.entries(fields).map(
      ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file = '--x\r\ncontent-disposition: form-data; name="0"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nabc\r\n' // prettier-ignore
    return `${parts.join('')}${file}--x--\r\n`
  }
  const operations = { query: 'mutation Upload($file: Upload!, $to: ID) { upload }', variables: { file: null, to: 'album' } } // prettier-ignore
  const map = '{"0":["variables.file"]}'
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }

  it.each<[name: string, body: string, headers: Record<string, string>, status: number, body: object]>([
    ['of one operation', form({ operations: JSON.stringify(operations), map }), multipart, 200, { data: { upload: true } }],
    ['of a batch', form({ operations: JSON.stringify([operations, {}]), map: '{"0":["0.variables.file"]}' }), multipart, 200, [{ data: { upload: true } }, { data }] as object],
    ['without operations', form({ map }), multipart, 400, { errors: [{ message: expect.stringContaining('the field "operations", which has the query in JSON, is missing in the form') as string }] }],
    ['with broken operations', form({ operations: '{' }), multipart, 400, { errors: [{ message: expect.stringContaining('"operations": ') as string }] }],
    ...[
      ['{', '"map": '],
      ['{"1":["variables.file"]}', '"map": the form has no file "1"'],
      ['{"0":["variables.list.0"]}', '"map": the operations have no "variables.list.0"'],
      ['{"0":["variables.file","variables.file.name"]}', '"map": the operations have no "variables.file.name"'],
      ['{"0":["__proto__.file"]}', '"map": the operations have no "__proto__.file"'],
    ].map(([map, message]): [string, string, Record<string, string>, number, object] =>
      [`with the map ${map}`, form({ operations: JSON.stringify(operations), map: map! }), multipart, 400, { errors: [{ message: expect.stringContaining(message!) as string }] }]),
    ['with another boundary', form({ operations: '{}' }), { 'content-type': 'multipart/form-data; boundary=y' }, 400, { errors: [{ message: expect.stringContaining('check the "boundary"') as string }] }],
    ['without a boundary', form({ operations: '{}' }), { 'content-type': 'multipart/form-data' }, 400, { errors: [{ message: expect.stringContaining('check the "boundary"') as string }] }],
    ['that is cut off', form({ operations: '{}' }).slice(0, 90), multipart, 400, { errors: [{ message: expect.stringContaining('not a multipart form') as string }] }],
  ])('%s', async (_, body, headers, status, expected) => {
    const sent = await post(lenient, body, headers)
    expect(sent.status).toBe(status)
    expect(sent.body).toMatchObject(expected)
  }) // prettier-ignore

  it('adds at most 8 MiB, wherever the map puts a file with a long name', async () => {
    const places = Array.from({ length: 20_000 }, (_, index) => `v${index}`)
    const variables = Object.fromEntries(places.map((place) => [place, 0]))
    const map = JSON.stringify({ 0: places.map((place) => `variables.${place}`) })
    const table = tableOf([{ path: '/graphql', response: { body: { data: { a: { $from: 'variables' } } } } }])
    const body = form({ operations: JSON.stringify({ query: '{ a }', variables }), map })
    const named = body.replace('a.txt', 'a'.repeat(300_000))
    expect((await post(table, named, multipart)).status).toBe(413)
  })

  it('has its files in the variables, with their content for functions, and fits "Upload!"', async () => {
    const source = 'scalar Upload type Query { a: Int } type Mutation { upload(files: [Upload!]!): String }'
    const { checker } = createChecker([{ file: 'a.graphql', text: source }], { scalars: {} })
    const routes = routesOf([
      {
        path: '/graphql',
        when: { variables: { files: [{ name: 'a.txt', type: 'text/plain', size: 3 }] } },
        response: ({ variables }: FixtureRequest) => {
          const [file] = variables!['files'] as UploadedFile[]
          return { body: { data: { upload: `${file!.text()} ${file!.bytes().length}` } } }
        },
      },
    ])
    const { table } = compileRoutes(routes, { graphql: defaultGraphQL, checker })
    const query = 'mutation ($files: [Upload!]!) { upload(files: $files) }'
    const body = form({ operations: JSON.stringify({ query, variables: { files: [null] } }), map: '{"0":["variables.files.0"]}' }) // prettier-ignore
    const sent = await send(table, 'POST /graphql', { body, headers: multipart })
    expect(sent.body).toEqual({ data: { upload: 'abc 3' } })
  })
})

describe('the media type of the answer', () => {
  it.each<[body: unknown, accept: string | undefined, type: string]>([
    [{}, undefined, json],
    [{}, '*/*', json],
    [{}, 'application/graphql-response+json', graphql],
    [{}, 'application/graphql-response+json, application/json;q=0.9', graphql],
    [{}, 'application/graphql-response+json;q=0.1, application/json;q=0.9', json],
    [{}, 'text/html', json],
    [[{}, {}], 'application/graphql-response+json', graphql],
    [{ query: '{ hero }', operationName: 'Fails' }, 'application/graphql-response+json', graphql],
    [{ operationName: 'Function' }, 'application/graphql-response+json', graphql],
    [{ operationName: 'Own' }, 'application/graphql-response+json', own],
    ['{', 'application/graphql-response+json', graphql],
    ['{', 'application/json', json],
  ])('%j for %s: %s', async (body, accept, type) => {
    const { headers } = await post(lenient, body, accept === undefined ? {} : { accept })
    expect(headers['content-type']).toBe(type)
  })

  it('does not change the body', async () => {
    const [first, second] = [await post(lenient, {}, accepts), await post(lenient, {}, accepts)]
    expect(first).toEqual(second)
    expect({ ...(await post(lenient, {})), headers: undefined }).toEqual({ ...first, headers: undefined })
  })
})

describe('a partial success', () => {
  const path = '/graphql'
  const errors = [{ message: 'no' }]
  const table = tableOf(
    [
      { path, when: { operationName: 'Partial' }, response: { body: { data, errors } } },
      { path, when: { operationName: 'Null' }, response: { body: { data: null, errors } } },
      { path, when: { operationName: 'Empty' }, response: { body: { data, errors: [] } } },
      { path, when: { operationName: 'Failed' }, response: { body: { errors } } },
      { path, when: { operationName: 'Other' }, response: { status: 203, body: { data, errors } } },
      {
        path,
        when: { operationName: 'Own' },
        response: { headers: { 'content-type': own }, body: { data, errors } },
      },
    ],
    { partialSuccess: true },
  )
  it.each<[name: string, accept: string, status: number]>([
    ['Partial', 'application/graphql-response+json', 294],
    ['Null', 'application/graphql-response+json', 294],
    ['Empty', 'application/graphql-response+json', 200],
    ['Failed', 'application/graphql-response+json', 200],
    ['Other', 'application/graphql-response+json', 203],
    ['Own', 'application/graphql-response+json', 200],
    ['Partial', 'application/json', 200],
    ['Partial', '*/*', 200],
  ])('%s for %s: %i', async (operationName, accept, status) => {
    expect((await post(table, { operationName }, { accept })).status).toBe(status)
    if (operationName === 'Partial') expect((await post(lenient, { operationName: 'Fails' }, { accept })).status).toBe(200)
  }) // prettier-ignore

  it('has no status of its own in a batch', async () => {
    expect(await post(table, [{ operationName: 'Partial' }], accepts)).toMatchObject({ status: 200, body: [{ data, errors }] })
  }) // prettier-ignore
})

const refused = (message: string, line?: number, column?: number) => ({
  errors: [{ message, ...(line !== undefined && { locations: [{ line, column }] }) }],
})
const subscription = 'Subscriptions are not served here: no route with a "stream" matches.'

describe('operations that are refused in every mode', () => {
  it.each<[name: string, target: string, body: unknown, status: number, answer: object]>([
    ['a subscription', 'POST', { query: 'subscription { a }' }, 400, refused(subscription, 1, 1)],
    ['the subscription of several', 'POST', { query: 'query A { a } subscription B { b }', operationName: 'B' }, 400, refused(subscription, 1, 15)],
    ['a cycle of fragments', 'POST', { query: '{ ...A } fragment A on Q { ...A }' }, 400, refused('Cannot spread fragment "A" within itself.', 1, 28)],
    ['an unknown fragment', 'POST', { query: '{ ...A }' }, 400, refused('Unknown fragment "A".', 1, 6)],
    ['@skip of nothing', 'POST', { query: '{ a @skip }' }, 400, refused('Directive "@skip" argument "if" of type "Boolean!" is required, but it was not provided.', 1, 5)],
    ['a deep document', 'POST', { query: `${'{ a '.repeat(10_000)}` }, 400, refused('The document nests deeper than 100 levels (option "graphql.maxDepth").', 1, 401)],
    ['a mutation over GET', 'GET ?query=mutation{a}', undefined, 405, refused('A mutation can only be run by POST: send it in the body, as JSON.')],
    ['a mutation over HEAD', 'HEAD ?query=mutation{a}', undefined, 405, refused('A mutation can only be run by POST: send it in the body, as JSON.')],
  ])('%s', async (_, target, body, status, answer) => {
    const [method, search = ''] = target.split(' ')
    for (const table of [lenient, strict]) {
      const headers = { 'content-type': 'application/json', ...accepts }
      const sent = await send(table, `${method} /graphql${search}`, { body: body && JSON.stringify(body), headers } as never)
      expect([sent.status, sent.headers['content-type'], sent.body]).toEqual([status, graphql, answer])
      expect(sent.headers['allow']).toBe(status === 405 ? 'POST' : undefined)
      expect(sent.diagnostic).toMatchObject({ code: 'graphql-refused', severity: 'warning' })
      // With application/json, what is wrong with the GraphQL request is no error of HTTP.
      const plain = await send(table, `${method} /graphql${search}`, { body: body && JSON.stringify(body), headers: { 'content-type': 'application/json' } } as never)
      expect([plain.status, plain.headers['content-type'], plain.body]).toEqual([status === 400 ? 200 : status, json, answer])
    }
  }) // prettier-ignore

  it.each([
    ['{ a ... @defer { b } }'],
    ['query($d: Boolean = true) { ... @defer(if: $d) { a @stream(initialCount: 1) } }'],
    ['query A { a } subscription B { b }'],
  ])('does not refuse %s', async (query) => {
    expect(await post(lenient, { query, operationName: 'A' })).toMatchObject({ status: 200, body: { data } })
  })

  it('is reported at its position in a batch', async () => {
    const { body } = await post(lenient, [{}, { query: 'subscription { a }' }, {}])
    expect(body).toEqual([{ data }, refused(subscription, 1, 1), { data }])
  })
})

describe('variables that are nested deeply', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const functions = [
    {
      path: '/graphql',
      response: ({ variables }: FixtureRequest) => ({ body: { data: { sent: typeof variables } } }),
    },
  ]
  it.each([
    ['a fixed answer', tableOf([{ path: '/graphql', response: { body: { data: { sent: 'object' } } } }])],
    ['a function', tableOf(functions)],
  ])('%s: are answered, or refused with a reason', async (_, table) => {
    for (const [depth, status, answer] of [
      [490, 200, { data: { sent: 'object' } }],
      [500, 400, { errors: [{ message: expect.stringContaining('it nests deeper than 500 levels') as string }] }],
      [100_000, 400, { errors: [{ extensions: { code: 'request-body-malformed' } }] }],
    ] as const) {
      const body = `{"query":"query ($a: [Int]) { sent(a: $a) }","variables":{"a":${nested(depth)}, "b": "]}\\"[["}}`
      expect([depth, await post(table, body)]).toMatchObject([depth, { status, body: answer }])
      const search = `query={sent}&variables=${encodeURIComponent(`{"a":${nested(depth)}}`)}`
      expect(await send(table, `GET /graphql?${search}`)).toMatchObject({ status })
    }
  }) // prettier-ignore
})

describe('requests that strict mode refuses and the default mode accepts', () => {
  const query = '{ hero }'
  const types =
    'application/json, application/graphql, application/x-www-form-urlencoded, multipart/form-data'
  it.each<[name: string, body: string | undefined, headers: Record<string, string>, status: number, message: string]>([
    ['no content type', JSON.stringify({ query }), { 'content-type': '' }, 415, `"content-type" must be one of ${types}.`],
    ['text', JSON.stringify({ query }), { 'content-type': 'text/plain' }, 415, `"content-type" must be one of ${types}, not text/plain.`],
    ['Accept with HTML only', JSON.stringify({ query }), { accept: 'text/html' }, 406, 'The answer is application/graphql-response+json or application/json: "accept" must allow one.'],
    ['no body', undefined, {}, 400, 'The request has no body.'],
    ['no query', '{}', {}, 400, 'The parameter "query" is missing.'],
    ['a syntax error', '{"query":"{"}', {}, 200, 'Syntax Error: Expected Name, found <EOF>.'],
    ['no operation', '{"query":"fragment F on Q { a }"}', {}, 200, 'Must provide an operation.'],
    ['several operations', '{"query":"query A { a } query B { b }"}', {}, 200, 'Must provide operation name if query contains multiple operations.'],
    ['another operation', '{"query":"query A { a }","operationName":"B"}', {}, 200, 'Unknown operation named "B".'],
  ])('%s', async (_, body, headers, status, message) => {
    const options = { body, headers: { 'content-type': 'application/json', ...headers } }
    const refusal = await send(strict, 'POST /graphql', options)
    expect([refusal.status, refusal.headers['content-type'], refusal.body]).toEqual([status, json, { errors: [expect.objectContaining({ message })] }])
    const taken = await send(lenient, 'POST /graphql', options)
    expect([taken.status, taken.body]).toEqual([200, { data }])
  }) // prettier-ignore

  it.each<[name: string, target: string, body: string | undefined, type?: string]>([
    ['JSON', 'POST /graphql', JSON.stringify({ query })],
    ['application/graphql', 'POST /graphql', query, 'application/graphql; charset=utf-8'],
    ['a form', 'POST /graphql', 'query={hero}', 'application/x-www-form-urlencoded'],
    ['GET', 'GET /graphql?query={hero}', undefined],
    ['a batch', 'POST /graphql', JSON.stringify([{ query }])],
    ['a persisted query', 'POST /graphql', '{"extensions":{"persistedQuery":{"sha256Hash":"x"}}}'],
  ])('takes %s', async (_, target, body, type = 'application/json') => {
    const sent = await send(strict, target, { body, headers: { 'content-type': type } })
    const expected = body?.includes('persistedQuery') ? persistedQueryNotFound : { data }
    expect([sent.status, [sent.body].flat()]).toEqual([200, [expected]])
  })
})

describe('a query that a GraphQL server would refuse', () => {
  const eof = 'Syntax Error: Expected Name, found <EOF>'
  const named = { path: '/graphql', name: 'named', when: { operationName: 'Items' }, response: { body: { data } } }
  const byName = tableOf([named])
  const two = tableOf([named, { ...named, name: 'other', when: { variables: { id: 7 } } }])

  it.each<[name: string, payload: object, reason: string, frame: string]>([
    ['not closed', { query: '{ hero { ' }, `${eof} (line 1, column 10).`, '> 1 | { hero {\n    |          ^'],
    ['in its second line', { query: '{ a\n b( }', operationName: 'Fails' }, 'Syntax Error: Expected Name, found "}" (line 2, column 5).', '  1 | { a\n> 2 |  b( }\n    |     ^'],
    ['no document', { query: 'no document' }, 'Syntax Error: Unexpected Name "no" (line 1, column 1).', '> 1 | no document\n    | ^'],
    ['only a fragment', { query: 'fragment F on Q { a }' }, 'Must provide an operation.', '> 1 | fragment F on Q { a }'],
    ['two operations, none named', { query: 'query A { a } query B { b }' }, 'Must provide operation name if query contains multiple operations.', '> 1 | query A { a } query B { b }'],
    ['another operation', { query: 'query A { a }', operationName: 'Fails' }, 'Unknown operation named "Fails".', '> 1 | query A { a }'],
  ])('%s: a warning says what is wrong when a route answers', async (_, payload, reason, frame) => {
    const { status, headers, diagnostic } = await post(lenient, payload)
    const name = headers['x-mock-route']!
    expect([status, name]).toEqual([200, 'operationName' in payload ? 'failing' : 'default'])
    const message = `The query of POST /graphql is wrong, but route "${name}" answered it: ${reason}`
    expect(diagnostic).toMatchObject({ code: 'graphql-query-wrong', severity: 'warning', message, frame })
    const batch = await post(lenient, [{}, payload])
    expect(batch.diagnostic).toMatchObject({ code: 'graphql-query-wrong', message })
  })

  it.each<[payload: object]>([[{}], [{ operationName: 'Fails' }], [{ query: '{ __typename hero }' }], [{ query: 'query A { a } query Fails { a }', operationName: 'Fails' }]])(
    'no warning: %j',
    async (payload) => expect((await post(lenient, payload)).diagnostic).toBeUndefined(),
  )

  it.each<[query: string, asked: string, fields: string]>([
    ['query Books { books { title } }', 'the query Books', 'books'],
    ['{ all: items ...More } fragment More on Query { more }', 'the query', 'all, more'],
    ['mutation { save }', 'the mutation', 'save'],
  ])('a default route that has data, and none of what is selected, is told: %s', async (query, asked, fields) => {
    const message = `Route "default" has answered ${asked}, and has no data for it: ${fields}.`
    for (let times = 0; times < 2; times++) {
      const { status, diagnostic } = await post(lenient, { query })
      expect([status, diagnostic]).toEqual([200, expect.objectContaining({ code: 'graphql-other-data', message })])
    }
  })

  const wanted = '"named" (fixtures/a.ts:1:1) wants operationName to be the string "Items", not'
  it.each<[name: string, table: typeof lenient, payload: object, accept: string, status: number, nearest: string]>([
    ['JSON', byName, { query: '{ items { ' }, 'application/json', 200, `${wanted} nothing`],
    ['the media type of GraphQL', byName, { query: '{ items { ' }, 'application/graphql-response+json', 400, `${wanted} nothing`],
    ['another operationName', byName, { query: '{ items { ', operationName: 'Itmes' }, 'application/json', 200, `${wanted} the string "Itmes"`],
    ['two routes', two, { query: '{ items { ' }, 'application/json', 200, '"other" (fixtures/a.ts:1:1) wants variables.id to be the number 7, not nothing'],
  ])('%s: the syntax error is the answer when no route matches', async (_, table, payload, accept, status, nearest) => {
    const sent = await post(table, payload, { accept })
    expect([sent.kind, sent.status]).toEqual(['unmatched', status])
    const locations = [{ line: 1, column: 11 }]
    const extensions = { code: 'graphql-unparsed', fix: expect.stringContaining('Correct the query') as string, routes: expect.arrayContaining([expect.objectContaining({ route: 'named' })]) as object[] }
    expect(sent.body).toEqual({ errors: [{ message: `${eof}.`, locations, extensions }] })
    const message = `The query of POST /graphql can't be parsed: ${eof} (line 1, column 11). No route matched the rest of the request. Closest: ${nearest}.`
    expect(sent.diagnostic).toMatchObject({ code: 'graphql-unparsed', severity: 'error', message })
    expect(sent.diagnostic!.frame).toEqual(table === two ? expect.stringMatching(/^ {2}- "named"/) : undefined)
  })

  it('its position is told in strict mode too', async () => {
    const { diagnostic } = await post(strict, { query: '{ hero { ' })
    expect(diagnostic).toMatchObject({ code: 'graphql-refused', message: `POST /graphql can't be run: ${eof} (line 1, column 10).` })
  })
}) // prettier-ignore

describe('the hash of a persisted query without its text', () => {
  const sent = { operationName: 'Q', extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }
  const result = { body: { data } }
  const page = { style: 'relay', field: 'people', items: [{ id: 1 }] }
  const byHash = { extensions: { persistedQuery: { sha256Hash: 'x' } } }
  const found = { data }
  it.each<[name: string, routes: object[], status: number, body: object]>([
    ['a fixed answer', [{ response: result }], 200, found],
    ['a fixed answer by operation name', [{ when: { operationName: 'Q' }, response: result }], 200, found],
    ['a shaped answer', [{ shape: true, response: result }], 200, persistedQueryNotFound],
    ['a shaped answer by operation name', [{ shape: true, when: { operationName: 'Q' }, response: result }], 200, persistedQueryNotFound],
    ['a shaped page', [{ shape: true, paginate: page }], 200, persistedQueryNotFound],
    ['a function’s shaped answer', [{ shape: true, response: () => { throw new Error('called') } }], 200, persistedQueryNotFound],
    ['an answer that is not shaped', [{ shape: true, when: { operationName: 'Q' }, response: { status: 503, body: { down: true } } }], 503, { down: true }],
    ['the route of the hash', [{ shape: true, when: byHash, response: result }], 200, found],
    ['the route of the hash in the body', [{ shape: true, when: { body: byHash }, response: result }], 200, found],
    ['behind a route by document', [{ when: { query: '{ a }' }, response: result }, { response: result }], 200, persistedQueryNotFound],
    ['behind a route by operation type', [{ when: { operationType: 'mutation' }, response: result }, { response: result }], 200, persistedQueryNotFound],
    ['no route but one by document', [{ when: { query: '{ a }' }, response: result }], 200, persistedQueryNotFound],
    ['before a route by document', [{ when: { operationName: 'Q' }, response: result }, { when: { query: '{ a }' }, response: result }], 200, found],
  ])('%s', async (_, routes, status, body) => {
    const table = tableOf(routes.map((route) => ({ path: '/graphql', ...route })))
    expect(await post(table, sent)).toMatchObject({ status, body })
  }) // prettier-ignore
})

it('pages a connection by the arguments of its field, whatever its alias', async () => {
  const items = [{ id: 1 }, { id: 2 }, { id: 3 }]
  const table = tableOf([
    { path: '/graphql', shape: true, paginate: { style: 'relay', field: 'people', items } },
  ])
  const query =
    'query ($f: Int = 2) { p: people(first: $f) { edges { node { id } } pageInfo { hasNextPage } } }'
  const edges = [{ node: { id: 1 } }, { node: { id: 2 } }]
  const expected = { data: { p: { edges, pageInfo: { hasNextPage: true } } } }
  expect(await post(table, { query })).toMatchObject({ status: 200, body: expected })
})

describe('a connection beside the rest of the object', () => {
  const sdl = `
    type Query { node(id: ID!): Node, people(first: Int, after: String): People! }
    interface Node { id: ID! }
    type User implements Node { id: ID!, name: String!, friends(first: Int = 1, after: String): People! }
    type People { edges: [Edge!]!, nodes: [User!]!, pageInfo: PageInfo!, totalCount: Int! }
    type Edge { cursor: String!, node: User! }
    type PageInfo { hasNextPage: Boolean!, endCursor: String }`
  const { checker } = createChecker([{ file: 'a.graphql', text: sdl }], { scalars: {} })
  const items = [1, 2, 3].map((n) => ({ __typename: 'User', id: String(n), name: `friend ${n}` }))
  const paginate = { style: 'relay', field: 'node.friends', perPage: 2, items }
  const rest = { data: { node: { __typename: 'User', id: '0', name: 'Ada' } }, extensions: { took: 1 } }
  const modes = { 'as it is': {}, shaped: { shape: true }, 'with a schema': { checker } }
  const ask = (mode: object, query: string, malformed = 'error') => {
    const { checker, shape = false } = mode as { checker?: never; shape?: boolean }
    const routes = routesOf([{ path: '/graphql', shape, paginate: { ...paginate, malformed }, response: { body: rest, headers: { 'x-a': '1' } } }])
    return post(compileRoutes(routes, { graphql: defaultGraphQL, checker }).table, { query })
  }
  const connection = 'edges { node { id } } pageInfo { hasNextPage }'
  const page = (ids: string[], hasNextPage: boolean) => ({ edges: ids.map((id) => ({ node: { id } })), pageInfo: { hasNextPage } })

  it.each(Object.entries(modes))('%s', async (_, mode) => {
    const sent = await ask(mode, `{ node(id: 0) { id ... on User { name friends(first: 2) { ${connection} } } } }`)
    expect(sent).toMatchObject({
      status: 200,
      headers: { 'x-a': '1' },
      body: { data: { node: { id: '0', name: 'Ada', friends: page(['1', '2'], true) } }, extensions: { took: 1 } },
    })
  })

  it.each(Object.entries(modes).slice(1))('%s: each alias has the page of its own arguments', async (_, mode) => {
    const query = `query ($n: Int = 2) { node(id: 0) { __typename ... on User {
      friends(first: $n) { ${connection} } last: friends(first: 5, after: "aXRlbTox") { ${connection} } } } }`
    const node = { __typename: 'User', friends: page(['1', '2'], true), last: page(['3'], false) }
    expect((await ask(mode, query)).body).toEqual({ data: { node }, extensions: { took: 1 } })
  })

  it.each(Object.entries(modes))('%s: malformed arguments of any alias are told', async (_, mode) => {
    const query = `{ node(id: 0) { ... on User { friends { ${connection} } x: friends(after: "?") { ${connection} } } } }`
    expect(await ask(mode, query)).toMatchObject({ status: 400, diagnostic: { code: 'page-malformed' } })
    expect(await ask(mode, query, 'default')).toMatchObject({ status: 200, diagnostic: { code: 'page-not-selected' } })
  })

  it('fills in nodes, defaults of arguments and entities of the items by the schema', async () => {
    const query = '{ node(id: 0) { ... on User { friends { nodes { name } totalCount } } } two: node(id: 2) { id ... on User { name } } }'
    const { body } = await ask(modes['with a schema'], query)
    const friends = { nodes: [{ name: 'friend 1' }], totalCount: 3 }
    expect(body).toMatchObject({ data: { node: { friends }, two: { id: '0' } } }) // the fixture's node is what it is
  })
}) // prettier-ignore

it('selects by the default values of variables', async () => {
  const table = tableOf([{ path: '/graphql', when: { variables: { n: 5 } }, response: { body: { data } } }])
  expect(await post(table, { query: 'query ($n: Int = 5) { a(n: $n) }' })).toMatchObject({ status: 200 })
  expect(await post(table, { query: 'query ($n: Int = 5) { a(n: $n) }', variables: { n: 6 } })).toMatchObject({ status: 404 }) // prettier-ignore
  const missed = await post(tableOf([{ path: '/graphql', when: { query: '{ a }' } }]), { query: '{ b }' })
  expect(missed.body).toMatchObject({ errors: [{ extensions: { routes: [{ unmet: [{ selector: 'query', expected: 'the string "query{a}"' }] }] } }] }) // prettier-ignore
})
