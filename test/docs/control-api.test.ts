/* The examples of docs/control-api.md, run one after the other. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { endpoints } from '../../src/inspector/endpoints.ts'
import { startApiServer, type ApiServer } from '../inspector/server/api-server.ts'
import { blocksOf, readPage } from './pages.ts'

const page = readPage('docs/control-api.md')
const blocks = blocksOf('docs/control-api.md')
const examples = blocks.flatMap(({ language, text }, index) =>
  language === 'sh'
    ? [
        {
          commands: text.trim().split(/\n(?=curl )/),
          expected: JSON.parse(blocks[index + 1]!.text) as object,
        },
      ]
    : [],
)

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer({ 'fixtures/orders.yaml': blocks[0]!.text })
})
afterAll(() => server.close())

/** What `curl` would send. */
function parseCurl(command: string): { url: string; init: RequestInit } {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
  const valuesOf = (flag: string) => words.flatMap((word, index) => (words[index - 1] === flag ? word : []))
  const [body] = valuesOf('-d')
  const [method = body === undefined ? 'GET' : 'POST'] = valuesOf('-X')
  const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(': ') as [string, string]))
  const url = words.find((word) => word.startsWith('localhost:5173'))!
  return {
    url: url.replace('localhost:5173', ''),
    init: { method, headers, ...(body !== undefined && { body }) },
  }
}

it.each(examples)('$commands', async ({ commands, expected }) => {
  let text = ''
  for (const command of commands) {
    const { url, init } = parseCurl(command)
    text = await (await server.send(url, init)).text()
  }
  expect(JSON.parse(text)).toMatchObject(expected)
})

it('has an example or a sentence for every route of the API', () => {
  const names = Object.keys(endpoints).map((name) => name.replace(' /', ' ').replace('{id}', ':id'))
  expect(names.filter((name) => !page.includes(name))).toEqual([])
  expect(examples.length).toBeGreaterThan(5)
})
