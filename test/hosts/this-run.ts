/**
 * What a suite is run against. `npm test` tests the newest major version of each host in full, and the contract of the starter
 * templates on all versions. `npm run test:slow` sets `SLOW_HOSTS`, and runs the same suites against the older versions.
 */
export function inThisRun<T>({ quick, slow }: { quick: T[]; slow: T[] }): T[] {
  return process.env['SLOW_HOSTS'] ? slow : quick
}
