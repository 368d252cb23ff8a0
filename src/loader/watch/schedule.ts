/**
 * Milliseconds between something that happened and the comparison of everything. chokidar reports one event for all that
 * happens to a file within 50 ms, so the second half of a save can go unreported. It reports nothing about links that
 * lead nowhere or are redirected, and the wrong names after two folders have changed places.
 */
const settleTime = 60
/**
 * When a new path is to be watched, everything is compared again after so many times the settle time: chokidar does not
 * say when it watches the path, and does not report what happens to it before.
 */
const laterTimes = [4, 16]
/** Milliseconds between two comparisons where the system can't watch. */
const pollTime = 500
/** At most one part in so many of the time is spent on comparing. */
const share = 5

export interface Schedule {
  /** Compares once, soon. */
  soon: () => void
  /** Compares soon, and again later. */
  repeatedly: () => void
  /** Compares all the time, from now on. */
  poll: () => void
  stop: () => void
}

/** Decides when `compare` is called. Its timers do not keep the process alive. */
export function createSchedule(compare: () => void): Schedule {
  const timers = new Map<number | 'poll', NodeJS.Timeout>()
  let restTime = settleTime
  let isPolling = false
  let isStopped = false

  function run(): void {
    const start = performance.now()
    compare()
    restTime = Math.max(settleTime, (performance.now() - start) * share)
    if (isPolling) set('poll', Math.max(pollTime, restTime))
  }

  function set(key: number | 'poll', milliseconds: number): void {
    if (isStopped || timers.has(key)) return
    const timer = setTimeout(() => {
      timers.delete(key)
      run()
    }, milliseconds)
    timers.set(key, timer.unref())
  }

  return {
    soon: () => set(1, restTime),
    repeatedly() {
      set(1, restTime)
      for (const times of laterTimes) {
        clearTimeout(timers.get(times))
        timers.delete(times)
        set(times, restTime * times)
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
