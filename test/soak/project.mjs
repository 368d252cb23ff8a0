/* The projects of the soak, one for each way in which the package is set up. Edited files say their version. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const bodyLimit = 65_536

/** The package's options, by the name of the project. */
export const modes = {
  plain: { bodyLimit, functionTimeout: 50 },
  shape: { bodyLimit, graphql: { shape: true } },
  schema: { bodyLimit, graphql: { strict: true, schema: 'schema.graphql' } },
  // Never reloaded, so its caches must be bounded by themselves.
  still: {
    bodyLimit,
    watch: false,
    unmatched: 'passthrough',
    graphql: { shape: true, schema: 'schema.graphql' },
  },
}

/** Longer than the socket buffers, so that a client can leave while it is being sent. */
export const bigText = 'All work and no play makes Jack a dull boy.\n'.repeat(24_000)
export const faultBody = 'Roads? Where we are going we do not need roads.'

const rest = `
- { path: /orders/:id, response: { body: { id: 7, state: open } } }
- { path: /orders/:id, when: { params: { id: 404 } }, response: { status: 404, body: { code: not_found } } }
- { method: POST, path: /orders/search, response: { body: [] } }
- method: POST
  path: /orders/search
  when:
    headers: { x-tenant: { $in: [a, b] } }
    body: { filter.state: open, lines: { $elemMatch: { amount: { $gte: 10 } } } }
  response: { body: [{ id: 7 }], headers: { x-total: 1 } }
- { name: wants a, method: POST, path: /only, when: { body: { a: 1 } }, response: { status: 201, body: { created: true } } }
- { path: /none, response: { status: 204 } }
- { path: /big, response: { file: ../bodies/big.txt } }
- { path: /slow/range, response: { body: slow, delay: { min: 1, max: 8 } } }
- { path: /slow/curve, response: { body: slow, delay: { median: 3, sigma: 0.5 } } }
- { path: /late, response: { body: late, delay: 60000 } }
- { path: /limited, rateLimit: { requests: 3, per: 3600000 }, response: { body: within the limit } }
`

const faults = [...['reset', 'empty', 'truncated', 'malformed', 'stalled', 'silent'], '{ dribble: 80 }']
  .map((fault) => {
    const path = `/fault/${/\w+/.exec(fault)[0]}`
    return `- { path: ${path}, response: { body: '${faultBody}', fault: ${fault} } }\n`
  })
  .join('')

const functions = `
let calls = 0
const circle: { self?: unknown } = {}
circle.self = circle

export default [
  { path: '/functions/sum', response: ({ query }) => ({ body: { sum: Number(query.a) + Number(query.b) } }) },
  { path: '/functions/waits', response: async ({ query }) => {
    await new Promise((resolve) => setImmediate(resolve))
    return { status: 202, body: { waited: query.a } }
  } },
  { path: '/functions/throws', response: () => { throw new Error('thrown ' + ++calls % 7) } },
  { path: '/functions/rejects', response: () => Promise.reject(new Error('rejected')) },
  { path: '/functions/never', response: () => new Promise(() => {}) },
  { path: '/functions/late', response: () => new Promise((_, reject) => {
    setTimeout(() => reject(new Error('late')), 500).unref()
  }) },
  { path: '/functions/circle', response: () => ({ body: circle }) },
  { path: '/functions/promises', response: () => ({ body: [Promise.reject(new Error('nobody waits'))] }) },
  { method: 'POST', path: '/functions/echo', response: (request) => {
    const body = structuredClone(request.body)
    request.body.seen = true
    return { body }
  } },
  { path: '/functions/predicate', when: () => { throw new Error('predicate') }, response: { body: 1 } },
]
`

/** The GraphQL fixtures of the shaped and the checked endpoint. */
export const library = {
  __typename: 'Library',
  name: 'Central',
  city: 'Utrecht',
  owner: { __typename: 'Person', name: 'Octavia', born: 1947 },
  books: ['The Dispossessed', 'Solaris', 'Kindred'].map((title, index) => {
    return { __typename: 'Book', id: `b${index}`, title, pages: 200 + index }
  }),
}

const graphql = JSON.stringify([
  { path: '/graphql', response: { body: { data: { library, find: library.books[1] } } } },
  {
    path: '/graphql',
    when: { operationName: 'Rename', variables: { id: 'b1' } },
    response: { body: { data: { rename: null }, errors: [{ message: 'It is taken.', path: ['rename'] }] } },
  },
  {
    path: '/graphql',
    when: { extensions: { persistedQuery: { sha256Hash: 'abc' } } },
    response: { body: { data: { library: { name: 'persisted' } } } },
  },
])

/** The content of a file that is edited, in one of its versions. */
export const versions = {
  yaml: (version) => `- path: /version/yaml\n  response: { body: { version: ${version} } }\n`,
  helper: (version) => `export const version: number = ${version}\n`,
  body: (version) => `{ "version": ${version} }`,
  extra: (version) => `[{ path: '/version/extra', response: { body: { version: ${version} } } }]`,
  schema: (version) => `
"""version ${version}"""
type Query { library: Library, find(text: String): Book }
type Mutation { rename(id: ID!): Book }
type Subscription { renamed: Book }
type Library { name: String!, city: String, owner: Person, books: [Book!]!, phone: String!, shelf(of: String): Int! }
type Book { id: ID!, title: String!, pages: Int, author: Person, isbn: ID! }
type Person { name: String!, born: Int, mood: Mood! }
enum Mood { GOOD BAD }
`,
}

/** Versions of a file that are incomplete. */
export const broken = {
  yaml: "- path: '/version/yaml\n  response: {",
  helper: 'export const version: number = (\n',
  extra: "[{ path: '/version/extra', response: { body: ",
  schema: 'type Query { library: Library\n',
}

const versionedCode = `
import { version } from '../helpers/version.ts'

export default [{ path: '/version/code', response: () => ({ body: { version } }) }]
`

const common = {
  'index.html': '<!doctype html><title>soak</title><script type="module" src="/main.js"></script>',
  'main.js': 'document.title = "soaked"\n',
  'package.json': '{"type":"module"}',
  'fixtures/versioned.yaml': versions.yaml(1),
}
const restFiles = { 'fixtures/rest.yaml': rest, 'bodies/big.txt': bigText }
const graphqlFiles = { 'fixtures/library.json': graphql, 'schema.graphql': versions.schema(1) }

const files = {
  plain: {
    ...common,
    ...restFiles,
    'fixtures/faults.yaml': faults,
    'fixtures/functions.ts': functions,
    'fixtures/code.ts': versionedCode,
    'helpers/version.ts': versions.helper(1),
    'fixtures/body.yaml': '- path: /version/body\n  response: { file: ../bodies/version.json }\n',
    'bodies/version.json': versions.body(1),
    'fixtures/extra.json5': versions.extra(1),
  },
  shape: { ...common, 'fixtures/library.json': graphql },
  schema: { ...common, ...graphqlFiles },
  still: { ...common, ...restFiles, ...graphqlFiles },
}

/** Writes the projects of all modes below a folder. */
export function writeProjects(folder) {
  for (const [mode, own] of Object.entries(files)) {
    for (const [path, text] of Object.entries(own)) {
      const file = join(folder, mode, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }
  for (const name of ['graphql.yaml', 'items.yaml']) {
    const template = fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url))
    copyFileSync(template, join(folder, 'plain/fixtures', name))
  }
}
