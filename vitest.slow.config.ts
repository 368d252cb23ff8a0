import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { maxWorkers, temporary } from './vitest.config.ts'

/**
 * Files of `npm test` that have more to do here: property tests with more samples, longer tables (`test/sampling.ts`), and older
 * versions of the hosts (`test/hosts/this-run.ts`).
 */
const thorough = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !/\.(?:slow|scaffold)\.test\.ts$/.test(name))
  .map((name) => `test/${name}`)
  .filter((file) =>
    /\b(?:isThorough|sampling|inThisRun|viteVersions|devServers)\b|import \{ hosts\b/.test(
      readFileSync(file, 'utf8'),
    ),
  )

/** `npm run test:slow`: soak, models, long property tests, and older versions of the hosts. */
export default defineConfig({
  test: {
    setupFiles: ['test/plain-output.ts', 'test/property-seed.ts'],
    globalSetup: 'test/e2e/setup.ts',
    include: ['test/**/*.slow.test.ts', ...thorough],
    env: {
      TMPDIR: temporary,
      FUZZ_RUNS: '5000',
      FUZZ_SECONDS: process.env.FUZZ_SECONDS ?? '30',
      SLOW_HOSTS: '1',
    },
    maxWorkers,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
