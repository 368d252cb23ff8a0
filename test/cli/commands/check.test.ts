import { expect, it, onTestFinished } from 'vitest'
import type { CheckFinding } from '../../../src/cli/check/texts.ts'
import { createTestProject } from '../../hosts/test-project.ts'
import { runIn } from '../test-terminal.ts'

const schema = `
type Query { hero: Character, search: [Result!]! }
type Mutation { rename(name: String!): Character }
enum Episode { NEWHOPE EMPIRE JEDI }
scalar Date
type Character { id: ID!, name: String!, height: Float, age: Int, born: Date, appearsIn: [Episode!], friends: [Character] }
type Starship { id: ID!, length: Int, crew: [Character!] }
type Planet { id: ID! }
union Result = Character | Starship | Planet
`

function run(files: Record<string, string>, ...args: string[]) {
  const project = createTestProject({ 'schema.graphql': schema, ...files })
  onTestFinished(project.close)
  return runIn(project.root, ['check', ...args])
}

/** Everything that is found, as `severity place code`. */
async function findings(files: Record<string, string>, ...args: string[]): Promise<string[]> {
  const { stdout, stderr } = await run(files, ...args, '--format', 'json')
  expect(stderr).toBe('')
  const report = JSON.parse(stdout) as { findings: CheckFinding[] }
  return report.findings.map(
    ({ severity, file, line, column, code }) => `${severity} ${[file, line, column].join(':')} ${code}`,
  )
}

it('what a dev server only warns about is an error here', async () => {
  const files = { 'fixtures/a.yaml': '- path: /graphql\n  response: { body: { hero: null } }' }
  expect(await findings(files)).toEqual(['error fixtures/a.yaml:1:3 graphql-data-missing'])
})

const bySchema = ['--schema', 'schema.graphql']
const withDocuments = (glob: string) => [...bySchema, '--documents', glob]

/** A route for the operation A, with a body in YAML flow style. The body's \`data\` begins in line 4, column 11. */
const route = (data: string, more = '') => `- path: /graphql
  when: { operationName: A }${more}
  response:
    body: { data: ${data} }
`
const compare = (data: string, document: string, more?: string) =>
  findings(
    { 'fixtures/a.yaml': route(data, more), 'src/a.graphql': document },
    ...withDocuments('src/*.graphql'),
  )

