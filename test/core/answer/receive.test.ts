import { describe, expect, it } from 'vitest'
import { findRequest, pageVisit, type FoundRequest } from '../../../src/core/answer/receive.ts'
import type { Rules } from '../../../src/core/answer/rules.ts'
import type { ReceivedBody } from '../../../src/core/http/body.ts'
import { MockState } from '../../../src/core/state/mock-state.ts'
import { resolveOrigins } from '../../../src/core/options/resolve-options.ts'
import { receiveAndDecide, readResponse, rulesOf, tableOf } from '../send.ts'

const table = tableOf([
  { path: '/items', response: { body: 'items' } },
  { path: '/items', method: 'PUT', response: { body: 'put' } },
  { path: '/any', method: '*', response: { status: 503 } },
  { path: '/any', response: { body: 'own' } },
  { path: '/slow', response: { body: 'late', delay: 300 } },
  { path: '/code', response: () => ({ body: 'code' }) },
  { path: '/page', when: { query: { page: 2 } }, response: { body: 'page 2' } },
  { path: '/search', method: 'POST', when: { body: { a: 1 } }, response: { body: 'found' } },
  { path: '/graphql', response: { body: { data: {} } } },
  { path: '/about', navigation: 'passthrough', response: { body: 'about' } },
  { path: '/data', navigation: 'answer', response: { body: 'data' } },
])

const pagesFirst = tableOf(
  [
    { path: '/items' },
    { path: '/data', navigation: 'answer', response: { body: 'data' } },
    { path: '/page', when: { query: { page: 2 } } },
  ],
  {},
  'passthrough',
)

const defaults = rulesOf({ bases: ['/app', ''] })
const checked = { origins: resolveOrigins({}) }
const passthrough = { unmatched: 'passthrough' } as const
const local = 'http://localhost:5173'
const foreign = 'https://app.example.com'
const noCors = { origins: resolveOrigins({ cors: false }) }
const checkedPassing = { ...checked, ...passthrough }
const fromForeign = { origin: foreign }
const evilHost = { host: 'evil.example' }
const foreignPreflight = { ...preflight('PUT'), ...fromForeign }
const html = 'text/html,*/*;q=0.8'
const bytes = (text: string): ReceivedBody => ({ kind: 'complete', bytes: new TextEncoder().encode(text) })

interface Asked {
  table?: typeof table
  rules?: Partial<Rules>
  headers?: Record<string, string>
  body?: ReceivedBody
}

function find(
  target: string,
  { rules = {}, headers = {}, table: routes = table }: Asked = {},
): FoundRequest | undefined {
  const [method, url] = target.split(' ') as [string, string]
  return findRequest({ ...defaults, ...rules }, routes, method, url, { headers })
}

function answer(target: string, asked: Asked) {
  const { rules = {}, table: routes = table, ...request } = asked
  return receiveAndDecide({ ...defaults, ...rules }, routes, target, request)
}

describe('findRequest', () => {
  it.each<[target: string, asked: Asked, found: string | undefined]>([
    ['GET /items', {}, 'endpoint GET /items'],
    ['GET /app/items?a=1', {}, 'endpoint GET /items'],
    ['HEAD /items', {}, 'endpoint GET /items'],
    ['GET /itemsets', {}, undefined],
    ['DELETE /items', {}, undefined],
    ['GET /graphql', {}, undefined],
    ['GET /graphql?query={a}', {}, 'endpoint POST /graphql'],
    ['GET /graphql', { rules: { graphiql: true } }, undefined],
    ['GET /graphql', { headers: { accept: html } }, undefined],
    ['GET /graphql', { rules: { graphiql: true }, headers: { accept: html } }, 'graphiql POST /graphql'],
    ['HEAD /app/graphql', { rules: { graphiql: true }, headers: { accept: html } }, 'graphiql POST /graphql'],
    ['GET /items', { rules: { graphiql: true }, headers: { accept: html } }, 'endpoint GET /items'],
    ['POST /graphql', { rules: { graphiql: true }, headers: { accept: html } }, 'endpoint POST /graphql'],
    ['OPTIONS /items', { headers: preflight('PUT') }, undefined],
    ['OPTIONS /items', { rules: checked, headers: preflight('PUT') }, 'preflight PUT /items'],
    ['OPTIONS /items', { rules: checked, headers: preflight('DELETE') }, undefined],
    ['OPTIONS /items', { rules: checked }, undefined],
    ['OPTIONS /any', { rules: checked, headers: preflight('PURGE') }, 'preflight * /any'],
    ['OPTIONS /any', { rules: checked }, 'endpoint * /any'],
    ['HEAD /any', {}, 'endpoint GET /any'],
    ['OPTIONS /items', { rules: noCors, headers: preflight('PUT') }, undefined],
  ])('%s with %j: %s', (target, asked, expected) => {
    const found = find(target, asked)
    expect(found && `${found.kind} ${found.match.endpoint.method} ${found.match.endpoint.path}`).toBe(
      expected,
    )
  })

  it.each(['GET /other', 'POST /items', 'GET /graphql/deeper', 'GET /src/main.ts'])(
    '%s is not ours, and its headers are not read',
    (target) => {
      const [method, url] = target.split(' ') as [string, string]
      const source = {
        get headers(): never {
          throw new Error('read')
        },
      }
      const rules = { ...defaults, ...checked, graphiql: true }
      expect(findRequest(rules, table, method, url, source)).toBeUndefined()
    },
  )
})

