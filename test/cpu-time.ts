import { expect } from 'vitest'

/**
 * A call takes less processor time than `limit` milliseconds: other than the time on the clock, it does not grow on a busy
 * machine. What other tests left for the garbage collector may be collected in a call, and is counted there: a call that
 * takes longer is made again, up to five times, and the shortest one counts.
 */
export function expectCpuTime(limit: number, call: () => void): void {
  let least = Infinity
  for (let attempt = 0; attempt < 5 && least >= limit; attempt++) {
    const before = process.cpuUsage()
    call()
    least = Math.min(least, millisecondsSince(before))
  }
  expect(least, 'milliseconds of processor time').toBeLessThan(limit)
}

/** The same, until the promise settles. */
export async function expectCpuTimeOf(limit: number, call: () => Promise<void>): Promise<void> {
  let least = Infinity
  for (let attempt = 0; attempt < 5 && least >= limit; attempt++) {
    const before = process.cpuUsage()
    await call()
    least = Math.min(least, millisecondsSince(before))
  }
  expect(least, 'milliseconds of processor time').toBeLessThan(limit)
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
