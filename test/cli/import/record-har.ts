import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { expect } from 'vitest'
import { createMiddleware } from '../../../src/connect.ts'
import { readHar } from '../../../src/cli/import/read-har.ts'
import { apiTypes } from '../../../src/cli/import/har-filter.ts'
import { Omissions } from '../../../src/writer/omissions.ts'
import { connectBrowser } from '../../e2e/browser.ts'
import { runIn } from '../test-terminal.ts'

/** A request as a page sends it, one after the other: path, and what `fetch` takes. */
export type PageRequest = [
  url: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
]

async function listen(listener: RequestListener): Promise<{ server: Server; origin: string }> {
  const server = createServer(listener).listen(0)
  await once(server, 'listening')
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` }
}

/** Sends requests from a page of a server in Chromium, which writes a HAR file. */
export async function recordHar(
  listener: RequestListener,
  requests: readonly PageRequest[],
  { path, content }: { path: string; content: 'embed' | 'attach' },
): Promise<void> {
  const { server, origin } = await listen((req, res) => {
    if (req.url === '/page-of-the-test')
      res.setHeader('content-type', 'text/html').end('<!doctype html><title>Test</title>')
    else listener(req, res)
  })
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
    server.closeAllConnections()
    server.close()
  }
}

const comparable = (body: Buffer, type: string) => {
  const text = body.toString('latin1')
  if (!/json/.test(type)) return text
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    return text
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
  const { server, origin } = await listen((req, res) => {
    middleware(req, res, () => res.writeHead(599).end('nobody answers'))
  })
  try {
    const exchanges = await readHar(join(root, name), { url: undefined, only: apiTypes }, new Omissions())
    for (const {
      method,
      url,
      requestHeaders,
      requestBody,
      status,
      responseBody,
      responseHeaders,
    } of exchanges) {
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
      const body = comparable(Buffer.from(await response.arrayBuffer()), type)
      const recorded = comparable(Buffer.from(responseBody), type)
      expect({ request: `${method} ${url}`, status: response.status, body }).toEqual({
        request: `${method} ${url}`,
        status,
        body: recorded,
      })
    }
    expect(logs).toEqual([])
    return { ...ran, compared: exchanges.length }
  } finally {
    server.closeAllConnections()
    server.close()
    await middleware.close()
  }
}
