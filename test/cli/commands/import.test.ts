/* Kinds that the content decides, and what becomes of them. test/cli/commands/import-*.test.ts have the older ones. */
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { closeServer, listen } from '../../hosts/serve.ts'
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
      responses: { 200: { schema: { $ref: '#/definitions/Pet' }, examples: { application/json: { id: 3 } } } }
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

const openCollection = `info: { name: Orders, type: http }
http:
  method: POST
  url: "{{host}}/orders"
  params: [{ name: page, value: '2', type: query }]
  body: { type: json, data: '{ "sum": 1 }' }
examples:
  - name: Created
    request: { url: "{{host}}/orders", method: POST, body: { type: json, data: '{ "sum": 1 }' } }
    response: { status: 201, headers: [{ name: x-a, value: b }], body: { type: json, data: '{ "id": 5 }' } }
  - { name: Too many, response: { status: 429, body: { type: text, data: 'Wait' } } }
`

const insomnia = `type: mock.insomnia.rest/5.0
name: Mocks
server:
  routes:
    - { name: /health, method: GET, statusCode: 203, mimeType: application/json, body: '{"up":true}', headers: [{ id: pair_1, name: X-A, value: b }] }
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
  { kind: 'a Bruno collection', text: openCollection, yaml: `- name: Created
  method: POST
  path: /orders
  response: { status: 201, headers: { x-a: b }, body: { id: 5 } }

- name: Too many
  method: POST
  path: /orders
  scenario: Too many
  response: { status: 429, body: Wait }
` },
  { kind: 'an Insomnia export', text: insomnia, yaml: `- name: GET /health
  path: /health
  response: { status: 203, headers: { x-a: b }, body: { up: true } }
` },
  { kind: 'an Insomnia export', text: `{type: mock.insomnia.rest/5.0, server: {routes: [{name: /up, method: GET, body: '1'}]}}`, yaml: `- name: GET /up
  path: /up
  response: { body: '1' }
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
  expect(again.stdout).not.toMatch(/, (?:new|replaced|kept)|written to/)
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

const postmanOf = (body: object) =>
  JSON.stringify({ ...collection, item: [{ name: 'n', request: { method: 'POST', url: '/a', body }, response: [{ code: 200 }] }] }) // prettier-ignore
const hoppscotchOf = (body: object) =>
  JSON.stringify({ ...hoppscotch, requests: [{ ...hoppscotch.requests[0], body }] })

