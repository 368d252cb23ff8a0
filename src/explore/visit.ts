import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Browser, Page } from 'playwright-core'
import type { RequestDetails, RequestSummary } from '../inspector/api/api.ts'
import type { Login } from '../core/values/url-user.ts'
import { ControlApiError, createApiClient } from '../inspector/client/api-client.ts'
import { askDevServer } from '../wire/node/ask-dev-server.ts'
import { createTurnstile } from '../wire/turnstile.ts'
import type { Observation } from './judge/observation.ts'
import { createTabs, height, width } from './tabs.ts'
import { watchPage, type Patience, type SettleHooks } from './watch-page.ts'

/** Steps of a user, as functions of Playwright. */
export interface Script {
  /** Runs before the page is opened, as a login. Its requests never go wrong. */
  before?: ((page: Page, url: string) => unknown) | undefined
  /** Runs on the page, as a click on "Load more". */
  after?: ((page: Page) => unknown) | undefined
}

/** A page in a context of its own, as a client of its own. */
export interface Visit {
  page: Page
  /** Opens it, and goes through the steps of the script. */
  open: (hooks?: Partial<SettleHooks>) => Promise<Observation>
  takePicture: () => Promise<Buffer>
  /** Requests of the page that a mock server has received, without those of earlier steps, oldest first. */
  requests: () => Promise<RequestSummary[]>
  /** Details of a request; `undefined` for one that the server has forgotten, after 500 others. */
  details: (id: number) => Promise<RequestDetails | undefined>
}

export type Api = ReturnType<typeof createApiClient>

export type Visitor = ReturnType<typeof createVisitor>

export function createVisitor(
  browser: Browser,
  url: string,
  patience: Patience,
  {
    script = {},
    server,
    login,
    headers = {},
  }: { script?: Script; server?: string; login?: Login | undefined; headers?: Record<string, string> },
) {
  const { origin } = new URL(server ?? url)
  const base = `${origin}/__mock-api/api/`
  const explain = (status: number) =>
    status === 0
      ? `No server answers at ${origin}. Start the dev server first.`
      : `The server at ${origin} has no mock API: ${base} answers with ${status}. Check the address, and that the option "inspector" is not false; a preview server needs "inspector: { preview: true }".`
  const run = `explore-${randomUUID().slice(0, 8)}`
  // Pages wait for most of their time, but all of them together would take long to load.
  const enter = createTurnstile(availableParallelism())
  const tabs = createTabs(browser, url, login)
  let count = 0

  async function open(
    page: Page,
    hooks: Partial<SettleHooks>,
    isGood: boolean,
    isLoaded: () => void,
  ): Promise<Observation> {
    // Ends what the previous page has not finished, so its errors do not count for this page.
    if (script.before) await page.goto('about:blank')
    const watch = await watchPage(page)
    const settle = () => watch.settle(patience, hooks)
    try {
      await page.goto(url)
    } catch (error) {
      // A page that waits for answers may never finish loading. It is judged as it is.
      if (isGood || page.url() === 'about:blank') throw error
    } finally {
      isLoaded()
    }
    const observation = await settle()
    if (!script.after) return observation
    try {
      await script.after(page)
    } catch (error) {
      if (isGood) throw error // a page with a sad path may not have the button
    }
    return settle()
  }

  /** @param overrides without a sad path, the page is a good one */
  async function visit<Result>(
    overrides: { sadPath?: string; delay?: number },
    use: (visit: Visit) => Promise<Result>,
  ) {
    const isGood = overrides.sadPath === undefined
    const client = `${run}-${count++}`
    const api = createApiClient({ base, client, headers, explain, fetch: askDevServer })
    const isLoaded = await enter() // a page that is opened anew starts a process
    const tab = await tabs.take()
    const { context, page } = tab
    let isClean = false
    try {
      await context.addCookies([{ name: 'mock-client', value: client, url: origin }])
      // Pages send no cookies to another server.
      if (server !== undefined) await context.setExtraHTTPHeaders({ 'x-mock-client': client })
      page.setDefaultTimeout(patience.limit)
      page.setDefaultNavigationTimeout(patience.load)
      const places = new Set<string>()
      page.on('framenavigated', (frame) => places.add(new URL(frame.url()).origin))
      await script.before?.(page, url)
      const requests = await followRequests(api, client, isGood)
      await api.call('PUT /overrides', { body: overrides })
      const result = await use({
        page,
        open: (hooks = {}) => open(page, hooks, isGood, isLoaded),
        takePicture: () => takePicture(page),
        ...requests,
      })
      isClean = [...places].every((place) => place === 'null' || place === new URL(url).origin)
      return result
    } finally {
      isLoaded()
      await tabs.giveBack(tab, isClean)
      await api.call('POST /reset', { body: { requests: true } }).catch(() => {})
    }
  }

  return { api: createApiClient({ base, headers, explain, fetch: askDevServer }), tabs, visit }
}

/** Follows the requests of a client. For the good page, requests passed on to a backend are recorded, too. */
export async function followRequests(
  api: Api,
  client: string,
  isGood: boolean,
): Promise<Pick<Visit, 'requests' | 'details'>> {
  const query = `client=${client}&passed=${isGood}`
  const list = async () => (await api.call('GET /requests', { query })).requests
  const [{ id: before } = { id: 0 }] = await list()
  return {
    requests: async () => (await list()).filter(({ id }) => id > before).reverse(),
    details: (id) =>
      api.call('GET /requests/{id}', { id }).catch((error: unknown) => {
        if (error instanceof ControlApiError && error.status === 404) return undefined
        throw error
      }),
  }
}

/** Pixels of a page that are in its picture. */
const maxHeight = 1600

/** Takes the picture at half the page's size. */
export async function takePicture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  const shown = Math.min(Math.max(cssContentSize.height, height), maxHeight)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 50,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: shown, scale: 0.5 },
  })
  await session.detach()
  return Buffer.from(data, 'base64')
}
