import type { Locator, Page, Response, ViewportSize } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inThisRun } from '../hosts/this-run.ts'
import { accessibilityProblems } from './accessibility.ts'
import { leavePage } from './browser.ts'
import {
  startDevServer,
  startPreviewServer,
  startWebpackServer,
  type PlaygroundServer,
} from './playground-server.ts'
import { screenshot } from './screenshot.ts'
import { useBrowser } from './use-browser.ts'

interface GraphqlError {
  message: string
  path: (string | number)[]
  locations: { line: number; column: number }[]
}

const hosts = inThisRun({
  quick: [{ host: 'vite dev', start: startDevServer, inFull: true }],
  slow: [
    { host: 'vite preview', start: startPreviewServer, inFull: false },
    { host: 'webpack serve', start: startWebpackServer, inFull: false },
  ],
})

interface Appearance {
  viewport: ViewportSize
  colorScheme: 'light' | 'dark'
}
const wideAndLight: Appearance = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }
const narrowAndDark: Appearance = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }

const browser = useBrowser()
/** One page for all tests, since a new one takes longer than most of them. */
let page: Page
/** What the browser's console shows: errors and warnings, exceptions, failed requests. */
const problems: string[] = []
/** Path and query of every request to the API, in order. */
const apiRequests: string[] = []
beforeAll(async () => {
  // Without transitions, screenshots and contrast never see a colour in between.
  page = await browser().newPage({ reducedMotion: 'reduce' })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`))
  page.on('requestfailed', (request) => {
    problems.push(`no response: ${request.url()} ${request.failure()?.errorText ?? ''}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`HTTP ${response.status()}: ${response.url()}`)
  })
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (['/graphql', '/items'].includes(pathname)) apiRequests.push(pathname + search)
  })
})

