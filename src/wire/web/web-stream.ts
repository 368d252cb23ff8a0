import type { StreamFault } from '../../core/schema/fault-schema.ts'
import { wait } from './web-fault.ts'

const utf8 = new TextEncoder()

/** Each chunk is made on demand. @param close ends what makes them, when the client leaves */
export function streamBody(
  chunks: AsyncGenerator<string | { fault: StreamFault }, void>,
  close: () => void,
): ReadableStream<Uint8Array> {
  const left = new AbortController()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) return controller.close()
        if (typeof value === 'string') return controller.enqueue(utf8.encode(value))
        if (value.fault === 'stalled') await wait(Infinity, left.signal)
        throw new TypeError(`the fixture's fault "${value.fault}" broke the stream off`)
      },
      cancel() {
        left.abort()
        close()
      },
    },
    { highWaterMark: 0 },
  )
}
