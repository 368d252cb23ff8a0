const { FUZZ_RUNS, FUZZ_SECONDS = '15' } = process.env

/**
 * How many samples a property test tries: `usual` in `npm test`. `npm run test:slow` sets `FUZZ_RUNS`, and tries that many, or as many
 * as it can in `FUZZ_SECONDS`. `FUZZ_RUNS=100000 FUZZ_SECONDS=3600 npx vitest run test/fuzz` tries more.
 */
export function sampling(usual: number) {
  return {
    numRuns: Number(FUZZ_RUNS ?? usual),
    interruptAfterTimeLimit: Number(FUZZ_SECONDS) * 1000,
    markInterruptAsFailure: false,
  }
}

/** Whether this is the slow run, which tries everything. */
export const isThorough = FUZZ_RUNS !== undefined

/** The time limit of a property test in milliseconds, for one that hangs. */
export const patience = Number(FUZZ_SECONDS) * 1000 + 120_000

/** The parts of a text between `¦`, for arbitraries. */
export function parts(text: string): string[] {
  return text.split('¦')
}
