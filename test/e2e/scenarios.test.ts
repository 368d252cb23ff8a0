/* Scenarios and sequences as pages in real browsers use them: two at once never disturb each other. */
import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { hostsNamed, startOnce } from '../hosts/hosts.ts'
import { inThisRun } from '../hosts/this-run.ts'
import { useBrowser } from './use-browser.ts'

const fixture = `
- path: /pay
  response: { status: 201 }
- path: /pay
  scenario: payment-down
  response: { status: 503 }
- path: /orders
  response: [{ status: 202 }, { status: 203 }, { status: 206 }]
- path: /order-page
  response: { headers: { content-type: text/html, set-cookie: [own=1, two=2] }, body: '<title>ours</title>' }
`

const browser = useBrowser()

/** The statuses that a page's script gets for the same URL, asked for one after the other. */
const statuses = (page: Page, url: string, times: number) =>
  page.evaluate(
    async ([url, times]) => {
      const got: number[] = []
      for (let i = 0; i < times; i++) got.push((await fetch(url)).status)
      return got
    },
    [url, times] as const,
  )

const hosts = inThisRun({
  quick: hostsNamed('Vite 8 dev'),
  slow: hostsNamed('webpack-dev-server 5, Node API', 'Vite 8 preview', 'Rspack dev', 'Rsbuild preview'),
})

describe.each(hosts)('$name', ({ start }) => {
  const running = startOnce({ start }, { 'fixtures/a.yaml': fixture })
  const contexts: BrowserContext[] = []
  afterAll(() => Promise.all(contexts.map((context) => context.close())))

  async function open(path: string, headers: Record<string, string> = {}): Promise<Page> {
    const context = await browser().newContext({ extraHTTPHeaders: headers, baseURL: running.origin })
    contexts.push(context)
    const page = await context.newPage()
    await page.goto(path)
    return page
  }

  it('a link with ?mock-scenario= switches the browser that opens it, and no other one', async () => {
    const [sad, happy] = await Promise.all([open('/?a=1&mock-scenario=payment-down#top'), open('/?a=1')])
    expect([await sad.title(), sad.url()]).toEqual([
      'the page of the project',
      `${running.origin}/?a=1&mock-scenario=payment-down#top`,
    ])
    const both = () => Promise.all([statuses(sad, '/pay', 5), statuses(happy, '/pay', 5)])
    expect(await both()).toEqual([Array(5).fill(503), Array(5).fill(201)])

    await sad.goto('/')
    expect(await both()).toEqual([Array(5).fill(503), Array(5).fill(201)])
    await sad.goto('/?mock-scenario=')
    expect(await both()).toEqual([Array(5).fill(201), Array(5).fill(201)])
    expect(await sad.context().cookies()).toEqual([])
  })

  it('tests with clients of their own get the whole of a sequence each', async () => {
    const pages = await Promise.all(['a', 'b', 'c'].map((client) => open('/', { 'x-mock-client': client })))
    const got = await Promise.all(pages.map((page) => statuses(page, '/orders', 4)))
    expect(got).toEqual(Array(3).fill([202, 203, 206, 206]))
  })

  it('a page of a route keeps its own cookies', async () => {
    const page = await open('/order-page?mock-scenario=payment-down')
    expect(await page.title()).toBe('ours')
    const cookies = await page.context().cookies()
    expect(cookies.map(({ name, value }) => `${name}=${value}`).toSorted()).toEqual([
      'mock-scenario=payment-down',
      'own=1',
      'two=2',
    ])
    expect(await statuses(page, '/pay', 1)).toEqual([503])
  })

  it('the example of docs/scenarios.md runs', async () => {
    const docs = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8')
    const [, code] = /^```ts\n\/\/ playwright\n([\s\S]*?)^```$/m.exec(docs)!
    const newContext = async (options: object) => {
      const context = await browser().newContext({ ...options, baseURL: running.origin })
      contexts.push(context)
      return context
    }
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the code of the page
    const run = new Function('browser', `return (async () => { ${code}; return pages })()`) as (
      browser: unknown,
    ) => Promise<Page[]>
    const pages = await run({ newContext })
    expect(await Promise.all(pages.map((page) => statuses(page, '/pay', 3)))).toEqual([
      [503, 503, 503],
      [201, 201, 201],
    ])
  })
})
