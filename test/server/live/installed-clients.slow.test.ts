import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from '../../inspector/server/api-server.ts'

/* What is not a dependency: GraphQL.js 17 as the oracle of `@defer` and `@stream`, and the provider of a language model. */

const review = (id: string) => ({ id, text: `Text ${id}`, author: { id: `of ${id}`, name: `Name ${id}` } })
const data = {
  a: 1,
  b: 2,
  product: {
    id: '1',
    name: 'Lamp',
    price: 10,
    seller: { id: 's', name: 'Ann', city: 'Rome' },
    reviews: [review('a'), review('b'), review('c')],
    tags: ['p', 'q', 'r'],
  },
}
const schema = `
type Query { a: Int b: Int product: Product }
type Product { id: ID! name: String price: Int seller: Seller reviews: [Review] tags: [String] }
type Seller { id: ID name: String city: String }
type Review { id: ID text: String author: Seller }
directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
`
const chat = { stream: { as: 'openai-chat', text: 'Hello from the mock.', each: 1 } }
const routes = [
  { path: '/graphql', shape: true, response: { body: { data } } },
  { method: 'POST', path: '/v1/chat/completions', response: chat },
]

const folder = mkdtempSync(join(tmpdir(), 'clients-'))
let server: ApiServer
beforeAll(async () => {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
  const packages = ['graphql@17', 'ai', '@ai-sdk/openai']
  execFileSync('npm', ['install', ...flags, ...packages], { stdio: 'ignore' })
  server = await startApiServer({ 'fixtures/a.json': JSON.stringify(routes) })
}, 300_000)
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const load = async <Module>(name: string): Promise<Module> => {
  const path = createRequire(join(folder, 'package.json')).resolve(name)
  return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Module
}

interface Payload {
  data?: object
  pending?: { id: string; path: (string | number)[]; label?: string }[]
  incremental?: { id: string; subPath?: (string | number)[]; data?: object; items?: unknown[] }[]
  completed?: { id: string }[]
  hasNext?: boolean
}

async function fromGraphQL17(query: string): Promise<Payload[]> {
  const { buildSchema, parse, experimentalExecuteIncrementally } = await load<{
    buildSchema: (sdl: string) => object
    parse: (text: string) => object
    experimentalExecuteIncrementally: (given: object) => unknown
  }>('graphql')
  const given = { schema: buildSchema(schema), document: parse(query), rootValue: data }
  const result = (await experimentalExecuteIncrementally(given)) as {
    initialResult?: Payload
    subsequentResults: AsyncIterable<Payload>
  }
  if (!result.initialResult) return [result as Payload]
  const payloads = [result.initialResult]
  for await (const payload of result.subsequentResults) payloads.push(payload)
  return payloads
}

async function fromMock(query: string): Promise<Payload[]> {
  const headers = { accept: 'multipart/mixed;incrementalSpec=v0.2' }
  const response = await server.post('/graphql', { query }, headers)
  return [...(await response.text()).matchAll(/^\{.*\}$/gm)].map(([json]) => JSON.parse(json) as Payload)
}

/**
 * How many payloads there are, and what is in which one, depends on timing. A part of which the client has all fields but those
 * of parts inside it is left out by GraphQL.js, and empty here; a
 * list without further items is announced there.
 */
function summary([first, ...later]: Payload[]) {
  const whole = structuredClone(first!.data)
  const all = [first!, ...later]
  const announced = all.flatMap(({ pending = [] }) => pending)
  const paths = new Map(announced.map(({ id, path }) => [id, path]))
  for (const { id, subPath = [], data, items } of later.flatMap(({ incremental = [] }) => incremental)) {
    const target = [...paths.get(id)!, ...subPath].reduce<unknown>(
      (value, key) => (value as never)[key],
      whole,
    )
    if (items) (target as unknown[]).push(...structuredClone<unknown[]>(items))
    else Object.assign(target as object, structuredClone(data))
  }
  const names = (pending: Payload['pending'] = []) =>
    pending.map(({ path, label }) => JSON.stringify([path, label])).sort()
  const completed = all.flatMap((payload) => payload.completed ?? []).map(({ id }) => id)
  return {
    initial: first!.data,
    pending: names(first!.pending),
    announced: names(announced),
    isComplete: completed.length === announced.length && announced.every(({ id }) => completed.includes(id)),
    whole,
    hasNext: all.map(({ hasNext = false }) => hasNext).lastIndexOf(true) === all.length - 2,
  }
}

it.each([
  '{ a ... @defer(label: "A") { b } }',
  '{ a ... @defer { a } }',
  '{ a ... @defer(if: false) { b } }',
  '{ ... @defer { a ... @defer { b } } }',
  '{ product { seller { id } ... @defer { seller { id name } price } } }',
  '{ product { ... @defer(label: "A") { name price } ... @defer(label: "B") { name seller { id } } } }',
  '{ product { id ... @defer(label: "L") { seller { city } name } ... @defer { seller { id ... @defer(label: "I") { name } } } } }',
  '{ product { tags @stream(initialCount: 1) reviews { id ... @defer(label: "T") { text } } } }',
  '{ product { reviews @stream { id ... @defer { author { name } } } } }',
  '{ product { ... @defer { reviews @stream(initialCount: 1, label: "R") { text } } } }',
  '{ x: product { ...G @defer } y: product { ...G @defer } } fragment G on Product { name reviews { author { name } } }',
])('what GraphQL.js 17 answers: %s', async (query) => {
  expect(summary(await fromMock(query))).toEqual(summary(await fromGraphQL17(query)))
})

// Other clients of language models are in model-clients.slow.test.ts.
it('the chunks of a language model: ai, by the provider of OpenAI', async () => {
  const { streamText } = await load<{ streamText: (given: object) => { textStream: AsyncIterable<string>; finishReason: PromiseLike<string> } }>('ai')
  const { createOpenAI } = await load<{ createOpenAI: (settings: object) => { chat: (model: string) => object } }>('@ai-sdk/openai')
  const model = createOpenAI({ baseURL: `${server.origin}/v1`, apiKey: 'none' }).chat('any')
  const { textStream, finishReason } = streamText({ model, prompt: 'Hi', maxRetries: 0 })
  let text = ''
  for await (const part of textStream) text += part
  expect([text, await finishReason]).toEqual(['Hello from the mock.', 'stop'])
}) // prettier-ignore
