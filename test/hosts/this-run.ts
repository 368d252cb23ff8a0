/**
 * What a suite is run against. `npm test` tests the newest major version of each host. `npm run test:slow` sets `SLOW_HOSTS`, and runs
 * the same suites against the older versions, and against what differs from another host in little.
 */
export function inThisRun<T>({ quick, slow }: { quick: T[]; slow: T[] }): T[] {
  return process.env['SLOW_HOSTS'] ? slow : quick
}