it.each<[target: string, asked: Asked, isRead: boolean]>([
  ['GET /items', {}, false],
  ['POST /search', {}, true],
  ['POST /graphql', {}, true],
  ['GET /graphql', { rules: { graphiql: true }, headers: { accept: html } }, false],
  ['OPTIONS /search', { rules: checked, headers: preflight('POST') }, false],
  ['POST /search', { rules: checked, headers: { origin: foreign } }, false],
  ['POST /search', { rules: checked, headers: { origin: local } }, true],
])('%s with %j needs the body: %s', async (target, asked, expected) => {
  expect(await answer(target, asked)).toMatchObject({ hasReadBody: expected })
})

const visit = { headers: { accept: html } }
const hasPages = { rules: { hasPages: true } }
const toApp = { table: pagesFirst, rules: { navigation: 'passthrough' as const } }

describe('a navigation', () => {
  it.each<[target: string, asked: Asked, expected: object]>([
    ['GET /items', visit, { body: 'items', code: undefined }],
    ['GET /items', { ...visit, ...hasPages }, { body: 'items', code: 'navigation-answered' }],
    ['GET /code', { ...visit, ...hasPages }, { body: 'code', code: 'navigation-answered' }],
    ['GET /items', { ...hasPages, headers: { accept: '*/*' } }, { body: 'items', code: undefined }],
    ['GET /data', { ...visit, ...hasPages }, { body: 'data', code: undefined }],
    ['GET /about', visit, { kind: 'pass' }],
    ['HEAD /about', visit, { kind: 'pass' }],
    ['GET /about', {}, { body: 'about' }],
    ['GET /items', { ...visit, ...toApp }, { kind: 'pass', code: undefined }],
    ['GET /page', { ...visit, ...toApp }, { kind: 'pass' }],
    ['GET /page', toApp, { status: 404 }],
    ['GET /items', toApp, { status: 200 }],
    ['GET /data', { ...visit, ...toApp }, { body: 'data' }],
  ])('%s with %j: %j', async (target, asked, expected) => {
    expect(summary(await answer(target, asked))).toMatchObject(expected)
  })
})

