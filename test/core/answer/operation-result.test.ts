import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { routesOf, send } from '../send.ts'
import type { RouteTable } from '../../../src/core/table/route-table.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { sampling } from '../../sampling.ts'

const sdl = `
  type Query { hero(id: ID! = 1, first: Int): Hero, filled(id: ID): String! }
  type Hero { id: ID!, name: String }
`
const { checker } = createChecker([{ file: 'a.graphql', text: sdl }], { scalars: {} })
const body = { data: { hero: { id: '7', name: 'R2-D2' } } }
const tables = {
  'without a schema': {},
  'with a schema': { checker },
}

/** Answers of one table, one after the other, and of a new table each: what is kept must not be seen. */
describe.each(Object.entries(tables))('%s, a cached answer is the same as a computed one', (_, options) => {
  const table = () => {
    const routes = routesOf([{ path: '/graphql', shape: true, response: { body } }])
    return compileRoutes(routes, { graphql: defaultGraphQL, ...options }).table
  }
  it.each<[name: string, query: string, variables: object[]]>([
    ['variables that do not affect the answer', 'query ($n: Int) { hero(first: $n) { name } }', [{ n: 1 }, { n: 2 }, {}, { n: null }, { n: 1 }]],
    ['conditions', 'query ($a: Boolean!, $b: Boolean = true) { hero { id @skip(if: $a) name @include(if: $b) } }', [{ a: true }, { a: false }, { a: false, b: false }, { a: true, b: true }, { a: true }]],
    ['conditions with comments and commas', 'query ($a: Boolean!) { hero { id @,skip(if: $a) name @ # c\n include(if: $a) } }', [{ a: true }, { a: false }, { a: true }]],
    ['arguments that generated values depend on', 'query ($id: ID) { filled(id: $id) }', [{ id: 1 }, { id: 2 }, {}, { id: 1 }]],
    ['null for a non-null argument', 'query ($id: ID = 1) { hero(id: $id) { name } }', [{ id: 1 }, { id: null }, { id: 2 }, { id: null }]],
    ['the type that introspection asks for', 'query ($t: String!) { hero { id } __type(name: $t) { name } }', [{ t: 'Hero' }, { t: 'Query' }, { t: 'None' }]],
  ])('%s', async (_, query, variables) => {
    const kept = table()
    const ask = (of: ReturnType<typeof table>, values: object) =>
      send(of, 'POST /graphql', { body: JSON.stringify({ query, variables: values }) })
    for (const values of variables) {
      const [one, other] = [await ask(kept, values), await ask(table(), values)]
      expect([values, one.status, one.body]).toEqual([values, other.status, other.body])
    }
  }) // prettier-ignore
})

describe('with a schema', () => {
  const ask = (table: RouteTable, query: string) =>
    send(table, 'POST /graphql', { body: JSON.stringify({ query }) })
  const byName = { path: '/graphql', name: 'by name', when: { operationName: 'Named' }, response: { body } }
  const own = { path: '/graphql', name: 'own', response: { body } }
  const filled = { hero: { name: expect.stringMatching(/^name \d+$/) as string } }
  const table = (routes: object[], options: object = { checker }) =>
    compileRoutes(routesOf(routes), { graphql: defaultGraphQL, ...options }).table

  it.each<[name: string, routes: object[], query: string, route: string | undefined, data: object]>([
    ['no route', [], '{ hero { name } }', 'filled in by the schema', filled],
    ['a route that is selected', [byName], 'query Named { hero { name } }', 'by name', {}],
    ['a route that is not', [byName], '{ hero { name } }', 'filled in by the schema', filled],
    ['a default route', [byName, own], '{ hero { name } }', 'own', { hero: { name: 'R2-D2' } }],
    ['a default route without the field', [byName, own], '{ filled }', 'own', { filled: expect.any(String) as string }],
    ['routes of other methods and paths', [{ ...own, method: 'GET' }, { ...own, path: '/a' }], '{ hero { name } }', 'filled in by the schema', filled],
  ])('%s: an operation that no route selects is answered from the schema', async (_, routes, query, route, data) => {
    const { status, headers, body: sent } = await ask(table(routes), query)
    expect([status, headers['x-mock-route']]).toEqual([200, route])
    expect(sent).toEqual({ data: route === 'by name' ? { hero: { name: 'R2-D2' } } : data })
  }) // prettier-ignore

  it('with unmatched: passthrough, it is passed on', async () => {
    const passing = { checker, unmatched: 'passthrough' }
    expect(await ask(table([byName], passing), '{ hero { name } }')).toMatchObject({ kind: 'unmatched' })
    expect(await ask(table([], passing), '{ hero { name } }')).toMatchObject({
      kind: 'answered',
      status: 200,
    })
  })

  it('a schema with errors is answered with 500, whatever routes there are', async () => {
    const { diagnostics } = createChecker([{ file: 'a.graphql', text: 'type' }], { scalars: {} })
    for (const routes of [[], [byName], [own]]) {
      const sent = await ask(table(routes, { schemaError: diagnostics[0] }), '{ hero { name } }')
      expect(sent).toMatchObject({ status: 500, body: { errors: [{ extensions: { code: 'schema-invalid' } }] } }) // prettier-ignore
    }
  })

  it('a value that the schema rejects is reported', async () => {
    const wrong = { data: { hero: { id: {}, name: 'R2-D2' } } }
    const { status, body: sent, diagnostic } = await ask(table([{ ...own, response: { body: wrong } }]), '{ hero { id } }') // prettier-ignore
    const message = 'ID cannot represent value: {}'
    expect([status, sent]).toMatchObject([200, { data: { hero: null }, errors: [{ message }] }])
    expect(diagnostic).toMatchObject({
      code: 'graphql-value-rejected',
      severity: 'warning',
      message: `The schema does not allow values of route "own": hero.id: ${message}`,
    })
  })
})

