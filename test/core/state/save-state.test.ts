import { expect, it } from 'vitest'
import { createFetchHandler, type Fixture } from '../../../src/fetch.ts'

const routes: Fixture = [
  { path: '/orders', collection: { items: [{ id: 1 }] } },
  { path: '/lines', collection: { items: [{ id: 1 }] } },
  { path: '/turns', response: [{ body: 1 }, { body: 2 }, { body: 3 }] },
  { path: '/kind', response: { body: 'ordinary' } },
  { path: '/kind', scenario: 'other', response: { body: 'other' } },
]

/** A handler that goes on where another one was saved. */
function start(saved?: unknown) {
  const handler = createFetchHandler(routes, { logLevel: 'silent' })
  if (saved) handler.restore(saved as never)
  const ask = async (method: string, path: string, client?: string) => {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(client && { 'x-mock-client': client }) },
      ...(method === 'POST' && { body: '{}' }),
    })
    return (await handler(request))!.text()
  }
  return { handler, ask, save: () => JSON.parse(JSON.stringify(handler.save() ?? null)) as unknown }
}

it('a handler goes on where another one was saved', async () => {
  const first = start()
  expect(first.save()).toBeNull()
  await first.ask('DELETE', '/lines/1')
  await first.ask('POST', '/orders', 'one')
  await first.ask('GET', '/turns')
  first.handler.setScenario('other', { client: 'one' })
  const second = start(first.save())
  expect(first.save()).toBeNull()
  await second.ask('POST', '/orders') // what nobody has asked for since is saved again
  const third = start(second.save())
  expect(await third.ask('GET', '/lines')).toBe('[]')
  expect(await third.ask('GET', '/orders')).toBe('[{"id":1},{"id":2}]')
  expect(await third.ask('GET', '/orders', 'one')).toBe('[{"id":1},{"id":2}]')
  expect(await third.ask('GET', '/turns')).toBe('2')
  expect(await third.ask('GET', '/kind', 'one')).toBe('other')
  expect(await third.ask('GET', '/kind')).toBe('ordinary')
})

it('a reset is a change', async () => {
  const first = start()
  await first.ask('DELETE', '/lines/1')
  const second = start(first.save())
  second.handler.reset()
  expect(await start(second.save()).ask('GET', '/lines')).toBe('[{"id":1}]')
})