describe('the answer', () => {
  it.each<[target: string, asked: Asked, expected: object]>([
    ['GET /items', {}, { status: 200, body: 'items', wait: 0, cors: [] }],
    ['GET /slow', {}, { body: 'late', wait: 300 }],
    ['GET /code', {}, { body: 'code' }],
    ['GET /page', {}, { status: 404, code: 'route-unmatched' }],
    ['GET /page', { rules: passthrough }, { kind: 'pass', code: undefined }],
    ['GET /page?page=2', { rules: passthrough }, { body: 'page 2' }],
    ['POST /search', { body: bytes('{"a":1}') }, { body: 'found' }],
    ['POST /search', { body: bytes('{"a":2}') }, { status: 404, code: 'route-unmatched' }],
    ['POST /search', { body: bytes('{"a":2}'), rules: passthrough }, { kind: 'pass' }],
    ['POST /search', {}, { status: 404, code: 'route-unmatched' }],
    ['POST /search', { body: bytes('{') }, { status: 400, code: 'request-body-malformed' }],
    ['POST /search', { body: { kind: 'too-large', limit: 9 } }, { status: 413 }],
    ['POST /search', { body: { kind: 'too-large', limit: 9 }, rules: passthrough }, { kind: 'pass' }],
    ['POST /search', { body: { kind: 'encoding-unknown', accepted: ['gzip'] } }, { status: 415 }],
    ['POST /search', { body: { kind: 'used' }, rules: passthrough }, { status: 500, code: 'request-body-used' }],
    ['GET /graphql', { rules: { graphiql: true }, headers: { accept: html } }, { status: 200 }],
    ['GET /items', { rules: checked, headers: { origin: local } }, { body: 'items', cors: allows(local) }],
    ['GET /items', { rules: checked, headers: { origin: foreign } }, { status: 403, code: 'origin-refused' }],
    ['GET /items', { rules: checkedPassing, headers: fromForeign }, { kind: 'pass', code: 'origin-refused' }],
    ['GET /items', { rules: checked, headers: evilHost }, { status: 403, code: 'host-refused' }],
    ['GET /items', { headers: { upgrade: 'WebSocket' } }, { status: 501, code: 'upgrade-refused' }],
    ['GET /items', { headers: { upgrade: 'h2c' } }, { body: 'items' }],
    ['OPTIONS /items', { rules: checked, headers: preflight('PUT') }, { status: 204, cors: allows(local) }],
    ['OPTIONS /items', { rules: checked, headers: foreignPreflight }, { status: 403, code: 'origin-refused' }],
    [
      'GET /graphql',
      { rules: { ...checked, graphiql: true }, headers: { ...evilHost, accept: html } },
      { status: 403, code: 'host-refused' },
    ],
  ])('%s with %j: %j', async (target, asked, expected) => {
    expect(summary(await answer(target, asked))).toMatchObject(expected)
  }) // prettier-ignore

  it.each([
    ['GET /items', true],
    ['GET /items', false],
    ['GET /code', false],
  ])('%s names its route where routeHeader is %s', async (target, routeHeader) => {
    const { decision } = await answer(target, { rules: { routeHeader } })
    expect(decision!.response!.headers.includes('x-mock-route')).toBe(routeHeader)
  })
})

function preflight(method: string) {
  return { origin: local, 'access-control-request-method': method }
}

function allows(origin: string) {
  return ['access-control-allow-origin', origin, 'access-control-allow-credentials', 'true', 'vary', 'Origin']
}

function summary({ kind, decision, corsHeaders: cors }: Awaited<ReturnType<typeof answer>>) {
  const { response, diagnostic, wait } = decision ?? {}
  return { kind, code: diagnostic?.code, cors, wait, ...(response && readResponse(response)) }
}

describe('a page that is opened with ?mock-scenario=', () => {
  const page = { headers: { accept: html } }
  const visit = (url: string, { headers } = page, method = 'GET') =>
    pageVisit({ ...defaults, state: new MockState() }, table, method, url, { headers })

  it.each([
    ['/shop?mock-scenario=down', 'mock-scenario=down; Path=/; SameSite=Lax', 1],
    ['/shop?a=1&mock-scenario=a,b', 'mock-scenario=a,b; Path=/; SameSite=Lax', 2],
    ['/shop?mock-scenario=', 'mock-scenario=; Path=/; SameSite=Lax; Max-Age=0', 0],
  ])('%s sets the cookie, and names of no route are noticed', (url, cookie, notices) => {
    const visited = visit(url)!
    expect(visited.cookie).toBe(cookie)
    expect(visited.notices.map(({ code }) => code)).toEqual(Array(notices).fill('scenario-unknown'))
  })

  it.each<[why: string, visited: unknown]>([
    ['a request of a script', visit('/shop?mock-scenario=down', { headers: { accept: '*/*' } })],
    ['a form', visit('/shop?mock-scenario=down', page, 'POST')],
    ['another parameter', visit('/shop?mock-scenarios=down')],
    ['a path', visit('/mock-scenario=down')],
  ])('%s sets none', (_, visited) => expect(visited).toBeUndefined())
})
