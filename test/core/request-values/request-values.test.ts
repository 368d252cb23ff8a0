import { describe, expect, it } from 'vitest'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { MockState } from '../../../src/core/state/mock-state.ts'
import { createLimits } from '../../../src/server/limits.ts'
import { file, send, tableOf } from '../send.ts'

const request = {
  headers: { 'content-type': 'application/json', 'x-tenant': 'acme', cookie: 'session=s%201' },
  body: JSON.stringify({ customer: { name: 'Ada', 'first.name': 'A', tags: ['a', 'b'] }, amount: 2.5, on: false, none: null }),
} // prettier-ignore

/** What a POST to /orders/:id gets for a body. */
async function bodyFor(
  body: unknown,
  target = 'POST /orders/7?page=2&debug=true&where=%7B%22a%22%3A1%7D&tag=a&tag=b',
) {
  return (await send(tableOf([{ method: 'POST', path: '/orders/:id', response: { body } }]), target, request))
    .body
}

describe('{ $from }', () => {
  it.each<[value: unknown, sent: unknown]>([
    [{ $from: 'params.id' }, '7'],
    [{ $from: 'params.id', as: 'number' }, 7],
    [{ $from: 'query.page', as: 'number' }, 2],
    [{ $from: 'query.debug', as: 'boolean' }, true],
    [{ $from: 'query.where', as: 'json' }, { a: 1 }],
    [{ $from: 'headers.X-Tenant' }, 'acme'],
    [{ $from: 'cookies.session' }, 's 1'],
    [{ $from: 'body.customer.name' }, 'Ada'],
    [{ $from: String.raw`body.customer.first\.name` }, 'A'],
    [{ $from: 'body.customer.tags.1' }, 'b'],
    [{ $from: 'body.amount', as: 'number' }, 2.5],
    [{ $from: 'body.on', as: 'boolean' }, false],
    [{ $from: 'body.customer' }, { name: 'Ada', 'first.name': 'A', tags: ['a', 'b'] }],
    [{ $from: 'query' }, { page: '2', debug: 'true', where: '{"a":1}', tag: ['a', 'b'] }],
    // A repeated parameter is a list.
    [{ $from: 'query.tag' }, ['a', 'b']],
    [{ $from: 'query.tag', as: 'list' }, ['a', 'b']],
    [{ $from: 'query.page', as: 'list' }, ['2']],
    [{ $from: 'query.other', as: 'list' }, []],
    [{ $from: 'query.other', as: 'list', else: ['x'] }, ['x']],
    [{ $from: 'body.customer.tags', as: 'list' }, ['a', 'b']],
    [{ $text: '{query.tag}' }, 'a,b'],
    [{ $from: 'query.tag.0' }, 'a'],
    [{ $from: 'query.tag.2', else: 'c' }, 'c'],
    [{ $from: 'query.page.0' }, '2'],
    [{ $text: '{query.tag.1}' }, 'b'],
    // Missing values, and values that can't be converted.
    [{ $from: 'query.other' }, null],
    [{ $from: 'body.none', else: 'x' }, 'x'],
    [{ $from: 'body.constructor' }, null],
    [{ $from: 'query.debug', as: 'number' }, null],
    [{ $from: 'headers.x-tenant', as: 'boolean', else: { a: [1] } }, { a: [1] }],
    [{ $from: 'headers.x-tenant', as: 'json', else: 0 }, 0],
    [{ $from: 'query.other', else: { $from: 'params.id' } }, '7'],
    // Inside of a body, beside what stays as it is.
    [[1, { a: { b: { $from: 'params.id' } }, c: 2 }], [1, { a: { b: '7' }, c: 2 }]],
    [{ $literal: { $from: 'params.id' } }, { $from: 'params.id' }],
    [{ a: { $literal: { $text: 1, x: { $from: 'nothing' } } } }, { a: { $text: 1, x: { $from: 'nothing' } } }],
    [{ $ref: '#/a', $id: 1, $exists: true }, { $ref: '#/a', $id: 1, $exists: true }],
  ])('%j is %j', async (value, sent) => {
    expect(await bodyFor({ value })).toEqual({ value: sent })
  }) // prettier-ignore
})

describe('{ $text }', () => {
  it.each([
    ['Order {params.id} for {body.customer.name}', 'Order 7 for Ada'],
    ['{body.customer.tags} {body.amount} { query.page }', '["a","b"] 2.5 2'],
    ['{{{x}}} \\{\\} \\\\ \\n'.replaceAll(/\{\{\{x\}\}\}/g, '\\{\\{'), '{{ {} \\ \\n'],
    ['<{query.other}>', '<>'],
  ])('%s', async (text, sent) => {
    expect(await bodyFor([{ $text: text }])).toEqual([sent])
  })

  it('is its "else" where any of its values is missing', async () => {
    const $text = 'Page {query.page} of {query.other}'
    expect(await bodyFor([{ $text, else: 'none' }])).toEqual(['none'])
  })
})

