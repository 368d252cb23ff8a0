import { describe, expect, it } from 'vitest'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { callItems } from '../../../src/loader/module/call-items.ts'

function parse(items: unknown) {
  const { routes, diagnostics } = parseFixture([{ path: '/a', paginate: { items } }], {
    file: 'fixtures/a.ts',
    locate: () => ({ line: 1 }),
    isCode: true,
  })
  expect(diagnostics).toEqual([])
  return routes
}

function thrown(stack: string): Error {
  return Object.assign(new Error('no list'), { stack })
}

describe('a list that a function makes', () => {
  it('is not affected by later changes', () => {
    const items = [{ id: 1 }]
    const { routes, diagnostics } = callItems(parse(() => items))
    items[0]!.id = 2
    expect([routes[0]!.paging!.items, diagnostics]).toEqual([[{ id: 1 }], []])
  })

  it('can be anything that can be iterated over', () => {
    expect(callItems(parse(() => new Set([1, 2]))).routes[0]!.paging!.items).toEqual([1, 2])
  })

  it('is not asked for where the route has an error already', () => {
    const [route] = parse(() => expect.unreachable())
    const { routes, diagnostics } = callItems([{ ...route!, error: { code: 'path-invalid' } as never }])
    expect([routes[0]!.error, diagnostics]).toEqual([{ code: 'path-invalid' }, []])
  })

  it.each<[what: string, items: () => unknown, message: string, line: number]>([
    ['an object', () => ({}), '"items" returned an object, not a list.', 1],
    ['nothing', () => undefined, '"items" returned nothing, not a list.', 1],
    ['a promise', () => Promise.reject(new Error('no list')), '"items" returned a promise.', 1],
    ['what JSON has not', () => [new Set()], 'items[0] is a Set.', 1],
    ['what throws', () => { throw thrown('Error: no list\n    at items (/p/fixtures/a.ts:7:3)') }, 'no list.', 7],
    ['what throws elsewhere', () => { throw thrown('Error: no list\n    at items (/p/lib/b.ts:7:3)') }, 'no list.', 1],
    ['what throws in its stack', () => { throw Object.defineProperty(new Error('no list'), 'stack', { get() { throw new Error('x') } }) }, 'no list.', 1],
    ['an iterator that throws', () => ({ [Symbol.iterator]() { throw thrown('') } }), 'no list.', 1],
  ])('%s is an error of its route', (_, items, message, line) => {
    const { routes, diagnostics } = callItems(parse(items))
    expect(diagnostics).toMatchObject([
      {
        code: 'items-failed',
        message: `The items of the list can't be read: ${message}`,
        file: 'fixtures/a.ts',
        line,
        pointer: '/0/paginate/items',
      },
    ])
    expect(routes).toMatchObject([{ path: '/a', error: diagnostics[0], paging: undefined }])
  }) // prettier-ignore

  it('a missing folder that was not configured is an error, not an empty list', () => {
    const { table } = compileRoutes(
      parse(() => []),
      { graphql: defaultGraphQL },
    )
    expect(table.endpoints[0]!.routes[0]!.response).toMatchObject({ kind: 'broken' })
  })
})
