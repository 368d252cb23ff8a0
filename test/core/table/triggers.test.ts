import { describe, expect, it } from 'vitest'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'

/* Names in `on` that nothing has. */

const stream = (on: unknown) => ({ path: '/a', response: { stream: [], on } })
const answers = (when?: object) => ({
  path: '/graphql',
  ...(when && { when }),
  response: { body: { data: {} } },
})
const rename = answers({ operationName: 'Rename' })
const renamed = { path: '/graphql', when: { operationName: 'Renamed' }, response: { stream: [] } }

function compile(fixture: object[]) {
  const { routes } = parseFixture(fixture, { file: 'a.yaml', locate: () => ({}) })
  return compileRoutes(routes, { graphql: defaultGraphQL })
}

describe('on', () => {
  it.each<[what: string, fixture: object[], found: string[]]>([
    ['a mutation', [stream({ mutation: 'Rename' }), rename], []],
    [
      'a mutation that no route answers',
      [stream([{ push: 'a' }, { mutation: 'Renam' }]), rename],
      ['trigger-unknown /0/response/on/1/mutation Did you mean "Rename"? Known names: Rename.'],
    ],
    [
      'a mutation without any route',
      [stream({ mutation: 'Rename' })],
      ['trigger-unknown /0/response/on/mutation Correct the name.'],
    ],
    [
      'a subscription',
      [stream({ mutation: 'Renamed' }), renamed],
      ['trigger-unknown /0/response/on/mutation Correct the name.'],
    ],
    [
      'a query',
      [stream({ mutation: 'Get' }), answers({ operationType: 'query', operationName: 'Get' })],
      ['trigger-unknown /0/response/on/mutation Correct the name.'],
    ],
    ['a mutation that the default route answers', [stream({ mutation: 'Other' }), rename, answers()], []],
    [
      'a typo beside a default route',
      [stream({ mutation: 'Renme' }), rename, answers()],
      ['trigger-unknown /0/response/on/mutation Did you mean "Rename"? Known names: Rename.'],
    ],
    ['a route', [stream({ route: 'b' }), { name: 'b', path: '/b', response: {} }], []],
    ['a route without a name', [stream({ route: 'GET /a #1' })], []],
    [
      'a route that is not there',
      [stream({ route: '__proto__' })],
      ['trigger-unknown /0/response/on/route Known names: GET /a #1.'],
    ],
    [
      'a route, of a WebSocket',
      [{ name: 'chat', path: '/a', websocket: { on: { route: 'chats' } } }, rename],
      ['trigger-unknown /0/websocket/on/route Did you mean "chat"? Known names: chat, POST /graphql #1.'],
    ],
    ['a collection', [stream({ collection: 'b' }), { path: '/b', collection: { items: [] } }], []],
    [
      'a collection that is not there',
      [stream({ collection: 'bs' }), { path: '/bc', collection: { items: [] } }],
      ['collection-unknown /0/response/on/collection Did you mean "bc"? Collections: bc.'],
    ],
  ])('%s', (_, fixture, found) => {
    const { diagnostics } = compile(fixture)
    expect(diagnostics.map(({ code, pointer, fix }) => `${code} ${pointer} ${fix}`)).toEqual(found)
  })

  it('lists the channels, each once', () => {
    const { table } = compile([stream([{ push: 'a' }, { push: 'b' }]), stream({ push: 'a' })])
    expect(table.channels).toEqual(['a', 'b'])
  })
})
