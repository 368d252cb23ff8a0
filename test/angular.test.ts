/* Angular's dev server is Vite's, with this proxy. */
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { createServer as createVite, type ProxyOptions } from 'vite'
import { mockApi } from '../src/angular.ts'
import { sendTo } from './http.ts'
import { closeServer, echo, listen } from './hosts/serve.ts'
import { createTestProject } from './hosts/test-project.ts'

it('answers, and leaves the rest to the proxy of the project and to the dev server', async () => {
  const project = createTestProject({
    'fixtures/a.yaml': `
- { path: /value, response: { body: { a: 1 } } }
- { method: POST, path: /api/orders, when: { body: { a: 1 } }, response: { body: mocked } }`,
  })
  const backend = createServer(echo)
  const origin = await listen(backend)
  const options = {
    root: project.root,
    watch: false,
    logLevel: 'silent' as const,
    unmatched: 'passthrough' as const,
  }
  const proxy = mockApi(options, { '/api': origin }) as Record<string, ProxyOptions>
  const server = await createVite({
    root: project.root,
    configFile: false,
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0, proxy },
  })
  await server.listen()
  onTestFinished(async () => {
    await server.close()
    await closeServer(backend)
    project.close()
  })
  const address = server.httpServer!.address() as { port: number }
  const send = sendTo(`http://127.0.0.1:${address.port}`)
  const post = (body: string) =>
    send({ method: 'POST', url: '/api/orders', headers: { 'content-type': 'application/json' }, body })
  expect((await send({ url: '/value' })).text).toBe('{"a":1}')
  expect((await post('{"a":1}')).text).toBe('mocked')
  expect((await post('{"a":2}')).text).toBe('{"a":2}')
  expect((await send({ url: '/api/other' })).headers['x-passed-on']).toBe('GET')
  expect((await send({ url: '/', headers: { accept: 'text/html' } })).text).toContain(
    'the page of the project',
  )
  expect((await send({ url: '/main.js' })).text).toContain('the app')
})
