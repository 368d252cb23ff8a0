import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPrefilter, mayMatch } from '../../../src/core/table/prefilter.ts'
import { matchEndpoint } from '../../../src/core/table/match.ts'
import { tableOf } from '../send.ts'
import { sampling } from '../../sampling.ts'

describe('rejects URLs that no route can match', () => {
  const prefilter = createPrefilter(['/graphql', '/items', '/v', '/orders/:id'])
  it.each(['/src/main.js', '/@vite/client', '/wx', '/node_modules/a', '/favicon.ico'])('%s', (url) => {
    expect(mayMatch(prefilter, url, 0)).toBe(false)
    expect(mayMatch(prefilter, `/api${url}`, 4)).toBe(false)
  })
  it.each(['/graphql', '/items?page=1', '/v', '/v/', '/v?a', '/orders/7', '/%69tems', '/i%74ems', '/'])(
    'accepts %s',
    (url) => {
      expect(mayMatch(prefilter, url, 0)).toBe(true)
      expect(mayMatch(prefilter, `/api${url}`, 4)).toBe(true)
    },
  )
})

it.each(['/:id', '/**', '/{a}?', '/a:b', '/caf%C3%A9', '/(a|b)', '/./a', '/a/../b'])(
  'accepts every URL if a route is %s',
  (path) => {
    expect(mayMatch(createPrefilter(['/items', path]), '/src/main.js', 0)).toBe(true)
  },
)

it('never rejects a URL that the router matches', () => {
  const segment = fc.constantFrom(
    '',
    'a',
    'ab',
    'abc',
    'b',
    'é',
    'a b',
    '%61',
    ':id',
    '**',
    '.',
    '..',
    '~',
    'a:x',
  )
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join('/')}`)
  fc.assert(
    fc.property(path, path, fc.constantFrom('', '?', '?a=1'), (route, request, search) => {
      let table
      try {
        table = tableOf([{ path: route, response: {} }])
      } catch {
        return // rou3 refuses the pattern
      }
      const open = { ...table, prefilter: new Uint8Array(table.prefilter.length).fill(1) }
      const found = (from: typeof table) => matchEndpoint(from, 'GET', request + search, [''])?.endpoint.path
      expect(found(table)).toBe(found(open))
    }),
    { ...sampling(1000), examples: [['//:id', '//:id', '']] },
  )
})
