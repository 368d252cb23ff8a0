import { expect, it } from 'vitest'
import type { FunctionResponse } from '../../../src/core/schema/schema.ts'
import { maxWaiting, openEvents } from '../../../src/core/stream/open-events.ts'
import { isOver, readStream } from '../../../src/core/stream/stream.ts'
import type { StreamEvent } from '../../../src/core/stream/frames.ts'

const requestWith = (headers: Record<string, string> = {}) => ({
  method: 'GET',
  url: '/',
  path: '/',
  search: '',
  headers,
})

/** Notes each wait instead of waiting. */
function open(response: FunctionResponse, lastEventId?: string) {
  const stream = readStream(
    response,
    requestWith(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  )
  const end = new AbortController()
  const waits: number[] = []
  let tell: (event: StreamEvent) => void = () => {}
  let isHeard = false
  const events = openEvents(stream, {
    report: () => {},
    signal: end.signal,
    wait: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
    listen(listener) {
      tell = listener
      isHeard = true
      return () => void (isHeard = false)
    },
    cut: () => end.abort('cut'),
  })
  const next = async () => (await events.next()).value
  return {
    stream,
    events,
    next,
    waits,
    end,
    isHeard: () => isHeard,
    tell: (event: StreamEvent) => tell(event),
  }
}

async function all(events: AsyncGenerator<StreamEvent, void>): Promise<StreamEvent[]> {
  const list: StreamEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

it.each<[name: string, response: FunctionResponse, events: StreamEvent[], waits: number[]]>([
  ['the events with their delays', { stream: [{ data: 1 }, { data: 2, delay: 30 }], end: 'complete' }, [{ data: 1 }, { data: 2 }], [30]],
  ['the first, and each', { stream: { first: 400, each: 30, as: 'text', text: 'a b\nc ' } }, [{ data: 'a' }, { data: ' b' }, { data: '\nc' }, { data: ' ' }], [400, 30, 30, 30]],
  ['`each` before the first, too', { stream: { each: 5, as: 'ndjson', events: [{ data: 1 }, { data: 2, delay: 0 }] } }, [{ data: 1 }, { data: 2 }], [5]],
  ['nothing after a fault', { stream: [{ data: 1, fault: 'reset' }, { data: 2 }] }, [{ data: 1, fault: 'reset' }], []],
  ['the fault at the end', { stream: [{ data: 1 }], end: 'truncated' }, [{ data: 1 }, { fault: 'truncated' }], []],
  ['what a generator yields', { stream: (function* () { yield { data: 1 } })(), end: 'complete' }, [{ data: 1 }], []],
])('%s', async (_, response, expected, waited) => {
  const { events, waits, isHeard } = open(response)
  expect(await all(events)).toEqual(expected)
  expect(waits).toEqual(waited)
  expect(isHeard()).toBe(false)
}) // prettier-ignore

it('stays open, and gives what is triggered at once, in its order', async () => {
  const { next, tell, end, isHeard } = open({ stream: [{ data: 1 }] })
  expect(await next()).toEqual({ data: 1 })
  const second = next()
  tell({ data: 2 })
  tell({ data: 3 })
  expect([await second, await next()]).toEqual([{ data: 2 }, { data: 3 }])
  const last = next()
  end.abort()
  expect([await last, isHeard()]).toEqual([undefined, false])
})

it('cuts off a client that does not read', async () => {
  const { next, tell, end } = open({ stream: [{ data: 0 }] })
  await next()
  for (let n = 0; n < maxWaiting; n++) tell({ data: n })
  expect(end.signal.aborted).toBe(false)
  tell({ data: 'too many' })
  expect([end.signal.reason, await next()]).toEqual(['cut', undefined])
})

it('a list without delays lets the process breathe', async () => {
  const { events, waits } = open({
    stream: Array.from({ length: 250 }, (_, n) => ({ data: n })),
    end: 'complete',
  })
  expect(await all(events)).toHaveLength(250)
  expect(waits).toEqual([1, 1])
})

it.each([
  ['1', 'complete', [{ id: 2, data: 2 }], false],
  ['2', 'complete', [], true],
  [
    'unknown',
    'complete',
    [
      { id: 1, data: 1 },
      { id: 2, data: 2 },
    ],
    false,
  ],
] as const)('after the event %s of a stream that is %s', async (id, end, expected, over) => {
  const { stream, events } = open({ stream: [{ id: 1, data: 1 }, { id: 2, data: 2 }], end }, id) // prettier-ignore
  expect(isOver(stream)).toBe(over)
  expect(await all(events)).toEqual(expected)
})