it('is for every response: of a sequence, and of the GraphQL endpoint', async () => {
  const sequence: Fixture = [
    { path: '/a/:id', response: [{ body: [{ $from: 'params.id' }] }, { body: 'later' }] },
  ]
  expect((await send(tableOf(sequence), 'GET /a/3')).body).toEqual(['3'])
  const table = tableOf(
    [{ path: '/graphql', response: { body: { data: { user: { id: { $from: 'variables.id' }, name: 'x' } } } } }],
    { shape: true },
  ) // prettier-ignore
  const query = 'query U($id: ID = 5) { me: user(id: $id) { id } }'
  const ask = (payload: object) =>
    send(table, 'POST /graphql', { body: JSON.stringify({ query, ...payload }) })
  expect((await ask({ variables: { id: 4 } })).body).toEqual({ data: { me: { id: 4 } } })
  expect((await ask({})).body).toEqual({ data: { me: { id: 5 } } })
})

it('reads no body where none is named, and is static without any value', () => {
  const [head, body, none] = ['params.id', 'body.a', undefined].map(
    (name) =>
      tableOf([{ path: '/a/:id', response: { body: [name ? { $from: name } : { $literal: { $now: 1 } }] } }])
        .endpoints[0]!,
  )
  expect([head, body, none].map((one) => [one!.needsBody, one!.routes[0]!.response.kind])).toEqual([
    [false, 'values'],
    [true, 'values'],
    [false, 'static'],
  ])
})

it.each<[body: unknown, code: string, text: string, pointer: string]>([
  [{ $from: 'params.idd' }, 'value-unknown-name', 'Did you mean "params.id"?', '/0/response/body/a/$from'],
  [{ $from: 'id' }, 'value-unknown-name', 'Did you mean "params.id"?', '/0/response/body/a/$from'],
  [{ $from: 'boddy.x' }, 'value-unknown-name', 'Did you mean "body.x"?', '/0/response/body/a/$from'],
  [{ $text: 'a {tenant.id}' }, 'value-unknown-name', 'Known names: params, query', '/0/response/body/a/$text'],
  [{ $text: 'a { b' }, 'value-invalid', '{ stands alone', '/0/response/body/a/$text'],
  [{ $text: '{"a": 1}' }, 'value-unknown-name', 'Known names', '/0/response/body/a/$text'],
  [{ $from: 7 }, 'value-invalid', 'not the number 7', '/0/response/body/a/$from'],
  [{ $from: 'params.id', as: 'integer' }, 'value-invalid', 'it knows number, boolean, json', '/0/response/body/a/as'],
  [{ $from: 'params.id', name: 'x' }, 'fixture-unknown-key', 'Known keys: $from, as, else', '/0/response/body/a/name'],
  [{ $date: true }, 'value-misspelled', 'Did you mean "$now"?', '/0/response/body/a/$date'],
  [{ $guid: true }, 'value-misspelled', 'Did you mean "$uuid"?', '/0/response/body/a/$guid'],
  [{ $param: 'params.id' }, 'value-misspelled', 'Did you mean "$from"?', '/0/response/body/a/$param'],
  [{ $form: 'params.id' }, 'value-misspelled', 'Did you mean "$from"?', '/0/response/body/a/$form'],
])('says what is wrong with %j', (value, code, text, pointer) => {
  const { diagnostics } = parseFixture([{ path: '/a/:id', response: { body: { a: value } } }], file)
  expect(diagnostics).toEqual([expect.objectContaining({ code, pointer })])
  expect(`${diagnostics[0]!.message} ${diagnostics[0]!.fix}`).toContain(text)
}) // prettier-ignore

it('never becomes larger than 8 MiB of the request, and never overflows the stack', async () => {
  const many = tableOf([
    { method: 'POST', path: '/a', response: { body: Array(20).fill({ $from: 'body' }) } },
  ])
  const post = (body: string) =>
    send(many, 'POST /a', { body, headers: { 'content-type': 'application/json' } })
  const large = await post(JSON.stringify('x'.repeat(900_000)))
  expect([large.status, large.diagnostic?.code]).toEqual([413, 'value-too-large'])
  const deep = await post('['.repeat(400_000) + ']'.repeat(400_000))
  expect(deep.status).toBeGreaterThanOrEqual(400)
  expect((await post('1')).body).toEqual(Array(20).fill(1))
})

