import { describe, expect, it } from 'vitest'
import type { GraphQLResult } from '../../../src/core/graphql/result.ts'
import { Budget } from '../../../src/core/graphql/budget.ts'
import { checkerOf, run } from './check.ts'

const checker = checkerOf('type Query { u: Query, us: [Query!], n: Int, nn: Int!, ns: [Int], text: String }')
const many = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ')
const doubled = (field: string, extra = '') =>
  `{...F0} ${many(90, (i) => `fragment F${i} on Query{x:${field}{...F${i + 1} ${extra}} y:${field}{...F${i + 1} ${extra}}}`)} fragment F90 on Query{n}`
const list = (item: unknown, length = 100_000) => Array.from({ length }, () => item)
const budgeted = (query: string, fixture: GraphQLResult, units = 100_000) => {
  const budget = new Budget(units)
  return { result: run(checker, query, fixture, {}, budget), budget }
}

/** Small documents and fixtures, large answers. Every one of them would take minutes, or for ever. */
describe('refuses an answer that would be too large', () => {
  it.each<[what: string, query: string, fixture: unknown]>([
    ['fragments that double', doubled('u'), {}],
    ['lists that double', doubled('us'), {}],
    ['aliases of a long list', `{${many(1000, (i) => `a${i}:us{n}`)}}`, { us: list({ n: 1 }) }],
    ['aliases of a long list without fields', `{${many(1000, (i) => `a${i}:us{... on Query @skip(if: true){n}}`)}}`, { us: list({}) }],
    ['__typename again and again', `{us{${many(3000, (i) => `a${i}:__typename`)}}}`, { us: list({}, 1000) }],
    ['aliases of a long list of values', `{${many(1000, (i) => `a${i}:ns`)}}`, { ns: list(1) }],
    ['aliases of a value in a long list', `{us{${many(100, (i) => `a${i}:n`)}}}`, { us: list({ n: 1 }, 1000) }],
    ['aliases of a long text', `{${many(3000, (i) => `a${i}:text`)}}`, { text: 'x'.repeat(1_000_000) }],
    ['selections that are merged again and again', doubled('u', '...W') + `fragment W on Query{${'n '.repeat(6000)}}`, {}],
    ['values that do not fit', `{us{${many(2000, (i) => `a${i}:n`)}}}`, { us: list({ n: 'x' }, 1000) }],
    ['nulls that must not be', `{us{${many(2000, (i) => `a${i}:u{nn}`)}}}`, { us: list({ u: { nn: null } }, 1000) }],
    ['lists that do not fit', `{${many(2000, (i) => `a${i}:ns`)}}`, { ns: list('x', 1000) }],
  ])('%s', (_, query, data) => {
    const { result, budget } = budgeted(query, { data } as GraphQLResult, 10_000)
    expect(result.data).toBeUndefined()
    expect(result.errors![0]).toEqual(budget.error)
    // Where the budget ends, so does the work: no step goes far beyond it.
    expect(budget.left).toBeGreaterThan(-20_000)
  }) // prettier-ignore

  it('with the first of the errors that are too many', () => {
    const result = budgeted('{us{n}}', { data: { us: list({ n: 'x' }, 3000) } }, 10_000).result
    expect(result.errors!.slice(1)).toEqual([
      { message: 'Int cannot represent non-integer value: "x"', locations: [{ line: 1, column: 5 }], path: ['us', 0, 'n'] },
    ])
  }) // prettier-ignore
})

describe('answers requests that only look large', () => {
  it.each<[what: string, query: string, data: unknown]>([
    ['a long list', '{us{n}}', { us: list({ n: 1 }, 40_000) }],
    ['a long list of values', '{ns}', { ns: list(1) }],
    ['a long text', '{text}', { text: 'x'.repeat(1_000_000) }],
    ['a list of which the first item is wrong', '{us{nn}}', { us: list({ nn: null }, 5000) }],
  ])('%s', (_, query, data) => {
    expect(budgeted(query, { data } as GraphQLResult).result).toHaveProperty('data')
  })
})

it.each<[what: string, fixture: GraphQLResult]>([
  ['thrown', { errors: Array.from({ length: 12 }, (_, i) => ({ message: 'no', path: [...list('u', i + 1), 'n'] as string[] })) }],
  ['below a null', { data: { u: null }, errors: [{ message: 'no', path: list('u', 90) as string[] }] }],
  ['with data: null', { data: null, errors: [{ message: 'no', path: list('u', 80) as string[] }] }],
])('places errors under many aliases in bounded time: %s', (_, fixture) => {
  const { result } = budgeted(doubled('u'), fixture)
  expect(result.errors!.length).toBeGreaterThan(0)
  expect(result.errors!.length).toBeLessThan(2000)
}) // prettier-ignore
