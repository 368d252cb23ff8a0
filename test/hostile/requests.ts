import type { FetchOptions } from '../../src/fetch.ts'
import type { Fixture } from '../../src/fixture.ts'

/*
 * Requests under 1 MiB that try to hold the server up, or to fill its memory. `limits.test.ts` counts the work that each
 * causes; `npm run hostile` measures how long each blocks the event loop.
 */

const friends = (length: number) =>
  Array.from({ length }, (_, id) => ({ id: String(id), name: `friend ${id}`, tags: ['a', 'b'] }))

/** A fixture that has an object in an object in an object, so that nested selections find something. */
const nested = (depth: number): Record<string, unknown> =>
  depth === 0 ? { n: 1, nn: 1 } : { n: 1, nn: 1, u: nested(depth - 1), us: [nested(0), nested(0)] }

const data = { hero: { name: 'Luke', friends: friends(1000) }, text: 'x'.repeat(100_000), ...nested(6) }

const result: Fixture = [
  { path: '/graphql', response: { body: { data } } },
  {
    path: '/graphql',
    when: { operationName: 'Failing' },
    response: {
      body: {
        data,
        errors: [
          { message: 'no', path: ['hero', 'name'] },
          { message: 'no', path: ['u', 'n'] },
        ],
      },
    },
  },
]

const manyTypes = Array.from(
  { length: 1500 },
  (_, n) =>
    `type Type${n} implements Node { id: ID!, field${n}: Int, other(first: Int, after: String): [Type${n}!]! }`,
).join('\n')

const schema = `
  type Query {
    hero: Hero, text: String, n: Int, nn: Int!, u: Query, us: [Query!], any: Any, node(id: ID!): Node
    find(by: By, json: JSON, ints: [Int!], by2: [[By!]!]): Int
  }
  type Hero { name: String, friends: [Friend!]! }
  type Friend { id: ID!, name: String!, tags: [String!] }
  interface Node { id: ID! }
  interface Any { n: Int, u: Query }
  type A implements Any { n: Int, u: Query }
  type B implements Any { n: Int, u: Query }
  input By { a: Int!, b: Int!, c: Int!, d: Int!, e: Int!, json: JSON, by: By, more: [By!] }
  scalar JSON
  ${manyTypes}`

/** The ways in which a server can be set up; each kind of request is for some of them. */
export const servers = {
  templates: {
    routes: [
      { path: '/graphql', response: { body: { data: { hero: { name: 'Luke' } } } } },
      {
        path: '/graphql',
        when: { operationName: 'FailingQuery' },
        response: {
          body: {
            data: null,
            errors: [
              { message: 'no', path: ['a'] },
              { message: 'no', path: ['hero', 'name'] },
            ],
          },
        },
      },
    ],
    options: {},
  },
  selecting: {
    routes: [
      ...result,
      { path: '/graphql', when: { query: '{ hero { name } }' }, response: { body: { data: null } } },
      {
        path: '/graphql',
        when: { variables: { 'by.a': { $in: [1, 2] } } },
        response: { body: { data: null } },
      },
    ] as Fixture,
    options: {},
  },
  shape: { routes: result, options: { graphql: { shape: true } } },
  strict: { routes: result, options: { graphql: { strict: true } } },
  schema: { routes: result, options: { graphql: { schema } } },
  filled: {
    routes: [{ path: '/graphql', response: { body: { data: {} } } }],
    options: { graphql: { schema } },
  },
  list: {
    routes: [
      { path: '/items', paginate: { style: 'link', maxPerPage: 1000, items: friends(1000) }, response: {} },
    ] as Fixture,
    options: {},
  },
  rest: {
    routes: [
      {
        method: 'POST',
        path: '/orders',
        when: { body: { a: { $in: [1, 2] }, 'b.c': 1 } },
        response: { body: {} },
      },
      {
        method: 'POST',
        path: '/orders',
        when: { body: { list: { $elemMatch: { a: 1 } } } },
        response: { body: {} },
      },
      {
        method: 'POST',
        path: '/orders',
        when: { body: { deep: { er: { and: 'deeper' } } } },
        response: { body: {} },
      },
    ],
    options: {},
  },
} satisfies Record<string, { routes: Fixture; options: FetchOptions }>

export type ServerName = keyof typeof servers

export interface HostileRequest {
  what: string
  on: readonly ServerName[]
  path: string
  type: string
  body: () => string
}

