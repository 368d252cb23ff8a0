/**
 * What a suite is run against. `npm test` tests the newest major version of each host. `npm run test:slow` sets `SLOW_HOSTS`, and runs
 * the same suites against the older versions, and against what differs from another host in little. With `ALL_HOSTS`, as in
 * `.ci/run` under Node 24, one run tests all.
 */
export function inThisRun<T>({ quick, slow }: { quick: T[]; slow: T[] }): T[] {
  const { SLOW_HOSTS, ALL_HOSTS } = process.env
  if (ALL_HOSTS) return [...new Set([...quick, ...slow])]
  return SLOW_HOSTS ? slow : quick
}