test.for([
  { what: 'requests to several origins', text: JSON.stringify({ ...collection, item: ['https://a.example/x', 'https://b.example/y', '{{open}}/z'].map((url) => ({ name: 'n', request: url, response: [{ code: 200, body: '1' }] })) }), said: 'The requests are for https://a.example and https://b.example, and all of their routes have a path.' },
  { what: 'parts in files', text: 'curl -F a=1 -F f=@secret.txt https://x.example/a', said: '  the part "f": it is in a file, which is not read (POST https://x.example/a)' },
  { what: 'parts in files, Postman', text: postmanOf({ mode: 'formdata', formdata: [{ key: 'a', value: '1' }, { key: 'f', type: 'file', src: 'x' }, { key: 'g', type: 'file', disabled: true }] }), said: '  the part "f": it is in a file, which is not read (POST n)\n\n' },
  { what: 'a body in a file, Postman', text: postmanOf({ mode: 'file', file: { src: 'x' } }), said: '  the body: it is in a file, which is not read (POST n)' },
  { what: 'parts in files, Hoppscotch', text: hoppscotchOf({ contentType: 'multipart/form-data', body: [{ key: 'f', active: true, isFile: true, value: [{}] }] }), said: '  the part "f": it is in a file, which is not read (POST Pay)' },
  { what: 'a body in a file, Hoppscotch', text: hoppscotchOf({ contentType: 'application/octet-stream', body: null }), said: '  the body: it is in a file, which is not read (POST Pay)' },
  { what: 'parts in files, Bruno', text: bruno.replace('get {', 'body:multipart-form {\n  a: 1\n  f: @file(x.png)\n}\n\npost {'), said: '  the part "f": it is in a file, which is not read (post Get order)' },
  { what: 'a body in a file, Bruno', text: bruno.replace('get {', 'body:file {\n  file: @file(x.png)\n}\n\npost {'), said: '  the body: it is in a file, which is not read (post Get order)' },
  { what: 'parts in files, OpenCollection', text: openCollection.replace(/ {2}body: \{.*\}/, '  body: { type: multipart-form, data: [{ name: f, type: file, value: [x] }] }'), said: '  the part "f": it is in a file, which is not read (POST Orders)' },
  { what: 'scripts of Postman', text: JSON.stringify({ ...collection, item: [{ name: 'n', event: [{ script: { exec: ['', 'pm.test()'] } }], request: '/a', response: [{ code: 200 }] }] }), said: '  scripts: no route runs them (GET n)' },
  { what: 'scripts of a folder of Postman', text: JSON.stringify({ ...collection, item: [{ name: 'f', event: [{ script: { exec: ['pm.test()'] } }], item: [{ name: 'g', item: [{ name: 'n', request: '/a', response: [{ code: 200 }] }] }] }] }), said: '  scripts: no route runs them (GET n)' },
  { what: 'scripts of Hoppscotch', text: JSON.stringify({ ...hoppscotch, requests: [{ ...hoppscotch.requests[0], preRequestScript: '', testScript: 'pw.test()' }] }), said: '  scripts: no route runs them (POST Pay)' },
  { what: 'scripts of Bruno', text: `${bruno}\ntests {\n  test("a")\n}\n`, said: '  scripts: no route runs them (get Get order)' },
  { what: 'scripts of OpenCollection', text: `${openCollection}runtime: { scripts: [{ type: tests, code: test() }] }\n`, said: '  scripts: no route runs them (POST Orders)' },
  { what: 'what a proxy of WireMock changes', text: JSON.stringify({ request: { url: '/a' }, response: { proxyBaseUrl: 'https://b.example', proxyUrlPrefixToRemove: '/x', removeProxyRequestHeaders: [] } }), said: '  "proxyUrlPrefixToRemove": the request goes on as it is (ANY /a)\n  the proxy' },
  { what: 'parts of a list', text: JSON.stringify({ request: { url: '/a', queryParameters: { q: { includes: [{ contains: 'x' }] } } }, response: {} }), said: '  a mapping: a route selects a list by whole values only (ANY /a)' },
  { what: 'a body in a file', text: 'curl --data-binary @secret.txt https://x.example/a', said: '  the body: it is in a file, which is not read (POST https://x.example/a)' },
])('the report names $what', async ({ text, said }) => {
  expect((await importFrom({ 'a.txt': text }, ['a.txt'])).stderr).toContain(said)
}) // prettier-ignore

