/** Milliseconds between an event and the second comparison: the event may have come in the middle of a save. */
const settleTime = 60
/** Multiples of the settle time: chokidar does not say when it begins to watch a path, nor report earlier changes. */
const laterTimes = [4, 16]
const pollTime = 500
/** The rest after a comparison, as a multiple of the time that it took. */
const restFactor = 5

/** The timers do not keep the process alive. */
export function createSchedule(compare: () => void) {
  const timers = new Map<string | number, NodeJS.Timeout>()
  let restTime = 0
  let restsUntil = 0
  let isPolling = false
  let isStopped = false

  /** Rests after a comparison that took so many milliseconds. */
  function rest(taken: number): void {
    restTime = taken * restFactor
    restsUntil = performance.now() + restTime
    if (isPolling) set('poll', Math.max(pollTime, restTime))
  }

  function set(key: string | number, milliseconds: number): void {
    if (isStopped || timers.has(key)) return
    const timer = setTimeout(() => {
      timers.delete(key)
      compare()
    }, milliseconds)
    timers.set(key, timer.unref())
  }

  const settle = (times: number) => set(times, Math.max(settleTime, restTime) * times)
  /** Compares as soon as possible, and once more later. */
  const soon = () => {
    set('soon', Math.max(0, restsUntil - performance.now()))
    settle(1)
  }
  return {
    soon,
    rest,
    later: () => settle(1),
    /** Compares as soon as possible, and several times later. */
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
