import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMiddleware } from 'unplugin-mock-api/connect'
import { fakeRequest, fakeResponse } from '../lib/fake-http.mjs'
import { median } from '../lib/stats.mjs'

/* One collection in one process: processor time of each kind of request, and the heap that the items take. */

const count = 100_000
const root = mkdtempSync(join(tmpdir(), 'bench-collections-'))
const items = Array.from({ length: count }, (_, index) => ({
  id: index + 1,
  name: `Order ${index + 1}`,
  state: ['open', 'paid', 'sent'][index % 3],
  total: (index * 7919) % 1000,
  customerId: (index % 500) + 1,
}))
writeFileSync(join(root, 'orders.json'), JSON.stringify(items))
writeFileSync(
  join(root, 'fixtures.yaml'),
  '- { path: /orders, collection: { items: { file: orders.json }, name: orders } }',
)
items.length = 0

const heapUsed = () => {
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1e6
}
const before = heapUsed()
const middleware = createMiddleware({
  ...{ root, fixtures: ['fixtures.yaml'], watch: false, inspector: false },
  logger: { info() {}, warn() {}, error() {} },
})
await middleware.ready

const ask = (method, url, body) =>
  new Promise((resolve, reject) => {
    const response = fakeResponse()
    response.end = (sent) => resolve(sent)
    middleware(fakeRequest({ method, url, body }), response, (error) => reject(error ?? new Error(url)))
  })
// The first write copies the list for everyone.
await ask('POST', '/orders', { state: 'open' })
const heap = heapUsed() - before

let next = 0
const kinds = [
  {
    request: 'GET /orders?_page=500&_limit=20',
    limit: 5,
    url: () => `/orders?_page=${(next % 900) + 1}&_limit=20`,
  },
  { request: 'GET /orders/50000', limit: 5, url: () => `/orders/${(next % count) + 1}` },
  { request: 'GET /orders?customerId=7', limit: 5, url: () => `/orders?customerId=${(next % 500) + 1}` },
  {
    request: 'GET /orders?customerId=7&_page=1&_limit=20',
    ...{ limit: 5, url: () => `/orders?customerId=${(next % 500) + 1}&_page=1&_limit=20` },
  },
  {
    request: 'POST /orders',
    limit: 1,
    method: 'POST',
    url: () => '/orders',
    body: { name: 'New', state: 'open' },
  },
  { request: 'DELETE /orders/50000', limit: 1, method: 'DELETE', url: () => `/orders/${next}` },
]
const requests = []
for (const { request, limit, method = 'GET', url, body } of kinds) {
  const times = []
  for (let round = 0; round < 120; round++) {
    next++
    const target = url()
    const start = process.cpuUsage()
    await ask(method, target, body)
    const { user, system } = process.cpuUsage(start)
    if (round >= 20) times.push((user + system) / 1000)
  }
  requests.push({ request, limit, milliseconds: median(times) })
}
console.log(JSON.stringify({ heap, requests }))
rmSync(root, { recursive: true, force: true })
process.exit()
