import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that share a process: none of them mocks a module or changes anything global. */
const pure = ['test/core/**/*.test.ts', 'test/inspector/page/**/*.test.ts', 'test/fuzz/selectors.test.ts']
/** Tests that need a Chromium. */
const browser = ['test/e2e/**/*.test.ts', 'test/hosts/fault-clients.test.ts']
/** Too long for every run: `npm run test:slow` (vitest.slow.config.ts). */
const slow = ['test/**/*.slow.test.ts']

const project = (name: string, options: object) => ({ extends: true as const, test: { name, ...options } })
const exclude = (...patterns: string[][]) => [...configDefaults.exclude, ...patterns.flat()]

export default defineConfig({
  test: {
    setupFiles: 'test/property-seed.ts',
    // By default Vitest leaves one core to itself, which on a machine with two is half of them.
    maxWorkers: '100%',
    // Limits are for what hangs. Nothing that works comes near them, on a busy machine either.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      project('pure', { include: pure, exclude: exclude(slow), isolate: false }),
      project('hosts', { include: ['test/**/*.test.ts'], exclude: exclude(pure, browser, slow) }),
      project('browser', { include: browser, exclude: exclude(slow), globalSetup: 'test/e2e/setup.ts' }),
    ],
  },
})
