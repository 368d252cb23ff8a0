import { setTimeout as wait } from 'node:timers/promises'
import { asJson } from '../../../core/values/json-value.ts'
import { reasonOf } from '../../../core/values/thrown.ts'
import { nestsDeeperThan } from '../../../core/values/values.ts'
import { createTurnstile } from '../../../wire/turnstile.ts'

interface SentRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: unknown
}

export interface RealAnswer {
  status: number
  headers: ReadonlyMap<string, string>
  /** The value of JSON, or why there is none. */
  body: { value: unknown } | 'no body' | 'no JSON' | 'broken JSON' | 'too long'
}

/** How a backend is asked. */
export interface Pace {
  /** Requests that are open at once. Default: 2. */
  atOnce?: number
  /** Requests in a second. Default: 5. */
  perSecond?: number
}

export const limits = { milliseconds: 10_000, bytes: 2 ** 20, retryAfter: 60, nesting: 500, failures: 5 }

export type Ask = (request: SentRequest) => Promise<RealAnswer | { failed: string }>

/**
 * Asks a backend that others use, too: a few requests at once, spread over time, and what it says about a later time is obeyed
 * once. Redirects are answers.
 */
export function createPoliteClient({ atOnce = 2, perSecond = 5 }: Pace = {}): Ask {
  let next = 0
  let failures = 0 // one after the other: a backend that is away is not asked for every route
  const enter = createTurnstile(atOnce)
  return async (request) => {
    const leave = await enter()
    try {
      const answer = await ask(request)
      failures = 'failed' in answer ? failures + 1 : 0
      const later = 'failed' in answer ? undefined : laterTime(answer)
      if (later === undefined) return answer
      await wait(later)
      return await ask(request)
    } finally {
      leave()
    }
  }

  async function ask(request: SentRequest): Promise<RealAnswer | { failed: string }> {
    if (failures >= limits.failures) return { failed: 'the backend has not answered the ones before' }
    const start = Math.max(next, performance.now())
    next = start + 1000 / perSecond
    await wait(start - performance.now())
    return send(request)
  }
}

async function send({ method, url, headers, body }: SentRequest): Promise<RealAnswer | { failed: string }> {
  try {
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.milliseconds),
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, headers: new Map(answer.headers), body: await readBody(answer) }
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    return { failed: reasonOf(cause ?? error) }
  }
}

async function readBody({ body, headers }: Response): Promise<RealAnswer['body']> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += (chunk as Uint8Array).length
    if (size > limits.bytes) break // leaving the loop ends the request
  }
  const type = headers.get('content-type')
  if (size === 0) return 'no body'
  if (type !== null && !/\bjson\b/i.test(type)) return 'no JSON'
  const text = new TextDecoder().decode(Buffer.concat(chunks))
  const json = asJson(size > limits.bytes ? firstItems(text) : text)
  if (json && !nestsDeeperThan(json.value, limits.nesting)) return json
  if (json || size > limits.bytes) return 'too long'
  return type === null ? 'no JSON' : 'broken JSON'
}

/** The beginning of a long list, up to its last whole item. */
function firstItems(text: string): string {
  let [depth, end] = [0, 0]
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/g))
    if (token === ',' && depth === 1) end = index
    else if (token.length === 1 && token !== ',') depth += '[{'.includes(token) ? 1 : -1
  return `${text.slice(0, end)}]`
}

/** Milliseconds. A long time is not waited for. */
function laterTime({ status, headers }: RealAnswer): number | undefined {
  const later = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(later) ? Number(later) : Math.max(Date.parse(later) - Date.now(), 0) / 1000
  return (status === 429 || status === 503) && seconds <= limits.retryAfter ? seconds * 1000 : undefined
}

/** The value of a JSON answer; `undefined` for any other. */
export function valueOf({ body }: RealAnswer): { value: unknown } | undefined {
  return typeof body === 'object' ? body : undefined
}
