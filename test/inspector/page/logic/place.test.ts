import { expect, it } from 'vitest'
import { formatAddress, parsePlace, type Place } from '../../../../src/inspector/page/logic/place.ts'

const startPlace: Place = {
  view: 'requests',
  request: undefined,
  tab: 'decision',
  filter: '',
  switches: false,
  passed: false,
  each: false,
}

it.each<[string, Partial<Place>]>([
  ['#/requests', {}],
  ['#/requests/42/answer', { request: 42, tab: 'answer' }],
  [
    '#/requests/42/decision?filter=a%20b%26c%23%3F&switches',
    { request: 42, filter: 'a b&c#?', switches: true },
  ],
  ['#/requests?passed&each', { passed: true, each: true }],
  ['#/requests/-999958/answer', { request: -999_958, tab: 'answer' }],
  ['#/routes?filter=%22x', { view: 'routes', filter: '"x' }],
  ['#/problems', { view: 'problems' }],
  ['#/try?switches', { view: 'try', switches: true }],
])('%s, and back', (hash, place) => {
  expect(parsePlace(hash)).toEqual({ ...startPlace, ...place })
  expect(formatAddress({ ...startPlace, ...place })).toBe(hash)
})

it.each(['', '#', '#/', '#/nothing', '#/requests/x', '#/requests/1.5/answers', '#/__proto__/1'])(
  '%s is the start',
  (hash) => expect(parsePlace(hash)).toEqual(startPlace),
)

it('another view than the list has no request', () => {
  expect(parsePlace('#/routes/42').request).toBeUndefined()
  expect(formatAddress({ ...startPlace, view: 'routes', request: 42 })).toBe('#/routes')
})