export const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ')
const wide = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]))
const json = (value: unknown) => JSON.stringify(value)
const query = (text: string, variables?: unknown, operationName?: string) =>
  json({ query: text, variables, operationName })
const fields = (text: string) => query(`{${text}}`)
const batch = (text: (index: number) => string) =>
  json(Array.from({ length: 100 }, (_, index) => ({ query: text(index) })))
const batchOf = (text: string) => batch((i) => `query Q${i}{${text}}`)
const doubled = (field: string, leaf = 'n', levels = 14) =>
  `{...F0} ${repeat(levels, (i) => `fragment F${i} on Query{x:${field}{...F${i + 1}} y:${field}{...F${i + 1}}}`)} fragment F${levels} on Query{${leaf}}`
const spread = (length: number) =>
  `{${repeat(length, (i) => `...F${i}`)}} ${repeat(length, (i) => `fragment F${i} on Query{n a${i}:n u{n}}`)}`
const deepType = `types{fields{type{fields{type{fields{type{fields{type{fields{type{name}}}}}}}}}}}`

const kinds = (
  on: readonly ServerName[],
  bodies: Record<string, () => string>,
  { path = '/graphql', type = 'application/json' } = {},
): HostileRequest[] => Object.entries(bodies).map(([what, body]) => ({ what, on, path, type, body }))

