/* Runs first in pages of a dev server whose fixtures have routes of other origins, and in their workers. */
import { withNetworkValues } from '../../../core/http/network-values.ts'
import { askedAddress, cookiesHeader, fittingOrigins } from '../../../core/http/route-url.ts'
import { followElements, type Rewrite } from './elements.ts'

interface Settings {
  origins: readonly string[]
  /** The path below which the server answers for other origins. */
  folder: string
}

/** Cookies of the other origin are left out. */
const omit = 'omit/'

const startedKey = Symbol.for('unplugin-mock-api.origins')

/** A frame, a worker and a page each have their own. */
export function start({ origins, folder }: Settings): void {
  if (startedKey in globalThis) return
  Object.defineProperty(globalThis, startedKey, { value: true })
  const rewrite: Rewrite = (given, sendsCookies) => {
    if (!URL.canParse(given, baseOf())) return undefined
    const { href, origin, username, password } = new URL(given, baseOf())
    if (
      origin === location.origin ||
      username + password !== '' ||
      fittingOrigins(origins, origin).length === 0
    )
      return undefined
    return `${location.origin}${folder}${sendsCookies ? '' : omit}${href.replace(/#.*$/s, '')}`
  }
  followFetch(rewrite)
  followXhr(rewrite)
  followEventSource(rewrite)
  if (typeof document === 'object') {
    const { navigator } = globalThis
    const sendBeacon = navigator.sendBeacon.bind(navigator)
    navigator.sendBeacon = (url, data) => sendBeacon(rewrite(url, true) ?? url, data)
    followElements(rewrite)
  }
  followWorkers()
}

const baseOf = () => (typeof document === 'object' ? document.baseURI : location.href)

function followFetch(rewrite: Rewrite): void {
  const { fetch: send } = globalThis
  globalThis.fetch = async function (this: unknown, input, init) {
    const given = input instanceof Request ? input.url : input
    if (rewrite(given, true) === undefined) return send.call(this as never, input, init)
    const request = new Request(input, init)
    const { method, headers, signal, mode, redirect, cache, credentials, keepalive } = request
    const body = method === 'GET' || method === 'HEAD' ? undefined : await request.blob()
    const here = rewrite(request.url, credentials === 'include')!
    // Not every browser says that a script asks, and a navigation, which the server refuses, asks for the same.
    if (headers.get('accept')?.includes('text/html'))
      headers.set(cookiesHeader, credentials === 'include' ? 'include' : 'omit')
    const answer = await send(here, {
      method,
      headers,
      signal,
      redirect,
      cache,
      keepalive,
      ...(body && body.size > 0 && { body }),
    })
    if (mode !== 'no-cors' && !isAllowed(answer.headers, credentials === 'include'))
      throw new TypeError(
        `Failed to fetch: ${request.url} ${answer.status === 502 ? 'did not answer, as the terminal says, or ' : ''}does not allow this page to read its answer (CORS)`,
      )
    const type = mode === 'no-cors' ? 'opaque' : 'cors'
    return withNetworkValues(answer, { url: askedAddress(answer.url), type })
  }
}

/** Whether the other origin's headers would let a browser hand the answer over. */
function isAllowed(headers: Headers, sendsCookies: boolean): boolean {
  const allowed = headers.get('access-control-allow-origin')
  if (allowed === location.origin)
    return !sendsCookies || headers.get('access-control-allow-credentials') === 'true'
  return allowed === '*' && !sendsCookies
}

type Method = (this: XMLHttpRequest, ...parameters: unknown[]) => void

function followXhr(rewrite: Rewrite): void {
  const prototype = XMLHttpRequest.prototype as unknown as Record<'open' | 'send', Method>
  const { open, send } = prototype
  const followed = new WeakSet<XMLHttpRequest>()
  prototype.open = function (method, given, ...rest) {
    const url = given as string | URL
    const here = rewrite(url, true)
    followed.delete(this)
    Reflect.deleteProperty(this, 'responseURL')
    open.call(this, method, here ?? url, ...rest)
    if (here === undefined) return
    followed.add(this)
    Object.defineProperty(this, 'responseURL', {
      configurable: true,
      get: () => (this.readyState < XMLHttpRequest.HEADERS_RECEIVED ? '' : new URL(url, baseOf()).href),
    })
  }
  prototype.send = function (...body) {
    // Only now it is known whether cookies are sent.
    if (followed.has(this)) this.setRequestHeader(cookiesHeader, this.withCredentials ? 'include' : 'omit')
    send.apply(this, body)
  }
}

function followEventSource(rewrite: Rewrite): void {
  const Native = globalThis.EventSource
  if (!Native) return
  globalThis.EventSource = class EventSource extends Native {
    constructor(url: string | URL, init?: EventSourceInit) {
      super(rewrite(url, init?.withCredentials ?? false) ?? url, init)
    }
    override get url(): string {
      return askedAddress(super.url)
    }
  }
}

/** A worker of the application gets the script, too: the server needs the type, which no request says. */
function followWorkers(): void {
  for (const name of ['Worker', 'SharedWorker'] as const) {
    const Native = globalThis[name] as typeof Worker | undefined
    if (!Native) continue
    Object.assign(globalThis, {
      [name]: class extends Native {
        constructor(url: string | URL, options?: WorkerOptions) {
          super(withScript(url, options?.type ?? 'classic'), options)
        }
      },
    })
  }
}

function withScript(given: string | URL, type: string): string | URL {
  const url = new URL(given, baseOf())
  if (url.origin !== location.origin || !url.protocol.startsWith('http')) return given
  url.search = `${url.search}${url.search === '' ? '?' : '&'}mock-api-worker=${type}`
  return url
}