test.for([
  { what: 'text', text: 'hello', message: 'given can\'t be imported: it looks like text. These are read: HAR, ' },
  { what: 'nothing', text: ' ', message: 'it is empty' },
  { what: 'XML', text: '<a/>', message: 'it looks like XML or HTML' },
  { what: 'broken JSON', text: '{"info": ', message: "it looks like JSON that can't be parsed: " },
  { what: 'an old export of Insomnia', text: '_type: export\n__export_format: 3\nresources: []', message: "it looks like an Insomnia export of format 3: import it into Insomnia, and export it from there as v5. These are" },
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
    'mocks/__files/c.yaml': swagger.replace('v1', 'v2'),
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

test('a folder with an OpenAPI document and mocks of one API', async () => {
  const responses = { 200: { content: { 'application/json': { example: 1 } } } }
  const document = { openapi: '3.0.0', paths: { '/a': { get: { responses } } } }
  const mapping = { request: { method: 'GET', urlPath: '/a' }, response: { body: 'a' } }
  const files = { 'mocks/api.json': JSON.stringify(document), 'mocks/a.json': JSON.stringify(mapping) }
  const { exitCode, stderr } = await importFrom(files, ['mocks'])
  expect(exitCode).toBe(1)
  expect(stderr).toContain('GET /a has two default routes')
  expect(stderr).toContain('If they describe one API, import those of one kind.')
})

const route = (endpoint: string, bodies: unknown[], more: object = {}) => ({
  type: 'http', method: 'get', endpoint, ...more,
  responses: bodies.map((one, index) => ({ rules: [], default: index === 0, ...(typeof one === 'string' ? { body: one } : (one as object)) })),
}) // prettier-ignore
const rule = (target: string, modifier: string, value: unknown, operator = 'equals') => ({
  rules: [{ target, modifier, value, operator }],
})

test.for([
  { what: 'switch', routes: [route('a', ["{{#switch (queryParam 'q')}}{{#case '1'}}one{{/case}}{{#default}}more{{/default}}{{/switch}}!"])], yaml: `- path: /a
  when: { query: { q: '1' } }
  response: { headers: { content-type: text/html }, body: one! }

- path: /a
  response: { headers: { content-type: text/html }, body: more! }
` },
  { what: 'if', routes: [route('a', ['{"a":{{#if (eq (body \'b\') 2)}}1{{else}}0{{/if}}}'], { method: 'post' })], yaml: `- method: POST
  path: /a
  when: { body: { b: { $in: ['2', 2] } } }
  response: { body: { a: 1 } }

- method: POST
  path: /a
  response: { body: { a: 0 } }
` },
  { what: 'a default in a text, and a text as JSON', routes: [route('a', [{ body: "{{queryParam 'q' 'x'}}", headers: [{ key: 'Content-Type', value: 'application/json' }] }]), route('b', ['"{{body \'c\'}}"'])], yaml: `- path: /a
  response: { body: { $from: query.q, as: json, else: x } }

- path: /b
  response:
    headers: { content-type: text/html }
    body: { $text: '"{body.c}"' }
` },
  { what: 'turns, and the usual answer after them', routes: [route('a', [{ body: '[1]', ...rule('request_number', '', '1') }, { body: '[3]', ...rule('request_number', '', '3') }])], yaml: `- path: /a
  response: [{ body: [1] }, { body: [1] }, { body: [3] }, { body: [1] }]
` },
  { what: 'a route before others', routes: [route('*', [{ body: '[0]', statusCode: 401, ...rule('header', 'X-A', '', 'null') }], { method: 'all', responseMode: 'FALLBACK' }), route('a', ['[1]'])], yaml: `- path: /a
  when: { headers: { x-a: { $exists: false } } }
  response: { status: 401, body: [0] }

- path: /a
  response: { body: [1] }

- method: '*'
  path: /**
  when: { headers: { x-a: { $exists: false } } }
  response: { status: 401, body: [0] }
` },
  { what: 'a route that passes requests on', routes: [route('a', [{ body: '[0]', ...rule('query', 'q', '1') }], { responseMode: 'FALLBACK' }), route('a', ['[1]'], { method: 'post' }), route('*', ['[2]', { body: '[3]', ...rule('query', 'q', '3') }], { method: 'all' })], yaml: `- path: /a
  when: { query: { q: '1' } }
  response: { body: [0] }

- method: POST
  path: /a
  response: { body: [1] }

- path: /a
  when: { query: { q: '3' } }
  response: { body: [3] }

- path: /a
  response: { body: [2] }

- method: '*'
  path: /**
  response: { body: [2] }

- method: '*'
  path: /**
  when: { query: { q: '3' } }
  response: { body: [3] }
` },
  { what: 'a route that passes requests on to one that reads the path', routes: [route('a', [{ body: '[0]', ...rule('query', 'q', '1') }], { responseMode: 'FALLBACK' }), route(':b', ['["{{urlParam \'b\'}}"]'])], left: 'a route: here, it does not answer requests to GET /a (GET /:b)', yaml: `- path: /a
  when: { query: { q: '1' } }
  response: { body: [0] }

- path: /:b
  response: { body: [{ $text: '{params.b}' }] }
` },
  { what: 'a route of all methods that passes requests on to one of a method', routes: [route('a', [{ body: '[0]', ...rule('query', 'q', '1') }], { method: 'all', responseMode: 'FALLBACK' }), route('*', ['[1]'])], left: 'a route: here, it does not answer requests to ALL /a (GET /*)', yaml: `- method: '*'
  path: /a
  when: { query: { q: '1' } }
  response: { body: [0] }

- path: /**
  response: { body: [1] }
` },
  { what: 'routes that pass requests on to a list', data: [{ id: 'd', value: '[{"id":1}]' }], routes: [route('a/:b', [{ body: '[0]', ...rule('query', 'q', '1') }], { responseMode: 'FALLBACK' }), route('a/1', [{ body: '[1]', ...rule('query', 'q', '2') }], { responseMode: 'FALLBACK' }), route('a', [{ databucketID: 'd' }], { type: 'crud' })], left: 'the parameters of a list: they, its headers and the errors are those of json-server: _page, _limit, _sort, _order, q (/a)\n  a route: here, it does not answer requests to GET /a/1 (CRUD /a)', yaml: `- path: /a/:b
  when: { query: { q: '1' } }
  response: { body: [0] }

- path: /a/1
  when: { query: { q: '1' } }
  response: { body: [0] }

- path: /a/1
  when: { query: { q: '2' } }
  response: { body: [1] }

- path: /a
  collection: { items: [{ id: 1 }], returnDeleted: true }
` },
  { what: 'a route that passes requests on to a proxy', more: { proxyMode: true, proxyHost: 'http://x.example' }, routes: [route('a', [{ body: '[0]', ...rule('body', 'q', '1') }], { responseMode: 'FALLBACK' })], left: 'the proxy mode: the proxy of the dev server gets what no route answers (http://x.example)', yaml: `- method: GET
  path: /a
  when: { body: { q: { $in: ['1', 1] } } }
  response: { body: [0] }

- path: /a
  response: { from: backend }
` },
  { what: 'a parameter before a text', routes: [route('users/:id', ['[1]']), route('users/me', ['[2]'])], left: 'a response: GET /users/:id, which stands before it, answers its requests (GET /users/me)', yaml: '- path: /users/:id\n  response: { body: [1] }\n' },
  { what: 'a choice, and data below a key', data: [{ name: 'd', value: '{"a":[{"b":5}]}' }], routes: [route('a', ['["{{oneOf \'x\' \'y\'}}", "{{someOf (array \'p\' \'q\' \'r\') 2 3}}", {{oneOf (array 1 2)}}, {{data \'d\' \'a.0.b\'}}, {{faker \'location.longitude\'}}]']), route('b', ["[{{oneOf (array (concat 'x' 'y'))}}]"])], left: 'the response "200": its template has {{oneOf (array (concat \'x\' \'y\'))}} (GET /b)', yaml: '- path: /a\n  response: { body: [x, \'p,q\', 1, 5, -42] }\n' },
  { what: 'a formatted time', routes: [route('a', ['["{{now \'yyyy-MM-dd\'}}"]'])], left: 'a time or an id inside a text: it is always the same (GET /a)', yaml: '- path: /a\n  response: { body: [2026-01-15] }\n' },
  { what: 'a list whose ids are random', data: [{ id: 'd', value: '[{{# repeat 2}}{"id":"{{faker \'string.uuid\'}}"}{{/repeat}}]' }], routes: [route('a', [{ databucketID: 'd', headers: [{ key: 'X-A', value: '1' }, { key: 'Content-Type', value: 'application/json' }] }], { type: 'crud' })], left: 'the parameters of a list: they, its headers and the errors are those of json-server: _page, _limit, _sort, _order, q (/a)\n  response header X-A: a collection has none', yaml: `- path: /a
  collection:
    items:
      - { id: 506128dc-13ad-49af-8061-000000000000 }
      - { id: e61e6188-f4e2-4915-861e-000000000001 }
    returnDeleted: true
` },
  { what: 'a random answer of an older environment', routes: [route('a', ['[1]', '[2]'], { randomResponse: true })], left: 'the random choice: the default answers, and each other response in its scenario (GET /a)', yaml: "- path: /a\n  response: { body: [1] }\n\n- path: /a\n  scenario: '200'\n  response: { body: [2] }\n" },
  { what: 'a body file with a template', files: { 'b/x.csv': "id,{{urlParam 'id'}}", 'b/y.bin': '\0{{' }, routes: [route('a/:id', [{ bodyType: 'FILE', filePath: './b/x.csv', sendFileAsBody: true }]), route('c', [{ bodyType: 'FILE', filePath: './b/y.bin' }])], yaml: `- path: /a/:id
  response:
    headers: { content-type: text/csv; charset=utf-8 }
    body: { $text: 'id,{params.id}' }

- path: /c
  response:
    headers:
      content-disposition: attachment; filename="y.bin"
      content-type: application/octet-stream
    file: c-1.bin
` },
  { what: 'patterns and dots', routes: [route('ab+c', ['[1]']), route('a/..', ['[2]']), route(':a', ['[3]']), route('', ['[4]'])], left: 'a response: clients leave a segment of dots out of its path (GET /a/..)\n  a response: its path is a pattern (GET /ab+c)', yaml: '- path: /:a\n  response: { body: [3] }\n\n- path: /\n  response: { body: [4] }\n' },
  { what: 'two parameters in a segment', routes: [route('a', ['[1]']), route(':a:list', ['[2]'])], left: 'a response: a segment of its path has two parameters (GET /:a:list)', yaml: '- path: /a\n  response: { body: [1] }\n' },
])('Mockoon: $what', async ({ routes, yaml, left, data = [], files = {}, more = {} }: { routes: object[]; yaml: string; left?: string; data?: object[]; files?: object; more?: object }) => {
  const text = JSON.stringify({ lastMigration: 33, endpointPrefix: '', data, routes, ...more })
  const made = await importFrom({ 'a.json': text, ...files }, ['a.json'])
  expect(made.yaml).toBe(yaml)
  const checked = await runIn(made.root, ['check', '--fixtures', 'made'])
  expect(checked.stdout).toContain('0 errors, 0 warnings')
  expect(made.stderr.split('\n').filter((line) => line.startsWith('  ')).join('\n')).toBe(left === undefined ? '' : `  ${left}`)
}) // prettier-ignore

test('WireMock: mappings answer in its order, whatever their paths', async () => {
  const mapping = (request: object, response: object, priority = 5) => ({ priority, request, response })
  const mappings = [
    mapping({ method: 'ANY', urlPattern: '/.*' }, { status: 404, body: 'none' }, 10),
    mapping({ urlPathPattern: '/in/.*', headers: { 'X-Key': { absent: true } } }, { status: 401 }, 1),
    mapping({ method: 'GET', urlPath: '/in/a' }, { body: 'a' }),
    mapping({ method: 'GET', urlPath: '/b', queryParameters: { q: { equalTo: '1' } } }, { body: 'b' }),
    mapping({ method: 'GET', urlPathPattern: '/p/[a-z]+' }, { body: 'letters' }, 1),
    mapping({ method: 'GET', urlPath: '/p/abc' }, { body: 'abc' }),
    mapping({ method: 'GET', url: '/same' }, { body: 'old' }),
    mapping({ method: 'GET', url: '/same' }, { fault: 'RANDOM_DATA_THEN_CLOSE' }),
    mapping({ method: 'GET', urlPath: '/proxy' }, { proxyBaseUrl: 'https://x.example', fixedDelayMilliseconds: 5, headers: { 'X-A': 'b' } }),
    mapping({ method: 'GET', urlPath: '/t' }, { transformers: ['response-template'], body: '{{request.method}} {{request.path}}' }),
    mapping({ method: 'GET', urlPath: '/u' }, { transformers: ['response-template'], body: "{{now offset='3 days'}}" }),
    mapping({ method: 'GET', urlPath: '/z', queryParameters: { q: { hasExactly: [{ equalTo: 'a' }] } } }, { body: 'z' }),
  ]
  const made = await importFrom({ 'a.json': JSON.stringify({ mappings }) }, ['a.json'])
  expect(made.yaml).toBe(`- path: /b
  when: { query: { q: '1' } }
  response: { body: b }

- path: /b
  response: { status: 404, body: none }

- method: '*'
  path: /in/**
  when: { headers: { x-key: { $exists: false } } }
  response: { status: 401 }

- method: '*'
  path: /in/**
  response: { status: 404, body: none }

- path: /in/a
  when: { headers: { x-key: { $exists: false } } }
  response: { status: 401 }

- path: /in/a
  response: { body: a }

- method: '*'
  path: /**
  response: { status: 404, body: none }

- path: /p/:p1
  when: { params: { p1: { $regex: '^(?:[a-z]+)$' } } }
  response: { body: letters }

- path: /p/:p1
  response: { status: 404, body: none }

- path: /p/abc
  response: { body: abc }

- path: /proxy
  response: { from: backend, headers: { x-a: b }, delay: 5 }

- path: /same
  response: { fault: reset }

- path: /t
  response: { body: GET /t }

- path: /z
  when: { query: { q: { $all: [a], $size: 1 } } }
  response: { body: z }

- path: /z
  response: { status: 404, body: none }
`)
  expect(made.stderr.split('\n').filter((line) => line.startsWith('  '))).toEqual([
    '  a mapping: here, it does not answer requests to GET /p/abc (GET /p/[a-z]+)',
    '  the proxy to https://x.example: name it with the option record.target (GET /proxy)',
    '  a mapping: another one, which comes first, answers all of its requests (GET /same)',
    "  a mapping: its template has {{now offset='3 days'}} (GET /u)",
  ])
}) // prettier-ignore

test.for([
  ["curl -XPUT -HX-A:b --data '{\"a\":1}' https://x.example/a", 'PUT /a {"a":1}'],
  ['curl -G --data-urlencode "q=a b" -d c=1 http://x.example/a', 'GET /a?q=a%20b&c=1 '],
  ['curl -sSLI -o out -m 5 x.example/a', 'HEAD /a '],
  [`curl --json '{"a":1}' -u me:pw --url x.example/a -- `, 'POST /a {"a":1}'],
  [`curl $'https://x.example/\\u0061' --data-raw $'\\x7b"a": "it\\'s"}'`, `POST /a {"a": "it's"}`],
  ['curl -F a=1 -F f=@secret.txt x.example/a', 'POST /a [["a","1"]]'],
  ['curl -b a=1 -b cookies.txt -b "b=2; c=3" x.example/a', 'GET /a  cookie: a=1; b=2; c=3'],
  ['curl "https://x.example/a" ^\r\n  -H "accept: */*" ^\r\n  --data-raw ^"^{^\\^"a^\\^":1^}^"', 'POST /a {"a":1}'],
  ['Invoke-WebRequest -UseBasicParsing -Uri "https://x.example/a" -Method "POST" -Headers @{ "x-a"="b" } -ContentType "application/json" -Body "{`"a`":1}"', 'POST /a {"a":1}'],
])('%s is sent as the shell sends it', async ([command, sent]) => {
  const asked: string[] = []
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (part: Buffer) => (body += String(part)))
    const answer = async () => {
      const type = req.headers['content-type'] ?? ''
      const isForm = type.startsWith('multipart/')
      const form = isForm && (await new Response(body, { headers: { 'content-type': type } }).formData())
      const cookie = req.headers.cookie === undefined ? '' : ` cookie: ${req.headers.cookie}`
      asked.push(`${req.method} ${req.url} ${form ? JSON.stringify([...form]) : body}${cookie}`)
      res.writeHead(201, { 'content-type': 'application/json', 'set-cookie': 'sid=hunter2hunter2' })
      res.end(req.method === 'HEAD' ? '' : '{"id":7,"access_token":"hunter2hunter2"}')
    }
    req.on('end', () => void answer())
  })
  const origin = await listen(server)
  onTestFinished(() => closeServer(server))
  const text = command!.replace(/(?:https?:\/\/)?x\.example/, origin)
  const made = await importFrom({ 'a.txt': text }, ['a.txt', '--send'])
  expect([made.exitCode, asked]).toEqual([0, [sent]])
  expect(made.yaml).toContain('status: 201')
  expect(JSON.stringify(made)).not.toContain('hunter2')
}) // prettier-ignore

