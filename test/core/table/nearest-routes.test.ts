import { describe, expect, it } from 'vitest'
import type { FixtureSelector } from '../../../src/core/schema/selector-schema.ts'
import { findNearest } from '../../../src/core/table/route-index.ts'
import { parsedRequest, send, tableOf } from '../send.ts'

const endpointOf = (whens: readonly FixtureSelector[]) =>
  tableOf(whens.map((when) => ({ path: '/a', when }))).endpoints[0]!
const numbers = (length: number) => Array.from({ length }, (_, index) => index)

describe('findNearest', () => {
  it('picks all of a few routes', () => {
    const { routes } = endpointOf(numbers(200).map((id) => ({ query: { id } })))
    expect(findNearest(routes, parsedRequest())).toEqual(routes)
  })

  it.each<[what: string, whens: (index: number) => FixtureSelector, search: string, nearest: string]>([
    ['one condition is met', (id) => ({ query: { id, tenant: 'a' } }), 'id=999', 'GET /a #1000'],
    ['all but the operators are met', (id) => ({ query: { id, x: { $gt: 1 } } }), 'id=999', 'GET /a #1000'],
    ['none is met', (id) => ({ query: { id } }), 'id=x', 'GET /a #1'],
    ['only operators', (id) => ({ query: { id: { $gt: id + 10 } } }), 'id=1', 'GET /a #1'],
    ['operators behind equalities', (id) => (id < 999 ? { query: { id, b: 1 } } : { query: { x: { $gt: 1 } } }), 'id=x', 'GET /a #1000'],
  ])('of 1 000 routes, where %s', async (_, whenOf, search, nearest) => {
    const { body } = await send(
      tableOf(numbers(1000).map((index) => ({ path: '/a', when: whenOf(index) }))),
      `GET /a?${search}`,
    )
    const { error } = body as { error: { routes: { route: string }[]; more: number } }
    expect(error.routes[0]!.route).toBe(nearest)
    expect([error.routes.length, error.more]).toEqual([20, 980])
  }) // prettier-ignore

  it('never picks more than 200 routes', () => {
    const { routes } = endpointOf(numbers(2000).map((id) => ({ query: { tenant: 'a', id } })))
    for (const search of ['', 'tenant=a', 'id=7', 'tenant=a&id=x'])
      expect(findNearest(routes, parsedRequest({ search }))).toHaveLength(200)
  })
})
