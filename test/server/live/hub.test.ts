import { expect, it } from 'vitest'
import { createHub } from '../../../src/server/live/hub.ts'

const on = [{ push: 'a' }]

it('tells many listeners in the order of the events, and lets other work have its turn', async () => {
  const hub = createHub(() => {})
  const seen = Array.from({ length: 250 }, () => [] as unknown[])
  const leave = seen.map((events) => hub.subscribe(on, '', ({ data }) => events.push(data)))
  const told = () => seen.filter(({ length }) => length > 0).length
  expect([hub.push({ channel: 'a', data: 1 }, ''), told()]).toEqual([250, 100])
  leave[249]!()
  expect(hub.push({ channel: 'a', data: 2 }, '')).toBe(249)
  const later = await new Promise<number>((resolve) => setImmediate(() => resolve(told())))
  expect(later).toBeLessThan(249)
  await expect.poll(() => seen.slice(0, 249).every(({ length }) => length === 2)).toBe(true)
  expect(new Set(seen.map((events) => events.join()))).toEqual(new Set(['1,2', '']))
  hub.close()
})

it('tells nobody after its end', async () => {
  const hub = createHub(() => {})
  const seen: unknown[] = []
  for (let n = 0; n < 150; n++) hub.subscribe(on, '', ({ data }) => seen.push(data))
  hub.push({ channel: 'a', data: 1 }, '')
  hub.close()
  await new Promise((resolve) => setTimeout(resolve))
  expect(seen).toHaveLength(100)
  let isClosed = false
  hub.hold({ client: '', send: () => {}, close: () => (isClosed = true) })
  expect([isClosed, hub.held.size]).toEqual([true, 0])
})
