import fc from 'fast-check'
import { routeNodeKeys } from 'rou3'
import { describe, expect, it } from 'vitest'
import { isSimplePath } from '../../../src/core/http/path.ts'
import { createFind, firstSegments, matchEndpoint } from '../../../src/core/table/match.ts'
import type { Endpoint } from '../../../src/core/table/route-table.ts'
import { sampling } from '../../sampling.ts'
import { tableOf } from '../send.ts'

const findAmong = (...paths: string[]) =>
  createFind(paths.map((path) => ({ method: 'GET', path }) as Endpoint))

const segment = fc.constantFrom('a', 'b', 'c', ':x', ':y')
const simple = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`)

describe('createFind', () => {
  it('of two paths, the one with a literal segment at the first difference comes first', () => {
    const nameless = (path: string) => path.replace(/:\w+/g, ':')
    const fits = (path: string, request: string) => {
      const [wanted, given] = [path.split('/'), request.split('/')]
      return wanted.length === given.length && wanted.every((part, i) => part[0] === ':' || part === given[i])
    }
    const rank = (path: string) => path.replace(/[^/:]+/g, '0').replace(/:\w*/g, '1')
    const request = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 })
      .map((parts) => `/${parts.join('/')}`)
    const paths = fc.uniqueArray(simple.filter(isSimplePath), { selector: nameless, maxLength: 12 })
    fc.assert(
      fc.property(paths, request, (paths, request) => {
        const [expected] = paths
          .filter((path) => fits(path, request))
          .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
        expect(findAmong(...paths)('GET', request)?.data.path).toBe(expected)
        expect(findAmong(...paths)('POST', request)).toBeUndefined()
      }),
    )
  })
})

describe('isSimplePath', () => {
  it('two simple paths are on the same node of the router if they differ in the names alone', () => {
    const nameless = (path: string) => path.replace(/:\w+/g, ':')
    fc.assert(
      fc.property(simple, simple, (a, b) => {
        fc.pre(isSimplePath(a) && isSimplePath(b))
        expect(routeNodeKeys(a).join() === routeNodeKeys(b).join()).toBe(nameless(a) === nameless(b))
      }),
    )
  })

  it.each(['/', '/a', '/a/:id', '/:a/:b', '/a.b/:id/~c'])('%s is, and has no problem', (path) => {
    expect(isSimplePath(path)).toBe(true)
    expect(() => routeNodeKeys(path)).not.toThrow()
  })

  it.each('/:a/:a /:a-b /:a? /** /a:b /:1 /a/ /.a /é /%20 /\\:a /:a.b a'.split(' '))('%s is not', (path) => {
    expect(isSimplePath(path)).toBe(false)
  })
})

it.each<[paths: string[], first: string[] | undefined]>([
  [
    ['/graphql', '/a.b/:id', '/@x/y', '/', '//x'],
    ['graphql', 'a.b', '@x', ''],
  ],
  ...['/:id', '/**', '/{a}?', '/a:b', '/caf%C3%A9', '/(a|b)', '/./a', '/a/../b'].map(
    (path): [string[], undefined] => [['/items', path], undefined],
  ),
])('%j can begin with %j', (paths, first) => {
  expect(firstSegments(paths)).toEqual(first && new Set(first))
})

it('the first segment never rules out a URL that the router matches', () => {
  const segment = fc.constantFrom('', 'a b', ...'a ab abc b é %61 :id ** . .. ~ a:x'.split(' '))
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join('/')}`)
  fc.assert(
    fc.property(path, path, fc.constantFrom('', '?', '?a=1'), (route, request, search) => {
      let table
      try {
        table = tableOf([{ path: route, response: {} }])
      } catch {
        return // rou3 refuses the pattern
      }
      const open = { ...table, firstSegments: undefined }
      const found = (from: typeof table) => matchEndpoint(from, 'GET', request + search, [''])?.endpoint.path
      expect(found(table)).toBe(found(open))
    }),
    { ...sampling(300), examples: [['//:id', '//:id', '']] },
  )
})
