/* The examples of docs/control-api.md, run one after the other. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { endpoints } from '../../src/inspector/api/endpoints.ts'
import { startApiServer, type ApiServer } from '../inspector/server/api-server.ts'
import { examplesIn, runExample } from './control-api-examples.ts'
import { blocksOf, readPage } from './pages.ts'

const page = readPage('docs/control-api.md')
const blocks = blocksOf('docs/control-api.md')
const examples = examplesIn(blocks)

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer({ 'fixtures/orders.yaml': blocks[0]!.text })
})
afterAll(() => server.close())

it.each(examples)('$commands', async (example) => {
  expect(await runExample(server, example)).toMatchObject(example.expected)
})

it('has an example or a sentence for every route of the API', () => {
  const names = Object.keys(endpoints).map((name) => name.replace(' /', ' ').replaceAll(/\{(\w+)\}/g, ':$1'))
  expect(names.filter((name) => !page.includes(name))).toEqual([])
  expect(examples.length).toBeGreaterThan(5)
})
