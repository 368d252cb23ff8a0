import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from '../api-server.ts'
import { isThorough } from '../../../sampling.ts'

let server: ApiServer
beforeEach(async () => {
  server = await startApiServer({ 'fixtures/a.yaml': '- { path: /a, response: { body: a } }\n' })
})
afterEach(() => server.close())

const entry = (url: string, text: string, type = 'fetch') => ({
  _resourceType: type,
  startedDateTime: '2026-11-23T08:00:00.000Z',
  request: { method: 'GET', url, headers: [] },
  response: { status: 200, headers: [], content: { mimeType: 'application/json', text, size: text.length } },
})
const har = (content: unknown, more: object = {}) =>
  server.call('POST', 'import', { name: 'a.har', text: JSON.stringify(content), ...more })
const log = {
  version: '1.2',
  entries: [
    entry('https://shop.example/orders/7', '{"id":7}'),
    entry('https://shop.example/logo.png', '', 'image'),
    { request: 'broken' },
  ],
}

it('a HAR becomes fixture files in a folder of its own, and what is left out is named', async () => {
  const file = 'fixtures/imported/orders-id.yaml'
  const dry = await har({ log }, { dryRun: true })
  expect(dry).toMatchObject({ status: 200, body: { files: [{ file, routes: 1 }], isWritten: false } })
  expect((dry.body['omitted'] as { what: string }[]).map(({ what }) => what)).toEqual([
    'entry 3',
    'a request',
  ])
  expect((await server.send('/orders/7')).status).toBe(404)
  const { body } = await har({ log })
  expect(body).toMatchObject({ files: [{ file }], isWritten: true })
  await expect.poll(async () => (await server.send('/orders/7')).status).toBe(200)
  expect(server.read(file)).toContain('path: /orders/:id')
  const again = await har({ log }, { dryRun: true })
  expect(again.body).toMatchObject({ files: [{ file }], isWritten: true })
  await har({ log })
  expect(readdirSync(join(server.project.root, 'fixtures'))).toEqual(['a.yaml', 'imported'])
  const other = { entries: [entry('https://shop.example/orders/7', '{"id":7,"total":2}')] }
  const next = await har({ log: other }, { dryRun: true })
  expect(next.body).toMatchObject({ files: [{ file: file.replace('/o', '-2/o') }], isWritten: false })
})

it('a HAR with more requests than the server can read at once is left to the command', async () => {
  const entries = (count: number) => Array.from({ length: count }, () => log.entries[0])
  const refused = await har({ log: { entries: entries(1001) } }, { dryRun: true })
  expect(refused).toMatchObject({ status: 413, body: { error: { code: 'api-body-too-large' } } })
  const taken = { log: { entries: entries(isThorough ? 1000 : 10) } }
  expect((await har(taken, { dryRun: true })).status).toBe(200)
})

it.each([
  [{}, "a.har can't be imported: it looks like JSON."],
  [
    { log: { entries: {} } },
    'a.har can\'t be imported: a.har has no requests. In a HAR file, they are in "log.entries".',
  ],
])('%j is no HAR', async (body, message) => {
  expect(await har(body)).toMatchObject({ status: 400, body: { error: { message } } })
})
