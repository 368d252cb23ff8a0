import { describe, expect, it } from 'vitest'
import { notFoundResponse } from '../../../src/core/answer/error-response.ts'
import { scenarioNotices } from '../../../src/core/answer/receive.ts'
import type { Rules } from '../../../src/core/answer/rules.ts'
import type { DocumentChecker } from '../../../src/core/graphql/result.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'
import { resolveOrigins } from '../../../src/core/options/resolve-options.ts'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import type { RouteTable } from '../../../src/core/table/route-table.ts'
import { describeUnanswered } from '../../../src/core/table/similar.ts'
import { file, readResponse, receiveAndDecide, routesOf, rulesOf, send, tableOf } from '../send.ts'

const down = { 'x-mock-scenario': 'down' }
const post = (payload: unknown, headers = {}) => ({ body: JSON.stringify(payload), headers })

describe('on the GraphQL endpoint', () => {
  const data = (value: unknown) => ({ body: { data: { value } } })
  const table = tableOf([
    { name: 'default', path: '/graphql', response: data('default') },
    { name: 'named', path: '/graphql', when: { operationName: 'A' }, response: data('A') },
    { name: 'A is down', path: '/graphql', scenario: 'down', when: { operationName: 'A' }, response: data(null) },
    { name: 'by document', path: '/graphql', scenario: 'new', when: { query: '{ value }' }, response: data('new') },
  ]) // prettier-ignore
  const ask = async (payload: unknown, headers = {}) =>
    (await send(table, 'POST /graphql', post(payload, headers))).body

  it('an operation is answered by the scenario, all others as always', async () => {
    expect(await ask({ operationName: 'A' })).toEqual(data('A').body)
    expect(await ask({ operationName: 'A' }, down)).toEqual(data(null).body)
    expect(await ask({ operationName: 'B' }, down)).toEqual(data('default').body)
  })

  it('a batch has the scenarios of its request, for each of its operations', async () => {
    const batch = [{ operationName: 'A' }, { operationName: 'B' }, { operationName: 'A' }]
    expect(await ask(batch, down)).toEqual([data(null).body, data('default').body, data(null).body])
  })

  it('a persisted query needs its text if a route of an active scenario selects by the document', async () => {
    const hash = { extensions: { persistedQuery: { version: 1, sha256Hash: 'a' } } }
    const notFound = { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] }
    expect(await ask(hash)).toEqual(data('default').body)
    expect(await ask(hash, { 'x-mock-scenario': 'new' })).toMatchObject(notFound)
    expect(await ask({ ...hash, query: '{ value }' }, { 'x-mock-scenario': 'new' })).toEqual(data('new').body)
  })

  it('with a schema, what no active route selects is filled in', async () => {
    const sources = [{ file: 'schema', text: 'type Query { value: String }' }]
    const { checker } = createChecker(sources, { ...defaultGraphQL, scalars: {} }) as {
      checker: DocumentChecker
    }
    const routes = routesOf([{ path: '/graphql', scenario: 'down', response: data('down') }])
    const filled = compileRoutes(routes, { graphql: defaultGraphQL, checker }).table
    const value = async (headers = {}) =>
      (await send(filled, 'POST /graphql', post({ query: '{ value }' }, headers))).body as {
        data: { value: string }
      }
    expect((await value(down)).data.value).toBe('down')
    expect((await value()).data.value).toEqual(expect.stringMatching(/./))
    expect((await value()).data.value).not.toBe('down')
  })
})

it('a route with an error answers in its scenario alone', async () => {
  const { routes } = parseFixture(
    [
      { path: '/a', response: { body: 'fine' } },
      { path: '/a', scenario: 'down', respons: {} },
      { path: '/a', scenario: 503 },
      { path: '/a', scenario: { name: 'down' } },
    ],
    file,
  )
  const { table } = compileRoutes(routes, { graphql: defaultGraphQL })
  const get = (scenario: string) => send(table, 'GET /a', { headers: { 'x-mock-scenario': scenario } })
  expect((await get('')).body).toBe('fine')
  expect((await get('down')).body).toMatchObject({ error: { code: 'fixture-unknown-key' } })
  expect((await get('503')).body).toMatchObject({ error: { code: 'fixture-invalid' } })
})

