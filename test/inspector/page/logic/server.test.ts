import { describe, expect, it } from 'vitest'
import {
  change,
  hideUpTo,
  neighbour,
  startState,
  type Change,
  type ServerState,
} from '../../../../src/inspector/page/logic/server.ts'
import { summary } from './request.ts'

const after = (changes: Change[], start: Partial<ServerState> = {}) =>
  changes.reduce(change, { ...startState, ...start })
const arrives = (id: number, more = {}): Change => ({ event: 'request', data: summary({ id, ...more }) })
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

it.each([
  [undefined, 1, 3],
  [undefined, -1, 1],
  [2, 1, 1],
  [2, -1, 3],
  [3, -1, 3],
  [1, 1, 1],
  [9, 1, 3],
])('the neighbour of %s at %d is %d', (selected, step, id) => {
  const requests = [3, 2, 1].map((id) => summary({ id }))
  expect(neighbour(requests, selected, step)?.id).toBe(id)
  expect(neighbour([], selected, step)).toBeUndefined()
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
