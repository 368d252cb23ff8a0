/* The examples of docs/control-api.md, run one after the other. */
import { expect, it } from 'vitest'
import { endpoints } from '../../src/inspector/api/endpoints.ts'
import { apiServerOnce } from '../inspector/server/api-server.ts'
import { examplesIn, runExample } from './control-api-examples.ts'
import { blocksOf, readPage } from './pages.ts'

const page = readPage('docs/control-api.md')
const blocks = blocksOf('docs/control-api.md')
const examples = examplesIn(blocks)

const server = apiServerOnce({ 'fixtures/orders.yaml': blocks[0]!.text })

it.each(examples)('$commands', async (example) => {
  expect(await runExample(server, example)).toMatchObject(example.expected)
})

it('has an example or a sentence for every route of the API', () => {
  const names = Object.keys(endpoints).map((name) => name.replace(' /', ' ').replaceAll(/\{(\w+)\}/g, ':$1'))
  expect(names.filter((name) => !page.includes(name))).toEqual([])
  expect(examples.length).toBeGreaterThan(5)
})
