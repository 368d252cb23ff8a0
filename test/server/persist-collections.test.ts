import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { createServer } from 'node:http'
import { closeServer, listen } from '../hosts/serve.ts'
import { createTestProject } from '../hosts/test-project.ts'

const kept = 'node_modules/.cache/unplugin-mock-api/collections.json'
const fixture = (items: string) => `
- path: /orders
  collection: { items: ${items}, persist: true }
- path: /others
  collection: { items: [{ id: 1 }] }
`

let project: ReturnType<typeof createTestProject>
beforeEach(() => {
  project = createTestProject({ 'fixtures/orders.yaml': fixture('[{ id: 1 }]') })
})
afterEach(() => project.close())

/** What requests get of a server that is then closed. */
async function during<T>(
  run: (ask: (path: string, init?: RequestInit) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const logger = { info() {}, warn() {}, error: (text: string) => expect.unreachable(text) }
  const middleware = createMiddleware({ root: project.root, logger, watch: false })
  const server = createServer((req, res) => middleware(req, res, () => res.end()))
  const origin = await listen(server)
  await middleware.ready
  try {
    return await run(async (path, init) => {
      const text = await (await fetch(origin + path, init)).text()
      return text === '' ? undefined : (JSON.parse(text) as unknown)
    })
  } finally {
    await middleware.close()
    await closeServer(server)
  }
}
const create = { method: 'POST', body: '{"kept":true}' }

it('keeps what everyone has changed over a restart, where the collection says so', async () => {
  await during(async (ask) => {
    await ask('/orders', create)
    await ask('/orders', { ...create, headers: { 'x-mock-client': 'a' } })
    await ask('/others', create)
  })
  // A collection that is not asked for is kept as well.
  await during((ask) => ask('/others', create))
  await during(async (ask) => {
    expect(await ask('/orders')).toEqual([{ id: 1 }, { kept: true, id: 2 }])
    expect(await ask('/orders', { headers: { 'x-mock-client': 'a' } })).toHaveLength(2)
    expect(await ask('/others')).toEqual([{ id: 1 }])
    await ask('/__mock-api/api/reset', { method: 'POST', headers: { 'x-mock-api': '1' } })
    expect(await ask('/orders')).toEqual([{ id: 1 }])
  })
  expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1 }])
  expect(existsSync(join(project.root, kept))).toBe(false)
})

it('is written while the server runs', async () => {
  await during(async (ask) => {
    await ask('/orders', create)
    await vi.waitFor(() => expect(readFileSync(join(project.root, kept), 'utf8')).toContain('"kept":true'))
  })
})

it('does not bring back items of another file, or what is no list of items', async () => {
  await during((ask) => ask('/orders', create))
  const text = readFileSync(join(project.root, kept), 'utf8')
  for (const broken of ['', '{}', 'null', '[1]', text.replace('"id":2', '"id":1'), text.slice(0, -5)]) {
    writeFileSync(join(project.root, kept), broken)
    expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1 }])
  }
  writeFileSync(join(project.root, kept), text)
  project.write('fixtures/orders.yaml', fixture('[{ id: 1 }, { id: 9 }]'))
  expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1 }, { id: 9 }])
})
