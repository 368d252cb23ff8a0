/*
 * The entries for Vitest, Jest and node:test, in the runners themselves, with the built package: `npm run build`.
 * Other versions, environments and Bun: test/installed/test-runners.slow.test.ts.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { createProjectInPackage } from '../hosts/test-project.ts'
import { fixtures, testOf, unmatchedTest } from './runner-tests.ts'

const ofNode = ['node/all.test.cjs', 'node/unmatched.test.cjs'] as const

const missed = `import { beforeAll, expect, test } from 'vitest'
let turn
beforeAll(async () => (turn = await (await fetch('/turns')).text()))
test('a miss', () => fetch('/orders', { method: 'POST', body: '{}' }))
test('begins anew', () => expect(turn).toBe('1'))`

const project = createProjectInPackage({
  'fixtures/orders.yaml': fixtures,
  'fixtures/typed.ts': `import { defineFixture } from 'unplugin-mock-api/fixture'
export default defineFixture([{ path: '/typed/:id', response: ({ params }) => ({ body: { id: params['id'] as string } }) }])`,
  'jest/all.test.cjs': testOf('jest'),
  'jest/unmatched.test.cjs': unmatchedTest('jest'),
  'jest/module.test.mjs': `import { expect, test } from '@jest/globals'
import { mockApi } from 'unplugin-mock-api/jest'
test('the module is the setup file', async () => {
  await fetch('/turns')
  expect(await mockApi.requests()).toHaveLength(1)
})`,
  'jest.config.json': JSON.stringify({
    setupFilesAfterEnv: ['unplugin-mock-api/jest'],
    testMatch: ['**/jest/*.test.{cjs,mjs}'],
    transform: {},
    testTimeout: 120_000, // its own would end the first test on a busy machine
  }),
  'vitest.config.mjs': `export default { test: { include: ['vitest/*'], setupFiles: ['./setup.mjs'], maxWorkers: 1 } }`,
  'setup.mjs': `import { setupMockApi } from 'unplugin-mock-api/vitest'\nsetupMockApi({ unmatched: 'fail' })`,
  'vitest/one.test.mjs': missed,
  'vitest/two.test.mjs': missed,
  [ofNode[0]]: testOf('node-test'),
  [ofNode[1]]: unmatchedTest('node-test'),
})
afterAll(() => project.close())

const env = {
  ...process.env,
  NODE_OPTIONS: '--experimental-vm-modules',
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
}

async function run(args: readonly string[], given: NodeJS.ProcessEnv = env): Promise<string> {
  const work = promisify(execFile)(process.execPath, args, { cwd: project.root, env: given })
  const { stdout, stderr } = await work.catch((error: unknown) => error as { stdout: string; stderr: string })
  return stdout + stderr
}

const vitest = (pool: string, ...args: string[]) => run([vitestBin, 'run', '--pool', pool, ...args])
const vitestBin = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const jest = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url))

describe.each([
  ['Jest', () => run([jest, '--config', 'jest.config.json', '--verbose'])],
  [
    'node:test',
    // Vitest's variables of the environment are no variables of a user.
    () =>
      // Files, since a folder is one for Node 20 alone.
      run(['--import', 'unplugin-mock-api/node-test', '--test', '--test-reporter=spec', ...ofNode], {
        ...env,
        NODE_OPTIONS: undefined,
        NODE_TEST_CONTEXT: undefined,
      }),
  ],
])('%s', (runner, start) => {
  let output: Promise<string> | undefined
  const seen = () => (output ??= start())

  it.each([
    ...(runner === 'Jest' ? ['the module is the setup file'] : []), // in tests that are ES modules
    'each test begins anew: one',
    'each test begins anew: two',
    'a scenario is of its test',
    'a fixture file in TypeScript',
    'node:http',
    'a delay ends while timers are replaced',
    'every sad path',
    'an answer is no miss',
  ])('passes: %s', async (name) => {
    expect(await seen()).toMatch(new RegExp(`(?:✓|✔) ${name}`))
  })

  it.each([
    'a request before the tests',
    'a relative URL that nobody answers',
    'a request that no route matches',
    'a request for a similar path',
  ])('fails: %s', async (name) => {
    expect(await seen()).toMatch(new RegExp(`(?:✕|✖) ${name}`))
  })

  it.each([
    'No route matched POST /orders. Closest: "POST /orders #1" (fixtures/orders.yaml:1:3) wants body.total',
    'Outside of tests, as in beforeAll: No route matched POST /orders. Closest: "POST /orders #1" (fixtures/orders.yaml:1:3)',
    'No route answers GET /nothing.',
    'No route answers GET /order. Did you mean POST /orders (fixtures/orders.yaml:1:3)?',
  ])('says why: %s', async (text) => {
    expect(await seen()).toContain(text)
  })
})

it('Jest: a run in the same process reads the fixture files anew', async () => {
  project.write(
    'jest/again.test.cjs',
    `test('again', async () => console.log(await (await fetch('/again')).text()))`,
  )
  const script = `
const { runCLI } = require('jest')
const { writeFileSync } = require('node:fs')
const runOnce = async (body) => {
  writeFileSync('fixtures/again.yaml', '- { path: /again, response: { body: ' + body + ' } }')
  await runCLI({ config: 'jest.config.json', testPathPatterns: ['again'], runInBand: true, _: [], $0: '' }, [process.cwd()])
}
runOnce('first').then(() => runOnce('second')).then(() => process.exit())`
  const output = await run(['-e', script])
  expect(output.match(/first|second/g)).toEqual(['first', 'second'])
})

it('Vitest: without isolation, a miss in the second file fails its test, too', async () => {
  const output = await vitest('threads', '--no-isolate')
  const failed = [...output.matchAll(/FAIL +(\S+ > .*)/g)].map(([, name]) => name).sort()
  expect(failed).toEqual(['vitest/one.test.mjs > a miss', 'vitest/two.test.mjs > a miss'])
})

it.each(['vmThreads', 'vmForks'])('Vitest: the pool %s is refused', async (pool) => {
  const output = await vitest(pool)
  expect(output).toContain(`Error: Vitest's pool "${pool}" is not supported`)
  expect(output).toContain(
    `Fix: Set "pool" to "threads" or "forks" in the config of Vitest in ${project.root}, or on`,
  )
  expect(output).toMatch(/Test Files +2 failed/)
})
