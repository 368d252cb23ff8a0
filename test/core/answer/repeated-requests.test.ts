import { expect, it } from 'vitest'
import { handle } from '../../../src/core/answer/handle.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'
import { MockState } from '../../../src/core/state/mock-state.ts'
import { matchEndpoint } from '../../../src/core/table/match.ts'
import type { RouteTable } from '../../../src/core/table/route-table.ts'
import { rawRequest, runningOf, tableOf } from '../send.ts'

interface Ask {
  body: string
  path?: string
  search?: string
  headers?: Record<string, string>
}

const byDefault = { path: '/graphql', response: { body: { data: { hero: 'R2-D2' } } } }
const failing = { path: '/graphql', when: { operationName: 'Fails' }, response: { body: { errors: [{ message: 'no', path: ['hero'] }], data: null } } } // prettier-ignore
const byVariable = { path: '/graphql', when: { variables: { id: 2 } }, response: { body: { data: { hero: 'Luke' } } } } // prettier-ignore
const fixed: Fixture = [failing, byVariable, byDefault]

const hero: Ask = { body: '{"query":"query Hero { hero }","variables":{"id":1}}' }

function ask(
  table: RouteTable,
  { body, path = '/graphql', search = '', headers = {} }: Ask,
  state = new MockState(),
) {
  const url = `${path}${search && `?${search}`}`
  const match = matchEndpoint(table, 'POST', url, [''])!
  const raw = rawRequest({ method: 'POST', path, search, url, headers: { 'content-type': 'application/json', ...headers }, body }) // prettier-ignore
  return handle(match, raw, runningOf({ state }))
}

/** Status, headers and body of the answer. */
async function answerTo(...asked: Parameters<typeof ask>) {
  const outcome = await ask(...asked)
  if (outcome.kind !== 'answered') return outcome.kind
  const { status, headers, body } = outcome.response
  return { status, headers, body }
}

it('gives the same request the same outcome', () => {
  const table = tableOf(fixed)
  expect(ask(table, { ...hero, headers: { cookie: 'visit=1' } })).toBe(ask(table, hero))
})

it.each<[string, Ask]>([
  ['another variable', { body: hero.body.replace('1', '2') }],
  ['another operation', { body: '{"query":"query Fails { hero }","variables":{"id":1}}' }],
  ['another position of the error', { body: '{"query":"query Fails {hero }","variables":{"id":1}}' }],
  ['another order', { body: '{"variables":{"id":1},"query":"query Hero { hero }"}' }],
  ['white space', { body: `${hero.body} ` }],
  ['no JSON', { body: hero.body.replace('}}', '})') }],
  ['a query string', { ...hero, search: 'operationName=Fails' }],
  ['another accepted type', { ...hero, headers: { accept: 'application/graphql-response+json' } }],
  ['another content type', { ...hero, headers: { 'content-type': 'application/graphql' } }],
  ['a batch', { body: `[${hero.body}]` }],
])('answers a request that differs a little as if it were the first: %s', async (_, other) => {
  const table = tableOf(fixed)
  await answerTo(table, hero)
  await answerTo(table, hero)
  const expected = await answerTo(tableOf(fixed), other)
  expect(await answerTo(table, other)).toEqual(expected)
  expect(await answerTo(table, other)).toEqual(expected)
  expect(await answerTo(table, hero)).toEqual(await answerTo(tableOf(fixed), hero))
})

it.each<[string, object, second: Partial<Ask>]>([
  ['a sequence', { response: [{ body: { data: 1 } }, { body: { data: 2 } }] }, {}],
  ['a rate limit', { rateLimit: { requests: 1, per: 1000 } }, {}],
  ['a selector that reads a header', { when: { headers: { 'x-tenant': 'b' } } }, { headers: { 'x-tenant': 'b' } }],
  ['a selector that reads a cookie', { when: { cookies: { id: '7' } } }, { headers: { cookie: 'id=7' } }],
  ['a selector with an operator', { when: { headers: { 'x-tenant': { $ne: 'a' } } } }, { headers: { 'x-tenant': 'b' } }],
  ['a predicate', { when: () => Math.random() < 2 }, {}],
  ['a function', { response: () => ({ body: { data: 1 } }) }, {}],
])('decides each request anew if an endpoint has %s', async (_, route) => {
  const table = tableOf([{ ...byVariable, ...route }, byDefault] as Fixture)
  const one = await ask(table, hero)
  expect(await ask(table, hero)).not.toBe(one)
}) // prettier-ignore

it('follows an override, and its end', async () => {
  const table = tableOf(fixed)
  const state = new MockState()
  const before = await answerTo(table, hero, state)
  state.setOverrides({ routes: { 'POST /graphql': 'POST /graphql #1' } })
  expect(await answerTo(table, hero, state)).toMatchObject({
    body: expect.stringContaining('errors') as string,
  })
  state.reset()
  expect(await answerTo(table, hero, state)).toEqual(before)
})

it('remembers the last 16 requests', () => {
  const table = tableOf(fixed)
  const first = ask(table, hero)
  for (let id = 10; id < 25; id++) void ask(table, { body: hero.body.replace('1', String(id)) })
  expect(ask(table, hero)).toBe(first)
  void ask(table, { body: hero.body.replace('1', '25') })
  expect(ask(table, hero)).not.toBe(first)
})

it.each<[what: string, body: number, answer: number, isKept: boolean]>([
  ['a large body', 4096, 100, true],
  ['a larger body', 4097, 100, false],
  ['a large answer', 100, 65_536, true],
  ['a larger answer', 100, 65_537, false],
])('remembers what is not large: %s (%i bytes, its answer %i)', (_, bodySize, answerSize, isKept) => {
  const data = { hero: 'x'.repeat(answerSize - '{"data":{"hero":""}}'.length) }
  const table = tableOf([{ path: '/graphql', response: { body: { data } } }])
  const body = hero.body.padEnd(bodySize)
  expect(ask(table, { body }) === ask(table, { body })).toBe(isKept)
})
