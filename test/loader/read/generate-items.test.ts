import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { GenerateItems } from '../../../src/core/schema/generate-schema.ts'
import { resolveOptions } from '../../../src/core/options/resolve-options.ts'
import { createModuleLoader } from '../../../src/loader/module/load-module.ts'
import { readFixture } from '../../../src/loader/read/read-fixture.ts'
import { Project } from '../project.ts'
import { generateItems } from '../../../src/loader/read/generate-items.ts'

function generate(files: Record<string, string | object>, given: GenerateItems, id = 'id') {
  const root = mkdtempSync(join(tmpdir(), 'generate-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return generateItems(given, { root, folder: join(root, 'fixtures'), id, graphqlSchema: ['schema.graphql'] })
}

const address = { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } }
const user = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    email: { type: 'string', format: 'email' },
    role: { enum: ['admin', 'guest'] },
    plan: { type: 'string', default: 'free' },
    motto: { type: 'string', examples: ['One', 'Two', 'Three'] },
    createdAt: { type: 'string', format: 'date-time' },
    address: { $ref: '#/$defs/Address' },
    price: { type: 'number', minimum: 0 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
  },
}
const schema = { $defs: { User: user, Address: address } }
const users = (more: object = {}) =>
  generate({ 'fixtures/api.json': schema }, { schema: 'api.json#/$defs/User', count: 3, ...more })

