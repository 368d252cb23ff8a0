import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import { askedAddress } from '../core/http/route-url.ts'
import { redactUrl } from '../core/redact/redact.ts'
import type { Observation, PageError, VisibleElement } from './judge/observation.ts'
import { installLook, lookKey, type Look } from './look.ts'

export interface Patience {
  /** Milliseconds without a change or a request after which a page counts as quiet. Default 500. */
  quiet: number
  /** Milliseconds without a change after which a page that still waits is stuck; three times as long for one that never rests. Default 10 000. */
  limit: number
  /** Milliseconds in which a page and its scripts have to arrive: many load at the same time. Default 60 000. */
  load: number
}
export const defaultPatience: Patience = { quiet: 500, limit: 10_000, load: 60_000 }

export interface SettleHooks {
  lookOf: (observation: Observation) => string
  isWaiting: (observation: Observation) => boolean
  /** @param idle milliseconds without a change, a request or an error, since it has waited for something */
  isEnough: (observation: Observation, idle: number) => boolean | Promise<boolean>
}

/** The resources that a page needs, and its requests for data. Images, fonts, events and sockets may take longer. */
const made = ['document', 'script', 'stylesheet']
const asked = ['fetch', 'xhr']
/** Console messages with which frameworks report an error that they have caught. */
const swallowed = /^(?:\[Vue warn\]: Unhandled error during|ERROR (?=\w*Error\b))/

const poll = 100
/** Milliseconds after its headers in which the body of an answer is there, if the page reads it. */
const unread = 300

const installed = new WeakSet<Page>()

type Looking = Record<typeof lookKey, ((milliseconds: number) => Promise<Look>) | undefined>
/** Milliseconds in which a page has to say what it shows. */
const patienceWithScript = 20_000

/** Notes what a page does, from before it is opened. */
export async function watchPage(page: Page) {
  if (!installed.has(page)) await page.addInitScript(installLook, lookKey)
  installed.add(page)
  const start = performance.now()
  const requests: Record<string, number> = {}
  const errors: PageError[] = []
  const pending = new Map<Request, string>()
  const painted = new Map<string, VisibleElement>()
  const said: string[] = []
  let isLoading = true
  const requestName = (request: Request) => {
    const { origin, pathname } = new URL(askedAddress(request.url()))
    const operation = /"operationName"\s*:\s*"(\w+)"/.exec(request.postData() ?? '')?.[1]
    const place = origin === new URL(request.url()).origin ? pathname : origin + pathname
    return [request.method(), redactUrl(place), operation].filter(Boolean).join(' ')
  }
  page.on('request', (request) => {
    const type = request.resourceType()
    const name = requestName(request)
    if ([...made, ...asked].includes(type)) pending.set(request, name)
    if (type === 'document' || asked.includes(type)) requests[name] = (requests[name] ?? 0) + 1
  })
  page.on('response', (response) => {
    const request = response.request()
    // There is no event for the end of a body that nobody reads, or of a stream that stays open.
    if (asked.includes(request.resourceType())) setTimeout(() => pending.delete(request), unread).unref()
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => void pending.delete(request))
  page.on('pageerror', ({ name, message, stack }) => {
    const text = message.startsWith(name) ? message : `${name}: ${message}`
    errors.push({ message: text, ...(stack && { stack }) })
  })
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') said.push(dialog.message())
    void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()).catch(() => {})
  })
  page.on('crash', () => errors.push({ message: 'The tab has crashed.' }))
  page.on('console', (logged) => {
    const text = logged.text()
    if (/^(?:error|warning)$/.test(logged.type()) && swallowed.test(text)) errors.push({ message: text })
  })

  async function lookAt(limit: number): Promise<Look> {
    const nothing = {
      parts: [],
      painted: [],
      busy: [],
      errors: [],
      hasPassword: false,
      isLoaded: false,
      timers: [],
    }
    const blocked = { ...nothing, errors: [{ message: 'The page does not respond: its script never ends.' }] }
    const look = ([key, time]: readonly [typeof lookKey, number]) =>
      (window as unknown as Looking)[key]?.(time)
    const seen = page.evaluate(look, [lookKey, limit] as const).catch(() => undefined)
    const found = await Promise.race([seen, wait(patienceWithScript, blocked, { ref: false })])
    return found ?? nothing // it is between two documents
  }

  async function observe(limit: number): Promise<Observation> {
    const { isLoaded, ...seen } = await lookAt(limit)
    for (const part of [...seen.painted, ...seen.parts]) painted.set(`${part.place} ${part.text}`, part)
    const { pathname, hash } = new URL(page.url())
    isLoading = !isLoaded || [...pending.keys()].some((request) => made.includes(request.resourceType()))
    return {
      ...seen,
      painted: [...painted.values()],
      said: [...said],
      address: pathname + hash,
      errors: [...errors, ...seen.errors],
      pending: [...pending.values(), ...(isLoaded ? [] : ['the page'])],
      requests: { ...requests },
      elapsed: performance.now() - start,
    }
  }

  return {
    /** Observes the page until that is enough, by default until it is quiet, and at the latest after the limit. */
    async settle({ quiet, limit, load }: Patience, hooks: Partial<SettleHooks> = {}) {
      const { lookOf = wholeLook, isWaiting = waits, isEnough = (_, idle) => idle >= quiet } = hooks
      let before = ''
      let begin = performance.now()
      let [since, waited] = [begin, begin]
      for (;;) {
        const seen = await observe(limit)
        const now = [seen.errors.length, JSON.stringify(seen.requests), lookOf(seen)].join('\n')
        if (now !== before) since = performance.now()
        before = now
        if (isWaiting(seen)) waited = performance.now()
        const idle = performance.now() - Math.max(since, waited)
        if (isLoading && seen.elapsed < load) begin = since = performance.now()
        const isLate = performance.now() - since >= limit || performance.now() - begin >= 3 * limit
        if (isLate || (await isEnough(seen, idle))) return seen
        await wait(poll)
      }
    },
  }
}

function wholeLook({ parts }: Observation): string {
  return parts.map(({ place, text }) => `${place} ${text}`).join('\n')
}

function waits({ busy, pending }: Observation): boolean {
  return busy.length + pending.length > 0
}