test('--paste reads the clipboard', async () => {
  const clipboard = folderWith({ pbpaste: '#!/bin/sh\nprintf "curl https://x.example/a"\n' })
  chmodSync(join(clipboard, 'pbpaste'), 0o755)
  const { PATH } = process.env
  onTestFinished(() => void (process.env['PATH'] = PATH))
  process.env['PATH'] = `${clipboard}:${PATH}`
  const made = await importFrom({}, ['--paste'])
  expect([made.stdout.split('\n')[0], made.yaml]).toEqual(['the clipboard: a cURL command', '- path: /a\n  response: { body: {} }\n'])
  process.env['PATH'] = folderWith()
  expect((await importFrom({}, ['--paste'])).stderr).toContain('The clipboard can not be read here.')
}) // prettier-ignore

test('names of files, of folders and of bodies stay in the folder', async () => {
  const folders = ['../../up', '/etc/passwd', 'C:\\a', 'CON', 'aux', '..', '.env', 'a/b', '\u0000', '\u202e'.repeat(300)]
  const item = folders.map((name, index) => ({ name, item: [{ name, request: `https://x.example/f${index}`, response: [{ name, code: 200, body: '{}' }] }] }))
  const files = ['../../a', '/etc/passwd', '..\\..\\a', '.env', 'C:\\a', 'mappings/../../../a'].map((bodyFileName, index) => ({ request: { url: `/b${index}` }, response: { bodyFileName } }))
  const made = await importFrom({ 'a.json': JSON.stringify({ ...collection, item }), 'mappings/b.json': JSON.stringify(files), '.env': 'no' }, ['a.json', 'mappings'])
  expect(made.stdout).toContain('10 of 16 answers written')
  const written = made.names.filter((name) => name.endsWith('.yaml'))
  expect(written.filter((name) => !/^postman[\\/][\w-]+\.yaml$/.test(name) || /(?:con|aux)\.yaml$/.test(name))).toEqual([])
  expect(readdirSync(made.root).sort()).toEqual(['.env', 'a.json', 'made', 'mappings'])
}) // prettier-ignore

