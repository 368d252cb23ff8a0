import { HttpHandler, HttpResponse } from 'msw'
import type { ResolvedMiddlewareOptions } from '../core/options/resolve-options.ts'
import { originsOf } from '../core/table/match.ts'
import type { Fixture } from '../core/schema/schema.ts'
import { serveRoutes } from '../server/web/serve-routes.ts'
import { mayAnswer, type WebHost } from '../server/web/web-fetch.ts'
import { noticeDevServer, noticeLayer } from './layers.ts'
import { createOwnHosts } from './own-hosts.ts'

const layer = 'handlers of MSW (toHandlers)'

/** One handler for all routes: it matches only requests for their endpoints. */
export class MockApiHandler extends HttpHandler {
  readonly served: ReturnType<typeof serveRoutes>
  /** Whether it answers requests with the method and URL. */
  readonly isOwn: (method: string, url: string) => boolean

  constructor(routes: Fixture, given: ResolvedMiddlewareOptions) {
    const hosts = createOwnHosts(given)
    const { options } = hosts
    const { logger } = options
    // MSW has its own store of cookies: `cookie` can't be read where it runs, nor `set-cookie` be set.
    const cookiesOf = new WeakMap<Request, Readonly<Record<string, string>>>()
    const cookiesToSet = new WeakMap<Request, readonly string[]>()
    const host: WebHost = {
      headersOf: (request) => Promise.resolve(withCookies(request.headers, cookiesOf.get(request))),
      setCookies: (headers, request) => Promise.resolve(void cookiesToSet.set(request, headers)),
      brokenConnection: () => HttpResponse.error(),
      sockets: () => import('../server/web/web-sockets.ts'),
      checker: () => import('../core/graphql-schema/create-checker.ts'),
    }
    const served = serveRoutes(routes, options, host)
    const hasRoute = (method: string, url: string) =>
      options.enabled && mayAnswer(served.current.table, options, host, { method, url })
    let isFirst = true

    super(
      /.+/,
      '*',
      async ({ request, cookies }: { request: Request; cookies: Readonly<Record<string, string>> }) => {
        cookiesOf.set(request, cookies)
        const response = await served.answer(request)
        if (!response) return undefined
        noticeLayer(layer, logger)
        if (isFirst) void noticeDevServer(layer, logger)
        isFirst = false
        return withSetCookie(response, cookiesToSet.get(request) ?? [])
      },
    )
    this.info.header = 'unplugin-mock-api'
    this.served = served
    this.isOwn = (method, url) => {
      const isElsewhere = originsOf(served.current.table, url).length > 0
      return hasRoute(method, url) && (isElsewhere || hosts.hasRequest(method, new URL(url)))
    }
  }

  // A match without a response would hide from MSW that nobody has handled the request.
  override predicate({ request }: { request: Request }): Promise<boolean> {
    const { method, headers, url } = request
    const preflighted = method === 'OPTIONS' ? headers.get('access-control-request-method') : undefined
    return Promise.resolve(this.isOwn(preflighted ?? method, url))
  }
}

function withCookies(headers: Headers, cookies: Readonly<Record<string, string>> = {}) {
  const copied = Object.fromEntries(headers)
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  if (copied['cookie'] === undefined && pairs.length > 0) copied['cookie'] = pairs.join('; ')
  return copied
}

/** MSW sets the cookies of its own responses. */
function withSetCookie(response: Response, cookies: readonly string[]): Response {
  if (cookies.length === 0) return response
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new HttpResponse(response.body, { status: response.status, headers })
}
