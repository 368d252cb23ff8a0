/** Milliseconds of processor time that a call takes: other than the time on the clock, it does not grow on a busy machine. */
export function cpuTime(call: () => void): number {
  const before = process.cpuUsage()
  call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The same, until the promise settles. */
export async function cpuTimeOf(call: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
