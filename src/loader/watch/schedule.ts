/**
 * Milliseconds between an event and the comparison of all files. chokidar reports one event for all changes of a file
 * within 50 ms, so the second half of a save can go unreported. It reports nothing about broken or redirected links, and
 * wrong names after two folders have been swapped.
 */
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
  /** Schedules one comparison. */
  soon: () => void
  /** Schedules a comparison soon, and another one later. */
  repeatedly: () => void
  /** Compares at regular intervals from now on. */
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
    restTime = Math.max(settleTime, (performance.now() - start) * restFactor)
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
