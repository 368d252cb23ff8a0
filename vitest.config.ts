import { existsSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

/*
 * Loading Vitest, the sources and the bundlers takes longer than most tests, so the files of a project share processes. Files that
 * mock modules belong to `isolated`, where they do not. A file of no other project belongs to `shared`.
 */
/** They load modules anew, change what all files share, measure memory, or count timers. */
export const isolated = [
  'test/core/answer/not-ours.test.ts',
  'test/writer/patterns.test.ts',
  'test/{intercept/msw-sockets,intercept/node/*,msw}.test.ts',
  'test/wire/web/web-fault.test.ts',
]
/** Tests that need a Chromium. */
const browser = ['test/e2e/**/*.test.ts', 'test/hosts/fault-clients.test.ts']
/** Too long for every run: `npm run test:slow` and `npm run test:scaffolds`, which have configs of their own. */
const slow = ['test/**/*.{slow,scaffold}.test.ts']

/** Tests make thousands of small folders. In memory, where there is room for them, that takes a quarter of the processor time. */
const memory = '/dev/shm'
const hasRoom = () => statfsSync(memory).bavail * statfsSync(memory).bsize > 2 ** 30
export const temporary = existsSync(memory) && hasRoom() ? memory : tmpdir()

/** Tests wait for servers, browsers and files about as long as they compute, so one worker more than cores keeps the cores busy. */
export const maxWorkers = availableParallelism() + 1

const project = (name: string, options: object) => ({ extends: true as const, test: { name, ...options } })
const exclude = (...patterns: string[][]) => [...configDefaults.exclude, ...patterns.flat()]

export default defineConfig({
  test: {
    env: { TMPDIR: temporary },
    setupFiles: ['test/plain-output.ts', 'test/property-seed.ts'],
    maxWorkers,
    // Limits are for what hangs. Nothing that works comes near them, on a busy machine either.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      project('shared', {
        include: ['test/**/*.test.ts'],
        exclude: exclude(isolated, browser, slow),
        isolate: false,
      }),
      project('isolated', { include: isolated, exclude: exclude(slow) }),
      project('browser', {
        include: browser,
        exclude: exclude(slow),
        isolate: false,
        globalSetup: 'test/e2e/setup.ts',
      }),
    ],
  },
})