describe('items of a JSON Schema', () => {
  it('are plausible', async () => {
    expect((await users()).items).toMatchInlineSnapshot(`
      [
        {
          "address": {
            "city": "Oakdale",
            "street": "24 Station Street",
          },
          "createdAt": "2026-01-06T20:10:00.000Z",
          "email": "mia.kowalski137@example.com",
          "id": 1,
          "motto": "Two",
          "name": "Mia Kowalski",
          "plan": "free",
          "price": 23.94,
          "role": "admin",
          "tags": [
            "tag 508",
            "tag 175",
          ],
        },
        {
          "address": {
            "city": "Brookfield",
            "street": "126 River Street",
          },
          "createdAt": "2025-12-31T12:01:00.000Z",
          "email": "yara.fischer845@example.com",
          "id": 2,
          "motto": "Three",
          "name": "Yara Fischer",
          "plan": "free",
          "price": 119.44,
          "role": "admin",
          "tags": [
            "tag 524",
            "tag 613",
          ],
        },
        {
          "address": {
            "city": "Westbury",
            "street": "166 Linden Street",
          },
          "createdAt": "2026-01-13T19:13:00.000Z",
          "email": "lina.eriksen318@example.com",
          "id": 3,
          "motto": "Two",
          "name": "Lina Eriksen",
          "plan": "free",
          "price": 392.36,
          "role": "guest",
          "tags": [
            "tag 662",
            "tag 908",
          ],
        },
      ]
    `)
  })

  it('are the same however many there are, and others with another seed', async () => {
    const { items } = await users()
    expect((await users({ count: 50 })).items.slice(0, 3)).toEqual(items)
    expect((await users({ seed: 1 })).items).not.toEqual(items)
    expect((await users({ count: 0 })).items).toEqual([])
  })

  it('have ids that differ, of every kind', async () => {
    const idSchemas: [object, unknown[]][] = [
      [{ type: 'integer', example: 7 }, [1, 2]],
      [{ type: 'string' }, ['user-1', 'user-2']],
      [{ type: 'string', format: 'uuid' }, ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']],
      [{ type: 'string', pattern: '^U[0-9]{2}$' }, ['U00', 'U11']],
    ] // prettier-ignore
    for (const [id, expected] of idSchemas) {
      const { items } = await generate(
        { 'fixtures/api.json': { $defs: { User: { ...user, properties: { id } } } } },
        { schema: 'api.json#/$defs/User', count: 2 },
      )
      expect(items.map((item) => (item as { id: unknown }).id)).toEqual(expected)
    }
  })

  it('begin with the examples of the whole item, with ids of their own', async () => {
    const { items } = await generate(
      {
        'fixtures/api.json': {
          $defs: { ...schema.$defs, User: { ...user, example: { id: 9, name: 'Ada' } } },
        },
      },
      { schema: 'api.json#/$defs/User', count: 2 },
    )
    expect(items).toEqual([{ id: 1, name: 'Ada' }, expect.objectContaining({ id: 2, role: 'admin' })])
  })

  it('name the files that they come from', async () => {
    const { files, items } = await generate(
      {
        'fixtures/a.yaml': 'openapi: 3.0.0\nUser: { $ref: "b.yaml#/User" }\n',
        'fixtures/b.yaml': 'User: { properties: { at: { type: string, nullable: true } } }\n',
      },
      { schema: 'a.yaml#/User', count: 1 },
    )
    expect(files.map((file) => file.replace(/.*fixtures./, ''))).toEqual(['a.yaml', 'b.yaml'])
    expect(items).toHaveLength(1)
  })
})

it('items of a GraphQL type have its fields, without other entities', async () => {
  const files = {
    'schema.graphql': `
      type Query { user: User }
      enum Role { ADMIN GUEST }
      scalar DateTime scalar Time scalar URL scalar EmailAddress
      type Address { city: String! street(kind: String): String }
      type User { id: ID! name: String! role: Role! born: DateTime friends: [User!]! addresses: [Address!]! picture(size: Int!): String opens: Time site: URL contact: EmailAddress }
    `,
  }
  const { items } = await generate(files, { type: 'User', count: 2 })
  expect(items).toMatchInlineSnapshot(`
    [
      {
        "addresses": [
          {
            "city": "Millbrook",
            "street": "72 Castle Street",
          },
          {
            "city": "Greenville",
            "street": "122 Castle Street",
          },
        ],
        "born": "2026-02-14T04:06:00.000Z",
        "contact": "hugo.garcia419@example.com",
        "id": "user-1",
        "name": "Hugo Garcia",
        "opens": "22:56:00.000Z",
        "role": "ADMIN",
        "site": "https://example.com/golden-lantern",
      },
      {
        "addresses": [
          {
            "city": "Kingston",
            "street": "81 Lake Street",
          },
          {
            "city": "Newport",
            "street": "75 Harbour Street",
          },
        ],
        "born": "2026-02-17T11:57:00.000Z",
        "contact": "ines.silva854@example.com",
        "id": "user-2",
        "name": "Ines Silva",
        "opens": "09:08:00.000Z",
        "role": "ADMIN",
        "site": "https://example.com/bright-cup",
      },
    ]
  `)
})

it.each<[what: string, given: GenerateItems, message: RegExp]>([
  ['a missing file', { schema: 'none.json#/User' }, /ENOENT/],
  ['a missing schema', { schema: 'api.json#/$defs/None' }, /leads nowhere/],
  ['a schema that nothing fits', { schema: 'api.json#/$defs/Never' }, /no value was found that fits Never/],
  ['a file outside', { schema: 'api.json#/$defs/Outside' }, /leads to a file that is missing|leads out of the project/],
  ['a missing type', { type: 'None' }, /the GraphQL schema has no object type None/],
  ['faker, which is not installed', { schema: 'api.json#/$defs/User', faker: { name: 'person.fullName' } }, /@faker-js\/faker, which is not installed/],
])('%s', async (_, given, message) => {
  const never = { type: 'object', required: ['a'], properties: { a: { allOf: [{ type: 'string' }, { type: 'integer' }] } } }
  const files = {
    'schema.graphql': 'type Query { a: Int }',
    'fixtures/api.json': { $defs: { ...schema.$defs, Never: never, Outside: { $ref: '../../../../etc/passwd#/a' } } },
  }
  await expect(generate(files, given)).rejects.toThrow(message)
}) // prettier-ignore

const faker = `
exports.faker = {
  seed(seed) { this.last = seed },
  setDefaultRefDate() {},
  person: { fullName: () => 'Fake ' + (exports.faker.last % 10) },
}`

it('takes values of @faker-js/faker where they are asked for', async () => {
  const files = {
    'node_modules/@faker-js/faker/package.json': '{ "name": "@faker-js/faker", "main": "index.cjs" }',
    'node_modules/@faker-js/faker/index.cjs': faker,
    'fixtures/api.json': {
      $defs: { User: { properties: { id: { type: 'integer' }, name: { type: 'string' }, by: { type: 'string', faker: 'person.fullName' }, bad: { type: 'string' } } } },
    },
  } // prettier-ignore
  const given = { schema: 'api.json#/$defs/User', count: 1 }
  const fake = expect.stringMatching(/^Fake \d$/) as string
  const { items } = await generate(files, { ...given, faker: { name: 'person.fullName' } })
  expect(items).toEqual([{ id: 1, name: fake, by: fake, bad: expect.any(String) as string }])
  for (const name of ['person.none', 'constructor.constructor', 'person.constructor', 'x'])
    await expect(generate(files, { ...given, faker: { bad: name } })).rejects.toThrow(`has no ${name}`)
})

it('every item is valid by its schema', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const { items } = await users({ count: 200 })
  const isValid = ajv.compile({ ...schema, ...user })
  for (const item of items) expect(isValid(item), JSON.stringify([item, isValid.errors])).toBe(true)
})