it.each<[what: string, data: string, document: string, expected: string[]]>([
  ['nothing', '{ hero: { id: a, name: b } }', 'query A { hero { id name } }', []],
  ['values of the request', '{ hero: { id: { $from: variables.id }, age: { $text: "{variables.x}" }, nmae: a } }', 'query A { hero { id age } }', ['error fixtures/a.yaml:4:91 check-unknown-field']],
  ['null where it may be', '{ hero: null }', 'query A { hero { id } }', []],
  ['null where it must not be', '{ hero: { id: null } }', 'query A { hero { id } }', ['error fixtures/a.yaml:4:29 check-invalid-value']],
  ['a missing field', '{ hero: { id: a } }', 'query A { hero { id height } }', ['error fixtures/a.yaml:4:21 check-missing-field']],
  ['a missing field of an item', '{ hero: { friends: [{ id: a }, {}] } }', 'query A { hero { friends { id } } }', ['error fixtures/a.yaml:4:50 check-missing-field']],
  ['a field that may be left out', '{ hero: {} }', 'query A($a: Boolean!) { hero { id @include(if: $a) ... @skip(if: $a) { name } } }', []],
  ['an unknown field', '{ hero: { id: a, nmae: b } }', 'query A { hero { id } }', ['error fixtures/a.yaml:4:36 check-unknown-field']],
  ['a field that this operation does not select', '{ hero: { id: a, name: 5 } }', 'query A { hero { id } }', ['error fixtures/a.yaml:4:36 check-invalid-value']],
  ['an alias', '{ luke: { id: a } }', 'query A { luke: hero { id } }', []],
  ['an alias that only one of two operations has', '{ luke: { id: a }, hero: { id: a } }', 'query A { hero { id } luke: hero { id } }', []],
  ['an enum', '{ hero: { appearsIn: [EMPIRE, EMPIER] } }', 'query A { hero { appearsIn } }', ['error fixtures/a.yaml:4:49 check-invalid-enum']],
  ['a number as ID', '{ hero: { id: 1 } }', 'query A { hero { id } }', ['error fixtures/a.yaml:4:29 check-invalid-value']],
  ['a fraction as Int', '{ hero: { age: 1.5, height: 1.5 } }', 'query A { hero { age height } }', ['error fixtures/a.yaml:4:29 check-invalid-value']],
  ['a custom scalar', '{ hero: { born: { year: 1 } } }', 'query A { hero { born } }', []],
  ['a list', '{ search: {} }', 'query A { search { __typename } }', ['error fixtures/a.yaml:4:21 check-invalid-value']],
  ['an object', '{ hero: [] }', 'query A { hero { id } }', ['error fixtures/a.yaml:4:21 check-invalid-value']],
  ['a type by __typename', '{ search: [{ __typename: Starship, length: a }] }', 'query A { search { __typename ... on Starship { length } } }', ['error fixtures/a.yaml:4:54 check-invalid-value']],
  ['an impossible __typename', '{ search: [{ __typename: Query }] }', 'query A { search { __typename } }', ['error fixtures/a.yaml:4:32 check-invalid-typename']],
  ['a misspelt __typename, and the fields of the type that is meant', '{ search: [{ __typename: Starshp, length: a }] }', 'query A { search { __typename ... on Starship { id length } } }', ['error fixtures/a.yaml:4:30 check-missing-field', 'error fixtures/a.yaml:4:32 check-invalid-typename', 'error fixtures/a.yaml:4:53 check-invalid-value']],
  ['a missing __typename', '{ search: [{ length: 1 }] }', 'query A { search { __typename ... on Starship { length } } }', ['error fixtures/a.yaml:4:30 check-missing-field']],
  ['a type by its fields', '{ search: [{ length: a }, { name: b }] }', 'query A { search { ... on Starship { length } ... on Character { name } } }', ['error fixtures/a.yaml:4:32 check-invalid-value']],
  ['a mutation', '{ rename: { id: a } }', 'mutation A { rename(name: "b") { id name } }', ['error fixtures/a.yaml:4:21 check-missing-field']],
  ['fragments', '{ hero: { id: a } }', 'query A { hero { ...F } } fragment F on Character { id ...G } fragment G on Character { name }', ['error fixtures/a.yaml:4:21 check-missing-field']],
  ['an operation that does not fit the schema', '{ hero: { id: a } }', 'query A { hero { id mass } }', ['error src/a.graphql:1:21 check-operation-invalid']],
  ['directives of clients', '{ hero: { id: a } }', 'query A { hero @connection(key: "a") { id isOpen @client } }', []],
  ['an operation without a route', '{ hero: { id: a } }', 'query A { hero { id } }\nquery B { search { __typename } }', ['note src/a.graphql:2:1 check-operation-unanswered']],
  ['a route without an operation', '{ hero: { id: a } }', 'query B { hero { id } }', ['note fixtures/a.yaml:2:11 check-operation-unknown', 'note src/a.graphql:1:1 check-operation-unanswered']],
  ['words of an enum that no fixture has', '{ hero: { friends: [{ in: [EMPIRE, NEWHOPE] }, { in: [EMPIRE] }] } }', 'query A { hero { friends { in: appearsIn } } }', ['note fixtures/a.yaml:4:46 against-word']],
  ['one word of an enum', '{ hero: { appearsIn: [EMPIRE, EMPIRE] } }', 'query A { hero { appearsIn } }', []],
  ['members of a union that no fixture has', '{ search: [{ __typename: Starship }, { __typename: Character }] }', 'query A { search { __typename } }', ['note fixtures/a.yaml:4:32 against-member']],
  ['a document with a syntax error', '{ hero: { id: a } }', 'query A { hero { id }', ['warning src/a.graphql:1:22 check-document-unreadable']],
])('%s', async (_, data, document, expected) => {
  const found = await compare(data, document)
  expect(found).toEqual(expected)
  // On purpose, only notes and what is wrong elsewhere are left.
  const isWrong = expected.some((one) => one.startsWith('error fixtures/'))
  const onPurpose = await compare(data, document, '\n  invalid: true')
  if (isWrong) expect(onPurpose).toEqual(expected.filter((one) => !one.startsWith('error fixtures/')))
  else expect(onPurpose).toContain('error fixtures/a.yaml:3:3 check-not-invalid')
}) // prettier-ignore

