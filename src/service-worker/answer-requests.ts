import { canonicalBase } from '../core/http/path.ts'
import { resolveFetchOptions } from '../core/options/entry-options.ts'
import type { FetchOptions } from '../core/options/options.ts'
import type { Fixture } from '../core/schema/schema.ts'
import { serveRoutes } from '../server/web/serve-routes.ts'
import { mayAnswer, type WebHost } from '../server/web/web-fetch.ts'
import { cookieHeader, setCookies } from './cookies.ts'
import type { PageMessage, VersionMessage } from './messages.ts'
import type { WorkerScope } from './worker-scope.ts'

/** What a build says about the worker that it emits. */
export interface BuiltWorkerFacts {
  /** Changes when the fixtures or the options do. */
  version: string
  /** The name of its script. A worker with another name has imported it, and decides itself when it is gone. */
  file: string
}

/**
 * Answers the requests of all pages of a service worker from routes, with the listeners that it adds. All other requests are
 * left to later listeners, and then to the network.
 */
export function answerRequests(
  scope: WorkerScope,
  routes: Fixture,
  options: FetchOptions,
  { version, file }: BuiltWorkerFacts,
): void {
  // A certificate, or localhost, has proved the host name: other pages have no service workers.
  const resolved = resolveFetchOptions({ allowedHosts: true, ...options }, console)
  const host: WebHost = {
    hostBase: canonicalBase(new URL(scope.registration.scope).pathname),
    headersOf: async (request) => {
      const cookie = await cookieHeader(scope.cookieStore)
      return { ...Object.fromEntries(request.headers), ...(cookie !== undefined && { cookie }) }
    },
    setCookies: (headers, { url }) => setCookies(scope.cookieStore, headers, url),
    brokenConnection: () => Response.error(),
  }
  const { answer, current } = serveRoutes(routes, resolved, host)
  const isOwnScript = scope.location.pathname.endsWith(`/${file}`)

  scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
  scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
  scope.addEventListener('message', (event) => {
    const { type } = (event.data ?? {}) as Partial<PageMessage>
    if (type === 'mock-api:version') event.ports[0]?.postMessage({ version } satisfies VersionMessage)
    if (type === 'mock-api:claim') event.waitUntil(scope.clients.claim())
  })
  // Asked when the worker starts again, and for each page that is opened.
  let isGone = isOwnScript && scope.registration.active ? isScriptGone(scope) : Promise.resolve(false)
  scope.addEventListener('fetch', (event) => {
    const { request } = event
    if (request.mode === 'navigate' && isOwnScript) {
      isGone = isGone.then((before) => before || isScriptGone(scope))
      event.waitUntil(isGone.then((gone) => gone && scope.registration.unregister()))
    }
    if (new URL(request.url).origin !== scope.location.origin) return
    if (!mayAnswer(current.table, resolved, host, request)) return
    event.stopImmediatePropagation() // a second answer would be an error
    const answered = isGone.then((gone) => (gone ? undefined : answer(request)))
    event.respondWith(answered.then((response) => response ?? fetch(request)))
  })
}

/**
 * Whether the host no longer has the worker's script. The next deployment, or the next project on this port of localhost,
 * may have no mock API: its pages must not get the answers of this one.
 */
async function isScriptGone({ location }: WorkerScope): Promise<boolean> {
  try {
    const { status, ok, headers } = await fetch(location.href, { method: 'HEAD', cache: 'no-store' })
    // Instead of a 404, many hosts send the application's page.
    return status === 404 || status === 410 || (ok && Boolean(headers.get('content-type')?.includes('html')))
  } catch {
    return false // offline
  }
}
