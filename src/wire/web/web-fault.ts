import { splitForDribble } from '../../core/response/delay.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'

/*
 * Without access to the connection, the body fails. An answer without a body arrives complete, except with
 * `silent`.
 */

/** A fault of the connection is not exact here. */
export function isOfConnection(fault: PreparedResponse['fault']): fault is 'reset' | 'empty' | 'malformed' {
  return fault === 'reset' || fault === 'empty' || fault === 'malformed'
}

/** `null` without a body. */
export function faultyBody(method: string, { body, fault }: PreparedResponse): ReadableStream | null {
  if (method === 'HEAD' || body.length === 0) return null
  // A prepared text is all ASCII, so its UTF-8 has the same length.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  if (typeof fault === 'object') return dribbled(bytes, fault.dribble)
  const half = [bytes.subarray(0, Math.floor(bytes.length / 2))]
  switch (fault) {
    case 'truncated':
    case 'malformed':
      return stream(half, 0, fault)
    case 'stalled':
      return stream(half, longest, fault)
    default:
      return stream([], 0, fault)
  }
}

function dribbled(bytes: Uint8Array, milliseconds: number): ReadableStream {
  const chunks = splitForDribble(bytes, milliseconds)
  return stream(chunks, milliseconds / chunks.length)
}

/** Each chunk is sent on demand and after a pause; `fault` breaks off the body after the last one. */
function stream(chunks: readonly Uint8Array[], pause: number, fault?: string): ReadableStream {
  const end = new AbortController()
  const left = [...chunks]
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = left.shift()
        // With a fault, the chunks are sent without a pause.
        if (chunk === undefined || fault === undefined) await wait(pause, end.signal)
        if (chunk) controller.enqueue(chunk)
        else throw new TypeError(`the fixture's fault "${fault}" broke the body off`)
        if (left.length === 0 && fault === undefined) controller.close()
      },
      cancel: () => end.abort(),
    },
    { highWaterMark: 0 },
  )
}

/** The longest delay of a timer, in milliseconds: 24 days. */
const longest = 2_147_483_647

/** `Infinity` waits practically forever; the signal ends every wait. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    // Always with a timer: workerd cancels a request that waits without one.
    const timer = setTimeout(done, Math.min(milliseconds, longest))
    if (milliseconds >= longest) (timer as { unref?: () => void }).unref?.() // so that Node can exit
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
