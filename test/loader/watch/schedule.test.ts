import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createSchedule } from '../../../src/loader/watch/schedule.ts'

/** Milliseconds at which everything is compared, when each comparison takes so long. */
let times: number[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  times = []
})

function start(begin: (schedule: ReturnType<typeof createSchedule>) => void, took = 0) {
  const origin = performance.now()
  const schedule = createSchedule(() => {
    times.push(Math.round(performance.now() - origin))
    vi.setSystemTime(Date.now() + took)
    vi.advanceTimersByTime(took)
    schedule.rest(took)
  })
  begin(schedule)
  return schedule
}

it.each<[what: string, begin: (schedule: ReturnType<typeof createSchedule>) => void, expected: number[]]>([
  ['soon', (schedule) => schedule.soon(), [0, 60]],
  ['soon, however often it is asked for', (schedule) => [1, 2, 3].forEach(schedule.soon), [0, 60]],
  ['later', (schedule) => [1, 2].forEach(schedule.later), [60]],
  ['repeatedly', (schedule) => schedule.repeatedly(), [0, 60, 240, 960]],
  ['polling', (schedule) => schedule.poll(), [500, 1000, 1500, 2000]],
  ['polling, asked for twice', (schedule) => [1, 2].forEach(() => schedule.poll()), [500, 1000, 1500, 2000]],
  ['stopped', (schedule) => (schedule.repeatedly(), schedule.poll(), schedule.stop()), []],
  ['stopped before', (schedule) => (schedule.stop(), schedule.soon(), schedule.poll()), []],
])('%s', (_, begin, expected) => {
  start(begin)
  vi.advanceTimersByTime(2_400)
  expect(times).toEqual(expected)
})

it('later comparisons are put off by what happens anew', () => {
  const schedule = start((schedule) => schedule.repeatedly())
  vi.advanceTimersByTime(200)
  schedule.repeatedly()
  vi.advanceTimersByTime(2_000)
  expect(times).toEqual([0, 60, 200, 260, 440, 1160])
})

it('spends at most a fifth of the time on comparing', () => {
  const schedule = start((schedule) => schedule.poll(), 200)
  vi.advanceTimersByTime(4_000)
  expect(times.slice(0, 3)).toEqual([500, 1700, 2900])
  schedule.stop()
})
