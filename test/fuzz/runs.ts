/** How many samples a fuzzer tries: a few in each test run, many with `FUZZ_RUNS=100000`. */
export function runs(usual: number): number {
  return Number(process.env['FUZZ_RUNS'] ?? usual)
}

/** Milliseconds that they may take for it. */
export const patience = process.env['FUZZ_RUNS'] === undefined ? 30_000 : 3_600_000