it.each<[labels: string, found: string[]]>([
  ['Late: { delay: 5 }, Rest: { delay: 1 }, Page$defer$Late: {}', []],
  ['Lat: { delay: 5 }', ['warning fixtures/a.yaml:4:30 check-label-unknown: Did you mean "Late"? Labels: Late, Rest.']],
  ['__proto__: {}, other$Lat: {}', ['warning fixtures/a.yaml:4:30 check-label-unknown: Labels: Late, Rest.', 'warning fixtures/a.yaml:4:45 check-label-unknown: Labels: Late, Rest.']],
])('labels of incremental: %s', async (labels, found) => {
  const files = {
    'fixtures/a.yaml': `- path: /graphql\n  when: { operationName: A }\n  response:\n    incremental: { labels: { ${labels} } }\n    body: { data: { hero: { id: a }, search: [] } }\n`,
    'src/a.graphql': 'query A { hero { ... @defer(label: "Late") { id } } search @stream(label: "Rest", initialCount: 1) { __typename } }',
  }
  const { stdout } = await run(files, ...withDocuments('src/**'), '--format', 'json')
  const report = JSON.parse(stdout) as { findings: CheckFinding[] }
  const ofLabels = report.findings.filter(({ code }) => code === 'check-label-unknown')
  expect(ofLabels.map(({ severity, file, line, column, code, fix }) => `${severity} ${file}:${line}:${column} ${code}: ${fix}`)).toEqual(found)
}) // prettier-ignore

it('what is not selected by name is answered by the default route, if it has the fields', async () => {
  const found = await findings(
    {
      'fixtures/a.yaml': '- path: /graphql\n  response: { body: { data: { hero: { id: 1 } } } }\n',
      'src/a.ts': 'gql`query A { hero { id } } ${F}`\n\ngql`query B { search { __typename } }`\n',
    },
    ...withDocuments('src/**'),
  )
  expect(found).toEqual([
    'error fixtures/a.yaml:2:39 check-invalid-value',
    'note src/a.ts:3:5 check-operation-unanswered',
  ])
})

it.each<[what: string, file: string, text: string, place: string]>([
  ['JSON', 'a.json', '[\n  { "path": "/graphql",\n    "response": { "body": { "data": { "hero": { "id": 1 } } } } }\n]', '3:49'],
  [
    'TypeScript',
    'a.ts',
    'const routes = [\n  { path: "/graphql",\n    response: { body: { data: { hero: { id: 1 } } } } },\n] as const\nexport default routes\n',
    '3:41',
  ],
  [
    'a list that code makes',
    'a.ts',
    'export default () => [\n  { path: "/graphql", response: { body: { data: { hero: { id: 1 } } } } },\n].map((one) => one) // defineFixture\n',
    '2:',
  ],
  ['a sequence', 'a.yaml', '- path: /graphql\n  response:\n    - { status: 500 }\n    - { body: { data: { hero: { id: 1 } } } }\n', '4:33'],
  ['a relay list', 'a.yaml', '- path: /graphql\n  paginate:\n    style: relay\n    field: hero.friends\n    items:\n      - { id: a }\n      - { id: 1 }\n', '7:11'],
])('without operations, in %s', async (what, file, text, place) => {
  const relay = 'extend type Character { friends2: Int }'
  const connection =
    schema.replace('friends: [Character]', 'friends: Friends') +
    'type Friends { totalCount: Int, edges: [Edge], pageInfo: Info }\ntype Edge { node: Character, cursor: String }\ntype Info { hasNextPage: Boolean, hasPreviousPage: Boolean, startCursor: String, endCursor: String }\n'
  const used = what === 'a relay list' ? connection : schema
  const found = await findings(
    { 'schema.graphql': used + relay, [`fixtures/${file}`]: text },
    ...bySchema,
  )
  expect(found).toEqual([`error fixtures/${file}:${place} check-invalid-value`])
}) // prettier-ignore

