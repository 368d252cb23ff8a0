import type { Report } from '../diagnostics/diagnostic.ts'
import { waitOf } from '../response/delay.ts'
import type { FixtureEvent } from '../schema/stream-schema.ts'
import { indexAfter, type PreparedStream } from './stream.ts'
import type { StreamEvent } from './frames.ts'

export interface StreamContext {
  /** Ends the stream at once, and every wait. */
  signal: AbortSignal
  /** Resolves after the time, or when the signal aborts. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Hands further events over until the returned function is called. */
  listen?: ((listener: (event: StreamEvent) => void) => () => void) | undefined
  /** Is told what went wrong when an event was made. */
  report: Report
  /** Cuts off a client that does not take its events. */
  cut: () => void
}

/** Events that may wait for a client that does not read. */
export const maxWaiting = 1000

/**
 * Each event when it is due, those of the list in their order, the others as they come. It ends with the stream; a `fault` is
 * of the last event. Only the signal ends a stream that stays open.
 */
export async function* openEvents(
  stream: PreparedStream,
  { signal, wait, listen, report, cut }: StreamContext,
): AsyncGenerator<StreamEvent, void> {
  const { end, cancel, fit = (event: StreamEvent) => event } = stream
  const listed = listedEvents(stream, wait, signal)
  const waiting: StreamEvent[] = []
  let isAsked = false
  let isListDone = false
  let wake = () => {}
  const tell = () => wake()
  const add = (event: StreamEvent) => {
    if (waiting.length >= maxWaiting) return cut()
    waiting.push(event)
    wake()
  }
  const askNext = async () => {
    isAsked = true
    const { done, value } = await listed.next()
    isAsked = false
    if (done) isListDone = true
    else waiting.push(value)
    wake()
  }
  const unlisten = listen?.(add)
  signal.addEventListener('abort', tell)
  try {
    for (;;) {
      for (let event = waiting.shift(); event && !signal.aborted; event = waiting.shift()) {
        const fitted = event.isHeartbeat ? event : fit(event)
        if (fitted.diagnostic) report(fitted.diagnostic)
        if (event.then) stream.change?.(event.then)
        yield fitted
        if (event.fault !== undefined || event.isLast) return
      }
      if (signal.aborted) return
      if (isListDone && end !== 'stay') {
        if (end !== 'complete') yield { fault: end }
        return
      }
      if (!isAsked && !isListDone) void askNext()
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    unlisten?.()
    signal.removeEventListener('abort', tell)
    cancel?.()
    void listed.return()
  }
}

/** Events without a delay after which other work of the process has its turn. */
const maxAtOnce = 100

async function* listedEvents(
  { events, first, each, raw, resumeAfter }: PreparedStream,
  wait: StreamContext['wait'],
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void> {
  const isResumed = Array.isArray(events) && resumeAfter !== undefined
  const list = events as FixtureEvent[]
  const rest = isResumed ? list.slice(indexAfter(list, resumeAfter)) : events
  const { method, path, search, body } = raw
  let index = 0
  for await (const { delay = (index === 0 ? first : undefined) ?? each ?? 0, ...event } of rest) {
    const seed = { method, path, search: `${search}#${index}`, body }
    const due = waitOf(delay, seed)
    if (due > 0 || index % maxAtOnce === maxAtOnce - 1) await wait(Math.max(due, 1), signal)
    if (signal.aborted) return
    index++
    yield event
  }
}
