const { FUZZ_RUNS, FUZZ_SECONDS = '15' } = process.env

/**
 * How long a fuzzer goes on: a few samples in each test run; in the slow one `FUZZ_RUNS` samples, or `FUZZ_SECONDS` where that is
 * less. `FUZZ_RUNS=100000 FUZZ_SECONDS=3600 npx vitest run test/fuzz` tries more.
 */
export function sampling(usual: number) {
  return {
    numRuns: Number(FUZZ_RUNS ?? usual),
    interruptAfterTimeLimit: Number(FUZZ_SECONDS) * 1000,
    markInterruptAsFailure: false,
  }
}

/** The time limit of a test that samples, in milliseconds: for what hangs. */
export const patience = Number(FUZZ_SECONDS) * 1000 + 120_000
