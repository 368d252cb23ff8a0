/* Every answer of the control API against its own description, which allows no other keys. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { beforeAll, expect, it } from 'vitest'
import { endpoints } from '../../../src/inspector/api/endpoints.ts'
import { apiServerOnce } from './api-server.ts'

interface Document {
  openapi: string
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: Content }>; requestBody?: { content: Content } }>
  >
  components: { schemas: Record<string, object> }
}
type Content = Record<string, { schema: object }>

const fixtures = {
  'fixtures/orders.yaml': `
- { path: /orders, paginate: { perPage: 1, items: [{ id: 1 }, { id: 2 }] } }
- { name: down, path: /orders, scenario: down, response: { status: 503 } }
- { path: /search, method: POST, when: { body: { a: 1 }, query: { q: { $in: [a, b] } } }, response: { body: [] } }
- { path: /reset, response: { fault: { dribble: 1 }, body: text, headers: { set-cookie: a=1 } } }
- { path: /graphql, when: { operationName: A, variables: { id: 1 } }, response: { body: { data: { a: 1 } } } }
`,
  'fixtures/wrong.yaml': '- { path: /wrong, respnse: {} }\n',
}

const server = apiServerOnce(fixtures)
let document: Document
let ajv: Ajv2020
/** By the text of their schema. */
const validators = new Map<string, ValidateFunction>()

beforeAll(async () => {
  document = (await server.call<Document>('GET', 'openapi.json')).body
  ajv = new Ajv2020({ strict: false })
  ajv.addSchema(document, 'api')
})

function check(method: string, path: string, status: number, value: unknown): void {
  const operation = document.paths[path]![method.toLowerCase()]!
  const { schema } = operation.responses[status]!.content['application/json']!
  expect(problemsOf(schema, value)).toEqual([])
}

function problemsOf(schema: object, value: unknown): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/', '"api#/')
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as object)
  validators.set(text, validate)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

it('describes every endpoint, with its parameters and bodies', () => {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(document.openapi).toBe('3.1.0')
  expect(described).toEqual(expect.arrayContaining(Object.keys(endpoints)))
  expect(document.paths['/scenario']!['put']).toMatchObject({
    parameters: [
      { name: 'x-mock-client', in: 'header', schema: { type: 'string' } },
      { name: 'x-mock-api', in: 'header', required: true, schema: { const: '1' } },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/NewScenario' } } },
    },
  })
})

it('describes every answer', async () => {
  await server.send('/orders?page=2&token=x')
  await server.post('/search', { a: 2, password: 'x' })
  await server.post('/graphql', { query: 'query A { a }', variables: { id: 1 } }, { 'x-mock-client': 'c' })
  await server.post('/graphql', { query: 'query B { a }' })
  await server.send('/wrong')
  await (await server.send('/reset')).text()
  await server.send('/nowhere')
  const calls: [method: string, path: string, body?: unknown, pattern?: string][] = [
    ['GET', 'routes'],
    ['GET', 'requests?passed=true'],
    ['GET', 'diagnostics'],
    ['GET', 'scenario'],
    ['PUT', 'scenario', { scenario: ['down'] }],
    ['POST', 'explain', { url: '/orders?page=3' }],
    ['POST', 'explain', { method: 'POST', url: '/search', body: { a: 2 } }],
    ['POST', 'explain', { url: '/nowhere' }],
    [
      'PUT',
      'overrides',
      {
        routes: { 'GET /orders': 'GET /orders #1' },
        delay: { 'GET /orders': 1 },
        failNext: { count: 1, fault: 'reset', endpoint: 'GET /orders' },
      },
    ],
    ['GET', 'overrides'],
    ['POST', 'explain', { url: '/orders' }],
    ['POST', 'fixture', { request: 2, dryRun: true }],
    ['POST', 'edit', { request: 2 }],
    ['PUT', 'edit', { file: 'fixtures/new.yaml', text: '- { path: /new }', version: '' }],
    ['DELETE', 'edit'],
    ['POST', 'reset', {}],
  ]
  await expect.poll(async () => (await server.requests()).length).toBe(7)
  const requests = await server.requests()
  for (const { id } of requests) calls.push(['GET', `requests/${id}`, undefined, '/requests/{id}'])
  for (const [method, path, body, pattern] of calls) {
    const answer = await server.call(method, path, body)
    expect([path, answer.status, answer.status === 200 ? '' : answer.body]).toEqual([path, 200, ''])
    check(method, pattern ?? `/${path.split('?')[0]}`, 200, answer.body)
  }
})

it.each<[method: string, path: string, body: unknown, pattern?: string]>([
  ['GET', 'requests?limit=0', undefined, '/requests'],
  ['GET', 'requests/0', undefined, '/requests/{id}'],
  ['PUT', 'scenario', { scenario: 1 }],
  ['POST', 'edit', { request: 0 }],
  ['POST', 'open', { file: 'x' }],
])('describes the error of %s %s', async (method, path, body, pattern = `/${path}`) => {
  const { status, body: error } = await server.call(method, path, body)
  check(method, pattern, status, error)
})

it('a description that does not fit is noticed', () => {
  const schema = { $ref: '#/components/schemas/ResetResult' }
  expect(problemsOf(schema, { lastRequest: 1, other: 1 })).toEqual([' must NOT have additional properties'])
  expect(problemsOf(schema, {})).toEqual([" must have required property 'lastRequest'"])
})
