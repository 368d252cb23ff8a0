import { describe, expect, it, vi } from 'vitest'
import type { Fixture, FixtureResponse, Predicate } from '../../../src/core/schema/schema.ts'
import { decideAbout, send, tableOf } from '../send.ts'
import { MockState } from '../../../src/core/state/mock-state.ts'

const json = { 'content-type': 'application/json' }
const place = 'fixtures/a.ts:1:1'

const plain = tableOf([
  { path: '/a', name: 'default', response: { body: 'default', delay: 5 } },
  { path: '/a', name: 'seven', method: 'POST', when: { body: { id: 7 } }, response: { status: 201, body: { ok: true } } }, // prettier-ignore
  { path: '/only', when: { query: { x: 1 } }, response: { body: 1 } },
])

const errorBody = { errors: [{ message: 'm', path: ['hero', 'n'] }], data: null }
const graphql = tableOf([
  { path: '/graphql', name: 'default', response: { body: { data: { a: 1 } } } },
  { path: '/graphql', name: 'failing', when: { operationName: 'Failing' }, response: { body: errorBody, delay: 9 } }, // prettier-ignore
  { path: '/graphql', name: 'by variable', when: { variables: { id: 7 } }, response: { body: { data: 7 } } },
  { path: '/graphql', name: 'mutation', when: { operationType: 'mutation' }, response: { status: 202, body: 'text' } }, // prettier-ignore
  { path: '/graphql', name: 'by body', when: { body: { 'extensions.persistedQuery.version': 1 } }, response: { body: { data: 'p' } } }, // prettier-ignore
])

describe('a matching route answers', () => {
  it.each<[target: string, body: string | undefined, status: number, name: string, answer: unknown]>([
    ['GET /a', undefined, 200, 'default', 'default'],
    ['HEAD /a', undefined, 200, 'default', 'default'],
    ['GET /a', '{"id":', 200, 'default', 'default'], // no selector of it needs the body
    ['POST /a', '{"id":7,"more":1}', 201, 'seven', { ok: true }],
    ['POST /graphql', undefined, 200, 'default', { data: { a: 1 } }],
    ['POST /graphql', '{"query":"{ a }"}', 200, 'default', { data: { a: 1 } }],
    ['POST /graphql', '{"query":"mutation { a }"}', 202, 'mutation', 'text'],
    ['POST /graphql', '{"variables":{"id":7}}', 200, 'by variable', { data: 7 }],
    ['POST /graphql', '{"extensions":{"persistedQuery":{"version":1}}}', 200, 'by body', { data: 'p' }],
    ['POST /graphql', '{"query":"mutation M { a }"}', 202, 'mutation', 'text'],
    ['GET /graphql?operationName=x&variables={"id":7}', undefined, 200, 'by variable', { data: 7 }],
  ])('%s %s: %i "%s"', async (target, body, status, name, answer) => {
    const sent = await send(target.includes('graphql') ? graphql : plain, target, { body, headers: json })
    const { headers } = sent
    expect([sent.kind, sent.status, headers['x-mock-route'], sent.body, sent.diagnostic]).toEqual([
      'answered',
      status,
      name,
      answer,
      undefined,
    ])
  })
})

it.each<[name: string, response: FixtureResponse | (() => FixtureResponse), type: string]>([
  ['a body', { body: 'window.config = {}' }, 'text/javascript; charset=utf-8'],
  ['a function', () => ({ body: 'window.config = {}' }), 'text/javascript; charset=utf-8'],
  ['JSON', { body: {} }, 'application/json; charset=utf-8'],
  ['its own header', { body: '', headers: { 'content-type': 'text/x-own' } }, 'text/x-own; charset=utf-8'],
])("text has the type of its path's extension, which a browser runs: %s", async (_, response, type) => {
  const { headers } = await send(tableOf([{ path: '/config.js', response }]), 'GET /config.js')
  expect([headers['content-type'], headers['x-content-type-options']]).toEqual([type, 'nosniff'])
})

