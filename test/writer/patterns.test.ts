/* Written selectors may have patterns, for which RE2 is loaded: here nothing else has loaded it before. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ApiServer } from '../inspector/server/api-server.ts'
import { closeServer, listen } from '../hosts/serve.ts'

// A GraphQL operation that is named in its document alone, at a path that the option does not name.
const body = JSON.stringify({ query: 'query Hero { hero }' })
const mimeType = 'application/json'

async function record({ call, send }: ApiServer): Promise<void> {
  const backend = createServer((_, res) => res.setHeader('content-type', mimeType).end('{"data":1}'))
  const target = await listen(backend)
  onTestFinished(() => closeServer(backend))
  await call('PUT', 'record', { recording: true, target })
  await send('/gql', { method: 'POST', headers: { 'content-type': mimeType }, body })
  await call('PUT', 'record', { recording: false })
}

async function dropHar({ call }: ApiServer): Promise<void> {
  const request = {
    method: 'POST',
    url: 'http://a.example/gql',
    headers: [],
    postData: { mimeType, text: body },
  }
  const response = { status: 200, headers: [], content: { mimeType, text: '{"data":1}' } }
  const text = JSON.stringify({ log: { entries: [{ request, response }] } })
  await call('POST', 'import', { name: 'a.har', text })
}

it.each([
  ['recorded', record],
  ['imported', dropHar],
])('a pattern in what is %s', async (folder, write) => {
  vi.resetModules()
  const { startApiServer } = await import('../inspector/server/api-server.ts')
  const server = await startApiServer()
  onTestFinished(server.close)
  await write(server)
  const files = join(server.project.root, 'fixtures', folder)
  const texts = readdirSync(files).map((name) => readFileSync(join(files, name), 'utf8'))
  expect(texts).toEqual([expect.stringMatching(/\$regex: .*\\s\+Hero/)])
})
