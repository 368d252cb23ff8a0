/** A test that runs the examples of a page. */
interface Run {
  page: string
  test: string
  /** How many blocks it compares or runs, of the languages that nothing else checks. */
  blocks?: Record<string, number | 'all'>
}

/**
 * Which test runs the examples of which page. `code-blocks.test.ts` finds the blocks that are neither checked by their
 * language (`pages.ts`) nor counted here.
 */
export const runs: Run[] = [
  { page: 'README.md', test: 'test/readme.test.ts', blocks: { txt: 2 } },
  { page: 'docs/agents.md', test: 'test/docs/agents.test.ts', blocks: { md: 1 } },
  { page: 'docs/any-origin.md', test: 'test/docs/any-origin.slow.test.ts' },
  { page: 'docs/backend.md', test: 'test/docs/backend.slow.test.ts' },
  { page: 'docs/check.md', test: 'test/docs/cli.test.ts', blocks: { text: 3 } },
  { page: 'docs/cli.md', test: 'test/docs/cli.test.ts', blocks: { text: 1, diff: 1 } },
  { page: 'docs/control-api.md', test: 'test/docs/control-api.test.ts' },
  { page: 'docs/diagnostics.md', test: 'test/docs/generated-pages.test.ts', blocks: { txt: 'all' } },
  { page: 'docs/explore.md', test: 'test/e2e/explore.test.ts', blocks: { text: 2 } },
  { page: 'docs/explore.md', test: 'test/docs/sad-paths.test.ts' },
  { page: 'docs/getting-started.md', test: 'test/docs/getting-started.slow.test.ts', blocks: { txt: 2 } },
  { page: 'docs/import.md', test: 'test/docs/import.test.ts' },
  { page: 'docs/migrating/json-server.md', test: 'test/docs/migrating.scaffold.test.ts' },
  { page: 'docs/migrating/msw.md', test: 'test/docs/migrating.scaffold.test.ts' },
  { page: 'docs/migrating/vite-plugin-mock.md', test: 'test/docs/migrating.scaffold.test.ts' },
  { page: 'docs/migrating/vite-plugin-mock-dev-server.md', test: 'test/docs/migrating.scaffold.test.ts' },
  { page: 'docs/reality.md', test: 'test/docs/reality.test.ts', blocks: { text: 1 } },
  { page: 'docs/record.md', test: 'test/docs/backend.slow.test.ts' },
  { page: 'docs/scenarios.md', test: 'test/docs/scenarios.test.ts' },
  { page: 'docs/testing/jest.md', test: 'test/docs/testing.slow.test.ts' },
  { page: 'docs/testing/node-test.md', test: 'test/docs/testing.slow.test.ts' },
  { page: 'docs/testing.md', test: 'test/docs/testing.slow.test.ts' },
  { page: 'docs/without-dev-server.md', test: 'test/cli/commands/serve.test.ts', blocks: { text: 2 } },
  { page: 'docs/without-dev-server.md', test: 'test/docs/virtual-module.slow.test.ts' },
  { page: 'docs/without-dev-server.md', test: 'test/docs/workers.slow.test.ts' },
]
