/* The examples of docs/explore.md. Those for Playwright are type-checked; test/e2e/sad-path-tests.test.ts has their like. */
import { expect, it } from 'vitest'
import { createClient } from '../../src/client.ts'
import { sadPathKinds } from '../../src/core/sad-path/sad-path.ts'
import { forEachSadPath } from '../../src/intercept/for-each-sad-path.ts'
import { folderWith, runIn } from '../cli/test-terminal.ts'
import { apiServerOnce } from '../inspector/server/api-server.ts'
import { examplesIn, runExample } from './control-api-examples.ts'
import { blocksOf, filesOf, sectionOf } from './pages.ts'

const blocks = blocksOf('docs/explore.md')
const { 'fixtures/hero.yaml': hero, 'fixtures/orders.yaml': orders } = filesOf('docs/explore.md')
const files = { 'fixtures/hero.yaml': hero!, 'fixtures/orders.yaml': orders! }
const examples = examplesIn(blocks)

const server = apiServerOnce(files)

it.each(examples)('$commands', async (example) => {
  expect(await runExample(server, example)).toMatchObject(example.expected)
})

it('has every kind in its table', () => {
  const listed = [...sectionOf('docs/explore.md', '## What goes wrong').matchAll(/^\| `(\w+)` /gm)].map(
    ([, kind]) => kind,
  )
  expect(listed).toEqual(sadPathKinds)
})

it('the loader of the example', async () => {
  const client = createClient(server.origin, { client: 'loader' })
  class LoadError extends Error {}
  async function loadOrders() {
    const response = await server.send('/orders', { headers: { 'x-mock-client': 'loader' } })
    if (!response.ok) throw new LoadError(`HTTP ${response.status}`)
    return ((await response.json()) as { data?: unknown[] }).data ?? []
  }
  const kinds = ['status', 'missing', 'list'] as const
  await forEachSadPath(client, loadOrders, { errors: [LoadError], kinds })
  const undeclared = forEachSadPath(client, loadOrders, { kinds: ['status'] })
  await expect(undeclared).rejects.toThrow('fails in 10 of 10 sad paths')
})

it('the list of check', async () => {
  const { stdout } = await runIn(folderWith(files), ['check', '--sad-paths'])
  expect(stdout).toContain(blocks.at(-1)!.text)
})
