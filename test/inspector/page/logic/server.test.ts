import { describe, expect, it } from 'vitest'
import {
  change,
  hideUpTo,
  isBefore,
  startState,
  type Change,
  type ServerState,
} from '../../../../src/inspector/page/logic/server.ts'
import { details, summary } from './request.ts'

const after = (changes: Change[], start: Partial<ServerState> = {}) =>
  changes.reduce(change, { ...startState, ...start })
const arrives = (id: number, more = {}): Change => ({ event: 'requests', data: [summary({ id, ...more })] })
const ids = (requests: readonly { id: number }[] | undefined) => requests?.map(({ id }) => id)

describe('requests', () => {
  it('are listed newest first, and replaced when there is news of them', () => {
    const { requests } = after([arrives(1), arrives(2), arrives(1, { status: 200 })])
    expect(requests).toEqual([summary({ id: 2 }), summary({ id: 1, status: 200 })])
  })

  it('are no more than the server keeps', () => {
    expect(
      ids(
        after(
          [1, 2, 3, 4].map((id) => arrives(id)),
          { capacity: 3 },
        ).requests,
      ),
    ).toEqual([4, 3, 2])
  })

  it('are held back while the list is paused, and come in afterwards', () => {
    const paused = after([
      arrives(1),
      { event: 'pause' },
      arrives(2),
      arrives(1, { status: 200 }),
      arrives(2),
    ])
    expect([ids(paused.requests), ids(paused.held)]).toEqual([[1], [2]])
    expect(paused.requests[0]!.status).toBe(200)
    const on = change(paused, { event: 'pause' })
    expect([ids(on.requests), on.held]).toEqual([[2, 1], undefined])
  })

  it('are cleared, also those held back, which does not end a pause', () => {
    const cleared = after([arrives(1), { event: 'pause' }, arrives(2), { event: 'clear' }])
    expect([cleared.requests, cleared.held]).toEqual([[], []])
  })

  it('count as hits of their routes, once each', () => {
    const route = { id: 'GET /a #1', name: 'a' }
    const routes = [
      { ...route, hits: 1 },
      { id: 'GET /b #1', name: 'b', hits: 5 },
    ] as unknown as ServerState['routes']
    const state = after([arrives(1, { route }), arrives(1, { route, status: 200 }), arrives(2)], { routes })
    expect(state.routes.map(({ hits }) => hits)).toEqual([2, 5])
  })
})

it('scenarios and overrides are those of the last event; what is loaded replaces what is known', () => {
  const state = after([
    { event: 'state', data: { scenario: ['sad'], overrides: { offline: true } } },
    { event: 'loaded', data: { capacity: 7 } },
    { event: 'connection', data: 'lost' },
  ])
  expect(state).toEqual({
    ...startState,
    scenario: ['sad'],
    overrides: { offline: true },
    capacity: 7,
    connection: 'lost',
  })
})

describe('what the page keeps', () => {
  const load = (...requests: ReturnType<typeof summary>[]): Change => ({
    event: 'loaded',
    data: { requests },
  })

  it('are the selected request and the pinned ones, when newer ones have taken their places', () => {
    const state = after(
      [arrives(1), arrives(2), { event: 'keep', data: [1] }, arrives(3), arrives(4), arrives(5)],
      { capacity: 2 },
    )
    expect(ids(state.requests)).toEqual([5, 4, 1])
    expect(ids(change(state, load(summary({ id: 6 }), summary({ id: 5 }))).requests)).toEqual([6, 5, 1])
  })

  it('is what the server has, if it is the same', () => {
    const state = after([arrives(1), arrives(2), load(summary({ id: 3 }), summary({ id: 2 }))])
    expect([ids(state.requests), state.restarts]).toEqual([[3, 2], 0])
  })

  it.each([
    ['has nothing', [], []],
    ['has fewer', [summary({ id: 1 })], [1]],
    ['has others', [summary({ id: 3, time: 9 }), summary({ id: 2, time: 8 })], [3, 2]],
  ])('are all, with other ids, if the server was restarted and %s', (_, loaded, its) => {
    const known = new Map([[2, details({ id: 2 })]])
    const state = after([arrives(1), arrives(2), { event: 'keep', data: [2] }, load(...loaded)], {
      details: known,
      pinned: [2],
    })
    const old = [-999_998, -999_999]
    expect([ids(state.requests), state.restarts]).toEqual([[...its, ...old], 1])
    expect([state.pinned, state.kept, [...state.details.keys()]]).toEqual([
      [-999_998],
      [-999_998],
      [-999_998],
    ])
    expect(isBefore(old[0]!)).toBe(true)
    expect(ids(change(state, load(...loaded)).requests)).toEqual([...its, ...old])
  })

  it('comes back after a clear that was a mistake', () => {
    const state = after([arrives(1), { event: 'clear' }, arrives(2), { event: 'restore' }])
    expect([ids(state.requests), state.cleared]).toEqual([[2, 1], []])
  })
})

it.each([
  ['older than the cleared ones', [5, 4, 3], 3, [5, 4]],
  ['all of them', [3, 2], 3, []],
  ['none, since the server has started again', [2, 1], 3, [2, 1]],
])('a reload of the page hides %s', (_, given, last, shown) => {
  expect(
    ids(
      hideUpTo(
        given.map((id) => summary({ id })),
        last,
      ),
    ),
  ).toEqual(shown)
})