it('takes the turns of a sequence in the order of the requests, which wait for the import of GraphQL', async () => {
  const table = tableOf([
    { path: '/graphql', response: [{ body: { data: 1 } }, { body: { data: 2 } }, { body: { data: 3 } }] },
  ])
  const state = new MockState()
  const ask = () => send(table, 'POST /graphql', { state })
  const answers = [...(await Promise.all([ask(), ask()])), await ask()]
  expect(answers.map(({ body }) => body)).toEqual([{ data: 1 }, { data: 2 }, { data: 3 }])
})

it('gives the same bytes each time', async () => {
  const answer = async () => (await decideAbout(plain, 'GET /a'))!.response
  expect(await answer()).toBe(await answer())
  expect(await answer()).toMatchObject({ status: 200, delay: 5 })
})

describe('error locations', () => {
  it('are also computed for response functions, but only on GraphQL endpoints', async () => {
    const table = tableOf([
      { path: '/graphql', response: () => ({ body: errorBody }) },
      { path: '/a', method: 'POST', response: { body: errorBody } },
      { path: '/b', method: 'POST', response: () => ({ body: errorBody }) },
    ])
    const body = '{"query":"{ hero { n } }"}'
    const located = {
      ...errorBody,
      errors: [{ ...errorBody.errors[0], locations: [{ line: 1, column: 10 }] }],
    }
    expect((await send(table, 'POST /graphql', { body })).body).toEqual(located)
    expect((await send(table, 'POST /a', { body })).body).toEqual(errorBody)
    expect((await send(table, 'POST /b', { body })).body).toEqual(errorBody)
  })
})

/** The error in the shape of the endpoint: plain JSON, or GraphQL with the details as extensions. */
function errorOf(body: unknown, isGraphQL: boolean): unknown {
  if (!isGraphQL) return (body as { error: unknown }).error
  const { errors } = body as { errors: { message: string; extensions: object }[] }
  expect([Object.keys(body as object), errors.length, Object.keys(errors[0]!)]).toEqual([
    ['errors'],
    1,
    ['message', 'extensions'],
  ])
  return { message: errors[0]!.message, ...errors[0]!.extensions }
}

const sides = [
  ['plain', '/a', false],
  ['GraphQL', '/graphql', true],
] as const

