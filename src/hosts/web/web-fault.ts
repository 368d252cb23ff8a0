import { piecesOf } from '../../core/response/pieces.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'

/*
 * Faults where there is no connection to break: a body that fails. What the runtime makes of it, a closed connection or a
 * reset stream, is up to the runtime. An answer without a body is whole, but for `silent`.
 */

/** The body of an answer with a fault; `null` where it has none. */
export function faultyBody(method: string, { body, fault }: PreparedResponse): ReadableStream | null {
  if (method === 'HEAD' || body.length === 0) return null
  // A text is ASCII throughout, so that it has as many bytes in UTF-8.
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
  const pieces = piecesOf(bytes, milliseconds)
  return stream(pieces, milliseconds / pieces.length)
}

/**
 * Pieces of a body, each as it is asked for and after a pause, and then its end.
 *
 * @param fault how it breaks off; where there is none, it ends
 */
function stream(pieces: readonly Uint8Array[], pause: number, fault?: string): ReadableStream {
  const end = new AbortController()
  const left = [...pieces]
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = left.shift()
        // What breaks off sends what it has at once.
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

/** The longest time that a timer takes, in milliseconds: 24 days. */
const longest = 2_147_483_647

/** Waits so many milliseconds, or as good as for ever, but no longer than somebody waits for the answer. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    // A timer even for ever: workerd cancels what waits for nothing.
    const timer = setTimeout(done, Math.min(milliseconds, longest))
    if (milliseconds >= longest) (timer as { unref?: () => void }).unref?.() // Node may end before that
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
