/* Kinds that the content decides, and what becomes of them. test/cli/commands/import-*.test.ts have the older ones. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, runIn } from '../test-terminal.ts'

async function importFrom(files: Record<string, string>, args: readonly string[]) {
  const root = folderWith(files)
  const ran = await runIn(root, ['import', ...args, '--out', 'made'])
  const folder = join(root, 'made')
  const names = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]).sort() : []
  const yaml = names
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  return { ...ran, root, names, yaml }
}

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const users = '{{baseUrl}}/users'
const collection = {
  info: { name: 'Shop', schema },
  variable: [{ key: 'baseUrl', value: 'https://api.example.com' }],
  item: [
    {
      name: 'Users',
      item: [
        {
          name: 'Get user',
          request: { method: 'GET', url: { raw: `${users}/:userId`, host: ['{{baseUrl}}'], path: ['users', ':userId'], variable: [{ key: 'userId', value: '7' }] } },
          response: [
            { name: 'Found', originalRequest: { method: 'GET', url: `${users}/7` }, code: 200, header: [{ key: 'Content-Type', value: 'application/json' }], body: '{"id":7,"token":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"}' },
            { name: 'Gone, for good', originalRequest: { method: 'GET', url: `${users}/7` }, code: 410, header: null, body: '' },
          ],
        },
        { name: 'Delete user', request: { method: 'DELETE', url: `${users}/{{id}}` }, response: [] },
      ],
    },
  ],
} // prettier-ignore

const swagger = `swagger: '2.0'
basePath: /v1
definitions: { Pet: { type: object, properties: { id: { type: integer }, tag: { type: string, x-nullable: true } } } }
parameters: { Body: { in: body, name: pet, schema: { $ref: '#/definitions/Pet' } } }
paths:
  /pets/{id}:
    get:
      parameters: [{ in: path, name: id, required: true, type: integer }]
      responses: { 200: { description: One, schema: { $ref: '#/definitions/Pet' }, examples: { application/json: { id: 3 } } } }
    put:
      parameters: [{ in: path, name: id, required: true, type: integer }, { $ref: '#/parameters/Body' }]
      responses: { 200: { description: One, schema: { $ref: '#/definitions/Pet' } } }
`

const wireMock = {
  mappings: [
    { request: { method: 'GET', urlPathTemplate: '/orders/{id}', headers: { Authorization: { equalTo: 'Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc' } } }, response: { transformers: ['response-template'], headers: { 'Content-Type': 'application/json' }, body: '{"id": {{request.path.id}}, "at": "{{now}}"}', fixedDelayMilliseconds: 5 } },
    { request: { method: 'POST', urlPath: '/orders', bodyPatterns: [{ matchesJsonPath: "$.lines[?(@.sku == 'x')]" }] }, response: { status: 201, fault: 'EMPTY_RESPONSE' } },
    { scenarioName: 's', requiredScenarioState: 'Started', newScenarioState: 'two', request: { method: 'GET', url: '/job' }, response: { jsonBody: { n: 1 } } },
    { scenarioName: 's', requiredScenarioState: 'two', request: { method: 'GET', url: '/job' }, response: { jsonBody: { n: 2 } } },
    { request: { method: 'GET', url: '/evil' }, response: { bodyFileName: '../../secret.txt' } },
    { request: { method: 'GET', url: '/xml', bodyPatterns: [{ equalToXml: '<a/>' }] }, response: {} },
  ],
} // prettier-ignore

const mockoon = {
  lastMigration: 33,
  endpointPrefix: 'api',
  latency: 0,
  data: [{ uuid: 'b', id: 'x', name: 'users', value: '[{"id":1,"name":"Ada"}]' }],
  routes: [
    { uuid: '1', type: 'http', method: 'get', endpoint: 'hello/:name', responses: [
      { uuid: 'r1', statusCode: 200, label: '', headers: [{ key: 'Content-Type', value: 'application/json' }], body: '{"to":"{{urlParam \'name\'}}","q":"{{queryParam \'q\' \'all\'}}"}', rules: [], default: true },
      { uuid: 'r2', statusCode: 404, label: 'Nobody', body: '', rules: [{ target: 'params', modifier: 'name', operator: 'equals', value: 'nobody', invert: false }] },
      { uuid: 'r3', statusCode: 500, label: 'Broken', body: '', rules: [] },
    ] },
    { uuid: '2', type: 'crud', method: '', endpoint: 'users', responses: [{ bodyType: 'DATABUCKET', databucketID: 'x', default: true, rules: [] }] },
    { uuid: '3', type: 'ws', method: '', endpoint: 'ws', responses: [{ body: '' }] },
  ],
} // prettier-ignore

const bruno = `meta {
  name: Get order
}

get {
  url: {{host}}/orders/:id
}

params:path {
  id: 4
}

example {
  name: An order

  response: {
    status: {
      code: 200
    }

    body: {
      type: json
      content: '''
        { "id": 4 }
      '''
    }
  }
}
`

const insomnia = `type: mock.insomnia.rest/5.0
name: Mocks
server:
  routes:
    - { name: /health, method: GET, statusCode: 203, mimeType: application/json, body: '{"up":true}', headers: [] }
`

const hoppscotch = {
  v: 10, name: 'Shop', folders: [],
  requests: [{ v: '16', name: 'Pay', method: 'POST', endpoint: '<<base>>/pay', params: [], headers: [], body: { contentType: 'application/json', body: '{"sum":1}' }, responses: { Paid: { name: 'Paid', code: 201, headers: [], body: '{"paid":true}' } } }],
} // prettier-ignore

test.for([
  {
    kind: 'a Postman collection',
    text: JSON.stringify(collection),
    yaml: `- name: Found
  path: /users/:id
  example: { params: { id: 7 } }
  response:
    body:
      id: { $from: params.id, as: number }
      token: redacted

- name: Gone, for good
  path: /users/:id
  scenario: Gone for good
  response: { status: 410 }
`,
  },
  {
    kind: 'a Swagger 2.0 document',
    text: swagger,
    yaml: `- path: /v1/pets/:id
  response: { body: { id: { $from: params.id, as: number, else: 3 } } }

- method: PUT
  path: /v1/pets/:id
  response:
    body:
      id: { $from: params.id, as: number, else: 1 }
      tag: { $from: body.tag, else: tag }
`,
  },
  {
    kind: 'mappings of WireMock',
    text: JSON.stringify(wireMock),
    yaml: `- path: /job
  response: [{ body: { n: 1 } }, { body: { n: 2 } }]

- method: POST
  path: /orders
  when: { body: { lines: { $elemMatch: { sku: x } } } }
  response: { status: 201, fault: empty }

- path: /orders/:id
  when: { headers: { authorization: { $exists: true } } }
  response:
    body: { id: { $from: params.id, as: json }, at: { $now: true } }
    delay: 5
`,
  },
  {
    kind: 'a Mockoon environment',
    text: JSON.stringify(mockoon),
    yaml: `- path: /api/hello/:name
  response:
    body:
      to: { $text: '{params.name}' }
      q: { $text: '{query.q}', else: all }

- name: Nobody
  path: /api/hello/:name
  when: { params: { name: nobody } }
  response: { status: 404 }

- name: Broken
  path: /api/hello/:name
  scenario: Broken
  response: { status: 500 }

- path: /api/users
  collection: { items: [{ id: 1, name: Ada }], returnDeleted: true }
`,
  },
  { kind: 'a Bruno collection', text: bruno, yaml: `- name: An order
  path: /orders/:id
  example: { params: { id: 4 } }
  response: { body: { id: { $from: params.id, as: number } } }
` },
  { kind: 'an Insomnia export', text: insomnia, yaml: `- name: GET /health
  path: /health
  response: { status: 203, body: { up: true } }
` },
  { kind: 'a Hoppscotch collection', text: JSON.stringify(hoppscotch), yaml: `- name: Paid
  method: POST
  path: /pay
  response: { status: 201, body: { paid: true } }
` },
  {
    kind: 'a cURL command',
    text: `curl 'https://api.example.com/orders/7?api_key=AKIAIOSFODNN7EXAMPLE' -H 'authorization: Bearer abc' \\\n  --data-raw $'{"name":"A\\'da"}' --compressed`,
    yaml: `- method: POST
  path: /orders/:id
  example: { params: { id: 7 } }
  response: { body: {} }
`,
  },
  { kind: 'a database of json-server', text: '{ "posts": [{ "id": 1 }] }', yaml: `- path: /posts
  collection: { items: [{ id: 1 }], returnDeleted: true }
` },
])('$kind', async ({ kind, text, yaml }) => {
  const made = await importFrom({ 'given.txt': text }, ['given.txt'])
  expect(made.exitCode, made.stderr).toBe(0)
  expect(made.stdout).toContain(`given.txt: ${kind}\n`)
  expect(made.yaml).toBe(yaml)
  const checked = await runIn(made.root, ['check', '--fixtures', 'made'])
  expect([checked.exitCode, checked.stdout]).toEqual([0, expect.stringContaining('0 errors, 0 warnings')])
  const again = await runIn(made.root, ['import', 'given.txt', '--out', 'made'])
  expect(again.stdout).not.toMatch(/, (?:new|replaced|kept)/)
}) // prettier-ignore

test('the report says how many answers are written, and why the others are not', async () => {
  const { stdout, stderr } = await importFrom({ 'a.json': JSON.stringify(wireMock) }, ['a.json'])
  expect(stdout).toContain('4 of 6 answers written to 2 files; 2 left out.')
  expect(stderr).toContain('its body is in ../../secret.txt, outside of the folder (GET /evil)')
  expect(stderr).toContain('a condition on "authorization": it is a credential')
  expect(stderr).toContain('equalToXml')
})

test('requests without an answer have a draft', async () => {
  const { stderr } = await importFrom({ 'a.json': JSON.stringify(collection) }, ['a.json'])
  expect(stderr).toContain('a request: it has no saved answer (DELETE Delete user)')
  expect(stderr).toContain('- name: Delete user\n  method: DELETE\n  path: /users/:id\n')
})

test.for([
  { what: 'text', text: 'hello', message: 'given can\'t be imported: it looks like text. These are read: HAR, ' },
  { what: 'nothing', text: ' ', message: 'it is empty' },
  { what: 'XML', text: '<a/>', message: 'it looks like XML or HTML' },
  { what: 'broken JSON', text: '{"info": ', message: "it looks like JSON that can't be parsed: " },
  { what: 'other JSON', text: '{"name":"a","version":"1"}', message: 'it looks like JSON with the keys name, version' },
  { what: 'JSON of 10 000 levels', text: '{"item":'.repeat(10_000) + '1' + '}'.repeat(10_000), message: 'nests deeper than 500 levels' },
])('something else: $what', async ({ text, message }) => {
  const { exitCode, stderr, names } = await importFrom({ given: text }, ['given'])
  expect([exitCode, names]).toEqual([1, []])
  expect(stderr).toContain(message)
}) // prettier-ignore

test.for([
  { args: ['json-server', 'a.json'], exitCode: 2, message: 'a.json is a Postman collection, not a database of json-server. Write: unplugin-mock-api import a.json' },
  { args: ['har', 'a.txt'], exitCode: 1, message: 'a.txt is not a HAR file: Unexpected h at position 0' },
])('a command refuses another kind: $args', async ({ args, exitCode, message }) => {
  const made = await importFrom({ 'a.json': JSON.stringify(collection), 'a.txt': 'hello' }, args)
  expect(made.exitCode).toBe(exitCode)
  expect(made.stderr).toContain(message)
}) // prettier-ignore

test('a folder with several kinds: each has a folder, and data beside them are none', async () => {
  const files = {
    'mocks/mappings/a.json': JSON.stringify(wireMock),
    'mocks/__files/b.json': '[{ "id": 1 }]',
    'mocks/list.json': '{ "posts": [{ "id": 1 }] }',
    'mocks/api.yaml': swagger,
    'mocks/run.ts': 'throw new Error("not run")',
  }
  const { exitCode, names } = await importFrom(files, ['mocks'])
  expect(exitCode).toBe(0)
  expect(names.map((name) => name.replaceAll('\\', '/'))).toEqual([
    'swagger',
    'swagger/v1.yaml',
    'wiremock',
    'wiremock/job.yaml',
    'wiremock/orders.yaml',
  ])
})
