import { defineConfig } from 'vitest/config'

/** `npm run test:slow`: soak, models and long fuzzing. */
export default defineConfig({
  test: {
    setupFiles: 'test/property-seed.ts',
    include: ['test/**/*.slow.test.ts', 'test/fuzz/**/*.test.ts'],
    env: { FUZZ_RUNS: '5000', FUZZ_SECONDS: '40' },
    maxWorkers: '100%',
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