describe('received by a host', () => {
  const table = tableOf([
    { path: '/a', response: { body: 'a' } },
    { path: '/a', scenario: 'down', response: { body: 'down' } },
    { path: '/only', method: 'PUT', scenario: 'down' },
  ])
  const rules = () => rulesOf({ origins: resolveOrigins({}) })
  const ask = (
    target: string,
    headers: Record<string, string> = {},
    own: Rules = rules(),
    routes: RouteTable = table,
  ) => receiveAndDecide(own, routes, target, { headers })
  const bodyOf = async (...asked: Parameters<typeof ask>) => {
    const { decision } = await ask(...asked)
    return readResponse(decision!.response!).body
  }

  it('a page that is opened with ?mock-scenario= has the scenario at once', async () => {
    const html = { accept: 'text/html' }
    expect(await bodyOf('GET /a?mock-scenario=down', html)).toBe('down')
    expect(await bodyOf('GET /a?mock-scenario=', { ...html, cookie: 'mock-scenario=down' })).toBe('a')
    expect(await bodyOf('GET /a?mock-scenario=down')).toBe('a')
  })

  it.each<[headers: Record<string, string>, by: string]>([
    [{ 'x-mock-scenario': 'dwn, down' }, 'header "x-mock-scenario"'],
    [{ cookie: 'mock-scenario=dwn' }, 'cookie "mock-scenario"'],
  ])('an unknown name is reported once, with a suggestion: %j', async (headers, by) => {
    const own = rules()
    expect((await ask('GET /a', headers, own)).notices).toMatchObject([
      {
        code: 'scenario-unknown',
        message: `The ${by} names the scenario "dwn", which no route has.`,
        fix: 'Did you mean "down"? Scenarios: down.',
      },
    ])
    expect((await ask('GET /a', headers, own)).notices).toEqual([])
  })

  it('an unknown name of a request that is passed on is reported once, too', () => {
    const own = rules()
    const pass = (headers: Record<string, string>) =>
      scenarioNotices(own, table, 'GET', '/b', { headers }).map(({ message }) => message)
    expect([pass({ 'x-mock-scenario': 'dwn' }), pass({ cookie: 'mock-scenario=dwn' }), pass(down)]).toEqual([
      ['The header "x-mock-scenario" names the scenario "dwn", which no route has.'],
      [],
      [],
    ])
  })

  it('without any scenario, an unknown name is reported, too', async () => {
    const { notices } = await ask('GET /b', down, rules(), tableOf([{ path: '/b' }]))
    expect(notices).toMatchObject([
      { code: 'scenario-unknown', fix: expect.stringContaining('Add a route') as string },
    ])
  })

  it('a path that has routes in inactive scenarios only is not ours; its preflight is', async () => {
    const origin = { origin: 'http://localhost:9' }
    expect((await ask('PUT /only', origin)).kind).toBe('not ours')
    expect((await ask('PUT /only', { ...origin, ...down })).kind).toBe('respond')
    expect((await ask('PUT /only', { origin: 'https://elsewhere.example' })).kind).toBe('not ours')
    const preflight = await ask('OPTIONS /only', {
      ...origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'x-mock-scenario,x-mock-client',
    })
    expect(readResponse(preflight.decision!.response!)).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-headers': 'x-mock-scenario,x-mock-client' },
    })
  })

  it('the terminal and the list of endpoints say which scenario such a path has', () => {
    expect(describeUnanswered(table, 'PUT', '/only?a=1', [''])).toMatchObject({
      code: 'scenario-inactive',
      message:
        'No route answers PUT /only: the only routes for it are in the scenario "down", which is not active.',
      fix: expect.stringMatching(/^Open the page with \?mock-scenario=down, /) as string,
    })
    expect(describeUnanswered(table, 'GET', '/a', [''])?.code).not.toBe('scenario-inactive')
    expect(describeUnanswered(table, 'GET', '/b', [''])?.code).not.toBe('scenario-inactive')
    const { body } = readResponse(notFoundResponse('GET /x', table.endpoints))
    expect(body).toMatchObject({ error: { endpoints: ['GET /a', 'PUT /only (scenario down)'] } })
  })
})
