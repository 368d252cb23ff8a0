import { expect, it } from 'vitest'
import { createFilter, requestText, routeText } from '../../../../src/inspector/page/logic/filter.ts'
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
  expect(words.filter((word) => !createFilter(word)(requestText(request)))).toEqual([])
  expect(createFilter('undefined')(requestText(summary({ url: '/%' })))).toBe(false)
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
