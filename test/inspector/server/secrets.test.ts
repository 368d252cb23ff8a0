import { expect, it } from 'vitest'
import type { Edit } from '../../../src/inspector/api/api.ts'
import { apiServerOnce } from './api-server.ts'

const server = apiServerOnce({
  'fixtures/login.yaml': `
- method: POST
  path: /login
  when: { body: { password: wanted-1, user: { name: a } } }
- method: POST
  path: /login
  when: { body: { password: sent-1, user: { name: a } } }
- method: POST
  path: /login
  when: { body: { user: { $exists: false } } }
- path: /graphql
  when: { variables: { password: wanted-1, input: { $exists: false } } }
`,
  'fixtures/reset.yaml': '- { path: /reset/:token }\n',
  'fixtures/slow.mjs': `
export default [{ path: '/slow', response: () => new Promise((done) => { globalThis.answerSlow = () => done({ body: 1 }) }) }]
`,
})

it.each([
  ['/login', { password: 'sent-1', user: { name: 'b', password: 'sent-2' } }],
  [
    '/graphql',
    { query: 'mutation Login { a }', variables: { password: 'sent-1', input: { pin: 'sent-2' } } },
  ],
])('no part of a request for %s has secrets of its body', async (path, body) => {
  await server.post(path, body)
  const details = await server.details()
  expect(details.answeredBy).toBe('nothing')
  expect(details.decision.candidates.length).toBeGreaterThan(0)
  expect(JSON.stringify(details)).not.toMatch(/sent-|wanted-/)
})

it('a route that matches only wants secret values to be there', async () => {
  await server.post('/login', { password: 'sent-1', user: { name: 'b' } })
  const { id, decision } = await server.details()
  const route = decision.candidates.find(({ name }) => name === 'POST /login #1')!.id
  const { body } = await server.call<Edit>('POST', 'edit', { request: id, route })
  expect(body.diff).toContain('+  when: { body: { password: { $exists: true }, user: { name: b } } }')
  expect(body.notes).toEqual(['body.password only has to be there: its value is a credential.'])
})

it('a client that leaves before a function has answered has aborted its request', async () => {
  const leaving = new AbortController()
  const sent = server.send('/slow', { signal: leaving.signal }).catch(() => {})
  const globals = globalThis as { answerSlow?: () => void }
  await expect.poll(() => globals.answerSlow).toBeDefined()
  leaving.abort()
  await sent
  // The server learns of it later than the client.
  await server.send('/elsewhere.js')
  globals.answerSlow!()
  await expect.poll(server.details).toMatchObject({ url: '/slow', isAborted: true })
  expect(await server.details()).not.toHaveProperty('status')
})

it('a path keeps its secret when its fixture file has changed since', async () => {
  await server.send('/reset/hunter2')
  for (const file of ['a', 'b', 'c']) {
    server.project.write('fixtures/reset.yaml', `- { path: /reset/:token }\n- { path: /${file} }\n`)
    await expect.poll(async () => (await server.send(`/${file}`)).status).toBe(200)
  }
  const requests = await server.requests()
  expect(requests.map(({ url }) => url)).toContain('/reset/…')
  expect(JSON.stringify(requests)).not.toContain('hunter2')
})

it.each(['//', '//@', '///x'])('api%s is nothing', async (path) => {
  const response = await fetch(`${server.origin}/__mock-api/api${path}`)
  expect(response.status).toBe(404)
})
