import { parseSetCookie } from 'cookie'
import { canonicalBase } from '../core/http/path.ts'
import { resolveFetchOptions } from '../core/options/resolve-options.ts'
import type { FetchOptions } from '../core/options/options.ts'
import { originsOf } from '../core/table/match.ts'
import type { Fixture } from '../core/schema/schema.ts'
import { serveRoutes } from '../server/web/serve-routes.ts'
import { mayAnswer, type WebHost } from '../server/web/web-fetch.ts'

/* Declared here, since TypeScript can't combine its library "webworker" with "dom". */

interface ExtendableEvent extends Event {
  waitUntil: (promise: Promise<unknown>) => void
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith: (response: Promise<Response>) => void
}

interface MessageEvents extends ExtendableEvent {
  readonly data: unknown
  readonly ports: readonly MessagePort[]
}

interface Events {
  install: ExtendableEvent
  activate: ExtendableEvent
  message: MessageEvents
  fetch: FetchEvent
}

export interface WorkerScope {
  readonly location: Location
  readonly registration: {
    readonly scope: string
    readonly active: object | null
    unregister: () => Promise<boolean>
  }
  readonly clients: { claim: () => Promise<void> }
  /** Available in Chromium, in Safari since 18.4, and in Firefox since 140. */
  readonly cookieStore?: CookieStore
  skipWaiting: () => Promise<void>
  addEventListener: <K extends keyof Events>(type: K, listener: (event: Events[K]) => void) => void
}

export type PageMessage =
  /** The answer over the port is a `VersionMessage`. */
  | { type: 'mock-api:version' }
  /** A reload with the Shift key leaves a page without a worker. */
  | { type: 'mock-api:claim' }
  /** A running worker keeps the items of collections, and the counts of sequences and rate limits. */
  | { type: 'mock-api:alive' }
  /** Items of collections, sequences and rate limits begin again. */
  | { type: 'mock-api:reset' }

export interface VersionMessage {
  version: string
}

export interface BuiltWorkerFacts {
  /** Changes with the fixtures and the options. */
  version: string
  /** A worker with another name has imported this script, and decides itself when it is gone. */
  file: string
}

/** Other requests are left to later listeners, and then to the network. */
export function answerRequests(
  scope: WorkerScope,
  routes: Fixture,
  options: FetchOptions,
  { version, file }: BuiltWorkerFacts,
): void {
  // A certificate or localhost has proved the host name: other pages have no service workers.
  const resolved = resolveFetchOptions({ allowedHosts: true, ...options }, console)
  const host: WebHost = {
    hostBase: canonicalBase(new URL(scope.registration.scope).pathname),
    headersOf: async (request) => {
      const cookie = await cookieHeader(scope.cookieStore)
      return { ...Object.fromEntries(request.headers), ...(cookie !== undefined && { cookie }) }
    },
    setCookies: (headers, { url }) => setCookies(scope.cookieStore, headers, url),
    brokenConnection: () => Response.error(),
    checker: () => import('../core/graphql-schema/create-checker.ts'),
  }
  const { answer, current, state } = serveRoutes(routes, resolved, host)
  const isOwnScript = scope.location.pathname.endsWith(`/${file}`)

  scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
  scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
  scope.addEventListener('message', (event) => {
    const { type } = (event.data ?? {}) as Partial<PageMessage>
    if (type === 'mock-api:version') event.ports[0]?.postMessage({ version } satisfies VersionMessage)
    if (type === 'mock-api:reset') state.reset()
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
    const isOwn = new URL(request.url).origin === scope.location.origin
    if (!isOwn && originsOf(current.table, request.url).length === 0) return
    if (!mayAnswer(current.table, resolved, host, request)) return
    event.stopImmediatePropagation() // a second answer would be an error
    const answered = isGone.then((gone) => (gone ? undefined : answer(request)))
    event.respondWith(answered.then((response) => response ?? fetch(request)))
  })
}

/** The next deployment, or the next project on this port of localhost, must not get answers of this mock API. */
async function isScriptGone({ location }: WorkerScope): Promise<boolean> {
  try {
    const { status, ok, headers } = await fetch(location.href, { method: 'HEAD', cache: 'no-store' })
    // Instead of a 404, many hosts send the application's page.
    return status === 404 || status === 410 || (ok && Boolean(headers.get('content-type')?.includes('html')))
  } catch {
    return false // offline
  }
}

/* A service worker sees neither `cookie` nor `set-cookie`. A cookie store replaces both, except for `HttpOnly`. */

/** The store gives only cookies of the worker's scope, not those of a deeper path. */
async function cookieHeader(store: CookieStore | undefined): Promise<string | undefined> {
  const cookies = (await store?.getAll()) ?? []
  if (cookies.length === 0) return undefined
  return cookies.map(({ name, value }) => `${name ?? ''}=${value ?? ''}`).join('; ')
}

/**
 * Leaves out invalid cookies, and those of a domain that is not the page's, as browsers do. A store sets every cookie as `Secure`,
 * and none as `HttpOnly`.
 */
async function setCookies(store: CookieStore | undefined, headers: readonly string[], url: string) {
  const folder = new URL(url).pathname.replace(/\/[^/]*$/, '') || '/'
  for (const header of headers) {
    const cookie = parseSetCookie(header, { decode: (text) => text })
    const { name, value = '', path = folder, domain, partitioned, maxAge, expires, sameSite } = cookie
    const until = maxAge === undefined ? expires?.getTime() : Date.now() + maxAge * 1000
    const settings = {
      name,
      value,
      path,
      sameSite: toSameSite(sameSite),
      ...(domain !== undefined && { domain: domain.replace(/^\./, '') }),
      ...(partitioned && { partitioned }),
      ...(until !== undefined && { expires: until }),
    }
    await store?.set(settings as never).catch(() => {})
  }
}

function toSameSite(given: boolean | string | undefined): string {
  const name = String(given).toLowerCase()
  return name === 'none' || name === 'strict' ? name : 'lax'
}
