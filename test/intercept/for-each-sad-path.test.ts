import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient, type MockClient } from '../../src/client.ts'
import { forEachSadPath } from '../../src/intercept/for-each-sad-path.ts'
import { startApiServer, type ApiServer } from '../inspector/server/api-server.ts'

let server: ApiServer
let mock: MockClient
beforeAll(async () => {
  server = await startApiServer({
    'fixtures/a.yaml': '- { path: /hero, response: { body: { name: Luke, friends: [{ name: Han }] } } }',
  })
  mock = createClient(server.origin, { client: 'loader' })
})
afterAll(() => server.close())

class LoadError extends Error {}

const send = () => server.send('/hero', { headers: { 'x-mock-client': 'loader' } })

async function loadCarefully() {
  const response = await send().catch((cause: unknown) => {
    throw new LoadError('no answer', { cause })
  })
  if (!response.ok) throw new LoadError(`HTTP ${response.status}`)
  const { friends } = (await response.json()) as { friends?: ({ name: string } | null)[] | null }
  return friends?.map((friend) => friend?.name) ?? []
}

async function loadCarelessly() {
  const { friends } = (await (await send()).json()) as { friends: { name: string }[] }
  return friends.map(({ name }) => name)
}

it('is done when the loader only throws what it declares', async () => {
  await forEachSadPath(mock, loadCarefully, {
    errors: [LoadError],
    kinds: ['status', 'null', 'missing', 'list'],
  })
})

it('lists the sad paths in which a loader throws anything else', async () => {
  const kinds = ['missing', 'list', 'connection'] as const
  const failed = await forEachSadPath(mock, loadCarelessly, { kinds, timeout: 1000 }).catch(
    (error: Error) => error.message,
  )
  expect(failed).toContain('GET /hero: friends is missing: it has thrown TypeError')
  expect(failed).toContain('GET /hero: there is never an answer: it has not settled within 1000 ms')
  expect(failed).not.toContain('friends is empty')
})

it('ends the last sad path', async () => {
  expect(await loadCarefully()).toEqual(['Han'])
})

it('says so when nothing can go wrong', async () => {
  await expect(forEachSadPath(mock, () => {}, { requests: { path: '/none' } })).rejects.toThrow(
    'The loader has sent no request whose answer can go wrong in one of the given ways.',
  )
})
