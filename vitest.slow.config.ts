import { defineConfig } from 'vitest/config'
import { temporary } from './vitest.config.ts'

/** Files of `npm test` with property tests, tests of size, or long tables (`test/sampling.ts`). Here they try many more samples. */
const thorough = [
  'test/fuzz/**/*.test.ts',
  'test/cli/{documents-without-end,url-user}.test.ts',
  'test/writer/exchange/replay.test.ts',
  'test/wire/node/decode-body.test.ts',
  'test/core/{collection/model,http/origin,request/parsed-request}.test.ts',
  'test/core/graphql/{document,locations,shape-result-oracle}.test.ts',
  'test/core/graphql-schema/{entity,introspection,oracle}.test.ts',
  'test/core/table/{compile-routes,route-index,router}.test.ts',
]
/** Files of `npm test` that test the newest version of each host. Here they test the others (`test/hosts/this-run.ts`). */
const hosts = [
  'test/e2e/{explore,hosts,inspector,overlay,playground,scenarios}.test.ts',
  'test/hosts/{backend,behaviour,bundlers,commands,contract,faults,inspector,requests,sockets,upgrades,virtual-module,vite,webpack}.test.ts',
]

/** `npm run test:slow`: soak, models, long property tests, and older versions of the hosts. */
export default defineConfig({
  test: {
    setupFiles: ['test/plain-output.ts', 'test/property-seed.ts'],
    globalSetup: 'test/e2e/setup.ts',
    include: ['test/**/*.slow.test.ts', ...thorough, ...hosts],
    env: { TMPDIR: temporary, FUZZ_RUNS: '5000', FUZZ_SECONDS: '30', SLOW_HOSTS: '1' },
    maxWorkers: '100%',
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
