import { defineConfig } from 'vitest/config'

/** Files of `npm test` with property tests that compare two implementations. Here they try many more samples. */
const properties = [
  'test/fuzz/**/*.test.ts',
  'test/core/graphql/shape/shape-oracle.test.ts',
  'test/core/graphql-schema/{create-checker,entity,oracle}.test.ts',
  'test/core/table/{create-compiler,prefilter,route-index}.test.ts',
]

/** `npm run test:slow`: soak, models and long property tests. */
export default defineConfig({
  test: {
    setupFiles: 'test/property-seed.ts',
    include: ['test/**/*.slow.test.ts', ...properties],
    env: { FUZZ_RUNS: '5000', FUZZ_SECONDS: '30' },
    maxWorkers: '100%',
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