it('the options are those of the plugin in the config', async () => {
  const files = {
    'vite.config.ts': `import mockApi from 'unplugin-mock-api/vite'
export default { plugins: [mockApi({ fixtures: 'mocks', graphql: { path: '/api', schema: 'schema.graphql' } })] }`,
    'mocks/a.yaml': '- path: /api\n  response: { body: { data: { hero: { id: 1, age: a } } } }\n',
    'a.graphql': 'query A { hero { id age name } }',
  }
  // With the schema, the server fills in what is missing, and converts an ID.
  expect(await findings(files, '--documents', '*.graphql')).toEqual([
    'error mocks/a.yaml:2:46 check-invalid-value',
  ])
})

it('a fragment that contains itself', async () => {
  const files = {
    'fixtures/a.yaml': '- path: /graphql\n  response: { body: { data: { hero: { id: 1 } } } }\n',
    'a.graphql':
      'query A { ...F } fragment F on Query { ...F hero { id ...G } } fragment G on Character { ...G }',
  }
  expect(await findings(files, ...withDocuments('*.graphql'))).toEqual([
    'error a.graphql:1:40 check-operation-invalid',
    'error a.graphql:1:90 check-operation-invalid',
    'error fixtures/a.yaml:2:39 check-invalid-value',
  ])
})

it('a field whose name and alias the data has is compared by its name, as the server answers', async () => {
  const files = {
    'vite.config.ts': `import mockApi from 'unplugin-mock-api/vite'
export default { plugins: [mockApi({ graphql: { shape: true } })] }`,
    'fixtures/a.yaml':
      '- path: /graphql\n  response: { body: { data: { hero: { id: a }, luke: { id: 1 } } } }\n',
    'a.graphql': 'query A { luke: hero { id } }',
  }
  expect(await findings(files, ...withDocuments('*.graphql'))).toEqual([])
})

it.each([
  ["{ base: process.env.BASE, fixtures: 'fixtures' }", 'base'],
  ['{ base: env.url, fixtures: folder, graphql: { ...shared } }', 'base, graphql'],
])('options that the config computes are named: %s', async (options, names) => {
  const config = `const mockApi = require('unplugin-mock-api/webpack')
const folder = 'fixtures'
module.exports = { plugins: [mockApi(${options})] }`
  const { stderr } = await run({ 'webpack.config.js': config, 'fixtures/a.yaml': '- path: /a\n' })
  expect(stderr).toBe(`note: webpack.config.js computes ${names} of the plugin. That is not known here.\n`)
})

const openapi = (version: string) => `
openapi: ${version}
servers: [{ url: 'https://api.example/v1/' }]
paths:
  /orders:
    get:
      responses:
        200:
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Order' } }
        4XX: { $ref: '#/components/responses/Error' }
  /orders/{id}:
    get:
      responses:
        200: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
components:
  schemas:
    Order:
      type: object
      required: [id]
      additionalProperties: false
      properties:
        id: { type: integer, minimum: 0, exclusiveMinimum: ${version.startsWith('3.0') ? 'true' : '0'} }
        state: { enum: [open, closed] }
        note: ${version.startsWith('3.0') ? '{ type: string, nullable: true }' : '{ type: [string, "null"] }'}
  responses:
    Error: { content: { application/problem+json: { schema: { type: object, required: [title] } } } }
`

it.each(['3.0.3', '3.1.0'])('OpenAPI %s', async (version) => {
  const fixture = `
- path: /v1/orders
  response: { body: [{ id: 1, state: open, note: null }, { id: 0 }, { id: 2, state: opne }, { state: open }] }
- path: /v1/orders
  when: { query: { a: b } }
  response: { status: 404, body: { titel: a } }
- path: /orders/7
  response:
    body: { id: 7, extra: 1, note: 5 }
- path: /orders/:id
  response: { status: 500, body: {} }
- path: /other
- path: /v1/orders
  when: { query: { c: d } }
  response: { body: [{ id: { $from: query.c, as: number }, state: { $text: '{query.c}' }, note: 5 }, { $from: body }] }
`
  const found = await findings(
    { 'openapi.yaml': openapi(version), 'fixtures/a.yaml': fixture },
    '--openapi',
    'openapi.yaml',
  )
  expect(found).toEqual([
    'note fixtures/a.yaml:3:31 against-word',
    'error fixtures/a.yaml:3:60 check-body-invalid',
    'error fixtures/a.yaml:3:78 check-body-invalid',
    'error fixtures/a.yaml:3:93 check-body-invalid',
    'warning fixtures/a.yaml:5:20 against-parameter-unknown',
    'warning fixtures/a.yaml:6:3 against-content-type',
    'error fixtures/a.yaml:6:28 check-body-invalid',
    'error fixtures/a.yaml:9:20 check-body-invalid',
    'error fixtures/a.yaml:9:30 check-body-invalid',
    'note fixtures/a.yaml:9:30 against-null',
    'error fixtures/a.yaml:11:15 check-status-unknown',
    'warning fixtures/a.yaml:12:3 check-path-unknown',
    'warning fixtures/a.yaml:14:20 against-parameter-unknown',
    'error fixtures/a.yaml:15:91 check-body-invalid',
  ])
})

