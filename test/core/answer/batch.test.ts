import { describe, expect, it } from 'vitest'
import type { BackendAnswer } from '../../../src/core/answer/decision.ts'
import { askOnce } from '../../../src/core/answer/operations/batch.ts'
import { GraphQLParams } from '../../../src/core/graphql/params.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { send, tableOf } from '../send.ts'

const when = (operationName: string) => ({ path: '/graphql', name: operationName, when: { operationName } })
const body = { data: { a: 1 } }
const fixture: Fixture = [
  { ...when('Plain'), response: { body } },
  { ...when('One'), response: { body, headers: { 'x-a': '1', 'set-cookie': ['a=1', 'b=2'] } } },
  { ...when('Two'), response: { body, headers: { 'x-a': '1', 'X-B': '2', 'set-cookie': ['a=1', 'b=2'] } } },
  { ...when('Other'), response: { body, headers: { 'x-a': 'other' } } },
  { ...when('Down'), response: { status: 503, body: { errors: [{ message: 'down' }] } } },
  { ...when('Empty'), response: { status: 204 } },
]
const table = tableOf(fixture)
const ask = (operations: object[]) => send(table, 'POST /graphql', { body: JSON.stringify(operations) })
const named = (...names: string[]) => ask(names.map((operationName) => ({ operationName })))

describe('the head of a batch is what all its answers share', () => {
  const cookies = 'b=2' // the last of both
  it.each<[names: string[], status: number, headers: Record<string, string | undefined>, dropped: string | undefined]>([
    [['Plain', 'Plain'], 200, {}, undefined],
    [['One', 'One'], 200, { 'x-a': '1', 'set-cookie': cookies }, undefined],
    [['One', 'Two'], 200, { 'x-a': '1', 'set-cookie': cookies, 'x-b': undefined }, 'the header "x-b"'],
    [['One', 'Other', 'Plain'], 200, { 'x-a': undefined }, 'the header "x-a", the header "set-cookie"'],
    [['Down', 'Down'], 503, {}, undefined],
    [['Down', 'Plain'], 200, {}, 'the status 503 or 200'],
    [['Empty', 'Empty'], 200, {}, undefined],
    [['Down'], 503, {}, undefined],
  ])('%j: %i', async (names, status, headers, dropped) => {
    const sent = await named(...names)
    expect([sent.kind, sent.status, (sent.body as unknown[]).length]).toEqual(['answered', status, names.length])
    expect(sent.headers).toMatchObject({ 'x-mock-route': [...new Set(names)].join(', ') })
    for (const [name, value] of Object.entries(headers)) expect(sent.headers[name]).toBe(value)
    expect(sent.diagnostic?.message).toBe(
      dropped && `The answers of a batch differ in ${dropped}: a batch has one status and one set of headers, so these are left out.`,
    )
  }) // prettier-ignore

  it('the response’s own error is reported first', async () => {
    const sent = await named('Down', 'Unknown')
    expect(sent).toMatchObject({ kind: 'answered', status: 200, diagnostic: { code: 'route-unmatched' } })
    expect(sent.body).toMatchObject([
      { errors: [{ message: 'down' }] },
      { errors: [{ extensions: { code: 'route-unmatched' } }] },
    ])
  })
})

describe('a batch that no route selects is unmatched', () => {
  const subscription = { query: 'subscription S { a }' }
  it.each<[what: string, operations: object[] | object, kind: string]>([
    ['a batch', [{ operationName: 'X' }, { operationName: 'Y' }], 'unmatched'],
    ['a batch of which one is matched', [{ operationName: 'X' }, { operationName: 'Plain' }], 'answered'],
    ['a subscription', subscription, 'unmatched'],
    ['a batch of these', [subscription, { operationName: 'X' }], 'unmatched'],
    ['a subscription that a route selects', { query: 'subscription Plain { a }' }, 'answered'],
  ])('%s: %s', async (_, operations, kind) => {
    const sent = await send(table, 'POST /graphql', { body: JSON.stringify(operations) })
    expect(sent.kind).toBe(kind)
    if (kind === 'unmatched') expect(sent.headers).not.toHaveProperty('x-mock-route')
  })

  it('even where there is a default route, which could not answer it either', async () => {
    const withDefault = tableOf([{ path: '/graphql', response: { body } }])
    const sent = await send(withDefault, 'POST /graphql', { body: JSON.stringify(subscription) })
    const message = 'Subscriptions are not served here: no route with a "stream" matches.'
    expect(sent).toMatchObject({ kind: 'unmatched', status: 200, body: { errors: [{ message }] } })
    const batch = JSON.stringify([subscription, { query: '{ a }' }])
    const answered = await send(withDefault, 'POST /graphql', { body: batch })
    expect(answered).toMatchObject({ kind: 'answered', body: [{ errors: [{ message }] }, body] })
  })
})

const answerWith = (body: string): BackendAnswer => ({
  kind: 'complete',
  status: 200,
  headers: { 'content-type': 'application/json', date: 'Mon, 01 Jan 2024 00:00:00 GMT' },
  body: new TextEncoder().encode(body),
})

it.each([
  ['an entry', '[{"a":1},{"a":2}]', '{"a":2}', ['content-type']],
  [
    'a refusal of the whole batch',
    '{"error":"no batches"}',
    '{"error":"no batches"}',
    ['content-type', 'date'],
  ],
  ['a list that is too short', '[{"a":1}]', '[{"a":1}]', ['content-type', 'date']],
  ['text', 'no', 'no', ['content-type', 'date']],
])('%s of the answer to a batch', async (_, sent, expected, headers) => {
  const backend = askOnce([new GraphQLParams(), new GraphQLParams()], () => Promise.resolve(answerWith(sent)))
  const [, entry] = await Promise.all([backend.ask(0), backend.ask(1)])
  if (entry.kind !== 'complete') throw new Error(`The entry is ${entry.kind}.`)
  expect(new TextDecoder().decode(entry.body)).toBe(expected)
  expect(Object.keys(entry.headers)).toEqual(headers)
})

it('a backend that fails fails each operation that asks it', async () => {
  const failure = new Error('away')
  const backend = askOnce([new GraphQLParams(), new GraphQLParams()], () => Promise.reject(failure))
  const asked = await Promise.allSettled([backend.ask(0), backend.ask(1)])
  expect(asked).toEqual(asked.map(() => ({ status: 'rejected', reason: failure })))
})