export const hostileRequests: readonly HostileRequest[] = [
  ...kinds(['templates'], {
    'one failing field 9990 times': () => query(`query FailingQuery{${'a '.repeat(9990)}}`),
  }),

  ...kinds(['templates', 'selecting', 'shape', 'strict', 'schema', 'filled'], {
    'one field 9990 times': () => fields('n '.repeat(9990)),
    'a batch of one field 5000 times': () => batchOf('n '.repeat(5000)),
    'a batch of one small field many times': () => batchOf('n '.repeat(400)),
    '1 MiB of tokens': () => fields('a:n '.repeat(260_000)),
    'a batch of 1 MiB of tokens': () => batchOf('a:n '.repeat(2500)),
    'distinct aliases': () => fields(repeat(3300, (i) => `a${i}:n`)),
    'a batch of distinct aliases': () => batchOf(repeat(900, (i) => `a${i}:n`)),
    'aliases of a long list': () => fields(`hero{${repeat(2400, (i) => `a${i}:friends{id}`)}}`),
    'a batch of aliases of a long list': () =>
      batchOf(`hero{${repeat(100, (i) => `a${i}:friends{id name}`)}}`),
    'aliases of a long text': () => fields(repeat(3300, (i) => `a${i}:text`)),
    'a batch of aliases of a long text': () => batchOf(repeat(500, (i) => `a${i}:text`)),
    'fragments that double': () => query(doubled('u', 'n', 90)),
    'a batch of fragments that double': () => batch((i) => `query Q${i}${doubled('u')}`),
    'a batch of fragments that double under one key': () =>
      batch((i) => `query Q${i}${doubled('u', 'n', 90).replaceAll('y:', 'x:')}`),
    'a batch of fragments that double, in lists': () => batch((i) => `query Q${i}${doubled('us')}`),
    'fragments that double, then many fields': () => {
      const leaves = repeat(2000, (i) => `a${i}:n`)
      return query(doubled('u', leaves, 20))
    },
    'fragments in many places': () => query(spread(450)),
    'a batch of fragments in many places': () => batch((i) => `query Q${i}${spread(100)}`),
    'objects selected again and again': () => fields('u{n u{n}} '.repeat(1200)),
    'a batch of objects selected again and again': () => batchOf('u{n u{n}} '.repeat(300)),
    'arguments that differ': () => fields(repeat(1200, (i) => `find(ints:[${i}])`)),
    'fields on many types': () =>
      fields(`any{${repeat(1000, (i) => `...on ${i % 2 ? 'A' : 'B'}{a${i}:n}`)}}`),
    'unknown fields': () => fields(repeat(4900, (i) => `heros${i}`)),
    'a batch of unknown types': () => batchOf(repeat(100, (i) => `...on Typf${i}{n}`)),
    'unknown types': () => fields(repeat(1500, (i) => `...on Typf${i}{n}`)),
    'long names': () => fields(repeat(100, (i) => `${'a'.repeat(10_000)}${i}`)),
    'deeply nested variables': () =>
      `{"query":"query($j:JSON){find(json:$j)}","variables":{"j":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
    'many variables': () => {
      const used = repeat(1600, (i) => `a${i}:find(ints:[$v${i}])`)
      return query(`query(${repeat(1600, (i) => `$v${i}:Int=1`)}){${used}}`)
    },
    'many operations': () => {
      const operations = repeat(2000, (i) => `query Q${i}{n}`)
      return query(operations, undefined, 'Q1999')
    },
    'many directives': () => fields('n @skip(if:false) '.repeat(1200)),
    'a syntax error at the end of 1 MiB': () => query(`{n} #${'\n'.repeat(500_000)} }`),
    '1 MiB of line breaks before an error': () =>
      query(`${'\n'.repeat(400_000)}{${repeat(1000, (i) => `x${i}`)}}`),
    'a block string of 1 MiB': () => fields(`find(json:"""${'\n a'.repeat(250_000)}""")`),
  }),

  ...kinds(['schema', 'filled'], {
    'deep introspection': () => fields(`__schema{${deepType}}`),
    'introspection under aliases': () =>
      fields(repeat(40, (i) => `s${i}:__schema{types{name fields{name args{name}}}}`)),
    'a batch of introspections': () =>
      batchOf(
        '__schema{types{name fields{name type{name ofType{name ofType{name}}} args{name type{name}}}}}',
      ),
    'unknown input keys': () => query('query($by:By){find(by:$by)}', { by: wide(70_000) }),
    'a wide object for a number': () => {
      const declared = repeat(50, (i) => `$v${i}:[Int!]`)
      return query(`query(${declared}){find(ints:$v0)}`, { v0: Array(50).fill(wide(1400)) })
    },
    'wrong items of a long list': () =>
      query('query($v:[Int!]){find(ints:$v)}', { v: Array(200_000).fill('a') }),
    'right items of a long list': () =>
      query('query($v:[Int!]){find(ints:$v)}', { v: Array(400_000).fill(1) }),
    'many wrong input objects': () => {
      const more = Array(15_000).fill({ json: {}, x: 1, y: 2 })
      return query('query($by:By){find(by:$by)}', { by: { a: 1, b: 1, c: 1, d: 1, e: 1, more } })
    },
    'missing keys beside a wide value': () =>
      query('query($by:By){find(by:$by)}', { by: { json: wide(70_000) } }),
    'deeply nested input objects': () =>
      `{"query":"query($by:By){find(by:$by)}","variables":{"by":${'{"by":'.repeat(100_000)}{}${'}'.repeat(100_000)}}}`,
    'a long argument under many aliases': () =>
      query(`query($json:JSON){${repeat(1000, (i) => `a${i}:find(json:$json)`)}}`, {
        json: 'x'.repeat(900_000),
      }),
    'a wide argument under many aliases': () =>
      query(`query($json:JSON){${repeat(1000, (i) => `a${i}:find(json:$json)`)}}`, { json: wide(60_000) }),
    'a list of literals in many places': () => {
      const places = repeat(600, (i) => `a${i}:u{...F}`)
      return query(`{${places}} fragment F on Query{find(ints:[${'1 '.repeat(4000)}])}`)
    },
    'many ids': () => fields(repeat(800, (i) => `a${i}:node(id:${i}){id}`)),
    'a long id under many aliases': () =>
      query(`query($id:ID!){${repeat(700, (i) => `a${i}:node(id:$id){id}`)}}`, { id: 'x'.repeat(900_000) }),
  }),

  ...kinds(
    ['templates', 'selecting', 'shape', 'strict', 'schema', 'filled'],
    {
      'an upload of many parts': () =>
        `${'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(18_000)}--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{"query":"{n}"}\r\n--x--\r\n`,
    },
    { type: 'multipart/form-data; boundary=x' },
  ),
  ...kinds(
    ['templates', 'schema'],
    { 'a form of many fields': () => `${'a=b&'.repeat(250_000)}query={n}` },
    { type: 'application/x-www-form-urlencoded' },
  ),
  ...kinds(
    ['rest'],
    {
      'a deep body': () => `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
      'a deep body where a selector looks': () =>
        `{"list":${'['.repeat(400_000)}${']'.repeat(400_000)},"a":${'{"er":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
      'a wide body': () => json(wide(70_000)),
      'a long list where a selector looks': () =>
        json({ list: Array(100_000).fill({ b: 1 }), a: Array(100_000).fill(3) }),
    },
    { path: '/orders' },
  ),
]

export function toRequest({ path, type, body }: HostileRequest): Request {
  return new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: body(),
  })
}
