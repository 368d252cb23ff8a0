import { expect, it } from 'vitest'
import { pathsAt, positionOf } from '../../../../src/inspector/page/logic/sad-paths.ts'

it.each<[(string | number)[], object, string]>([
  [['items', 7, 'id'], {}, 'items[].id'],
  [[0, 'odd key'], {}, '[]["odd key"]'],
  [['data', 'hero', 'friends', 1], { operationType: 'query' }, 'hero.friends[]'],
  [['data', 'id'], {}, 'data.id'],
])('%j is the position %s', (path, request, expected) => {
  expect(positionOf(path, request)).toBe(expected)
})

it('finds what is at a position and around it, the nearest first', () => {
  const ids = [
    'status 500',
    'null a',
    'list empty a.b',
    'null a.b[].c last',
    'missing a.b[].cd',
    'null a.b[].c.d',
  ]
  const found = pathsAt(
    ids.map((id) => ({ id: `GET /x #${id}` })),
    'a.b[].c',
  )
  expect(found.map(({ id }) => id)).toEqual([
    'GET /x #null a.b[].c last',
    'GET /x #list empty a.b',
    'GET /x #null a',
  ])
})
