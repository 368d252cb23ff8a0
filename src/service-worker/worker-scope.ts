/*
 * The part of a service worker's global scope that is used here. TypeScript has it in the library "webworker", which can't
 * be combined with "dom".
 */

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
  /** In Chromium, in Safari since 18.4, and in Firefox since 140. */
  readonly cookieStore?: CookieStore
  skipWaiting: () => Promise<void>
  addEventListener: <K extends keyof Events>(type: K, listener: (event: Events[K]) => void) => void
}