describe.each(hosts)('the playground in $host', ({ host, start, inFull }) => {
  let server: PlaygroundServer

  beforeAll(async () => {
    server = await start()
  })
  afterAll(async () => {
    await leavePage(page)
    await server?.close()
  })

  /** Opens the page, and forgets what was seen before. */
  async function open({ viewport, colorScheme } = wideAndLight): Promise<void> {
    await leavePage(page)
    problems.length = 0
    apiRequests.length = 0
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await page.goto(server.url)
  }
  afterEach(() => expect(problems).toEqual([]))

  const draw = (name: string) => screenshot(page, `${host.replace(' ', '-')}-${name}`, true)

  // What the page does with an answer is the same on every host. On the others, the failing query and the end of the list suffice.
  const itInFull = it.runIf(inFull)

  itInFull('shows the hero and the friends', async () => {
    await open()
    const hero = heroPanel()
    await hero.getByText('R2-D2', { exact: true }).waitFor()

    expect(await friendsOf(hero)).toEqual([
      'Luke Skywalker ID 1000',
      'Han Solo ID 1002',
      'Leia Organa ID 1003',
    ])
    expect(await hero.getByRole('status').innerText()).toMatch(/^HTTP 200\s+answered by: \S/)
    expect(await hero.getByRole('alert').count()).toBe(0)
    expect(await hero.locator('mark').count()).toBe(0)
    expect(apiRequests.filter((request) => request === '/graphql')).toHaveLength(1)

    await itemsPanel().getByText('3 of 8 items').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await draw('light')
  })

  it('shows what a failing query returns with HTTP 200', async () => {
    await open()
    const hero = heroPanel()
    const { sent, received } = await sendFailingQuery()
    await hero.getByRole('alert').waitFor()

    expect(received.status()).toBe(200)
    const status = await hero.getByRole('status').innerText()
    expect(status).toContain('HTTP 200')
    expect(status).toContain(`answered by: ${received.headers()['x-mock-route']}`)

    const { errors } = (await received.json()) as { errors: GraphqlError[] }
    const expected = placeOf('name', sent.query, sent.query.indexOf('heroFriends'))
    expect(errors).toEqual([
      {
        message: 'Name for character with ID 1002 could not be fetched.',
        path: ['hero', 'heroFriends', 1, 'name'],
        locations: [expected],
      },
    ])
    const alert = await hero.getByRole('alert').innerText()
    expect(alert).toContain('Name for character with ID 1002 could not be fetched.')
    expect(alert).toContain('hero.heroFriends.1.name')
    expect(alert).toContain(`line ${expected.line}, column ${expected.column}`)

    // The partial data is shown, and what is missing is labelled.
    await hero.getByRole('heading', { name: 'Partial data' }).waitFor()
    expect(await hero.getByText('R2-D2', { exact: true }).isVisible()).toBe(true)
    expect(await friendsOf(hero)).toEqual([
      'Luke Skywalker ID 1000',
      'name missing ID 1002',
      'Leia Organa ID 1003',
    ])

    // The text is the query that was sent, and the mark is where the location points.
    const code = hero.getByRole('group', { name: 'Query as it was sent' })
    expect(await code.textContent()).toBe(sent.query)
    expect(await marksIn(code)).toEqual([{ text: 'name', ...expected }])

    expect(await accessibilityProblems(page)).toEqual([])
    await draw('failing')

    await hero.getByRole('button', { name: 'Happy query' }).click()
    await hero.getByText('Han Solo').waitFor()
    expect(await hero.getByRole('alert').count()).toBe(0)
  })

  it('loads a page each time the list is scrolled to its end, and marks the last', async () => {
    await open()
    const items = itemsPanel()
    const list = items.getByRole('region', { name: 'Items' })
    const itemRequests = () => apiRequests.filter((request) => request.startsWith('/items'))

    await items.getByText('3 of 8 items').waitFor()
    expect(await items.getByText('Page 1 of 3').isVisible()).toBe(true)
    await nextFrames()
    expect(itemRequests()).toEqual(['/items?page=1'])

    await scrollToEnd(list)
    await items.getByText('6 of 8 items').waitFor()
    expect(await items.getByText('Page 2 of 3').isVisible()).toBe(true)
    await nextFrames()
    expect(itemRequests()).toEqual(['/items?page=1', '/items?page=2'])
    expect(await items.getByText('That was the last page.').count()).toBe(0)

    await scrollToEnd(list)
    await items.getByText('8 of 8 items').waitFor()
    expect(await items.getByText('Page 3 of 3').isVisible()).toBe(true)
    expect(await items.getByText('That was the last page.').isVisible()).toBe(true)
    expect(await items.getByRole('button', { name: 'Load more' }).getAttribute('aria-disabled')).toBe('true')
    expect(await idsIn(list)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])

    // After the last page no further request is sent.
    await scrollToEnd(list)
    await nextFrames()
    expect(itemRequests()).toEqual(['/items?page=1', '/items?page=2', '/items?page=3'])
    await draw('last-page')
  })

  itInFull('loads all pages by keyboard alone', async () => {
    await open()
    const items = itemsPanel()
    await items.getByText('3 of 8 items').waitFor()
    await heroPanel().getByText('R2-D2', { exact: true }).waitFor()

    const passed: string[] = []
    while (passed.at(-1) !== 'Load more' && passed.length < 20) {
      await page.keyboard.press('Tab')
      const { name, outline } = await focusedElement()
      expect(outline, `focus ring of "${name}"`).toBe('solid')
      passed.push(name)
    }
    expect(passed).toEqual(['Happy query', 'Failing query', 'Query as it was sent', 'Items', 'Load more'])

    await page.keyboard.press('Enter')
    await items.getByText('6 of 8 items').waitFor()
    await page.keyboard.press('Enter')
    await items.getByText('8 of 8 items').waitFor()
    expect(await items.getByText('That was the last page.').isVisible()).toBe(true)
    expect((await focusedElement()).name).toBe('Load more')
  })

  itInFull('fits a narrow screen, in the dark', async () => {
    await open(narrowAndDark)
    await sendFailingQuery()
    await heroPanel().getByRole('alert').waitFor()
    await itemsPanel().getByText('3 of 8 items').waitFor()

    const { background, width } = await page.evaluate(() => ({
      background: getComputedStyle(document.body).backgroundColor,
      width: document.documentElement.scrollWidth,
    }))
    expect(background).toBe('rgb(19, 21, 24)')
    expect(width).toBe(360)
    expect(await accessibilityProblems(page)).toEqual([])
    await draw('dark-narrow')
  })

  itInFull('reports that the server does not answer, and recovers', async () => {
    await open()
    await heroPanel().getByText('R2-D2', { exact: true }).waitFor()
    await itemsPanel().getByText('3 of 8 items').waitFor()

    await page.route(/\/(graphql|items\?page=\d)$/, (route) => route.abort())
    await heroPanel().getByRole('button', { name: 'Happy query' }).click()
    await itemsPanel().getByRole('button', { name: 'Load more' }).click()
    for (const panel of [heroPanel(), itemsPanel()]) {
      await panel.getByRole('alert').getByText('The server did not answer.').waitFor()
    }
    await draw('no-answer')
    // Two requests were made to fail, and the console says so for each. Nothing else went wrong.
    await expect.poll(() => problems.length).toBe(4)
    expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([])
    problems.length = 0

    await page.unrouteAll()
    for (const panel of [heroPanel(), itemsPanel()]) {
      await panel.getByRole('button', { name: 'Try again' }).click()
      await panel.getByRole('alert').waitFor({ state: 'detached' })
    }
    await heroPanel().getByText('R2-D2', { exact: true }).waitFor()
    await itemsPanel().getByText('6 of 8 items').waitFor()
  })

  itInFull('says why a checkout has failed, and which scenario is active', async () => {
    await open()
    const checkout = page.getByRole('region', { name: 'A checkout with a sad path' })
    await checkout.getByText('Active scenario: none').waitFor()
    await checkout.getByRole('button', { name: 'Pay by invoice' }).click()
    await checkout.getByText(/^No route .*"the order is paid"/).waitFor()
    expect(await checkout.getByRole('link', { name: 'See why' }).getAttribute('href')).toBe('/__mock-api/')
    await checkout.getByRole('button', { name: 'Pay by card' }).click()
    await checkout.getByText('Order 1042 is paid.').waitFor()
    expect(await checkout.getByRole('link', { name: 'See why' }).count()).toBe(0)
    await expect.poll(() => problems.length).toBe(3) // the 404, for which browser and badge have a line each
    problems.length = 0
  })

  it('shows the two requests, with the address of this page', async () => {
    await open()
    const commands = await page.getByRole('contentinfo').getByRole('listitem').allInnerTexts()
    const { origin } = new URL(server.url)
    expect(commands).toEqual([
      `curl -d '{"operationName":"FailingQuery"}' ${origin}/graphql`,
      `curl '${origin}/items?page=3'`,
    ])
  })
})

