/* A page in a real browser asks every host of the README. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allHosts, hostsNamed, startOnce } from '../hosts/hosts.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import { inThisRun } from '../hosts/this-run.ts'
import { checkHeaderNames } from '../http.ts'
import { leavePage } from './browser.ts'
import { useBrowser } from './use-browser.ts'

const template = (name: string) =>
  readFileSync(new URL(`../../fixtures/${name}.yaml`, import.meta.url), 'utf8')
const files = {
  'fixtures/graphql.yaml': template('graphql'),
  'fixtures/items.yaml': template('items'),
  'fixtures/search.yaml':
    '- { path: /search, name: search, when: { query: { q: a } }, response: { body: [] } }',
  'fixtures/stripe.yaml':
    '{ origin: https://api.stripe.example, routes: [{ path: /v1/charges, response: { body: [ch_1] } }] }',
}
const json = { 'content-type': 'application/json; charset=utf-8' }

/** What a script reads of an answer. */
interface Answer {
  status: number
  type: string
  headers: Record<string, string>
  text: string
}

interface Asked {
  path: string
  init?: RequestInit
}

const graphql = (body: object): Asked => ({
  path: '/graphql',
  init: { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
})

// One of each kind: test/hosts/contract.test.ts asks all of them the same without a browser.
const chosen = hostsNamed(
  'node:http',
  'Vite 8 dev',
  'webpack-dev-server 6, Node API',
  'Rspack dev',
  'Rsbuild dev',
)
const others = allHosts.filter((host) => !chosen.includes(host))

const browser = useBrowser()
let page: Page
const received: Promise<{ name: string }[]>[] = []
const elsewhere = createServer((_, res) =>
  res.setHeader('content-type', 'text/html').end('<title>elsewhere</title>'),
)
let otherOrigin: string
beforeAll(async () => {
  otherOrigin = await listen(elsewhere)
  page = await browser().newPage()
  page.on('response', (response) => {
    if (/\/(?:graphql|items|search)\b/.test(response.url())) received.push(response.headersArray())
  })
})
afterAll(() => closeServer(elsewhere))

describe.each(inThisRun({ quick: chosen, slow: others }))(
  'requests of a page to $name',
  ({ name, start }) => {
    const running = startOnce({ start }, files)
    beforeAll(async () => {
      received.length = 0
      await page.goto(`${running.origin}/`)
    })
    afterAll(() => leavePage(page))

    async function checkReceived(): Promise<void> {
      expect(received).not.toEqual([])
      for (const headers of await Promise.all(received.splice(0)))
        checkHeaderNames(headers.map(({ name }) => name))
    }

    const ask = ({ path, init }: Asked, origin = ''): Promise<Answer> =>
      page.evaluate(
        async ([url, init]) => {
          const response = await fetch(url, init)
          const { status, type } = response
          return { status, type, headers: Object.fromEntries(response.headers), text: await response.text() }
        },
        [origin + path, init] as const,
      )

    it('a query, a failing query, all pages of a list, an unmatched request, HEAD', async () => {
      const hero = await ask(graphql({ query: '{ hero { name } }' }))
      expect(hero).toMatchObject({ status: 200, headers: { ...json, 'x-mock-route': 'hero' } })
      expect(JSON.parse(hero.text)).toMatchObject({ data: { hero: { name: 'R2-D2' } } })

      const failing = await ask(graphql({ operationName: 'FailingQuery' }))
      expect(failing).toMatchObject({ status: 200, headers: json })
      expect(JSON.parse(failing.text)).toMatchObject({
        errors: [{ locations: [{ line: 1, column: 1 }] }],
        data: {},
      })

      const ids: number[] = []
      for (let number = 1, hasMore = true; hasMore; number++) {
        const list = await ask({ path: `/items?page=${number}` })
        expect(list).toMatchObject({ status: 200, headers: json })
        const { data, has_more } = JSON.parse(list.text) as { data: { id: number }[]; has_more: boolean }
        ids.push(...data.map(({ id }) => id))
        hasMore = has_more
      }
      expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8])

      const miss = await ask({ path: '/search?q=b' })
      expect(miss).toMatchObject({ status: 404, headers: json })
      expect(JSON.parse(miss.text)).toMatchObject({
        error: { code: 'route-unmatched', routes: [{ route: 'search' }] },
      })

      const head = await ask({ path: '/items?page=3', init: { method: 'HEAD' } })
      expect(head).toMatchObject({
        status: 200,
        headers: { ...json, 'x-mock-route': 'items, page 3' },
        text: '',
      })
      await checkReceived()
    })

    it('a page of another origin: with a preflight, without one, and with mode no-cors', async () => {
      await page.goto(otherOrigin)
      const { origin } = running
      const failing = await ask(graphql({ operationName: 'FailingQuery' }), origin)
      expect([failing.type, failing.status]).toEqual(['cors', 200])
      expect(JSON.parse(failing.text)).toHaveProperty('errors')
      const list = await ask({ path: '/items?page=2' }, origin)
      expect(JSON.parse(list.text)).toMatchObject({ page: 2 })
      const blind = ask({ path: '/items', init: { mode: 'no-cors' } }, origin)
      // webpack-dev-server sends `Cross-Origin-Resource-Policy: same-origin` with everything.
      if (name.startsWith('webpack-dev-server')) await expect(blind).rejects.toThrow()
      else expect(await blind).toMatchObject({ type: 'opaque', text: '' })
      await checkReceived()
    })

    // Other servers do not have the pages of the application.
    it.runIf(/^(?:Vite|webpack|Rspack|Rsbuild)/.test(name))('a request to another origin', async () => {
      await page.goto(`${running.origin}/`)
      const { status, type, text } = await ask({ path: '/v1/charges' }, 'https://api.stripe.example')
      expect([status, type, text]).toEqual([200, 'cors', '["ch_1"]'])
    })
  },
)
