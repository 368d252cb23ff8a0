import { readScenarioNames, scenarioCookie } from '../../core/http/whose-state.ts'
import { inTime } from '../../wire/in-time.ts'
import type { PageMessage, VersionMessage } from '../worker.ts'
import { showBadge } from './badge.ts'
import { holdRequests } from './hold-requests.ts'

export interface PageOptions extends BuiltWorker {
  badge: boolean
}

/** The first code of a page: requests wait for the worker, and go to the network if it can't answer. */
export function startMockApi({ badge, ...worker }: PageOptions): void {
  keepScenarios(new URL(location.href))
  const shown = badge ? showBadge(startAgain) : undefined
  const release = holdRequests()
  void takeControl(worker)
    .then(keepAlive, (error: unknown) => {
      shown?.fail()
      const reason = error instanceof Error ? error.message : String(error)
      console.error(
        `[mock-api] The mock API of this page is not available: ${reason}. Requests go to the network.`,
      )
    })
    .finally(release)
}

/** A page opened with `?mock-scenario=payment-down` stays in this scenario, as on a dev server. */
function keepScenarios({ searchParams }: URL): void {
  const values = searchParams.getAll('mock-scenario')
  if (values.length > 0) document.cookie = scenarioCookie(readScenarioNames(values.join()))
}

interface BuiltWorker {
  url: string | URL
  version: string
}

/** Milliseconds for which a page waits for its worker. */
const longestWait = 30_000
/** Milliseconds for a worker's answer; it may have to start first. */
const longestReply = 5_000

/** @throws Error that says why the worker of the page's build does not control it */
async function takeControl(worker: BuiltWorker): Promise<void> {
  const late = new Error(`the service worker is not ready after ${longestWait / 1000} seconds`)
  await inTime(registerWorker(worker), { milliseconds: longestWait, error: () => late })
}

async function registerWorker({ url, version }: BuiltWorker): Promise<void> {
  const workers = (navigator as Partial<Navigator>).serviceWorker
  if (!workers)
    throw new Error(
      isSecureContext
        ? 'this browser has no service workers, or does not allow them in this window'
        : 'browsers have service workers only over HTTPS and on localhost',
    )
  const registration = await register(workers, url)
  if (!location.href.startsWith(registration.scope))
    throw new Error(`this page is not below ${registration.scope}, where the service worker is`)
  await activation(registration)
  let found = await askVersion(registration.active)
  if (found !== version) {
    await registration.update().catch(() => {}) // offline, the worker that is there answers
    await activation(registration)
    found = await askVersion(registration.active)
  }
  if (found === undefined)
    throw new Error(`${String(url)} does not contain the mock API: it has to import its script`)
  await control(workers, registration)
}

async function register(workers: ServiceWorkerContainer, url: string | URL) {
  try {
    // Without the HTTP cache: a host may let browsers keep scripts for a year.
    return await workers.register(url, { updateViaCache: 'none' })
  } catch (error) {
    // Offline, the worker that is there answers.
    const there = await workers.getRegistration()
    if (there?.active) return there
    throw error
  }
}

/** Resolves when no new worker is about to take over. */
async function activation(registration: ServiceWorkerRegistration): Promise<void> {
  for (;;) {
    const next = registration.installing ?? registration.waiting
    if (!next) return
    await new Promise<void>((resolve) => {
      const check = () => {
        if (next.state === 'activated' || next.state === 'redundant') resolve()
      }
      next.addEventListener('statechange', check)
      check()
    })
  }
}

/** `undefined` for a worker without the mock API. */
async function askVersion(worker: ServiceWorker | null): Promise<string | undefined> {
  if (!worker) return undefined
  const { port1, port2 } = new MessageChannel()
  const reply = new Promise<string>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<VersionMessage>) => resolve(data.version)
  })
  send(worker, { type: 'mock-api:version' }, port2)
  try {
    return await inTime(reply, { milliseconds: longestReply, error: () => new Error('no reply') })
  } catch {
    return undefined
  } finally {
    port1.close()
  }
}

/** A new worker controls all pages at once; an old one does not control a page that was reloaded with Shift. */
async function control(workers: ServiceWorkerContainer, registration: ServiceWorkerRegistration) {
  const isControlled = () => workers.controller !== null && workers.controller === registration.active
  if (isControlled()) return
  await new Promise<void>((resolve) => {
    const check = () => {
      if (!isControlled()) return
      workers.removeEventListener('controllerchange', check)
      resolve()
    }
    workers.addEventListener('controllerchange', check)
    if (registration.active) send(registration.active, { type: 'mock-api:claim' })
    check()
  })
}

/** Resets what the worker remembers, and shows the page as it then is. */
function startAgain(): void {
  const { controller } = navigator.serviceWorker
  if (controller) send(controller, { type: 'mock-api:reset' })
  location.reload()
}

function send(worker: ServiceWorker, message: PageMessage, ...ports: MessagePort[]): void {
  worker.postMessage(message, ports)
}

/** Milliseconds. Browsers stop a worker after 30 seconds without an event. */
const aliveEvery = 20_000

function keepAlive(): void {
  setInterval(() => {
    const { controller } = navigator.serviceWorker
    if (controller) send(controller, { type: 'mock-api:alive' })
  }, aliveEvery)
}