test('a file of 102 MB is refused before it is read', async () => {
  const made = await importFrom({ 'a.json': '[0,'.repeat(34e6) }, ['a.json'])
  expect([made.exitCode, made.names]).toEqual([1, []])
  expect(made.stderr).toMatch(/a\.json has 102 MB\. Only a HAR file may have more than \d+ MB\./)
})

/** Secrets by their form, and by their names. The examples of an API document are public, and written as they are. */
const key = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'
const word = 'hunter2hunter2'
const url = `https://me:${word}@api.example.com/a/${key}?api_key=${word}&q=1`
const given = { password: word, note: key }
const answer = JSON.stringify({ access_token: word, note: key, id: 1 })
const lists = (name: string) => [{ [name]: 'Authorization', value: `Bearer ${word}` }, { [name]: 'Cookie', value: `session=${word}` }, { [name]: 'X-Api-Key', value: key }] // prettier-ignore
const secretVariables = (name: string) => [{ [name]: 'token', value: word }, { [name]: 'host', value: `https://me:${word}@api.example.com` }, { [name]: 'note', value: key }] // prettier-ignore
const setCookie = (name: string) => [{ [name]: 'Set-Cookie', value: `sid=${word}` }, { [name]: 'X-Auth-Token', value: word }] // prettier-ignore

