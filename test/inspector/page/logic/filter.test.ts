import { expect, it } from 'vitest'
import {
  createFilter,
  createRequestFilter,
  hasToken,
  routeText,
  toggleToken,
  wordsOf,
} from '../../../../src/inspector/page/logic/filter.ts'
import { summary } from './request.ts'

it.each([
  ['', true],
  ['   ', true],
  ['checkout', true],
  ['CHECKOUT post', true],
  ['post checkout', true],
  ['checkout 200', false],
  ['-200', true],
  ['-404', false],
  ['"cart id"', true],
  ['"id cart"', false],
  ['-"cart id"', false],
  ['"cart', true],
  ['-', true],
  ['.*', false],
])('the filter %j', (filter, fits) => {
  expect(createFilter(filter)('POST /graphql Checkout\ncart id 404 a-b')).toBe(fits)
})

it('a request is found by all that is shown of it', () => {
  const request = summary({
    method: 'POST',
    url: '/caf%C3%A9?page=2',
    client: 'worker-1',
    operationName: 'Cart',
    operationType: 'query',
    variables: 'first: 20',
    status: 404,
    answeredBy: 'nothing',
    route: { id: 'GET /a #1', name: 'an order', file: 'fixtures/orders.yaml' },
    scenarios: ['payment-down'],
  })
  const words = [
    ...['post', 'café', 'caf%C3', 'worker-1', 'cart', 'query', '"first: 20"', '404', 'nothing'],
    ...['"no route"', '"an order"', 'orders.yaml', 'payment-down'],
  ]
  expect(words.filter((word) => !createRequestFilter(word, new Map())(request))).toEqual([])
  expect(createRequestFilter('undefined', new Map())(summary({ url: '/%' }))).toBe(false)
})

const requests = [
  summary({ id: 1, status: 200, duration: 1, route: { id: 'GET /a #1', name: 'an order' } }),
  summary({ id: 2, method: 'POST', status: 404, duration: 1, answeredBy: 'nothing' }),
  summary({ id: 3, method: 'POST', status: 503, duration: 1, operationName: 'Cart', operationType: 'query' }),
  summary({ id: 4, status: 404, duration: 1, answeredBy: 'passed-on' }),
  summary({ id: 5, duration: 3, answeredBy: 'fault' }),
  summary({ id: 6 }),
  summary({ id: 7, status: 200, duration: 1, errors: { mark: '1 error', message: 'No name.' } }),
]

it.each([
  ['status:404', [2, 4]],
  ['status:4xx status:503', [2, 3, 4]],
  ['status:404 method:post', [2]],
  ['-status:404 method:GET', [1, 5, 6, 7]],
  ['method:query', [3]],
  ['route:"an order"', [1]],
  ['is:miss', [2, 4]],
  ['is:error', [3, 5, 7]],
  ['is:miss is:error', [2, 3, 4, 5, 7]],
  ['is:graphql', [3, 7]],
  ['is:live', [6]],
  ['is:passed', [4]],
  ['is:nothing', []],
  ['status: is:', [1, 2, 3, 4, 5, 6, 7]],
  ['c-17', [2, 5]],
  ['-c-17 status:503', [3]],
])('the filter %j finds the requests %j', (filter, ids) => {
  const found = new Map([['c-17', new Set([2, 5])]])
  expect(requests.filter(createRequestFilter(filter, found)).map(({ id }) => id)).toEqual(ids)
})

it('the server is asked for words, and a chip adds its token or takes it away', () => {
  expect(wordsOf('Checkout is:miss -"c 17" status:404')).toEqual(['checkout', 'c 17'])
  expect(toggleToken('checkout', 'is:miss')).toBe('checkout is:miss')
  expect(toggleToken('is:miss  checkout', 'is:miss')).toBe('checkout')
  expect([hasToken('a is:miss', 'is:miss'), hasToken('-is:miss', 'is:miss')]).toEqual([true, false])
})

it('a route is found by name, path, file, scenario and selector', () => {
  const text = routeText({
    id: 'GET /orders #1',
    name: 'gone',
    method: 'GET',
    path: '/orders',
    file: 'fixtures/orders.yaml',
    when: { query: { page: 2 } },
    scenarios: ['sad'],
    answers: 'static',
    isGraphQL: false,
    isTemplate: false,
    hits: 0,
  })
  for (const word of ['/orders', 'gone', 'orders.yaml', 'sad', 'page', 'static'])
    expect(createFilter(word)(text)).toBe(true)
})
