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

export interface Server {
  routes: Fixture
  options: FetchOptions
}

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
} satisfies Record<string, Server>

export type ServerName = keyof typeof servers

export interface HostileRequest {
  what: string
  on: readonly ServerName[]
  path?: string
  type?: string
  /** @param n makes requests of one kind distinct */
  body: (n: number) => string
}

const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ')
const wide = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]))
const json = (value: unknown) => JSON.stringify(value)
const query = (text: string, variables?: unknown, operationName?: string) =>
  json({ query: text, variables, operationName })
const batch = (text: (index: number) => string, length = 100) =>
  json(Array.from({ length }, (_, index) => ({ query: text(index) })))
const doubled = (n: number, field: string, leaf = 'n', levels = 14) =>
  `query Q${n}{...F0} ${repeat(levels, (i) => `fragment F${i} on Query{x:${field}{...F${i + 1}} y:${field}{...F${i + 1}}}`)} fragment F${levels} on Query{${leaf}}`
const deepType = `types{fields{type{fields{type{fields{type{fields{type{fields{type{name}}}}}}}}}}}`

const graphql: readonly ServerName[] = ['templates', 'selecting', 'shape', 'strict', 'schema', 'filled']
const checked: readonly ServerName[] = ['schema', 'filled']

export const hostileRequests: readonly HostileRequest[] = [
  { what: 'one field 9990 times', on: graphql, body: (n) => query(`query Q${n}{${'n '.repeat(9990)}}`) },
  {
    what: 'one failing field 9990 times',
    on: ['templates'],
    body: () => query(`query FailingQuery{${'a '.repeat(9990)}}`),
  },
  {
    what: 'a batch of one field 9990 times',
    on: graphql,
    body: (n) => batch((i) => `query Q${n}_${i}{${'n '.repeat(5000)}}`),
  },
  {
    what: 'a batch of one small field many times',
    on: graphql,
    body: (n) => batch((i) => `query Q${n}_${i}{${'n '.repeat(400)}}`),
  },
  { what: '1 MiB of tokens', on: graphql, body: (n) => query(`query Q${n}{${'a:n '.repeat(260_000)}}`) },
  {
    what: 'a batch of 1 MiB of tokens',
    on: graphql,
    body: (n) => batch((i) => `query Q${n}_${i}{${'a:n '.repeat(2500)}}`),
  },
  {
    what: 'distinct aliases',
    on: graphql,
    body: (n) => query(`query Q${n}{${repeat(3300, (i) => `a${i}:n`)}}`),
  },
  {
    what: 'a batch of distinct aliases',
    on: graphql,
    body: (n) => batch((i) => `query Q${n}_${i}{${repeat(900, (j) => `a${j}:n`)}}`),
  },
  {
    what: 'aliases of a long list',
    on: graphql,
    body: (n) => query(`query Q${n}{hero{${repeat(2400, (i) => `a${i}:friends{id}`)}}}`),
  },
  {
    what: 'a batch of aliases of a long list',
    on: graphql,
    body: (n) => batch((i) => `query Q${n}_${i}{hero{${repeat(100, (j) => `a${j}:friends{id name}`)}}}`),
  },
  {
    what: 'aliases of a long text',
    on: graphql,
    body: (n) => query(`query Q${n}{${repeat(3300, (i) => `a${i}:text`)}}`),
  },
  {
    what: 'a batch of aliases of a long text',
    on: graphql,
    body: (n) => batch((i) => `query Q${n}_${i}{${repeat(500, (j) => `a${j}:text`)}}`),
  },
  { what: 'fragments that double', on: graphql, body: (n) => query(doubled(n, 'u', 'n', 90)) },
  {
    what: 'a batch of fragments that double',
    on: graphql,
    body: (n) => batch((i) => doubled(n * 100 + i, 'u')),
  },
  {
    what: 'a batch of fragments that double under one key',
    on: graphql,
    body: (n) => batch((i) => doubled(n * 100 + i, 'u', 'n', 90).replaceAll('y:', 'x:')),
  },
  {
    what: 'a batch of fragments that double, in lists',
    on: graphql,
    body: (n) => batch((i) => doubled(n * 100 + i, 'us')),
  },
  {
    what: 'fragments that double, then many fields',
    on: graphql,
    body: (n) =>
      query(
        doubled(
          n,
          'u',
          repeat(2000, (i) => `a${i}:n`),
          20,
        ),
      ),
  },
  {
    what: 'fragments in many places',
    on: graphql,
    body: (n) =>
      query(
        `query Q${n}{${repeat(450, (i) => `...F${i}`)}} ${repeat(450, (i) => `fragment F${i} on Query{n a${i}:n u{n}}`)}`,
      ),
  },
  {
    what: 'a batch of fragments in many places',
    on: graphql,
    body: (n) =>
      batch(
        (i) =>
          `query Q${n}_${i}{${repeat(100, (j) => `...F${j}`)}} ${repeat(100, (j) => `fragment F${j} on Query{n a${j}:n u{n}}`)}`,
      ),
  },
  {
    what: 'objects selected again and again',
    on: graphql,
    body: (n) => query(`query Q${n}{${'u{n u{n}} '.repeat(1200)}}`),
  },
  {
    what: 'a batch of objects selected again and again',
    on: graphql,
    body: (n) => batch((i) => `query Q${n}_${i}{${'u{n u{n}} '.repeat(300)}}`),
  },
  {
    what: 'arguments that differ',
    on: graphql,
    body: (n) => query(`query Q${n}{${repeat(1200, (i) => `find(ints:[${i}])`)}}`),
  },
  {
    what: 'fields on many types',
    on: graphql,
    body: (n) => query(`query Q${n}{any{${repeat(1000, (i) => `...on ${i % 2 ? 'A' : 'B'}{a${i}:n}`)}}}`),
  },
  {
    what: 'unknown fields',
    on: graphql,
    body: (n) => query(`query Q${n}{${repeat(4900, (i) => `heros${i}`)}}`),
  },
  {
    what: 'a batch of unknown types',
    on: graphql,
    body: (n) => batch((i) => `query Q${n}_${i}{${repeat(100, (j) => `...on Typf${j}{n}`)}}`),
  },
  {
    what: 'unknown types',
    on: graphql,
    body: (n) => query(`query Q${n}{${repeat(1500, (i) => `...on Typf${i}{n}`)}}`),
  },
  {
    what: 'long names',
    on: graphql,
    body: (n) => query(`query Q${n}{${repeat(100, (i) => `${'a'.repeat(10_000)}${i}`)}}`),
  },
  { what: 'deep introspection', on: checked, body: (n) => query(`query Q${n}{__schema{${deepType}}}`) },
  {
    what: 'introspection under aliases',
    on: checked,
    body: (n) =>
      query(`query Q${n}{${repeat(40, (i) => `s${i}:__schema{types{name fields{name args{name}}}}`)}}`),
  },
  {
    what: 'a batch of introspections',
    on: checked,
    body: (n) =>
      batch(
        (i) =>
          `query Q${n}_${i}{__schema{types{name fields{name type{name ofType{name ofType{name}}} args{name type{name}}}}}}`,
      ),
  },
  {
    what: 'unknown input keys',
    on: checked,
    body: (n) =>
      query(`query Q${n}($by:By){find(by:$by)}`, {
        by: Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`k${i}`, i])),
      }),
  },
  {
    what: 'a wide object for a number',
    on: checked,
    body: (n) =>
      query(`query Q${n}(${repeat(50, (i) => `$v${i}:[Int!]`)}){find(ints:$v0)}`, {
        v0: Array.from({ length: 50 }, () =>
          Object.fromEntries(Array.from({ length: 1400 }, (_, i) => [`k${i}`, i])),
        ),
      }),
  },
  {
    what: 'wrong items of a long list',
    on: checked,
    body: (n) =>
      query(`query Q${n}($v:[Int!]){find(ints:$v)}`, { v: Array.from({ length: 200_000 }, () => 'a') }),
  },
  {
    what: 'right items of a long list',
    on: checked,
    body: (n) =>
      query(`query Q${n}($v:[Int!]){find(ints:$v)}`, { v: Array.from({ length: 400_000 }, () => 1) }),
  },
  {
    what: 'many wrong input objects',
    on: checked,
    body: (n) =>
      query(`query Q${n}($by:By){find(by:$by)}`, {
        by: {
          a: 1,
          b: 1,
          c: 1,
          d: 1,
          e: 1,
          more: Array.from({ length: 15_000 }, () => ({ json: {}, x: 1, y: 2 })),
        },
      }),
  },
  {
    what: 'missing keys beside a wide value',
    on: checked,
    body: (n) =>
      query(`query Q${n}($by:By){find(by:$by)}`, {
        by: { json: Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`k${i}`, i])) },
      }),
  },
  {
    what: 'deeply nested variables',
    on: graphql,
    body: (n) =>
      `{"query":"query Q${n}($j:JSON){find(json:$j)}","variables":{"j":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
  },
  {
    what: 'deeply nested input objects',
    on: checked,
    body: (n) =>
      `{"query":"query Q${n}($by:By){find(by:$by)}","variables":{"by":${'{"by":'.repeat(100_000)}{}${'}'.repeat(100_000)}}}`,
  },
  {
    what: 'a long argument under many aliases',
    on: checked,
    body: (n) =>
      query(`query Q${n}($json:JSON){${repeat(1000, (i) => `a${i}:find(json:$json)`)}}`, {
        json: 'x'.repeat(900_000),
      }),
  },
  {
    what: 'a wide argument under many aliases',
    on: checked,
    body: (n) =>
      query(`query Q${n}($json:JSON){${repeat(1000, (i) => `a${i}:find(json:$json)`)}}`, {
        json: wide(60_000),
      }),
  },
  {
    what: 'a list of literals in many places',
    on: checked,
    body: (n) =>
      query(
        `query Q${n}{${repeat(600, (i) => `a${i}:u{...F}`)}} fragment F on Query{find(ints:[${'1 '.repeat(4000)}])}`,
      ),
  },
  {
    what: 'many ids',
    on: checked,
    body: (n) => query(`query Q${n}{${repeat(800, (i) => `a${i}:node(id:${i}){id}`)}}`),
  },
  {
    what: 'a long id under many aliases',
    on: checked,
    body: (n) =>
      query(`query Q${n}($id:ID!){${repeat(700, (i) => `a${i}:node(id:$id){id}`)}}`, {
        id: 'x'.repeat(900_000),
      }),
  },
  {
    what: 'many variables',
    on: graphql,
    body: (n) =>
      query(
        `query Q${n}(${repeat(1600, (i) => `$v${i}:Int=1`)}){${repeat(1600, (i) => `a${i}:find(ints:[$v${i}])`)}}`,
      ),
  },
  {
    what: 'many operations',
    on: graphql,
    body: (n) =>
      query(
        repeat(2000, (i) => `query Q${n}_${i}{n}`),
        undefined,
        `Q${n}_1999`,
      ),
  },
  {
    what: 'many directives',
    on: graphql,
    body: (n) => query(`query Q${n}{${repeat(1200, () => `n @skip(if:false)`)}}`),
  },
  {
    what: 'a syntax error at the end of 1 MiB',
    on: graphql,
    body: (n) => query(`query Q${n}{n} #${'\n'.repeat(500_000)} }`),
  },
  {
    what: '1 MiB of line breaks before an error',
    on: graphql,
    body: (n) => query(`${'\n'.repeat(400_000)}query Q${n}{${repeat(1000, (i) => `x${i}`)}}`),
  },
  {
    what: 'a block string of 1 MiB',
    on: graphql,
    body: (n) => query(`query Q${n}{find(json:"""${'\n a'.repeat(250_000)}""")}`),
  },
  {
    what: 'an upload of many parts',
    on: graphql,
    type: 'multipart/form-data; boundary=x',
    body: () =>
      `${'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(18_000)}--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{"query":"{n}"}\r\n--x--\r\n`,
  },
  {
    what: 'a form of many fields',
    on: ['templates', 'schema'],
    type: 'application/x-www-form-urlencoded',
    body: () => `${'a=b&'.repeat(250_000)}query={n}`,
  },
  {
    what: 'a deep body',
    on: ['rest'],
    path: '/orders',
    body: () => `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
  },
  {
    what: 'a deep body where a selector looks',
    on: ['rest'],
    path: '/orders',
    body: () =>
      `{"list":${'['.repeat(400_000)}${']'.repeat(400_000)},"a":${'{"er":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
  },
  {
    what: 'a wide body',
    on: ['rest'],
    path: '/orders',
    body: () => json(Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`k${i}`, i]))),
  },
  {
    what: 'a long list where a selector looks',
    on: ['rest'],
    path: '/orders',
    body: () =>
      json({
        list: Array.from({ length: 100_000 }, () => ({ b: 1 })),
        a: Array.from({ length: 100_000 }, () => 3),
      }),
  },
]

export function toRequest(
  { path = '/graphql', type = 'application/json', body }: HostileRequest,
  n: number,
): Request {
  return new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: body(n),
  })
}