describe('a header', () => {
  const table = tableOf([
    {
      method: 'POST',
      path: '/orders/:id',
      response: {
        headers: {
          location: { $text: '/orders/{params.id}?from={query.from}' },
          'x-name': { $from: 'body.name' },
          'x-other': { $from: 'query.other' },
          'x-size': 3,
        },
        body: 'ok',
      },
    },
  ])
  const ask = (name: unknown, target = 'POST /orders/7?from=a%0d%0aset-cookie:%20b=1') =>
    send(table, target, {
      body: JSON.stringify({ name }),
      headers: { 'content-type': 'application/json' },
    })

  it('never has a line break, is left out where it is missing, and is JSON of an object', async () => {
    const { headers, body } = await ask({ a: ['\n', 'é'] })
    expect(headers).toMatchObject({
      location: '/orders/7?from=a%0D%0Aset-cookie: b=1',
      'x-name': '{"a":["\\n","é"]}',
      'x-size': '3',
    })
    expect(body).toBe('ok')
    expect(headers).not.toHaveProperty('x-other')
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it('is refused where clients would', async () => {
    expect((await ask('x'.repeat(8_193))).status).toBe(413)
    expect((await ask('x'.repeat(8_192))).status).toBe(200)
  })

  it('is refused from a function, which has the request itself', async () => {
    const wrong = tableOf([{ path: '/a', response: () => ({ headers: { a: { $from: 'params.id' } } }) }])
    expect((await send(wrong, 'GET /a')).status).toBe(500)
    const echo = tableOf([{ method: 'POST', path: '/a', response: ({ body }) => ({ body: { body } }) }])
    const sent = await send(echo, 'POST /a', { ...request, body: '{"$from":"headers.cookie"}' })
    expect(sent.body).toEqual({ body: { $from: 'headers.cookie' } })
  })
})

describe('{ $now } and { $uuid }', () => {
  const table = tableOf([
    { path: '/a', response: { body: [{ $uuid: true }, { $uuid: true }, { $now: true }] } },
    { path: '/b', response: { body: [{ $uuid: true }] } },
  ])
  const asking = (seed: string) => {
    const state = new MockState()
    const limits = createLimits(0, state, Date.parse('2026-11-23T08:00:00Z'))
    return async (target: string, client = '', isDryRun = false) => {
      const headers = { 'x-mock-client': client }
      return (await send(table, target, { state, limits, seed, headers, isDryRun })).body as string[]
    }
  }

  it('are fixed and seeded by an option, and count for each client', async () => {
    const [ask, again, other] = [asking('0'), asking('0'), asking('1')]
    const targets = [['GET /a'], ['GET /a'], ['GET /b'], ['GET /a', 'one']] as const
    const answers: string[][] = []
    for (const [target, client] of targets) {
      answers.push(await ask(target, client))
      expect(await again(target, client)).toEqual(answers.at(-1))
    }
    const uuids = [...answers, await other('GET /a')].flat().filter((text) => !text.startsWith('2026'))
    expect(new Set(uuids).size).toBe(uuids.length)
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(answers[0]![2]).toBe('2026-11-23T08:00:00.000Z')
  })

  it('are the next ones where a request is only explained', async () => {
    const ask = asking('0')
    const explained = await ask('GET /a', '', true)
    expect(await ask('GET /a')).toEqual(explained)
    expect(await ask('GET /a')).not.toEqual(explained)
  })
})

it('changes of a backend’s answer take values, and repeat no large one many times', async () => {
  const answer = { items: Array.from({ length: 20 }, (_, id) => ({ id })) }
  const backend = () => ({
    kind: 'complete' as const,
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(answer)),
  })
  const table = tableOf([
    {
      method: 'POST',
      path: '/a/:id',
      response: {
        from: 'backend',
        headers: { 'x-id': { $from: 'params.id' } },
        patch: { 'items.0.id': { $from: 'params.id', as: 'number' }, 'items.*.note': { $from: 'body.note' } },
      },
    },
  ])
  const ask = (note: unknown) =>
    send(table, 'POST /a/9', { ...request, body: JSON.stringify({ note }), backend })
  const sent = await ask({ $unset: true })
  expect(sent.headers['x-id']).toBe('9')
  const { items } = sent.body as { items: unknown[] }
  expect(items[0]).toEqual({ id: 9, note: { $unset: true } })
  expect((await ask('x'.repeat(800_000))).diagnostic?.code).toBe('value-too-large')
})

it('pages of a list take values, and their headers', async () => {
  const paginate = { perPage: 1, items: [{ id: 1, for: { $from: 'query.user' } }, { $literal: { $from: 'x' } }] }
  const response = { headers: { 'x-user': { $from: 'query.user' } } }
  const table = tableOf([{ path: '/a', paginate, response }])
  const one = await send(table, 'GET /a?user=ada')
  expect([one.body, one.headers['x-user']]).toEqual([expect.objectContaining({ data: [{ id: 1, for: 'ada' }] }), 'ada'])
  expect((await send(table, 'GET /a?user=bob')).body).toMatchObject({ data: [{ for: 'bob' }] })
  expect((await send(table, 'GET /a?page=2')).body).toMatchObject({ total: 2, data: [{ $from: 'x' }] })
}) // prettier-ignore
