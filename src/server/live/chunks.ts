import type { Framing, StreamEvent } from '../../core/stream/frames.ts'
import type { Chunk } from '../../wire/web/web-fault.ts'
import type { OpenStream } from './hub.ts'

export interface ServedStream {
  chunks: AsyncGenerator<Chunk, void>
  signal: AbortSignal
  close: () => void
}

/** @param note is called with each event that is sent */
export async function* chunksOf(
  { events, close, signal }: OpenStream,
  { start, frame, heartbeat, end }: Framing,
  note: (event: StreamEvent) => void = () => {},
): AsyncGenerator<Chunk, void> {
  try {
    const first = events.next() // it is open before its client can know
    if (start !== '') yield start
    for (let { value: event } = await first; event; { value: event } = await events.next()) {
      const text = event.isHeartbeat ? heartbeat : frame(event)
      if (!event.isHeartbeat) note(event)
      if (text.length > 0) yield text
      if (event.fault !== undefined) {
        yield { fault: event.fault }
        return
      }
    }
    const last = signal.aborted ? '' : end()
    if (last !== '') yield last
  } finally {
    close()
  }
}
