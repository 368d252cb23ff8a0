import { describe, expect, it } from 'vitest'
import { candidatesOf } from '../../../src/core/answer/decision.ts'
import type { FixtureSelector } from '../../../src/core/schema/selector-schema.ts'
import { parsedRequest, tableOf } from '../send.ts'

type Route = [name: string, when: FixtureSelector | (() => boolean), scenario?: string]

describe('the nearest route', () => {
  it.each<[what: string, request: Parameters<typeof parsedRequest>, routes: Route[], order: string]>([
    ['the share of conditions counts, not their number', [{ search: 'a=1&b=2' }], [['one of one', { query: { a: 2 } }], ['two of four', { query: { a: 1, b: 2, c: 3, d: 4 } }]], 'two of four, one of one'],
    ['of equal shares, the fewer conditions', [{}], [['two', { query: { a: 2, b: 1 } }], ['one', { query: { a: 2 } }]], 'one, two'],
    ['a path parameter weighs more than all other conditions', [{}, undefined, { id: '7' }], [['id', { params: { id: 8 } }], ['others', { query: { a: 1, b: 2, c: 3 } }]], 'others, id'],
    ['a difference of type weighs less', [{}, { a: '7' }], [['value', { body: { a: 8 } }], ['type', { body: { a: 7 } }]], 'type, value'],
    ['so does a letter', [{ search: 'state=opne' }], [['other', { query: { state: 'closed' } }], ['letter', { query: { state: 'open' } }]], 'letter, other'],
    ['a letter in a path parameter', [{}, undefined, { id: 'oder-7' }], [['other', { params: { id: 'invoice-3' } }], ['letter', { params: { id: 'order-7' } }]], 'letter, other'],
    ['a predicate is one condition', [{ search: 'a=1' }], [['predicate', () => false], ['half', { query: { a: 1, b: 2 } }]], 'half, predicate'],
    ['routes of inactive scenarios come last', [{}], [['inactive', { query: { a: { $exists: false } } }, 'down'], ['two', { query: { a: 1, b: 2 } }]], 'two, inactive'],
    ['else the order of the file', [{}], [['first', { query: { a: 1 } }], ['second', { query: { a: 2 } }]], 'first, second'],
  ])('%s', (_, request, routes, order) => {
    const path = '/a/:id?'
    const table = tableOf(routes.map(([name, when, scenario]) => ({ name, path, when, ...(scenario && { scenario }) })))
    const names = candidatesOf(table.endpoints[0]!, parsedRequest(...request)).map(({ route }) => route.name)
    expect(names.join(', ')).toBe(order)
  }) // prettier-ignore
})