describe.each(sides)('on a %s endpoint', (_, path, isGraphQL) => {
  const post = (parts: Omit<Fixture[number], 'path'>, body?: string, headers = json) =>
    send(tableOf([{ method: 'POST', path, name: 'r', ...parts }]), `POST ${path}?x=1`, { body, headers })

  it('a malformed body gives 400', async () => {
    const sent = await post({ when: { body: { a: 1 } } }, '{"a":')
    expect([sent.kind, sent.status, sent.headers['content-type']]).toEqual([
      'unmatched',
      400,
      'application/json; charset=utf-8',
    ])
    expect(errorOf(sent.body, isGraphQL)).toEqual({
      code: 'request-body-malformed',
      message: expect.stringMatching(
        new RegExp(
          `^The body of POST ${path}\\?x=1 can't be read: .+ \\(the body is 5 characters long\\)\\.$`,
        ),
      ) as string,
      fix: 'Correct the body, or its content type. It is read because a route of this endpoint needs it.',
    })
    expect(sent.diagnostic).toMatchObject({ code: 'request-body-malformed', severity: 'error' })
  })

  it('a request that no route matches gets 404 with the reasons', async () => {
    const table = tableOf([
      { method: 'POST', path, name: 'one', when: { query: { x: 2 } } },
      { method: 'POST', path, name: 'two', when: { query: { x: 1 }, body: { a: [1] } } },
    ])
    const sent = await send(table, `POST ${path}?x=1`, { body: '{"a":[2]}' })
    expect([sent.kind, sent.status, errorOf(sent.body, isGraphQL)]).toEqual([
      'unmatched',
      404,
      {
        code: 'route-unmatched',
        message: `No route matched POST ${path}?x=1. Closest: "two" (${place}) wants body.a to be [1], not a list.`,
        fix: 'Correct the request, correct a selector, or add a route without "when" as the default.',
        routes: [
          { route: 'two', place, unmet: [{ selector: 'body.a', expected: '[1]', received: 'a list' }] },
          {
            route: 'one',
            place,
            unmet: [{ selector: 'query.x', expected: 'the string "2"', received: 'the string "1"' }],
          },
        ],
      },
    ])
    expect(sent.diagnostic).toMatchObject({ code: 'route-unmatched', severity: 'error' })
  })

  it.each<[name: string, response: () => unknown, body: unknown]>([
    ['sync', () => ({ status: 201, body: { data: { a: 1 } }, delay: 3 }), { data: { a: 1 } }],
    ['async', () => Promise.resolve({ status: 201, body: 'text', delay: 3 }), 'text'],
  ])('a response function answers: %s', async (_, response, body) => {
    const sent = await post({ response: response as () => FixtureResponse })
    expect([sent.status, sent.body, sent.delay, sent.headers['x-mock-route']]).toEqual([201, body, 3, 'r'])
    expect([sent.kind, sent.diagnostic]).toEqual(['answered', undefined])
  })

  it.each<[name: string, response: (() => unknown), reason: RegExp]>([
    ['throws', () => { throw new RangeError('oh') }, /: RangeError: oh\.$/],
    ['throws no error', () => { throw 'oh' }, /: it threw the string "oh"\.$/], // eslint-disable-line @typescript-eslint/only-throw-error
    ['returns an unknown key', () => ({ json: 1 }), /\bjson\b/],
    ['returns a file', () => ({ file: './a.json' }), /\bfile\b/],
  ])('a response function that %s gives 500', async (_, response, reason) => {
    const sent = await post({ response: response as () => FixtureResponse })
    expect([sent.kind, sent.status, sent.headers['x-mock-route']]).toEqual(['answered', 500, undefined])
    const error = errorOf(sent.body, isGraphQL) as { message: string }
    expect(error).toEqual({
      code: 'function-failed',
      message: expect.stringMatching(reason) as string,
      fix: expect.stringMatching(/^[A-Z].*\.$/) as string,
      place,
    })
    expect(error.message).toMatch(`The response function of route "r" failed on POST ${path}?x=1: `)
    expect(sent.diagnostic).toMatchObject({ code: 'function-failed', severity: 'error', file: 'fixtures/a.ts' })
  }) // prettier-ignore

  it('a predicate runs once per request, also where no route matches', async () => {
    let calls = 0
    const table = tableOf([{ path: '/a', name: 'second', when: () => ++calls === 2, response: { body: 'second' } }])
    const first = await send(table, 'GET /a')
    expect([calls, first.kind, first.status]).toEqual([1, 'unmatched', 404])
    expect(first.body).toMatchObject({
      error: { message: `No route matched GET /a. Closest: "second" (${place}), whose function "when" returned a falsy value.` },
    })
    expect([(await send(table, 'GET /a')).body, calls]).toEqual(['second', 2])
  }) // prettier-ignore

  it('a predicate decides, and sees the parsed body', async () => {
    const when = vi.fn<Predicate>(({ body }) => (body as { a?: number } | undefined)?.a === 1)
    const answers = await Promise.all(['{"a":1}', '{"a":2}'].map((body) => post({ when }, body)))
    expect(answers.map(({ kind }) => kind)).toEqual(['answered', 'unmatched'])
  })
})

