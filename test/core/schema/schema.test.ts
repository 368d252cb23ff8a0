import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { fixtureSchema, paginateSchema, responseSchema } from '../../../src/core/schema/schema.ts'
import { selectorSchema } from '../../../src/core/schema/selector-schema.ts'

const schemas = { selector: selectorSchema, response: responseSchema, paginate: paginateSchema, fixture: fixtureSchema } // prettier-ignore
type Name = keyof typeof schemas
const check = (name: Name, value: unknown) => v.safeParse(schemas[name], value)

const respond = () => ({})

describe('accepts and does not change', () => {
  it.each<[name: Name, value: unknown]>([
    ['selector', {}],
    ['selector', { query: { a: 'x', b: 1, c: true, '': '' } }],
    ['selector', { params: {}, headers: { 'X-A': 1 }, cookies: {}, body: [null], variables: { a: {} } }],
    ['selector', { operationName: '', operationType: 'subscription', body: null }],
    ['response', {}],
    ['response', { status: 200, delay: 0, body: null }],
    ['response', { status: 599, delay: 2_147_483_647, file: './a.json' }],
    ['response', { headers: { "x-!#$%&'*+.^_`|~": 'a\tb é', b: 1, c: false, 'set-cookie': ['a', 'b'], d: '' } }], // prettier-ignore
    ['response', { delay: { min: 0, max: 0 } }],
    ['response', { delay: { median: 0 } }],
    ['response', { delay: { median: 300, sigma: 0.8 } }],
    ...['reset', 'empty', 'truncated', 'malformed', 'stalled', 'silent', { dribble: 0 }].map((fault): [Name, unknown] => ['response', { fault }]), // prettier-ignore
    ['paginate', { items: [1, null, {}], perPage: 1 }],
    [
      'fixture',
      [{ path: '/', response: { delay: 5 }, paginate: { items: [] }, rateLimit: { requests: 1, per: 1 } }],
    ],
    ['fixture', []],
    ['fixture', [{ path: '/', name: 'n', method: 'M-SEARCH', when: {}, response: {} }]],
    ['fixture', [{ path: '/', when: respond, response: respond }]],
    ['fixture', [{ path: '/', paginate: { items: [] } }]],
  ])('a %s such as %j', (name, value) => {
    expect(check(name, value)).toMatchObject({ success: true, output: value })
  })
})

describe('refuses', () => {
  it.each<[name: Name, value: unknown]>([
    ['fixture', [{ path: '/', when: [] }]],
    ['selector', null],
    ['selector', { query: { a: null } }],
    ['selector', { query: [] }],
    ['selector', { operationType: 'QUERY' }],
    ['selector', { other: 1 }],
    ['fixture', [{ path: '/', response: [] }]],
    ['fixture', [{ path: '/', response: new Map() }]],
    ['fixture', [[]]],
    ['response', { status: 199 }],
    ['response', { status: 600 }],
    ['response', { status: 200.5 }],
    ['response', { delay: -1 }],
    ['response', { delay: 2_147_483_648 }],
    ['response', { delay: 0.5 }],
    ['response', { delay: {} }],
    ['response', { delay: { min: 1 } }],
    ['response', { delay: { min: 2, max: 1 } }],
    ['response', { delay: { min: 1, max: 2, median: 1 } }],
    ['response', { delay: { median: 1, sigma: -1 } }],
    ['response', { delay: { median: NaN } }],
    ['response', { delay: null }],
    ['response', { fault: 'Reset' }],
    ['response', { fault: {} }],
    ['response', { fault: { dribble: -1 } }],
    ['response', { fault: null }],
    ['fixture', [{ path: '/', rateLimit: { requests: 1 } }]],
    ['fixture', [{ path: '/', rateLimit: { requests: 1, per: 0 } }]],
    ['fixture', [{ path: '/', rateLimit: [] }]],
    ['response', { headers: { 'a:': '' } }],
    ['response', { headers: { '': '' } }],
    ['response', { headers: { a: 'b\n' } }],
    ['response', { headers: { a: ['b', 'c\0'] } }],
    ['response', { headers: { a: [1] } }],
    ['paginate', { items: [], perPage: 0 }],
    ['paginate', { items: [], perPage: 1.5 }],
    ['fixture', {}],
    ['fixture', [{ path: 'a' }]],
    ['fixture', [{ path: '/', method: '' }]],
    ['fixture', [{ path: '/', method: 'GET,POST' }]],
    ['fixture', [{ path: '/', name: '' }]],
    ['fixture', [{ path: '/', response: null }]],
  ])('a %s such as %j', (name, value) => {
    expect(check(name, value).success).toBe(false)
  })
})
