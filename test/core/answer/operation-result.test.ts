import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { routesOf, send } from '../send.ts'
import type { RouteTable } from '../../../src/core/table/route-table.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'

const sdl = `
  type Query { hero(id: ID! = 1, first: Int): Hero, filled(id: ID): String! }
  type Hero { id: ID!, name: String }
`
const { checker } = createChecker([{ file: 'a.graphql', text: sdl }], { scalars: {} })
const body = { data: { hero: { id: '7', name: 'R2-D2' } } }
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

it.each([{}, { checker }])(
  '%#: the same request gets the same answer, whatever was requested before',
  async (options) => {
    const { table } = compileRoutes(routesOf([{ path: '/graphql', shape: true, response: { body } }]), {
      graphql: defaultGraphQL,
      ...options,
    })
    const query =
      'query ($id: ID = 1, $a: Boolean = true) { hero(id: $id) { id @skip(if: $a) name @include(if: $a) } }'
    const ask = async (variables: object) =>
      (await send(table, 'POST /graphql', { body: JSON.stringify({ query, variables }) })).body
    const asked = [{}, { a: false }, { id: null }, { id: 2 }]
    const first = await Promise.all(asked.map(ask))
    expect(await Promise.all(asked.toReversed().map(ask))).toEqual(first.toReversed())
    expect(first.slice(0, 2)).toEqual([
      { data: { hero: { name: 'R2-D2' } } },
      { data: { hero: { id: '7' } } },
    ])
  },
)

it.each<[body: object, code: string | undefined]>([
  [{ me: 1 }, 'graphql-data-missing'],
  [{ errors: { message: 'no' } }, 'graphql-errors-unreadable'],
  [{ errors: ['no'] }, 'graphql-errors-unreadable'],
  [{ errors: [{ message: 'no' }] }, undefined],
])('what a function returns is sent, and what no GraphQL client reads is reported: %j: %s', async (body, code) => {
  const { table } = compileRoutes(routesOf([{ path: '/graphql', response: () => ({ body }) }]), {
    graphql: { ...defaultGraphQL, shape: false },
  })
  const { body: sent, diagnostic } = await send(table, 'POST /graphql', { body: '{"query":"{ me }"}' })
  expect([sent, diagnostic?.code]).toEqual([body, code])
}) // prettier-ignore
