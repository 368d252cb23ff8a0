import { splitForDribble } from '../../core/response/dribble.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'

/*
 * Faults where there is no access to the connection: the body fails. The runtime then closes the connection or resets the
 * stream. An answer without a body is complete, except with `silent`.
 */

/** The body of a response with a fault; `null` where it has none. */
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
  const pieces = splitForDribble(bytes, milliseconds)
  return stream(pieces, milliseconds / pieces.length)
}

/**
 * A body that is sent in pieces, each when it is asked for and after a pause.
 *
 * @param fault why it breaks off after the last piece; without one, it ends there
 */
function stream(pieces: readonly Uint8Array[], pause: number, fault?: string): ReadableStream {
  const end = new AbortController()
  const left = [...pieces]
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = left.shift()
        // With a fault, the pieces are sent without a pause.
        if (piece === undefined || fault === undefined) await wait(pause, end.signal)
        if (piece) controller.enqueue(piece)
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

/** Waits some milliseconds, or practically for ever with `Infinity`, and no longer than until the signal. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    // With a timer in every case: workerd cancels a request that waits without one.
    const timer = setTimeout(done, Math.min(milliseconds, longest))
    if (milliseconds >= longest) (timer as { unref?: () => void }).unref?.() // so that Node can exit
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