function heroPanel(): Locator {
  return page.getByRole('region', { name: 'GraphQL that fails' })
}

function itemsPanel(): Locator {
  return page.getByRole('region', { name: 'A list that ends' })
}

async function sendFailingQuery(): Promise<{ sent: { query: string }; received: Response }> {
  // A click during the page's first query would cancel it, which the console reports.
  await heroPanel().getByText('R2-D2', { exact: true }).waitFor()
  const isFailingQuery = (response: Response) =>
    response.request().postData()?.includes('FailingQuery') ?? false
  const response = page.waitForResponse(isFailingQuery)
  await heroPanel().getByRole('button', { name: 'Failing query' }).click()
  const received = await response
  return { sent: received.request().postDataJSON() as { query: string }, received }
}

async function friendsOf(hero: Locator): Promise<string[]> {
  const rows = await hero
    .getByRole('list', { name: 'Friends of the hero' })
    .getByRole('listitem')
    .allInnerTexts()
  return rows.map((row) => row.replace(/\s+/g, ' '))
}

async function idsIn(list: Locator): Promise<number[]> {
  return (await list.getByRole('listitem').allInnerTexts()).map((row) => parseInt(row))
}

/** Line and column, from 1, of the first `word` after `from`. */
function placeOf(word: string, text: string, from: number): { line: number; column: number } {
  const at = text.indexOf(word, from)
  return { line: text.slice(0, at).split('\n').length, column: at - text.lastIndexOf('\n', at) }
}

/** The marked texts, and where they stand in what the page shows. */
function marksIn(code: Locator): Promise<{ text: string; line: number; column: number }[]> {
  return code.evaluate((element) =>
    [...element.querySelectorAll('mark')].map((mark) => {
      const before = document.createRange()
      before.setStart(element, 0)
      before.setEndBefore(mark)
      const lines = before.toString().split('\n')
      return { text: mark.textContent, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
    }),
  )
}

function focusedElement(): Promise<{ name: string; outline: string }> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const label = document.getElementById(element.getAttribute('aria-labelledby') ?? '')
    const name = element.getAttribute('aria-label') ?? (label ?? element).textContent
    return { name, outline: getComputedStyle(element).outlineStyle }
  })
}

async function scrollToEnd(list: Locator): Promise<void> {
  await list.hover()
  await page.mouse.wheel(0, 10_000)
}

/** An IntersectionObserver reports within a frame, and React renders within the next. */
async function nextFrames(): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
  })
}
