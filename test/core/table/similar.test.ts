import { describe, expect, it } from 'vitest'
import {
  describeCaught,
  describeMissing,
  describeUnanswered,
  findSimilar,
} from '../../../src/core/table/similar.ts'
import { matchEndpoint } from '../../../src/core/table/match.ts'
import { tableOf } from '../send.ts'

const table = tableOf([
  { path: '/items', response: {} },
  { path: '/orders/:id', response: {} },
  { path: '/graphql', response: {} },
  { path: '/v', response: {} },
])

describe('suggests similar endpoints for', () => {
  it.each([
    ['GET /item', 'GET /items'],
    ['GET /itmes', 'GET /items'],
    ['GET /api/items', 'GET /items'],
    ['GET /api/v1/orders/7', 'GET /orders/:id'],
    ['DELETE /items', 'GET /items'],
    ['POST /orders/7', 'GET /orders/:id'],
    ['GET /order/7', 'GET /orders/:id'],
    ['GET /graphql', 'POST /graphql'],
    ['POST /graphq', 'POST /graphql'],
    ['HEAD /xrdxrs/7', 'GET /orders/:id'],
  ])('%s: %s', (request, similar) => {
    const [method, path] = request.split(' ') as [string, string]
    const diagnostic = findSimilar(table, method, path)!
    expect(diagnostic).toMatchObject({ code: 'route-similar', severity: 'warning' })
    expect(diagnostic.message).toBe(
      `No route answers ${request}. Did you mean ${similar} (fixtures/a.ts:1:1)?`,
    )
  })
})

it.each([
  ['GET', 'path: /bills.'],
  ['HEAD', 'path: /bills.'], // a GET route answers it
  ['DELETE', 'method: DELETE, path: /bills.'],
])('the route to write for a %s that nothing is similar to', (method, route) => {
  expect(describeMissing(method, '/bills?a=1', [''], true).fix).toBe(
    `Add a route to a fixture file: ${route}`,
  )
})

it('a path that repeats the base is to be written without it', () => {
  const repeating = tableOf([{ path: '/api/orders/:id' }])
  expect(describeUnanswered(repeating, 'GET', '/api/orders/7', ['/api'])).toMatchObject({
    message: expect.stringContaining('Did you mean GET /api/api/orders/:id (') as string,
    fix: 'The base "/api" is put before the path of every route, so write path: /orders/:id.',
  })
})

it.each([
  ['/_nuxt/itemz', '/_nuxt/items'],
  ['/itemz', '/items'],
])('of several bases, the suggestion for %s has that of the request', (url, similar) => {
  expect(describeUnanswered(table, 'GET', url, ['/_nuxt', ''])!.message).toContain(
    `Did you mean GET ${similar} (`,
  )
})

it('includes the base in the suggestion', () => {
  const names = { asked: '/items', base: '/api' }
  expect(findSimilar(table, 'GET', '/items', names)!.message).toBe(
    'No route answers GET /items. Did you mean GET /api/items (fixtures/a.ts:1:1)?',
  )
})

it.each([
  ['GET /orders/100%', ['']],
  ['GET /orders/%E4?a=1', ['']],
  ['GET /app/orders/%zz', ['/app', '']],
])('%s is malformed', (request, bases) => {
  const [method, url] = request.split(' ') as [string, string]
  expect(describeUnanswered(table, method, url, bases)).toMatchObject({
    code: 'request-path-malformed',
    message: `No route answers ${request.split('?')[0]}: the percent-encoding of its path is malformed, so that GET /orders/:id (fixtures/a.ts:1:1) does not match.`,
  })
})

it.each(['GET /orders/100%25', 'GET /%', 'GET /orders/%/%'])('%s is not', (request) => {
  const [method, url] = request.split(' ') as [string, string]
  expect(describeUnanswered(table, method, url, [''])?.code).not.toBe('request-path-malformed')
})

describe('suggests nothing for', () => {
  const tooLong = `/order/${'7'.repeat(500)}`
  it.each(['/', '/about', '/w', '/users/7', '/items/7', '/orders', '/settings/profile', '/x', tooLong])(
    '%s',
    (path) => {
      expect(findSimilar(table, 'GET', path)).toBeUndefined()
    },
  )
})

describe('a route for every path', () => {
  const withDown = (scenario?: string) =>
    tableOf([{ path: '/orders' }, { path: '/**', method: '*', ...(scenario && { scenario }) }])

  it.each<[url: string, message: string]>([
    ['/ordrs', 'No route answers GET /ordrs. Did you mean GET /orders (fixtures/a.ts:1:1)?'],
    ['/elsewhere', 'No route answers GET /elsewhere: the only routes for it are in the scenario "down", which is not active.'],
  ])('in an inactive scenario leaves the suggestion for %s', (url, message) => {
    expect(describeUnanswered(withDown('down'), 'GET', url, [''])).toMatchObject({ message })
  }) // prettier-ignore

  it('of a scenario may be for a part of them', () => {
    const table = tableOf([{ path: '/api/orders/:id' }, { path: '/api/*', scenario: 'down' }])
    const { message } = describeUnanswered(table, 'GET', '/api/order', [''])!
    expect(message).toContain('the scenario "down", which is not active')
    expect(describeUnanswered(table, 'GET', '/api/order/7', [''])?.message).toContain(
      'Did you mean GET /api/orders/:id',
    )
  })

  it.each<[request: string, message: string | undefined]>([
    ['GET /api/ordrs?a=1', 'Only the wildcard "* /**" answers GET /api/ordrs. Did you mean GET /api/orders (fixtures/a.ts:1:1)?'],
    ['POST /api/elsewhere', undefined],
  ])('that answers %s does not hide what was meant', (request, message) => {
    const [method, url] = request.split(' ') as [string, string]
    const one = withDown()
    expect(describeCaught(one, matchEndpoint(one, method, url, ['/api'])!, { method, url })?.message).toBe(message)
  }) // prettier-ignore
})
