import { expect, it } from 'vitest'
import { groupRepeats, neighbour, waterfall } from '../../../../src/inspector/page/logic/list.ts'
import { summary } from './request.ts'

const rows = [3, 2, 1].map((id) => ({ request: summary({ id }), count: 1 }))

it.each([
  [undefined, 1, 3],
  [undefined, -1, 1],
  [2, 1, 1],
  [2, -1, 3],
  [3, -1, 3],
  [1, 1, 1],
  [9, 1, 3],
])('the neighbour of %s at %d is %d', (selected, step, id) => {
  expect(neighbour(rows, selected, step)?.id).toBe(id)
  expect(neighbour([], selected, step)).toBeUndefined()
})

it('equal requests that follow one another share a line, but not a selected one', () => {
  const requests = [6, 5, 4, 3, 2, 1].map((id) => summary({ id, url: id === 3 ? '/other' : '/items' }))
  const grouped = (alone?: number) =>
    groupRepeats(requests, (id) => id === alone).map(({ request, count }) => [request.id, count])
  expect(grouped()).toEqual([
    [6, 3],
    [3, 1],
    [2, 2],
  ])
  expect(grouped(5)).toEqual([
    [6, 1],
    [5, 1],
    [4, 1],
    [3, 1],
    [2, 2],
  ])
  expect(groupRepeats([summary({ status: 200 }), summary({ status: 500 })], () => false)).toHaveLength(2)
})

it('bars share a scale until nothing happens for a second, and show the delay', () => {
  const request = (id: number, time: number, duration?: number, delay?: number) => ({
    request: summary({ id, time, ...(duration !== undefined && { duration }), ...(delay && { delay }) }),
    count: 1,
  })
  const bars = waterfall(
    [request(4, 9000), request(3, 150, 50), request(2, 100, 100, 75), request(1, 0, 100)],
    9500,
  )
  expect(Object.fromEntries(bars)).toEqual({
    1: { left: 0, width: 50, delay: 0 },
    2: { left: 50, width: 50, delay: 75 },
    3: { left: 75, width: 25, delay: 0 },
    4: { left: 0, width: 100, delay: 0 },
  })
  expect(waterfall([request(1, 5, 0)], 9).get(1)).toEqual({ left: 0, width: 0, delay: 0 })
})