it('references to other files are followed', async () => {
  const files = {
    'api.yaml': `
openapi: 3.0.3
paths:
  /orders: { $ref: 'paths.yaml#/orders' }
`,
    'paths.yaml': `
orders:
  get:
    responses: { 200: { $ref: 'parts/responses.json#/ok' } }
`,
    'parts/responses.json': `{
  "ok": { "content": { "application/json": { "schema": { "$ref": "order.json" } } } }
}`,
    'parts/order.json': `{
  "required": ["id"],
  "properties": { "id": { "type": "integer", "nullable": true }, "parent": { "$ref": "#" } }
}`,
    'fixtures/a.yaml': `
- path: /orders
  response: { body: { id: null, parent: { id: a } } }
`,
  }
  expect(await findings(files, '--openapi', 'api.yaml')).toEqual([
    'error fixtures/a.yaml:3:43 check-body-invalid',
  ])
})

it('a reference that leads nowhere', async () => {
  const schema = "{ $ref: '#/components/schemas/Order' }"
  const files = {
    'api.yaml': `{ openapi: 3.1.0, paths: { /a: { get: { responses: { 200: { content: { application/json: { schema: ${schema} } } } } } } } }`,
    'fixtures/a.yaml': '- path: /a\n  response: { body: {} }\n',
  }
  expect(await findings(files, '--openapi', 'api.yaml')).toEqual(['error api.yaml:: check-openapi-invalid'])
})

it('paths, selectors and patterns of a document', async () => {
  const json = (schema: string) =>
    `responses: { 200: { content: { application/json: { schema: ${schema} } } } }`
  const files = {
    'api.yaml': `
openapi: 3.0.3
paths:
  /broken: { $ref: '#/nowhere' }
  /files/{name}.json: { get: { ${json('{ type: integer }')} } }
  /jobs/{id}:cancel: { post: { ${json('{ type: integer }')} } }
  '/#Action=A': { get: { ${json('{ type: string, pattern: "^a\\_b$" }')} } }
  '/#Action=B': { get: { ${json('{ example: { id: 1, $id: 1 }, type: array, items: { id: same, pattern: "(?i)" } }')} } }
  /b: { get: { ${json('{ type: object, properties: { id: { id: same, enum: [1] } } }')} } }
`,
    'fixtures/a.yaml': `
- { path: /files/:name.json, response: { body: { a: 1 } } }
- { path: '/files/a.json', response: { body: { a: 1 } } }
- { path: '/jobs/:id%3Acancel', method: POST, response: { body: [] } }
- { path: /, when: { query: { Action: A } }, response: { body: [] } }
- { path: /, when: { query: { Action: B } }, response: { body: [] } }
- { path: /, response: { body: [] } }
- { path: /b, response: { body: { id: 2 } } }
`,
  }
  expect(await findings(files, '--openapi', 'api.yaml')).toEqual([
    'warning api.yaml:: check-openapi-invalid',
    'note api.yaml:: check-pattern-ignored',
    'error fixtures/a.yaml:2:42 check-body-invalid',
    'error fixtures/a.yaml:3:40 check-body-invalid',
    'error fixtures/a.yaml:4:59 check-body-invalid',
    'error fixtures/a.yaml:5:58 check-body-invalid',
    'error fixtures/a.yaml:8:35 check-body-invalid',
  ])
})