it('names the line of the fixture file where a function failed', async () => {
  const failed = Object.assign(new Error('oh'), { stack: 'Error: oh\n    at r (/p/fixtures/a.ts:12:7)' })
  const sent = await send(tableOf([{ path: '/a', response: () => Promise.reject(failed) }]), 'GET /a')
  expect(sent.diagnostic).toMatchObject({ file: 'fixtures/a.ts', line: 12 })
  expect(sent.body).toMatchObject({ error: { place: 'fixtures/a.ts:12' } })
})

describe('a batch', () => {
  const batch = (entries: object[], table = graphql) =>
    send(table, 'POST /graphql', { body: JSON.stringify(entries), headers: json })

  it('is answered as a list, in its order', async () => {
    const sent = await batch([{ operationName: 'Failing' }, {}, { variables: { id: 7 } }, {}])
    expect(sent).toMatchObject({
      kind: 'answered',
      status: 200,
      delay: 9,
      diagnostic: undefined,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'x-mock-route': 'failing, default, by variable',
      },
      body: [
        { ...errorBody, errors: [{ ...errorBody.errors[0], locations: [{ line: 1, column: 1 }] }] },
        { data: { a: 1 } },
        { data: 7 },
        { data: { a: 1 } },
      ],
    })
  })

  it('carries the errors of its entries', async () => {
    const fails = () => Promise.reject(new Error('oh'))
    const table = tableOf([
      { path: '/graphql', when: { operationName: 'A' }, response: fails },
      { path: '/graphql', when: { operationName: 'Ü' }, response: { body: { data: 'ü' } } },
    ])
    const sent = await batch([{ operationName: 'Ü' }, { operationName: 'A' }, { operationName: 'B' }], table)
    expect([sent.kind, sent.status, sent.diagnostic?.code]).toEqual(['answered', 200, 'function-failed'])
    expect(sent.body).toMatchObject([
      { data: 'ü' },
      { errors: [{ extensions: { code: 'function-failed', place } }] },
      { errors: [{ extensions: { code: 'route-unmatched' } }] },
    ])
  })

  it.each<[name: string, response: FixtureResponse, entry: unknown]>([
    ['text', { body: 'a "b"' }, 'a "b"'],
    ['no body', {}, null],
    ['no body, announced as JSON', { headers: { 'content-type': 'application/json' } }, null],
    ['204', { status: 204 }, null],
  ])('stays JSON with an invalid entry: %s', async (_, response, entry) => {
    expect((await batch([{}, {}], tableOf([{ path: '/graphql', response }]))).body).toEqual([entry, entry])
  })

  it.each(['[]', '[1]', `[${Array(101).fill('{}').join()}]`])(
    'that is none gives 400: %.20s',
    async (body) => {
      const sent = await send(graphql, 'POST /graphql', { body })
      expect([sent.status, (sent.body as { errors: unknown[] }).errors.length]).toEqual([400, 1])
    },
  )
})