describe('in a fixture file', () => {
  const api = { components: { schemas: { User: { ...user, properties: { id: { type: 'integer' } } } } } }
  const place = 'openapi.json#/components/schemas/User'

  async function read(route: object) {
    const project = new Project({
      'mocks/a.json': JSON.stringify([{ path: '/users', ...route }]),
      'mocks/openapi.json': JSON.stringify(api),
      'schema.graphql': 'type Query { user: User } type User { id: ID! }',
      'secret.json': JSON.stringify(api),
    })
    const options = resolveOptions(
      { graphql: { schema: 'schema.graphql' } },
      { root: project.root, logger: console },
    )
    const path = project.path('mocks/a.json')
    return readFixture(options, path, createModuleLoader(project.root))
  }

  it.each([
    [
      'a collection',
      { collection: { items: { generate: { schema: place, count: 2 } } } },
      [{ id: 1 }, { id: 2 }],
    ],
    ['a page', { paginate: { items: { generate: { schema: place, count: 1 } } } }, [{ id: 1 }]],
    [
      'a GraphQL type',
      { collection: { items: { generate: { type: 'User', count: 1 } } } },
      [{ id: 'user-1' }],
    ],
  ])('%s has them', async (_, route, items) => {
    const { routes, diagnostics, dependencies } = await read(route)
    expect(diagnostics).toEqual([])
    expect(routes[0]!.paging!.items).toMatchObject(items)
    expect(dependencies).toEqual([expect.stringMatching(/(?:openapi\.json|schema\.graphql)$/)])
  })

  it.each([
    ['nothing to make them from', {}, 'names neither a schema nor a type'],
    ['a missing file', { schema: 'none.json#/User' }, 'there is no file mocks/none.json'],
    ['a missing place', { schema: 'openapi.json#/none' }, 'leads nowhere'],
    ['a file outside', { schema: '../../etc/passwd#/a' }, 'there is no file'],
    ['a missing type', { type: 'None' }, 'has no object type None'],
    ['too many', { schema: place, count: 1_000_000 }, 'count'],
    ['an unknown key', { schema: place, coun: 1 }, 'coun'],
  ])('%s is a diagnostic with its place', async (_, generate, message) => {
    const { diagnostics } = await read({ collection: { items: { generate } } })
    expect(diagnostics).toEqual([
      expect.objectContaining({
        file: 'mocks/a.json',
        line: 1,
        message: expect.stringContaining(message) as string,
      }),
    ])
  })
})