it('a route for every method is compared with each that the document has', async () => {
  const files = {
    'api.yaml': `
openapi: 3.1.0
paths:
  /a: { get: { responses: { 200: { content: { application/json: { schema: { type: string } } } } } }, put: { responses: { 200: {} } } }
`,
    'fixtures/a.yaml': `
- { path: /a, method: '*', response: { body: { a: 1 } } }
- { path: /b, method: '*' }
- { path: /**, method: '*', scenario: down, response: { status: 503 } }
`,
  }
  expect(await findings(files, '--openapi', 'api.yaml')).toEqual([
    'error fixtures/a.yaml:2:40 check-body-invalid',
    'warning fixtures/a.yaml:3:5 check-path-unknown',
  ])
}) // prettier-ignore

const listOf = { items: { properties: { id: { type: 'integer' } } } }
it.each<[what: string, schema: object, fixture: string, place: string]>([
  [
    'a paged list',
    { properties: { data: listOf } },
    '- path: /items\n  paginate:\n    perPage: 1\n    items:\n      - { id: 1 }\n      - { id: b }\n',
    '6:11',
  ],
  [
    'a collection',
    listOf,
    '- path: /items\n  collection:\n    items:\n      - { id: 1 }\n      - { id: b }\n',
    '5:11',
  ],
  [
    'a paged collection',
    { properties: { data: listOf } },
    '- path: /items\n  paginate: { perPage: 1 }\n  collection:\n    items:\n      - { id: 1, $from: 7 }\n      - { id: b }\n',
    '6:11',
  ],
])('%s is compared as a whole', async (_, schema, fixture, place) => {
  const responses = { 200: { content: { 'application/json': { schema } } } }
  const document = JSON.stringify({ openapi: '3.1.0', paths: { '/items': { get: { responses } } } })
  const found = await findings({ 'api.json': document, 'fixtures/a.yaml': fixture }, '--openapi', 'api.json')
  expect(found.filter((line) => !line.startsWith('note'))).toEqual([
    `error fixtures/a.yaml:${place} check-body-invalid`,
  ])
})

it.each<[what: string, files: Record<string, string>, args: string[], exitCode: number, text: string]>([
  ['no fixture file', {}, [], 2, 'error: There is no fixture file in fixtures below /'],
  ['no folder', {}, ['--root', 'app'], 2, 'There is no folder'],
  ['only warnings', { 'fixtures/a.yaml': '- { path: /a }\n- { path: /a, when: { query: { a: 007 } } }\n' }, [], 0, '1 warning'],
  ['an error', { 'fixtures/a.yaml': '- { path: /a, respnse: {} }\n' }, [], 1, '[fixture-unknown-key]'],
  ['documents without a schema', { 'fixtures/a.yaml': '- path: /a\n' }, ['--documents', 'a'], 2, '--documents needs a schema'],
  ['no document', { 'fixtures/a.yaml': '- path: /a\n' }, [...withDocuments('a')], 2, 'No file matches'],
  ['no schema', { 'fixtures/a.yaml': '- path: /a\n' }, ['--schema', 'a.graphql'], 1, 'or --schema: a file'],
  ['an invalid schema', { 'schema.graphql': 'type A { b: C }', 'fixtures/a.yaml': '- path: /a\n' }, [...bySchema], 1, '[schema-invalid]'],
  ['no OpenAPI document', { 'fixtures/a.yaml': '- path: /a\n' }, ['--openapi', 'fixtures/a.yaml'], 1, '[check-openapi-invalid]'],
  ['a missing OpenAPI document', { 'fixtures/a.yaml': '- path: /a\n', 'api.yaml': '' }, ['--openapi', 'apis.yaml'], 2, 'apis.yaml. Did you mean api.yaml?'],
  ['an unknown format', { 'fixtures/a.yaml': '- path: /a\n' }, ['--format', 'xml'], 2, 'Allowed choices are text, json, github, junit.'],
])('%s', async (_, files, args, exitCode, text) => {
  const ran = await run(files, ...args)
  expect(ran.stdout + ran.stderr).toContain(text)
  expect(ran.exitCode).toBe(exitCode)
}) // prettier-ignore

