import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMiddleware, type MockMiddleware } from '../../src/connect.ts'
import { connectBrowser } from '../e2e/browser.ts'
import { browserClient, nodeClients, type FaultClient } from './fault-clients.ts'
import { closeServer, listen } from './serve.ts'
import { createTestProject } from './test-project.ts'

/* What each client reports for each fault. CONTRIBUTING.md has the same table. */

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
/** What `fetch` reports, in Node as in a browser, and what a library that uses it passes on. */
const expected: Record<string, [fetch: string, library: string]> = {
  reset: ['TypeError', 'TypeError'],
  empty: ['TypeError', 'TypeError'],
  truncated: ['200, TypeError', 'TypeError'],
  malformed: ['200, TypeError', 'TypeError'],
  stalled: ['200, TimeoutError', 'TimeoutError'],
  silent: ['TimeoutError', 'TimeoutError'],
  dribble: ['200, the whole body', 'the data'],
  rateLimit: ['429, the whole body', 'an error'],
}

describe('what clients report', () => {
  const project = createTestProject({ 'fixtures/a.json': JSON.stringify(fixture) })
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

  it.each(Object.entries(expected))('%s', async (fault, [fetched, passedOn]) => {
    const answers: Record<string, string> = {}
    for (const { name, ask } of clients) {
      await ask(origin, 'whole', arrival) // a connection that it has used before
      await ask(origin, fault === 'rateLimit' ? fault : 'whole', arrival) // which uses the limit up
      answers[name] = await ask(origin, fault, arrival)
    }
    expect(answers).toEqual({
      'fetch in Node': fetched,
      'fetch in Chromium': fetched,
      'Apollo Client': passedOn,
      'TanStack Query': passedOn,
    })
  })
})

it('CONTRIBUTING.md says what was measured', () => {
  const page = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, fault, ...cells]) => [fault, cells.map((cell) => cell.replaceAll('`', ''))] as const,
  )
  expect(Object.fromEntries(rows)).toEqual(expected)
})
