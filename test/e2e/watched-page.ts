import type { Browser, Page, ViewportSize } from 'playwright-core'
import { leavePage } from './browser.ts'

export interface WatchedPage {
  page: Page
  /** Opens the URL, and forgets what was seen before. */
  open: (url: string, appearance?: Appearance) => Promise<void>
  /** What the browser's console shows: errors and warnings, exceptions, failed requests. */
  problems: string[]
  /** Path and query of every request to the API, in order. */
  apiRequests: string[]
}

export interface Appearance {
  viewport: ViewportSize
  colorScheme: 'light' | 'dark'
}

const wideAndLight: Appearance = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }

const API_PATHS = ['/graphql', '/items']

/** One page for all tests of a file, since a new one takes longer than most of them. */
export async function watchPage(browser: Browser): Promise<WatchedPage> {
  // Without transitions, screenshots and contrast never see a colour in between.
  const page = await browser.newPage({ reducedMotion: 'reduce' })
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
  async function open(url: string, { viewport, colorScheme } = wideAndLight): Promise<void> {
    await leavePage(page)
    problems.length = 0
    apiRequests.length = 0
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await page.goto(url)
  }
  return { page, open, problems, apiRequests }
}
