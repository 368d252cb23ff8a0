import { expect, it } from 'vitest'
import { OverrideSet, type OverrideEffect, type Overrides } from '../../../src/core/state/overrides.ts'

const endpoint = 'GET /items'

it.each<[overrides: Overrides, expected: OverrideEffect[]]>([
  [{}, [{ delay: 0 }]],
  [{ delay: 5 }, [{ delay: 5 }]],
  [{ delay: { [endpoint]: 7 } }, [{ delay: 7 }]],
  [{ delay: { 'GET /other': 7 } }, [{ delay: 0 }]],
  [{ offline: true, delay: 5 }, [{ failure: { fault: 'reset' }, delay: 0 }]],
  [{ failNext: { count: 1 } }, [{ failure: { status: 500 }, delay: 0 }, { delay: 0 }]],
  [
    { failNext: { count: 2, status: 503 }, delay: 1 },
    [{ failure: { status: 503 }, delay: 1 }, { failure: { status: 503 }, delay: 1 }, { delay: 1 }],
  ],
  [
    { failNext: { count: 1, fault: 'empty', status: 503 } },
    [{ failure: { fault: 'empty' }, delay: 0 }, { delay: 0 }],
  ],
  [{ failNext: { count: 1, endpoint: 'GET /other' } }, [{ delay: 0 }]],
])('%j', (overrides, expected) => {
  const set = new OverrideSet()
  set.set(overrides, '')
  expect(expected.map(() => set.take('', endpoint))).toEqual(expected)
})

it('is on while anything is switched on, for anybody', () => {
  const set = new OverrideSet()
  const states: boolean[] = [set.isOn]
  const note = (change: () => void) => {
    change()
    states.push(set.isOn)
  }
  note(() => set.set({ delay: 1 }, ''))
  note(() => set.set({ offline: true }, 'one'))
  note(() => set.set({}, ''))
  note(() => set.reset('one'))
  note(() => set.set({ failNext: { count: 1 } }, 'two'))
  note(() => set.take('two', endpoint))
  expect(states).toEqual([false, true, true, true, false, true, false])
})

it('a client with overrides of its own has only these, and counts alone', () => {
  const set = new OverrideSet()
  set.set({ delay: 5, failNext: { count: 1 } }, '')
  set.set({ failNext: { count: 1, status: 404 } }, 'one')
  expect(set.take('one', endpoint)).toEqual({ failure: { status: 404 }, delay: 0 })
  expect(set.get('')).toEqual({ delay: 5, failNext: { count: 1 } })
  expect(set.take('two', endpoint)).toEqual({ failure: { status: 500 }, delay: 5 })
  expect(set.get('')).toEqual({ delay: 5 })
  // Its own have ended, so it has those of everyone.
  expect(set.take('one', endpoint)).toEqual({ delay: 5 })
})

it('chooses routes by endpoint', () => {
  const set = new OverrideSet()
  set.set({ routes: { [endpoint]: 'GET /items #3' } }, '')
  expect([set.routeFor('', endpoint), set.routeFor('one', 'GET /x')]).toEqual(['GET /items #3', undefined])
  expect(set.routeFor('', 'toString')).toBeUndefined()
})
