/* GraphiQL at the GraphQL endpoint, as a developer opens it; every other origin is out of reach. */
import { createServer } from 'node:http'
import { buildSchema, introspectionFromSchema } from 'graphql'
import type { Page, Request } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { closeServer, listen, recorder } from '../hosts/serve.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { screenshot } from './screenshot.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()

const friends = (second: string | null) => [
  { id: '1000', name: 'Luke Skywalker' },
  { id: '1002', name: second },
  { id: '1003', name: 'Leia Organa' },
]

const failed = (location: { line: number; column: number }) => ({
  errors: [
    {
      message: 'Name for character with ID 1002 could not be fetched.',
      locations: [location],
      path: ['hero', 'heroFriends', 1, 'name'],
    },
  ],
  data: { hero: { name: 'R2-D2', heroFriends: friends(null) } },
})

/** How long the page may take to show an answer, on a busy machine. */
const patience = { timeout: 30_000 }

/** Fixtures, or the starter templates, with GraphiQL for navigations to the endpoint. */
async function serve(
  base: string,
  files: Record<string, string> = {},
): Promise<{ origin: string; log: string[] }> {
  const project = createTestProject(files)
  const { log, logger } = recorder()
  const graphql = { graphiql: true }
  const api = createMiddleware({ root: project.root, base, watch: false, logLevel: 'warn', logger, graphql })
  const server = createServer((req, res) => api(req, res, () => res.writeHead(404).end()))
  const origin = await listen(server)
  onTestFinished(async () => {
    await closeServer(server)
    await api.close()
    project.close()
  })
  return { origin, log }
}

interface Opened {
  page: Page
  /** What a developer would see in red. */
  problems: string[]
  /** Requests to any other origin: they are not let through. */
  foreign: string[]
  /** Method and path of every request to the server. */
  own: string[]
}

async function open(origin: string, path: string): Promise<Opened> {
  // The result pane shows only those lines that it has room for.
  const context = await browser().newContext({
    viewport: { width: 1800, height: 1200 },
    colorScheme: 'light',
  })
  onTestFinished(() => context.close())
  const opened: Opened = { page: await context.newPage(), problems: [], foreign: [], own: [] }
  const { page, problems, foreign, own } = opened
  await context.route('**/*', async (route) => {
    const request = route.request()
    const url = new URL(request.url())
    if (url.origin !== origin) {
      foreign.push(url.href)
      return route.abort()
    }
    own.push(`${request.method()} ${url.pathname}`)
    return route.continue()
  })
  page.on('websocket', (socket) => foreign.push(socket.url()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  // Until it has been answered about the schema, the page may put that answer in place of another.
  const introspected = page.waitForResponse((response) => isIntrospection(response.request()))
  await page.goto(origin + path)
  await introspected
  return opened
}

function isIntrospection(request: Request): boolean {
  return request.postData()?.includes('IntrospectionQuery') === true
}

/** Runs what is in the editor; gives what goes to the server. */
async function execute(page: Page): Promise<unknown> {
  const sent = page.waitForRequest((request) => request.method() === 'POST' && !isIntrospection(request))
  await page.getByRole('button', { name: 'Execute query' }).click()
  return (await sent).postDataJSON() as unknown
}

/** Pastes a document over what is in the editor (while one types, it adds brackets of its own), and waits until it is read. */
async function paste(page: Page, document: string, name: string): Promise<void> {
  await page.locator('.graphiql-query-editor .view-lines').click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.locator('.graphiql-query-editor textarea').evaluate((element, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, document)
  await page.getByRole('tab', { name }).waitFor()
}

/** What the result pane shows, read as JSON: its lines come in any order, each with its place. */
async function shownResult(page: Page): Promise<unknown> {
  const lines = await page.locator('.result-window .view-line').evaluateAll((elements) =>
    (elements as HTMLElement[])
      .map((element) => ({ top: parseInt(element.style.top), text: element.textContent }))
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text),
  )
  const text = lines.join('\n').replaceAll('\u00a0', ' ')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

describe('GraphiQL', () => {
  it('runs queries on the mock, and loads nothing from elsewhere', async () => {
    const { origin, log } = await serve('')
    const { page, problems, foreign, own } = await open(origin, '/graphql')
    expect(await page.title()).toBe('GraphiQL')

    // Not the data alone: that is also what the mock gives when GraphiQL asks for a schema.
    const failing = 'query FailingQuery {\n  hero {\n    heroFriends {\n      name\n    }\n  }\n}\n'
    await paste(page, failing, 'FailingQuery')
    expect(await execute(page)).toEqual({ query: failing, operationName: 'FailingQuery' })
    await expect.poll(() => shownResult(page), patience).toEqual(failed({ line: 4, column: 7 }))
    await screenshot(page, 'graphiql')

    const named = 'query Names { hero { name } }'
    await paste(page, named, 'Names')
    expect(await execute(page)).toEqual({ query: named, operationName: 'Names' })
    const data = { hero: { name: 'R2-D2', heroFriends: friends('Han Solo') } }
    await expect.poll(() => shownResult(page), patience).toEqual({ data })

    expect([problems, foreign, log]).toEqual([[], [], []])
    expect(new Set(own)).toEqual(new Set(['GET /graphql', 'POST /graphql']))
    // What would be loaded from elsewhere would have been seen.
    await page.evaluate(() => fetch('http://cdn.test/a.js').catch(() => {}))
    expect(foreign).toEqual(['http://cdn.test/a.js'])
  })

  const document = 'query FailingQuery{hero{heroFriends{name}}}'
  it.each([
    ['below the base', '/api', '/api/graphql', '/api/graphql'],
    ['with a query in its address', '/a/b', `/a/b/graphql?query=${document}`, '/a/b/graphql'],
  ])('asks the path that it is opened at: %s', async (_, base, address, endpoint) => {
    const { origin } = await serve(base)
    const { page, problems, foreign, own } = await open(origin, address)
    if (!address.includes('?')) await paste(page, document, 'FailingQuery')
    expect(await execute(page)).toMatchObject({ query: document })
    await expect.poll(() => shownResult(page), patience).toEqual(failed({ line: 1, column: 37 }))
    expect(new Set(own)).toEqual(new Set([`GET ${endpoint}`, `POST ${endpoint}`]))
    expect([problems, foreign]).toEqual([[], []])
  })

  it('shows the schema that the endpoint has', async () => {
    const sdl =
      '"The heroes of an episode" type Query { heroes(episode: Int): [Hero!] } type Hero { name: ID }'
    const fixture = {
      path: '/graphql',
      when: { operationName: 'IntrospectionQuery' },
      response: { body: { data: introspectionFromSchema(buildSchema(sdl)) } },
    }
    const { origin } = await serve('', {
      'fixtures/a.json': JSON.stringify([{ method: 'POST', ...fixture }]),
    })
    const { page, problems, foreign } = await open(origin, '/graphql')
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByRole('link', { name: 'Query', exact: true }).click()
    await page.getByText('The heroes of an episode').waitFor()
    await page.getByRole('link', { name: 'heroes', exact: true }).waitFor()
    expect([problems, foreign]).toEqual([[], []])
  })
})
