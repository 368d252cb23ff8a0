import { expect, it } from 'vitest'
import type { Overrides } from '../../../../src/inspector/api/api.ts'
import { withChange, switchedTexts } from '../../../../src/inspector/page/logic/switched.ts'

it.each<[string[], Overrides, string[]]>([
  [[], {}, []],
  [[], { delay: 0, offline: false, routes: {}, failNext: { count: 0 } }, []],
  [['a', 'b'], {}, ['Scenario a', 'Scenario b']],
  [[], { offline: true, delay: 1500 }, ['Offline', '1.5 s slower']],
  [[], { delay: { 'GET /items': 300 } }, ['GET /items 300 ms slower']],
  [[], { routes: { 'GET /items': 'GET /items #3' } }, ['Forced: GET /items']],
  [[], { nextAnswer: { endpoint: 'GET /a' } }, ['The next answer of GET /a is edited']],
  [[], { chaos: 0.1 }, ['10 % of the answers fail']],
  [[], { failNext: { count: 1 } }, ['The next request fails with 500']],
  [
    [],
    { failNext: { count: 3, fault: 'reset', endpoint: 'GET /a' } },
    ['The next 3 requests to GET /a fail with the fault reset'],
  ],
])('the bar for the scenarios %j and %j', (scenario, overrides, texts) => {
  expect(switchedTexts(scenario, overrides)).toEqual(texts)
})

it('an override is set, and switched off, beside the others', () => {
  const overrides: Overrides = { delay: 300, sadPath: 'a' }
  expect(withChange(overrides, { sadPath: 'b' })).toEqual({ delay: 300, sadPath: 'b' })
  expect(Object.keys(withChange(overrides, { sadPath: undefined }))).toEqual(['delay'])
})
