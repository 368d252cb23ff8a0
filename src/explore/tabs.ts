import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { isLoopback } from '../core/http/host-name.ts'
import type { Login } from '../core/values/url-user.ts'

/** A page in a context of its own. */
export interface BrowserTab {
  context: BrowserContext
  page: Page
  session: CDPSession
}

export const [width, height] = [1120, 800]

/**
 * Pages that are used again: to start a process for each, which loads all modules, takes four times as long. Nothing is left of what a
 * page has stored, and a page that has been elsewhere is closed.
 */
export function createTabs(browser: Browser, url: string, login?: Login) {
  const { origin, hostname } = new URL(url)
  const nowhere = `${origin}/__mock-api/nothing-here`
  const idle: BrowserTab[] = []
  let isReusing = true

  async function open(): Promise<BrowserTab> {
    const context = await browser.newContext({
      ...(login && { httpCredentials: login }),
      ignoreHTTPSErrors: isLoopback(hostname), // most dev servers sign their certificates themselves
      viewport: { width, height },
      reducedMotion: 'reduce', // pictures are the same each time
      serviceWorkers: 'block', // one would answer in the place of the server
    })
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    // An empty page of the same origin, which the browser itself answers, ends the one before and has its storage.
    await session.send('Fetch.enable', { patterns: [{ urlPattern: nowhere }] })
    session.on('Fetch.requestPaused', ({ requestId }) => {
      const responseHeaders = [{ name: 'content-type', value: 'text/html' }]
      const answer = { requestId, responseCode: 200, responseHeaders, body: '' }
      session.send('Fetch.fulfillRequest', answer).catch(() => {})
    })
    return { context, page, session }
  }

  async function clear({ context, page, session }: BrowserTab): Promise<void> {
    const foreign = page
      .frames()
      .some((frame) => /^https?:/.test(frame.url()) && new URL(frame.url()).origin !== origin)
    if (foreign || context.pages().length > 1) throw new Error('It has been elsewhere.')
    page.removeAllListeners()
    page.on('dialog', (dialog) => void dialog.accept().catch(() => {}))
    await page.goto(nowhere, { timeout: 3000 })
    await page.evaluate(() => {
      sessionStorage.clear()
      window.name = ''
    })
    page.removeAllListeners()
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    await context.clearCookies()
    await session.send('Page.resetNavigationHistory')
  }

  return {
    take: async () => idle.pop() ?? open(),
    /** @param isClean whether the page may be used again: it has only been where it was sent */
    async giveBack(tab: BrowserTab, isClean: boolean) {
      const isCleared = isReusing && isClean && (await clear(tab).then(() => true, () => false)) // prettier-ignore
      if (isCleared) idle.push(tab)
      else await tab.context.close().catch(() => {})
    },
    /** Closes those that wait. From now on, each page is opened anew. */
    async stopReuse() {
      isReusing = false
      await Promise.all(idle.splice(0).map(({ context }) => context.close().catch(() => {})))
    },
  }
}
