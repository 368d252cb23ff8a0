import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPathFilter, mayMatch } from '../../src/core/path-filter.ts'
import { matchEndpoint } from '../../src/core/match.ts'
import { tableOf } from './send.ts'

describe('lets go', () => {
  const filter = createPathFilter(['/graphql', '/items', '/v', '/orders/:id'])
  it.each(['/src/main.js', '/@vite/client', '/', '/w', '/node_modules/a', '/favicon.ico'])('%s', (path) => {
    expect(mayMatch(filter, path)).toBe(false)
  })
  it.each(['/graphql', '/graphql/', '/items/', '/v', '/v/', '/orders/7', '/itemsets'])('not %s', (path) => {
    expect(mayMatch(filter, path)).toBe(true)
  })
})

it.each(['/:id', '/**', '/{a}?', '/a:b', '/caf%C3%A9', '/(a|b)'])('lets nothing go beside %s', (path) => {
  expect(createPathFilter([path]).all).toBe(true)
})

it('never lets go what the router would match', () => {
  const segment = fc.constantFrom(
    '',
    'a',
    'ab',
    'abc',
    'abcd',
    'b',
    'é',
    'a b',
    '%61',
    ':id',
    '**',
    '.',
    '~',
    'a:x',
  )
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join('/')}`)
  fc.assert(
    fc.property(path, path, (route, request) => {
      let table
      try {
        table = tableOf([{ path: route, response: {} }])
      } catch {
        return // rou3 refuses the pattern
      }
      const open = { ...table, filter: { ...table.filter, all: true } }
      const found = (filtered: typeof table) => matchEndpoint(filtered, 'GET', request, [''])?.endpoint.path
      expect(found(table)).toBe(found(open))
    }),
    { numRuns: 2000 },
  )
})
