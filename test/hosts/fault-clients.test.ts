import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMiddleware, type MockMiddleware } from '../../src/connect.ts'
import { connectBrowser } from '../e2e/browser.ts'
import { browserClient, nodeClients, type FaultClient } from './fault-clients.ts'
import { closeServer, listen } from './serve.ts'
import { createTestProject } from './test-project.ts'

/* What each client reports for each fault. `-u` updates the tables of docs/faults.md. */

const faults = {
  reset: 'reset',
  empty: 'empty',
  truncated: 'truncated',
  malformed: 'malformed',
  stalled: 'stalled',
  silent: 'silent',
  dribble: { dribble: 100 },
}
const body = { items: [{ id: 1 }, { id: 2 }] }
/** Its icon is not asked for: that request would come at any time, and be counted. */
const page = '<title>page</title><link rel="icon" href="data:,">'
const limited = { name: 'limited', rateLimit: { requests: 1, per: 3_600_000 } }
const fixture = [
  ...Object.entries(faults).flatMap(([name, fault]) => [
    { path: `/${name}`, response: { body, fault } },
    { path: '/graphql', when: { operationName: name }, response: { body: { data: body }, fault } },
  ]),
  { path: '/rateLimit', ...limited, response: { body } },
  { path: '/graphql', ...limited, when: { operationName: 'rateLimit' }, response: { body: { data: body } } },
  { path: '/whole', response: { body } },
]
const expected: Record<string, string[]> = {
  reset: [
    '`TypeError: fetch failed` (`ECONNRESET`)',
    '`TypeError: Failed to fetch`, after 2 requests',
    '`TypeError: fetch failed` (`ECONNRESET`)',
    '`TypeError: fetch failed` (`ECONNRESET`), after 4 requests',
  ],
  empty: [
    '`TypeError: fetch failed` (`UND_ERR_SOCKET`)',
    '`TypeError: Failed to fetch`, after 2 requests',
    '`TypeError: fetch failed` (`UND_ERR_SOCKET`)',
    '`TypeError: fetch failed` (`UND_ERR_SOCKET`), after 4 requests',
  ],
  truncated: [
    '200, `TypeError: terminated` (`UND_ERR_SOCKET`)',
    '200, `TypeError: Failed to fetch`',
    '`TypeError: terminated` (`UND_ERR_SOCKET`)',
    '`TypeError: terminated` (`UND_ERR_SOCKET`), after 4 requests',
  ],
  malformed: [
    '200, `TypeError: terminated` (`HPE_INVALID_CHUNK_SIZE`)',
    '200, `TypeError: Failed to fetch`',
    '`TypeError: terminated` (`HPE_INVALID_CHUNK_SIZE`)',
    '`TypeError: terminated` (`HPE_INVALID_CHUNK_SIZE`), after 4 requests',
  ],
  stalled: [
    '200, `TimeoutError: The operation was aborted due to timeout`',
    '200, `TimeoutError: signal timed out`',
    '`TimeoutError: The operation was aborted due to timeout`',
    '`TimeoutError: The operation was aborted due to timeout`, after 4 requests',
  ],
  silent: [
    '`TimeoutError: The operation was aborted due to timeout`',
    '`TimeoutError: signal timed out`',
    '`TimeoutError: The operation was aborted due to timeout`',
    '`TimeoutError: The operation was aborted due to timeout`, after 4 requests',
  ],
  dribble: ['200, whole', '200, whole', 'the data', 'the data'],
  rateLimit: [
    '429, whole',
    '429, whole',
    '`CombinedGraphQLErrors: POST /graphql exceeds the limit of the …`',
    '`Error: HTTP 429`, after 4 requests',
  ],
}

describe('what clients report', () => {
  const project = createTestProject({ 'fixtures/a.json': JSON.stringify(fixture) })
  const requests: string[] = []
  const arrivals = new EventEmitter()
  const arrival = () => once(arrivals, 'request')
  let middleware: MockMiddleware
  let server: Server
  let origin: string
  let browser: Browser
  let clients: FaultClient[]

  beforeAll(async () => {
    middleware = createMiddleware({ root: project.root, logLevel: 'silent', watch: false })
    server = createServer((req, res) => {
      requests.push(req.url!)
      arrivals.emit('request')
      middleware(req, res, () => res.setHeader('content-type', 'text/html').end(page))
    })
    origin = await listen(server)
    browser = await connectBrowser()
    const tab = await browser.newPage()
    await tab.goto(`${origin}/page`)
    const [node, ...others] = nodeClients
    clients = [node!, browserClient(tab), ...others]
  })
  afterAll(async () => {
    await browser?.close()
    await middleware.close()
    await closeServer(server)
    project.close()
  })

  /** What each client reports, on a connection that it has used before, and how many requests it sent. */
  async function measure(fault: string): Promise<string[]> {
    const cells: string[] = []
    for (const { ask } of clients) {
      await ask(origin, 'whole', arrival)
      await ask(origin, fault === 'rateLimit' ? fault : 'whole', arrival) // which uses the limit up
      requests.length = 0
      const answer = await ask(origin, fault, arrival)
      cells.push(`${answer}${requests.length === 1 ? '' : `, after ${requests.length} requests`}`)
    }
    return cells
  }

  it.each(Object.keys(expected))('%s', async (fault) => {
    expect(await measure(fault)).toEqual(expected[fault])
  })
})

it('docs/faults.md is up to date', async () => {
  const page = fileURLToPath(new URL('../../docs/faults.md', import.meta.url))
  const [start, end] = [
    '<!-- What test/hosts/fault-clients.test.ts has measured. -->',
    '<!-- Until here. -->',
  ]
  const text = readFileSync(page, 'utf8')
  const clients = ['fetch in Node 20', 'fetch in Chromium', 'Apollo Client 4.3', 'TanStack Query 5']
  const tables = clients.map((client, column) => {
    const rows = Object.entries(expected).map(([fault, cells]) => `| \`${fault}\` | ${cells[column]} |`)
    return [`### ${client}\n`, '| Fault | What the client sees |', '| --- | --- |', ...rows, ''].join('\n')
  })
  const measured = `${text.slice(0, text.indexOf(start))}${start}\n\n${tables.join('\n')}\n${text.slice(text.indexOf(end))}`
  const options = { ...(await resolveConfig(page)), parser: 'markdown' }
  await expect(await format(measured, options)).toMatchFileSnapshot(page)
})
