import { expect, it } from 'vitest'
import type { Exchange } from '../../../src/core/answer/exchange.ts'
import { findTarget, receive } from '../../../src/core/answer/receive.ts'
import { findEqual, KnownRequests } from '../../../src/server/node/known-requests.ts'
import { receiveRulesOf, tableOf } from '../../core/send.ts'

const x = (length: number) => 'x'.repeat(length)
const items = Array.from({ length: 10 }, (_, id) => ({ id, text: x(5000) }))

const table = tableOf([
  { path: '/fixed', response: { body: 'fixed' } },
  { path: '/large', response: { body: x(16_385) } },
  { path: '/list', paginate: { perPage: 1, maxPerPage: 10, items } },
  { path: '/by-body', method: 'POST', when: { body: { a: 1 } }, response: { body: 'one' } },
  { path: '/graphql', response: { body: { data: {} } } },
  { path: '/function', response: () => ({ body: 'code' }) },
])

const rules = receiveRulesOf()

const body = new TextEncoder().encode('{"a":1}')

/** Three equal requests, each with a body. Returns the exchange that is kept for the next one. */
async function keptAfter(method: string, url: string): Promise<Exchange | undefined> {
  const requests = new KnownRequests()
  const head = { method, url, headers: { host: 'localhost' }, isSecure: false, allowedOrigin: undefined }
  const find = () => findEqual(requests.of(table, url) ?? [], url, head)?.exchange
  for (let request = 0; request < 3; request++) {
    const target = findTarget(rules, table, method, url, head)!
    const known = find()
    const exchange = known?.again(head.headers) ?? receive(rules, target, head)
    if (!known) requests.keep(url, head, target, exchange)
    await exchange.decide(exchange.needsBody ? { kind: 'complete', bytes: body } : undefined)
  }
  return find()
}

it.each<[method: string, url: string, hasAnswer: boolean]>([
  ['GET', '/fixed', true],
  ['HEAD', '/fixed', true],
  ['GET', '/large', false],
  ['GET', '/list', true],
  ['GET', '/list?per_page=3', true],
  ['GET', '/list?per_page=4', false],
  ['POST', '/by-body', false],
  ['POST', '/graphql', false],
  ['GET', '/function', false],
])('%s %s: keeps its answer: %s, and never its body', async (method, url, hasAnswer) => {
  const kept = await keptAfter(method, url)
  expect(kept).toBeDefined()
  expect(kept!.settled !== undefined).toBe(hasAnswer)
  expect(kept!.raw.body).toBeUndefined()
})

it('forgets what it knows when there are other routes', () => {
  const requests = new KnownRequests()
  const head = { method: 'GET', url: '/fixed', headers: {}, isSecure: false, allowedOrigin: undefined }
  const target = findTarget(rules, table, 'GET', '/fixed', head)!
  const keep = () => requests.keep('/fixed', head, target, receive(rules, target, head))
  requests.of(table, '/fixed')
  expect([keep(), keep()]).toEqual([undefined, expect.objectContaining({ target })])
  expect(requests.of(table, '/fixed')).toHaveLength(1)
  expect(requests.of({ ...table }, '/fixed')).toBeUndefined()
  expect(requests.of(table, '/fixed')).toBeUndefined()
  expect(keep()).toBeUndefined()
})