describe('delay and fault', () => {
  const parts = { delay: { min: 1, max: 9 }, fault: 'truncated' as const }
  const headers = json

  it.each<[kind: string, route: Fixture[number]]>([
    ['a fixed answer', { path: '/graphql', response: { body: { data: 1 }, ...parts } }],
    ['a response function', { path: '/graphql', response: () => ({ body: { data: 1 }, ...parts }) }],
    ['a located answer', { path: '/graphql', response: { body: { errors: [{ message: 'a', path: ['b'] }] }, ...parts } }],
    ['a shaped answer', { path: '/graphql', shape: true, response: { body: { data: { a: 1 } }, ...parts } }],
    ['a list', { path: '/graphql', paginate: { style: 'relay', items: [1] }, response: parts }],
    ['a shaped list', { path: '/graphql', shape: true, paginate: { style: 'relay', items: [1] }, response: parts }],
  ])('are those of %s', async (_, route) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const sent = await send(tableOf([route]), 'POST /graphql', { headers: { ...headers, accept }, body: '{"query":"{a}"}' })
      expect([sent.status, sent.delay, sent.fault]).toEqual([200, parts.delay, 'truncated'])
    }
  }) // prettier-ignore

  it('a list is sent with the status and headers of its response', async () => {
    const response = { status: 206, headers: { 'X-A': 1, link: 'mine' }, delay: 3 }
    const [page, link] = (['page', 'link'] as const).map((style) => tableOf([{ path: '/a', response, paginate: { style, items: [1] } }])) // prettier-ignore
    expect(await send(page!, 'GET /a')).toMatchObject({
      status: 206,
      delay: 3,
      headers: { 'x-a': '1', link: 'mine' },
    })
    expect((await send(link!, 'GET /a')).headers).toMatchObject({ 'x-a': '1', link: '</a?page=1>; rel="first", </a?page=1>; rel="last"' }) // prettier-ignore
  })

  it('a batch waits for its slowest, and fails as the first that does', async () => {
    const table = tableOf([
      { path: '/graphql', when: { operationName: 'A' }, response: { body: {}, delay: { min: 20, max: 20 } } },
      { path: '/graphql', when: { operationName: 'B' }, response: { body: {}, fault: 'stalled', delay: 3 } },
      { path: '/graphql', when: { operationName: 'C' }, response: { body: {}, fault: 'reset' } },
    ])
    const body = JSON.stringify(['A', 'B', 'C'].map((operationName) => ({ operationName })))
    const sent = await send(table, 'POST /graphql', { headers, body })
    expect([sent.status, sent.delay, sent.fault]).toEqual([200, 20, 'stalled'])
  })
})

describe('forms', () => {
  const table = tableOf([
    { method: 'POST', path: '/f', name: 'five', when: { body: { amount: 5, agreed: true } }, response: {} },
    { method: 'POST', path: '/f', name: 'text', when: { body: { amount: '06' } }, response: {} },
    { method: 'POST', path: '/f', name: 'more', when: { body: { amount: { $gt: 9 } } }, response: {} },
    {
      method: 'POST',
      path: '/f',
      name: 'image',
      when: { body: { avatar: { type: { $regex: '^image/' }, size: { $lt: 5 } } } },
      response: {},
    },
    { method: 'POST', path: '/f', name: 'default', response: {} },
  ])
  const routeFor = async (body: URLSearchParams | FormData | string, type?: string) => {
    const request = new Request('http://localhost/f', { method: 'POST', body })
    const sent = await send(table, 'POST /f', {
      headers: { 'content-type': type ?? request.headers.get('content-type')! },
      body: new Uint8Array(await request.arrayBuffer()),
    })
    return sent.headers['x-mock-route']
  }
  const upload = (type: string, content: string) => {
    const form = new FormData()
    form.append('avatar', new Blob([content], { type }), 'a.png')
    return form
  }

  it.each<[fields: Record<string, string>, route: string]>([
    [{ amount: '5', agreed: 'true' }, 'five'],
    [{ amount: '5.0', agreed: 'true' }, 'five'],
    [{ amount: '5', agreed: 'yes' }, 'default'],
    [{ amount: '6' }, 'default'],
    [{ amount: '06' }, 'text'],
    [{ amount: '10' }, 'more'],
  ])('of %j, the fields are text that stands for numbers and booleans: %s', async (fields, route) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    expect(await routeFor(new URLSearchParams(fields))).toBe(route)
    expect(await routeFor(form)).toBe(route)
  })

  it('in JSON, text stays text', async () => {
    expect(await routeFor('{"amount":"5","agreed":"true"}', 'application/json')).toBe('default')
    expect(await routeFor('{"amount":5,"agreed":true}', 'application/json')).toBe('five')
  })

  it.each([
    ['image/png', '1234', 'image'],
    ['image/png', '12345', 'default'],
    ['text/plain', '1', 'default'],
  ])('a file of type %s that holds "%s" is selected by type and size: %s', async (type, content, route) => {
    expect(await routeFor(upload(type, content))).toBe(route)
  })
})
