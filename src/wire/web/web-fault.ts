import { splitForDribble } from '../../core/response/delay.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import type { Fault } from '../../core/schema/fault-schema.ts'

/* Without access to the connection, the body fails. An answer without a body arrives complete, except with `silent`. */

/** A fault of the connection is not exact here. */
export function isOfConnection(fault: PreparedResponse['fault']): fault is 'reset' | 'empty' | 'malformed' {
  return fault === 'reset' || fault === 'empty' || fault === 'malformed'
}

/** `null` without a body. */
export function faultyBody(method: string, response: PreparedResponse): ReadableStream | null {
  if (method === 'HEAD' || response.body.length === 0) return null
  const left = new AbortController()
  return streamBody(brokenChunks(response, left.signal), () => left.abort())
}

/** The part of a body that is sent, and how it breaks. */
export async function* brokenChunks(
  { body, fault }: PreparedResponse,
  left: AbortSignal,
): AsyncGenerator<Chunk, void> {
  // A prepared text is all ASCII, so its UTF-8 has the same length.
  const bytes = typeof body === 'string' ? utf8.encode(body) : body
  if (typeof fault === 'object') {
    const chunks = splitForDribble(bytes, fault.dribble)
    for (const chunk of chunks) {
      await wait(fault.dribble / chunks.length, left)
      yield chunk
    }
    return
  }
  const hasHalf = fault === 'truncated' || fault === 'malformed' || fault === 'stalled'
  if (hasHalf) yield bytes.subarray(0, Math.floor(bytes.length / 2))
  yield { fault: fault! }
}

/** A part of a body, or how it breaks. */
export type Chunk = string | Uint8Array | { fault: NamedFault }
export type NamedFault = Exclude<Fault, object>

const utf8 = new TextEncoder()

/** Each chunk is made on demand. @param close ends what makes them, when the client leaves */
export function streamBody(chunks: AsyncGenerator<Chunk, void>, close: () => void) {
  const left = new AbortController()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) return controller.close()
        if (typeof value === 'string') return controller.enqueue(utf8.encode(value))
        if (!('fault' in value)) return controller.enqueue(value)
        if (value.fault === 'stalled') await wait(Infinity, left.signal)
        throw new TypeError(`the fixture's fault "${value.fault}" broke the body off`)
      },
      cancel() {
        left.abort()
        close()
      },
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
