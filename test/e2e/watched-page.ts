import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export interface WatchedPage {
  page: Page
  /** What the browser's console shows: errors and warnings, exceptions, failed requests. */
  problems: string[]
  /** Path and query of every request to the API, in order. */
  apiRequests: string[]
}

const API_PATHS = ['/graphql', '/items']

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    // Without transitions, screenshots and contrast never see a colour in between.
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const problems: string[] = []
  const apiRequests: string[] = []
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
    if (API_PATHS.includes(pathname)) apiRequests.push(pathname + search)
  })
  await page.goto(url)
  return { page, problems, apiRequests }
}
