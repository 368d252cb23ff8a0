import { defineConfig } from 'vitest/config'

/** `npm run test:scaffolds`: the packed package in projects that are installed from the registry. Minutes, and one at a time. */
export default defineConfig({
  test: {
    setupFiles: 'test/plain-output.ts',
    globalSetup: ['test/e2e/setup.ts', 'test/scaffolds/setup.ts'],
    include: ['test/**/*.scaffold.test.ts'],
    maxWorkers: 1,
    // An install on a busy machine takes minutes.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
