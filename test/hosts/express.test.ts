/* What only Express does: it mounts a middleware below a path, and parses bodies in front of it. */
import { createServer } from 'node:http'
import express from 'express'
import { expect, it } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { sendTo } from '../http.ts'
import { closeServer, echo, listen } from './serve.ts'
import { createTestProject } from './test-project.ts'

const fixture = `
- { method: POST, path: /search, when: { body: { a: 1 } }, response: { body: one } }
- { method: POST, path: /search, response: { body: other } }
`

it.each([
  { name: 'nothing', parsers: [] },
  { name: 'express.json()', parsers: [express.json()] },
  { name: 'express.text()', parsers: [express.text({ type: () => true })] },
  { name: 'express.raw()', parsers: [express.raw({ type: () => true })] },
])('mounted below a path, behind $name', async ({ parsers }) => {
  const project = createTestProject({ 'fixtures/a.yaml': fixture })
  const middleware = createMiddleware({ root: project.root, watch: false, logLevel: 'silent' })
  const app = express()
  for (const parser of parsers) app.use(parser)
  app.use('/api', middleware).use(echo)
  const server = createServer(app)
  const send = sendTo(await listen(server))
  const post = (url: string, body: string) =>
    send({ method: 'POST', url, body, headers: { 'content-type': 'application/json' } })
  try {
    expect((await post('/api/search?x=1', '{"a":1}')).text).toBe('one')
    expect((await post('/api/search', '{"a":2}')).text).toBe('other')
    expect((await post('/search', '{"a":1}')).headers).toHaveProperty('x-passed-on')
  } finally {
    await middleware.close()
    await closeServer(server)
    project.close()
  }
})
