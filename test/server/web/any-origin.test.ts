import { expect, it } from 'vitest'
import { createFetchHandler } from '../../../src/fetch.ts'
import { toHandlers } from '../../../src/msw.ts'
import type { Fixture } from '../../../src/core/schema/schema.ts'

const routes: Fixture = [
  { url: 'https://api.stripe.example/v1/charges', response: { body: ['ch_1'] } },
  { path: '/v1/charges', response: { body: 'own' } },
]

it('a fetch handler answers the origin that the URL of a request has', async () => {
  const handler = createFetchHandler(routes, { allowedHosts: true })
  const ask = async (url: string) => (await handler(new Request(url)))?.text()
  expect(await ask('https://api.stripe.example/v1/charges')).toBe('["ch_1"]')
  expect(await ask('https://api.stripe.example/v1/other')).toBeUndefined()
  expect(await ask('http://localhost/v1/charges')).toBe('own')
})

it('a handler of MSW takes such a request without allowedHosts, and no other one of that host', async () => {
  const [handler] = toHandlers(routes)
  const takes = (url: string) => handler!.predicate({ request: new Request(url) } as never)
  expect(await takes('https://api.stripe.example/v1/charges')).toBe(true)
  expect(await takes('https://api.stripe.example/v1/other')).toBe(false)
})