it('as text, and as annotations', async () => {
  const files = { 'fixtures/a.yaml': route('{ hero: { id: 1 } }'), 'a.graphql': 'query A { hero { id } }' }
  const args = [...withDocuments('a.graphql')]
  const text = await run(files, ...args)
  expect(text.exitCode).toBe(1)
  expect(text.stdout).toBe(`error fixtures/a.yaml:4:29 "hero.id" is of the type ID and can't be the number 1.
  2 |   when: { operationName: A }
  3 |   response:
> 4 |     body: { data: { hero: { id: 1 } } }
    |                             ^
  Fix: Correct the value, or write "invalid: true" in a route that is wrong on purpose. [check-invalid-value]
  Operation: A (a.graphql:1:1)

1 route from fixtures/a.yaml; 1 route compared; 1 operation in 1 file; 1 error, 0 warnings, 0 notes
`)
  const annotations = await run(files, ...args, '--format', 'github')
  expect(annotations.stdout).toContain(
    '::error file=fixtures/a.yaml,line=4,col=29,title=check-invalid-value::"hero.id" is of the type ID',
  )
  const junit = await run(files, ...args, '--format', 'junit')
  expect([junit.exitCode, junit.stdout]).toEqual([
    1,
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="unplugin-mock-api check" tests="1" failures="1" skipped="0">
  <testsuite name="fixtures/a.yaml" tests="1" failures="1" skipped="0">
    <testcase classname="fixtures/a.yaml" name="4: &quot;hero.id&quot; is of the type ID and can't be the number 1."><failure type="check-invalid-value" message="&quot;hero.id&quot; is of the type ID and can't be the number 1. Correct the value, or write &quot;invalid: true&quot; in a route that is wrong on purpose."></failure></testcase>
  </testsuite>
</testsuites>
`,
  ])
})

it('one mistake in several places is told once, with the number of places', async () => {
  const items = (list: string) => `- path: /orders\n  response: { body: ${list} }\n`
  const order = { required: ['state'], properties: { id: { type: 'integer' } } }
  const schema = { type: 'array', items: order }
  const openapi = {
    openapi: '3.1.0',
    paths: { '/orders': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } } },
  }
  const files = {
    'fixtures/a.yaml': items('[{ id: 1 }, { id: x }, { id: 3 }, { id: 4 }, { id: 5 }]'),
    'api.json': JSON.stringify(openapi),
  }
  const { stdout } = await run(files, '--openapi', 'api.json')
  expect(stdout.match(/^error .*/gm)).toEqual([
    'error fixtures/a.yaml:2:22 "0" has no "state". The same at 4 other places: fixtures/a.yaml:2:33, fixtures/a.yaml:2:44, fixtures/a.yaml:2:55 and 1 more.',
    'error fixtures/a.yaml:2:35 "1.id" is a text, not an integer.',
  ])
  expect(stdout).toContain('6 errors, 0 warnings')
  const json = await run(files, '--openapi', 'api.json', '--format', 'json')
  expect((JSON.parse(json.stdout) as { findings: object[] }).findings).toHaveLength(6)
})

it('the events of a subscription', async () => {
  const files = {
    'fixtures/a.yaml':
      '- path: /graphql\n  when: { operationType: subscription }\n  response:\n    stream: [{ data: { tick: x } }]\n',
    's.graphql': 'type Query { a: Int } type Subscription { tick: Int }',
  }
  expect(await findings(files, '--schema', 's.graphql')).toEqual([
    'error fixtures/a.yaml:4:24 check-invalid-value',
  ])
})

/** Changes of a document that a fixture does not follow. */
const documented = {
  openapi: '3.0.3',
  paths: {
    '/users': {
      get: {
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
        responses: {
          200: {
            headers: { 'x-total': { schema: { type: 'integer' } } },
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['id'],
                    properties: {
                      id: { type: 'integer' },
                      name: { type: 'string' },
                      role: { type: 'string', enum: ['admin', 'member'] },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
}
type Document = typeof documented & { security?: object[] }
const userOf = (document: Document): Record<string, object | undefined> =>
  document.paths['/users'].get.responses[200].content['application/json'].schema.items.properties
const responseOf = (document: Document): Record<string, object> => document.paths['/users'].get.responses[200]

it.each<[what: string, change: (document: Document) => void, found: string[]]>([
  ['nothing', () => {}, []],
  [
    'a key is gone',
    (one) => delete userOf(one)['name'],
    ['note 5:21 against-key-gone "name" is not in the answers of api.json.'],
  ],
  [
    'a key is renamed',
    (one) => ((userOf(one)['fullName'] = userOf(one)['name']), delete userOf(one)['name']),
    ['note 5:21 against-key-gone "name" is not in the answers of api.json. "fullName" is new.'],
  ],
  [
    'other keys are allowed',
    (one) => (
      delete userOf(one)['name'],
      Object.assign(responseOf(one)['content']!, {
        'application/json': {
          schema: { type: 'array', items: { properties: {}, additionalProperties: true } },
        },
      })
    ),
    [],
  ],
  [
    'null is allowed',
    (one) => (userOf(one)['name'] = { type: 'string', nullable: true }),
    ['note 5:21 against-null "name" may be null in api.json. No fixture has null there.'],
  ],
  [
    'null is allowed in two places',
    (one) => {
      for (const key of ['name', 'role']) userOf(one)[key] = { type: 'string', nullable: true }
    },
    ['note 5:21 against-null "name", "role" may be null in api.json. No fixture has null there.'],
  ],
  [
    'a word of an enum',
    (one) => (userOf(one)['role'] = { type: 'string', enum: ['admin', 'member', 'auditor'] }),
    ['note 5:32 against-word "role" may be "auditor", which no fixture has.'],
  ],
  [
    'another type',
    (one) => (userOf(one)['id'] = { type: 'string' }),
    ['5:14', '5:49', '5:85'].map(
      (place, index) => `error ${place} check-body-invalid "${index}.id" is a number, not a text.`,
    ),
  ],
  [
    'a parameter is renamed',
    (one) => (one.paths['/users'].get.parameters[0]!.name = 'seite'),
    ['warning 9:20 against-parameter-unknown The query parameter "page" is not in api.json.'],
  ],
  [
    'a header is gone',
    (one) => (responseOf(one)['headers'] = { 'x-count': {} }),
    ['note 4:5 against-header-gone The header "x-total" is not in api.json.'],
  ],
  [
    'a header is required',
    (one) => (responseOf(one)['headers'] = { ...responseOf(one)['headers'], 'X-Page': { required: true } }),
    ['note 3:3 against-header-new The header "x-page" is required in api.json. The fixture does not set it.'],
  ],
  [
    'another content type',
    (one) => (responseOf(one)['content'] = { 'text/csv': {} }),
    [
      'error 3:3 against-content-type GET /users answers with text/csv, not application/json, as api.json says.',
    ],
  ],
  [
    'sign-in',
    (one) => (one.security = [{ token: [] }]),
    ['note 2:3 against-needs-sign-in GET /users needs sign-in in api.json. No fixture answers 401.'],
  ],
  ['optional sign-in', (one) => (one.security = [{ token: [] }, {}]), []],
  [
    'another method',
    (one) => ((one.paths['/users'] as object) = { post: one.paths['/users'].get }),
    ['2:3', '8:3'].map((place) => `warning ${place} check-path-unknown api.json does not have GET /users.`),
  ],
])('a document that has changed is told: %s', async (_, change, wanted) => {
  const fixture = `
- path: /users
  response:
    headers: { x-total: '3' }
    body: [{ id: 1, name: Ada, role: admin }, { id: 2, name: Bob, role: member }, { id: 3, name: Eva, role: admin }]
- path: /other
  invalid: true
- path: /users
  when: { query: { page: 2 } }
  response: { headers: { x-total: '3' }, body: [] }
`
  const document = structuredClone<Document>(documented)
  change(document)
  const files = { 'api.json': JSON.stringify(document), 'fixtures/a.yaml': fixture }
  const { stdout } = await run(files, '--openapi', 'api.json', '--format', 'json')
  const { findings } = JSON.parse(stdout) as { findings: CheckFinding[] }
  expect(
    findings
      .filter(({ message }) => !message.includes('/other'))
      .map(({ severity, line, column, code, message }) => `${severity} ${line}:${column} ${code} ${message}`),
  ).toEqual(wanted)
})

it.each([
  ['0', 1],
  ['1', 0],
  [undefined, 0],
])('--max-warnings %s', async (count, exitCode) => {
  const files = { 'api.json': JSON.stringify(documented), 'fixtures/a.yaml': '- path: /other\n' }
  const limit = count === undefined ? [] : ['--max-warnings', count]
  expect(await run(files, '--openapi', 'api.json', ...limit)).toMatchObject({ exitCode })
})
