import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import type { Observation, PageError } from './judge.ts'
import { look } from './look.ts'

export interface Patience {
  /** Milliseconds in which a page shows the same and asks for nothing, before it counts as quiet. Default 500. */
  quiet: number
  /** Milliseconds after which a page is judged as it is. Default 10 000. */
  limit: number
}
export const defaultPatience: Patience = { quiet: 500, limit: 10_000 }

export interface PageWatch {
  observe: () => Promise<Observation>
  /** Observes the page until that is enough, by default until it is quiet, and at the latest after the limit. */
  settle: (patience: Patience, hooks?: Partial<SettleHooks>) => Promise<Observation>
}

export interface SettleHooks {
  /** What the page shows. */
  lookOf: (observation: Observation) => string
  /** Whether it waits for something that will change it. */
  isWaiting: (observation: Observation) => boolean
  /** @param idle milliseconds without a change, a request or an error; 0 while it waits */
  isEnough: (observation: Observation, idle: number) => boolean | Promise<boolean>
}

/** What a page waits for. Images, fonts, events and sockets may take longer. */
const awaited = ['document', 'script', 'stylesheet', 'fetch', 'xhr']
const counted = ['document', 'fetch', 'xhr']
const streams = /^(?:text\/event-stream|multipart\/|application\/(?:x-)?ndjson)/
/** What frameworks write instead of letting an error out. */
const swallowed = /^(?:\[Vue warn\]: Unhandled error during|ERROR (?=\w*Error\b))/

const poll = 100
/** Milliseconds in which a page has to say what it shows. */
const patienceWithScript = 5000

/** Notes what a page does, from before it is opened. */
export function watchPage(page: Page): PageWatch {
  const start = performance.now()
  const requests: Record<string, number> = {}
  const errors: PageError[] = []
  const pending = new Map<Request, string>()
  const nameOf = (request: Request) => {
    const { pathname } = new URL(request.url())
    const operation = /"operationName"\s*:\s*"(\w+)"/.exec(request.postData() ?? '')?.[1]
    return [request.method(), pathname, operation].filter(Boolean).join(' ')
  }
  page.on('request', (request) => {
    const type = request.resourceType()
    const name = nameOf(request)
    if (awaited.includes(type)) pending.set(request, name)
    if (counted.includes(type)) requests[name] = (requests[name] ?? 0) + 1
  })
  page.on('response', (response) => {
    if (streams.test(response.headers()['content-type'] ?? '')) pending.delete(response.request())
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => void pending.delete(request))
  page.on('pageerror', ({ name, message, stack }) => {
    errors.push({
      message: message.startsWith(name) ? message : `${name}: ${message}`,
      ...(stack && { stack }),
    })
  })
  page.on('crash', () => errors.push({ message: 'The tab has crashed.' }))
  page.on('console', (logged) => {
    const text = logged.text()
    if (/^(?:error|warning)$/.test(logged.type()) && swallowed.test(text)) errors.push({ message: text })
  })

  async function lookAt(): Promise<Pick<Observation, 'parts' | 'busy' | 'errors'>> {
    const nothing = { parts: [], busy: [] }
    const blocked = { ...nothing, errors: [{ message: 'The page does not respond: its script never ends.' }] }
    return Promise.race([
      // It is between two documents.
      page.evaluate(look).catch(() => ({ ...nothing, errors: [] })),
      wait(patienceWithScript, blocked, { ref: false }),
    ])
  }

  async function observe(): Promise<Observation> {
    const seen = await lookAt()
    return {
      ...seen,
      errors: [...errors, ...seen.errors],
      pending: [...pending.values()],
      requests: { ...requests },
      elapsed: performance.now() - start,
    }
  }

  return {
    observe,
    async settle({ quiet, limit }, hooks = {}) {
      const { lookOf = wholeLook, isWaiting = waits, isEnough = (_, idle) => idle >= quiet } = hooks
      let before = ''
      const begin = performance.now()
      let since = begin
      for (;;) {
        const seen = await observe()
        const now = [seen.errors.length, JSON.stringify(seen.requests), lookOf(seen)].join('\n')
        if (now !== before) since = performance.now()
        before = now
        const idle = isWaiting(seen) ? 0 : performance.now() - since
        if (performance.now() - begin >= limit || (await isEnough(seen, idle))) return seen
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
