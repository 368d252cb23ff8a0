/** Milliseconds between an event and the second comparison: the event may have come in the middle of a save. */
const settleTime = 60
/**
 * After a new path is added, all files are compared again after this multiple of the settle time: chokidar does not say
 * when it begins to watch the path, and does not report earlier changes.
 */
const laterTimes = [4, 16]
/** Milliseconds between two comparisons when the system can't watch. */
const pollTime = 500
/** After a comparison, the next one waits at least this many times as long as it took. */
const restFactor = 5

export interface Schedule {
  /** Schedules a comparison as soon as possible, and another one later. */
  soon: () => void
  /** Schedules one comparison. */
  later: () => void
  /** Schedules a comparison as soon as possible, and several later. */
  repeatedly: () => void
  /** Compares at regular intervals from now on. */
  poll: () => void
  stop: () => void
}

/** Decides when `compare` is called. Its timers do not keep the process alive. */
export function createSchedule(compare: () => void): Schedule {
  const timers = new Map<string | number, NodeJS.Timeout>()
  /** How long the last comparison has to be followed by none, and until when that is. */
  let restTime = 0
  let restsUntil = 0
  let isPolling = false
  let isStopped = false

  function run(): void {
    const start = performance.now()
    compare()
    const end = performance.now()
    restTime = (end - start) * restFactor
    restsUntil = end + restTime
    if (isPolling) set('poll', Math.max(pollTime, restTime))
  }

  function set(key: string | number, milliseconds: number): void {
    if (isStopped || timers.has(key)) return
    const timer = setTimeout(() => {
      timers.delete(key)
      run()
    }, milliseconds)
    timers.set(key, timer.unref())
  }

  const settle = (times: number) => set(times, Math.max(settleTime, restTime) * times)
  const soon = () => {
    set('soon', Math.max(0, restsUntil - performance.now()))
    settle(1)
  }
  return {
    soon,
    later: () => settle(1),
    repeatedly() {
      soon()
      for (const times of laterTimes) {
        clearTimeout(timers.get(times))
        timers.delete(times)
        settle(times)
      }
    },
    poll() {
      isPolling = true
      set('poll', pollTime)
    },
    stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
