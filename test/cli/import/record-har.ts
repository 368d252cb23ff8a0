import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createMiddleware } from '../../../src/connect.ts'
import { readHar } from '../../../src/import/kinds/har.ts'
import { ImportSource } from '../../../src/import/source.ts'
import { apiTypes } from '../../../src/writer/har/har-filter.ts'
import { Omissions } from '../../../src/writer/omissions.ts'
import { connectBrowser } from '../../e2e/browser.ts'
import { closeServer, listen } from '../../hosts/serve.ts'
import { valueOf } from '../../writer/exchanges.ts'
import { runIn } from '../test-terminal.ts'

/** A request as a page sends it, one after the other: path, and what `fetch` takes. */
export type PageRequest = [
  url: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
]

/** Sends requests from a page of a server in Chromium, which writes a HAR file. */
export async function recordHar(
  listener: RequestListener,
  requests: readonly PageRequest[],
  { path, content }: { path: string; content: 'embed' | 'attach' },
): Promise<void> {
  const server = createServer((req, res) => {
    if (req.url === '/page-of-the-test')
      res.setHeader('content-type', 'text/html').end('<!doctype html><title>Test</title>')
    else listener(req, res)
  })
  const origin = await listen(server)
  const browser = await connectBrowser()
  try {
    const context = await browser.newContext({ recordHar: { path, content } })
    const page = await context.newPage()
    await page.goto(`${origin}/page-of-the-test`)
    await page.evaluate(async (all) => {
      for (const [url, init] of all)
        await fetch(url, { ...init, redirect: 'manual' }).then((response) => response.text())
    }, requests)
    await context.close()
  } finally {
    await browser.close()
    await closeServer(server)
  }
}

/**
 * Imports a HAR file into a folder, and sends its requests again to the mock server alone.
 *
 * @returns what was printed, and how many requests were compared
 */
export async function replayHar(root: string, name: string, { fixtures = 'fixtures' } = {}) {
  const ran = await runIn(root, ['import', 'har', name])
  expect(ran.exitCode, ran.stderr).toBe(0)
  const logs: string[] = []
  const log = (text: string) => void logs.push(text)
  const middleware = createMiddleware({
    root,
    fixtures,
    watch: false,
    inspector: false,
    logger: { info: () => {}, warn: log, error: log },
  })
  const server = createServer((req, res) => {
    middleware(req, res, () => res.writeHead(599).end('nobody answers'))
  })
  const origin = await listen(server)
  try {
    const exchanges = await readHar(
      new ImportSource(name, join(root, name)),
      { url: undefined, only: apiTypes },
      new Omissions(),
      () => {},
    )
    for (const exchange of exchanges) {
      const { method, url, requestHeaders, requestBody, status, responseBody, responseHeaders } = exchange
      if (status < 200) continue // aborted
      const { pathname, search } = new URL(url)
      const given = requestHeaders.filter(([header]) => /^(?:content-type|accept)$/i.test(header))
      const response = await fetch(origin + pathname + search, {
        method,
        redirect: 'manual',
        headers: Object.fromEntries(given),
        body: (requestBody as BodyInit | undefined) ?? null,
      })
      const type = responseHeaders.find(([header]) => header.toLowerCase() === 'content-type')?.[1] ?? ''
      const body = valueOf(new Uint8Array(await response.arrayBuffer()), type)
      const recorded = valueOf(responseBody, type)
      // A 404 here says why, and that of json-server is `{}`.
      const expected: unknown = status === 404 ? expect.anything() : recorded
      expect({ status: response.status, body }, `${method} ${url}`).toEqual({ status, body: expected })
    }
    expect(logs).toEqual([])
    return { ...ran, compared: exchanges.length }
  } finally {
    await closeServer(server)
    await middleware.close()
  }
}
