import { setTimeout as wait } from 'node:timers/promises'
import { asJson } from '../../core/values/json-value.ts'
import { reasonOf } from '../../core/values/thrown.ts'

export interface SentRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: unknown
}

export interface RealAnswer {
  status: number
  headers: ReadonlyMap<string, string>
  bytes: Uint8Array
  /** Whether there was more than is read. */
  isCut: boolean
}

/** How a backend is asked. */
export interface Pace {
  /** Requests that are open at once. Default: 2. */
  atOnce?: number
  /** Requests in a second. Default: 5. */
  perSecond?: number
}

const limits = { milliseconds: 10_000, bytes: 2 ** 20, retryAfter: 60 }

export type Ask = (request: SentRequest) => Promise<RealAnswer | { failed: string }>

/**
 * Asks a backend that others use, too: a few requests at once, spread over time, and what it says about a later time is obeyed
 * once. Redirects are answers.
 */
export function createPoliteClient({ atOnce = 2, perSecond = 5 }: Pace = {}): Ask {
  let open = 0
  let next = 0
  const waiting: (() => void)[] = []
  return async (request) => {
    if (open >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else open++
    try {
      const answer = await ask(request)
      const later = 'failed' in answer ? undefined : laterTime(answer)
      if (later === undefined) return answer
      await wait(later)
      return await ask(request)
    } finally {
      const first = waiting.shift()
      if (first) first()
      else open--
    }
  }

  async function ask(request: SentRequest): Promise<RealAnswer | { failed: string }> {
    const start = Math.max(next, performance.now())
    next = start + 1000 / perSecond
    await wait(start - performance.now())
    return send(request)
  }
}

async function send({ method, url, headers, body }: SentRequest): Promise<RealAnswer | { failed: string }> {
  try {
    const answer = await fetch(url, {
      ...{ method, redirect: 'manual', signal: AbortSignal.timeout(limits.milliseconds) },
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, headers: new Map(answer.headers), ...(await readStart(answer)) }
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    return { failed: reasonOf(cause ?? error) }
  }
}

async function readStart({ body }: Response): Promise<Pick<RealAnswer, 'bytes' | 'isCut'>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += (chunk as Uint8Array).length
    if (size > limits.bytes) return { bytes: Buffer.concat(chunks), isCut: true } // leaving the loop ends the request
  }
  return { bytes: Buffer.concat(chunks), isCut: false }
}

/** Milliseconds. A date, or a long time, is not waited for. */
function laterTime({ status, headers }: RealAnswer): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? NaN)
  return (status === 429 || status === 503) && seconds <= limits.retryAfter ? seconds * 1000 : undefined
}

/** The value of a JSON answer; `undefined` for any other. */
export function valueOf({ headers, bytes, isCut }: RealAnswer): { value: unknown } | undefined {
  return isCut || !/\bjson\b/i.test(headers.get('content-type') ?? '')
    ? undefined
    : asJson(new TextDecoder().decode(bytes))
}