const persistedQuery = { version: 1, sha256Hash: 'abc' }
const queries = [
  undefined,
  '{ hero { name } }',
  '{ r2: hero { id } }',
  'query Named { hero { id } }',
  'query A { hero { id } } query B { hero { name } }',
  'query ($id: ID! = 1) { hero(id: $id) { name } filled(id: $id) }',
  'query ($a: Boolean = true) { hero { id name @include(if: $a) } }',
  'query ($id: ID) { filled(id: $id) }',
  '{ hero { lacking } }',
  'not a document',
]
const request = fc.record(
  {
    query: fc.constantFrom(...queries),
    operationName: fc.constantFrom(undefined, 'A', 'B', 'Named', 'Unknown'),
    variables: fc.constantFrom<unknown[]>(undefined, {}, { id: 1 }, { id: '1' }, { id: null }, { a: true }, { a: false }, { id: 2, a: null }),
    extensions: fc.constantFrom<unknown[]>(undefined, { persistedQuery }, { persistedQuery: { ...persistedQuery, sha256Hash: 'known' } }, { other: 1 }),
  },
  { requiredKeys: [] },
) // prettier-ignore

const failed = { data: { hero: null }, errors: [{ message: 'no', path: ['hero', 'name'] }] }
const fixtures: Record<string, object[]> = {
  'a default route': [{ response: { body } }],
  'a default route with an error': [{ response: { body: failed } }],
  'routes of every kind': [
    { when: { operationName: 'A' }, response: { body: failed } },
    { when: { operationName: 'B' }, response: { status: 503, body: 'down' } },
    { when: { extensions: { persistedQuery: { sha256Hash: 'known' } } }, response: { body } },
    { when: { query: '{ hero { name } }' }, response: { body: failed } },
    { when: { variables: { id: 2 } }, response: () => ({ body }) },
    { response: { body } },
  ],
}
interface Mode {
  shape?: boolean
  checker?: typeof checker
}
const modes: Record<string, Mode> = {
  'as it is': {},
  shaped: { shape: true },
  'with a schema': { checker },
  both: { shape: true, checker },
}
const cases = Object.entries(fixtures).flatMap(([fixture, routes]) =>
  Object.entries(modes).map(([mode, options]) => [fixture, mode, routes, options] as const),
)

describe.each(cases)('%s, %s', (_, __, routes, { shape = false, ...options }) => {
  const table = () => {
    const graphql = { ...defaultGraphQL, shape }
    return compileRoutes(routesOf(routes.map((route) => ({ path: '/graphql', ...route }))), {
      graphql,
      ...options,
    }).table
  }
  const ask = async (of: ReturnType<typeof table>, value: object) => {
    const { status, headers, body } = await send(of, 'POST /graphql', { body: JSON.stringify(value) })
    return { status, headers, body }
  }

  it('gives the same answer to the same request, whatever was requested before', async () => {
    const property = fc.asyncProperty(
      fc.array(request, { minLength: 2, maxLength: 12 }),
      async (sequence) => {
        const used = table()
        for (const value of sequence) {
          expect([value, await ask(used, value)]).toEqual([value, await ask(table(), value)])
        }
      },
    )
    await fc.assert(property, sampling(10))
  })
})
