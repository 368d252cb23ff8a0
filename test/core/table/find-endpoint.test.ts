/*
 * Most paths are in an index of our own; with few endpoints, a router is compiled later. Both find what the router alone would
 * find.
 */
import fc from 'fast-check'
import { addRoute, createRouter, findRoute, routeNodeKeys } from 'rou3'
import { describe, expect, it } from 'vitest'
import { isSimplePath } from '../../../src/core/http/path.ts'
import { findPathProblem } from '../../../src/core/http/path-problem.ts'
import { pathRouter } from '../../../src/core/http/path-router.ts'
import { compileFind } from '../../../src/core/table/compile-find.ts'
import { makeFind, makeLocate } from '../../../src/core/table/find-endpoint.ts'
import type { Endpoint } from '../../../src/core/table/route-table.ts'

const endpoint = (method: string, path: string) => ({ method, path }) as Endpoint
/** More endpoints than a compiled router has. */
const fillers = Array.from({ length: 101 }, (_, index) => endpoint('GET', `/f/${index}/:id`))

function routerOf(endpoints: readonly Endpoint[]) {
  const router = createRouter<Endpoint>()
  for (const one of endpoints) addRoute(router, one.method, one.path, one)
  return (method: string, path: string) => findRoute(router, method, path)
}

const segment = fc.constantFrom('a', 'b', 'c', ':x', ':y')
const simple = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`)
const other = fc.constantFrom(
  '/**',
  '/a/**',
  '/a/**:rest',
  '/:x/**',
  '/a/:x?',
  '/a/:x.json',
  '/:x-b/c',
  '/a/b:x',
  '/*',
  '/',
)
const pattern = fc.oneof({ weight: 4, arbitrary: simple }, { weight: 1, arbitrary: other })
const method = fc.constantFrom('GET', 'POST')
const requestSegment = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  ':',
  ':x',
  '*',
  '',
  'a.json',
  'x-b',
  'bx',
  '%3F',
  'f',
)
const requestPath = fc.array(requestSegment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`)

/** Those that `addRoute` accepts, without those that match the same requests as an earlier one. */
function valid(list: readonly Endpoint[]): Endpoint[] {
  const keys = new Set<string>()
  return list.filter(({ method, path }) => {
    if (findPathProblem(path, pathRouter)) return false
    const key = `${method} ${routeNodeKeys(path).join(' ')}`
    return !keys.has(key) && keys.add(key)
  })
}

describe('makeFind', () => {
  it.each([
    ['many', fillers],
    ['few', []],
  ])('finds with %s targets what the router finds', async (_, more) => {
    const endpoints = fc.array(fc.tuple(method, pattern), { maxLength: 12 })
    const property = async (list: [string, string][], requests: [string, string][]) => {
      const all = [...valid(list.map(([method, path]) => endpoint(method, path))), ...more]
      const compiling = { after: 10, load: () => Promise.resolve(compileFind) }
      const [find, expected] = [makeFind(all, makeLocate(all, pathRouter, compiling)), routerOf(all)]
      for (const [method, path] of requests) {
        const [found, wanted] = [find(method, path), expected(method, path)]
        expect([found?.data, { ...found?.params }]).toEqual([wanted?.data, { ...wanted?.params }])
        await Promise.resolve() // a router may have been compiled
      }
    }
    const requests = fc.array(fc.tuple(method, requestPath), { minLength: 20 })
    await fc.assert(fc.asyncProperty(endpoints, requests, property))
  })

  it.each([
    ['compiles a router after some requests', compileFind, [11]],
    [
      'goes on without one where code can not be compiled',
      () => {
        throw new EvalError('Code generation from strings disallowed for this context')
      },
      [11],
    ],
  ])('%s', async (_, compile, compiledAfter) => {
    const after: number[] = []
    let count = 0
    const load = () => {
      after.push(count)
      return Promise.resolve(compile)
    }
    const find = makeFind(
      [endpoint('GET', '/a/:id')],
      makeLocate([endpoint('GET', '/a/:id')], pathRouter, { after: 10, load }),
    )
    for (count = 1; count < 20; count++) {
      expect({ ...find('GET', '/a/7')?.params }).toEqual({ id: '7' })
      await Promise.resolve()
    }
    expect(after).toEqual(compiledAfter)
  })

  it.each([
    ['/f/7/x', 'GET', '/f/7/:id', { id: 'x' }],
    ['/f/7/x/', 'GET', '/f/7/:id', { id: 'x' }],
    ['/f/7/', 'GET', undefined, undefined],
    ['/f/7//', 'GET', undefined, undefined],
    ['/f/7/x', 'POST', undefined, undefined],
  ])('%s %s', (path, method, found, params) => {
    const result = makeFind(fillers, makeLocate(fillers, pathRouter))(method, path)
    expect([result?.data.path, result?.params && { ...result.params }]).toEqual([found, params])
  })
})

it.each([
  ['/', '/'],
  ['//', undefined],
])('the root is found at %s: %s', (path, found) => {
  const endpoints = [endpoint('POST', '/')]
  const find = makeFind(endpoints, makeLocate(endpoints, pathRouter))
  expect(find('POST', path)?.data.path).toBe(found)
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

  it.each([
    '/:a/:a',
    '/:a-b',
    '/:a?',
    '/**',
    '/a:b',
    '/:1',
    '/a/',
    '/.a',
    '/é',
    '/%20',
    '/\\:a',
    '/:a.b',
    'a',
  ])('%s is not', (path) => {
    expect(isSimplePath(path)).toBe(false)
  })
})