test.for<[kind: string, files: Record<string, unknown>]>([
  ['postman', { 'a.json': { ...collection, auth: { type: 'bearer', bearer: [{ key: 'token', value: word }] }, variable: secretVariables('key'), item: ['', '{{host}}/b/{{token}}/{{note}}'].map((own) => ({ name: 'n', request: { auth: { type: 'basic', basic: [{ key: 'password', value: word }] }, url: own || url, method: 'POST', header: lists('key'), body: { mode: 'raw', raw: JSON.stringify({ ...given, t: '{{token}}' }) } }, response: [{ name: `b ${key}`, code: 200, header: setCookie('key'), body: answer }] })) }, 'b.json': { _postman_variable_scope: 'environment', values: secretVariables('key') } }],
  ['hoppscotch', { 'a.json': { v: 10, name: 'a', folders: [], auth: { authType: 'bearer', token: word }, requests: [{ v: '16', name: 'n', method: 'POST', endpoint: url, params: [{ key: 'token', value: word, active: true }], headers: lists('key'), body: { contentType: 'application/json', body: JSON.stringify(given) }, responses: { a: { name: 'a', code: 200, headers: setCookie('key'), body: answer } } }] }, 'b.json': { v: 2, name: 'e', variables: secretVariables('key') } }],
  ['insomnia', { 'a.json': { _type: 'export', __export_format: 4, resources: [{ _type: 'environment', data: { token: word, base: url } }, { _type: 'request', name: 'n', method: 'POST', url, headers: lists('name'), authentication: { token: word }, body: { text: JSON.stringify(given) } }, { _type: 'mock_route', name: `/a/${key}`, headers: setCookie('name'), body: answer }, { _type: 'mock_route', name: '/b', headers: setCookie('name'), body: answer }] } }],
  ['bruno', { 'a.yml': { info: { name: 'n' }, http: { method: 'POST', url, headers: lists('name'), auth: { type: 'bearer', token: word }, body: { type: 'json', data: JSON.stringify(given) } }, examples: [{ name: 'e', response: { status: 200, headers: setCookie('name'), body: { type: 'json', data: answer } } }] }, 'environments/b.yml': { name: 'e', variables: secretVariables('name') } }],
  ['mockoon', { 'a.json': { lastMigration: 33, endpointPrefix: '', headers: setCookie('key'), routes: [{ method: 'get', endpoint: 'a', responses: [{ body: answer, default: true, rules: [] }, { body: `{"access_token":"${word}","x":"{{body 'x'}}"}`, rules: [{ target: 'header', modifier: 'Authorization', value: word }, { target: 'cookie', modifier: 'session', value: word }, { target: 'body', modifier: 'password', value: word }, { target: 'query', modifier: 'q', value: key }] }] }] } }],
  ['wiremock', { 'a.json': { mappings: [{ request: { method: 'POST', url: `/a?api_key=${word}`, headers: { Authorization: { equalTo: word }, 'x-b': { contains: key } }, cookies: { session: { equalTo: word } }, bodyPatterns: [{ equalToJson: given }] }, response: { headers: { 'Set-Cookie': `sid=${word}` }, jsonBody: (JSON.parse(answer) as object), proxyBaseUrl: undefined } }, { request: { url: '/p' }, response: { proxyBaseUrl: url } }, { request: { urlPath: `/c/${key}` }, response: {} }] } }],
  ['curl', { 'a.txt': `curl '${url}' -H 'authorization: Bearer ${word}' -u me:${word} -b session=${word} -H 'x-api-key: ${key}' -d '${JSON.stringify(given)}'` }],
  ['swagger', { 'a.json': { swagger: '2.0', host: `me:${word}@api.example.com`, paths: { '/a': { get: { parameters: [{ in: 'query', name: 'api_key', type: 'string', required: true, 'x-example': word, default: word }], responses: { 200: { headers: { 'X-Auth-Token': { type: 'string', default: word } }, examples: { 'application/json': { id: 1 } } } } } } } } }],
])('no secret of %s is written or printed', async ([kind, files]) => {
  const texts = Object.entries(files).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)])
  const made = await importFrom(Object.fromEntries(texts) as Record<string, string>, Object.keys(files))
  expect([made.exitCode, made.stdout.includes('answer'), kind]).toEqual([0, true, kind])
  expect(`${made.stdout}${made.stderr}${made.names.join()}${made.yaml}`.split('\n').filter((line) => line.includes(word) || line.includes(key))).toEqual([])
}) // prettier-ignore
