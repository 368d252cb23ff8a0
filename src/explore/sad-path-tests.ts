import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { createClient } from '../client.ts'
import type { SadPath } from '../inspector/api/api.ts'
import { createApiClient } from '../inspector/client/api-client.ts'
import { choose } from './choose.ts'
import { noRequest, visitGood, visitSad } from './explore.ts'
import { createJudge, isProblem } from './judge/judge.ts'
import { followRequests, takePicture, type Visit } from './visit.ts'
import { defaultPatience, watchPage } from './watch-page.ts'

/** Which sad paths of a page are tested. */
export interface SadPathOptions {
  /** Only sad paths of requests whose name has such a text: `GET /orders`, `POST /graphql Hero`. Default: all. */
  requests?: readonly string[]
  /** Only sad paths of these kinds. Default: all. */
  kinds?: readonly SadPath['kind'][]
  /** Maximum number of sad paths. Default 200. */
  max?: number
}

/** A sad path of a page. */
export interface SadPathTest extends SadPath {
  /**
   * Opens the page while the answer goes wrong in this way.
   *
   * @throws Error unless the page handles it; it says what was seen
   */
  run: () => Promise<void>
}

/**
 * Opens a page twice as it is, and yields one test for each sad path of its requests. Each opens the page anew, in the context
 * of `page`, with its cookies. They run one after the other, since they are one client of the mock server.
 *
 * @param url as `page.goto` takes it
 * @throws Error when the page has sent no request that a route answers; ControlApiError when the dev server does not have the plugin
 *
 * @example
 * import { sadPaths, test } from 'unplugin-mock-api/playwright'
 *
 * test('the orders take every sad path', async ({ page }) => {
 *   test.slow()
 *   for await (const { title, run } of sadPaths(page, '/orders', { kinds: ['null', 'status'] }))
 *     await test.step(title, run)
 * })
 */
export async function* sadPaths(
  page: Page,
  url: string,
  { requests = [''], kinds, max = 200 }: SadPathOptions = {},
): AsyncGenerator<SadPathTest, void> {
  const context = page.context()
  await page.goto(url)
  const { href, origin } = new URL(page.url())
  const cookie = (await context.cookies(origin)).find(({ name }) => name === 'mock-client')
  const client = cookie?.value ?? `sad-paths-${randomUUID()}`
  if (!cookie) await context.addCookies([{ name: 'mock-client', value: client, url: origin }])
  const mock = createClient(origin, { client })
  const api = createApiClient({ base: `${origin}/__mock-api/api/`, client })

  async function visit<Result>(isGood: boolean, use: (visit: Visit) => Promise<Result>): Promise<Result> {
    const own = await context.newPage()
    try {
      return await use({
        ...(await followRequests(api, client, isGood)),
        page: own,
        takePicture: () => takePicture(own),
        async open(hooks = {}) {
          const watch = await watchPage(own)
          await own.goto(url)
          return watch.settle(defaultPatience, hooks)
        },
      })
    } finally {
      await own.close()
    }
  }

  const good = () => visit(true, (one) => visitGood(api, one, href))
  const [first, second] = [await good(), await good()]
  const judge = createJudge([first.observation, second.observation])
  const asked = [...first.requests, ...second.requests]
  if (asked.length === 0) throw new Error(noRequest(url))
  const isMeant = ({ request, kind }: SadPath) =>
    requests.some((name) => request.includes(name)) && (kinds?.includes(kind) ?? true)
  const all = [...first.sadPaths, ...second.sadPaths].filter(isMeant)
  for (const path of choose(all, { max }, second.hidden).sadPaths)
    yield {
      ...path,
      async run() {
        await mock.force(path)
        try {
          const { verdict, reason } = await visit(false, (one) =>
            visitSad(one, judge, asked, defaultPatience),
          )
          if (isProblem(verdict)) throw new Error(`${path.request}: ${path.title}: ${verdict}. ${reason}`)
        } finally {
          await mock.force()
        }
      },
    }
}
