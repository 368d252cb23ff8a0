import { expect, it } from 'vitest'
import {
  pageToOpen,
  pathsAt,
  positionOf,
  withSadPath,
} from '../../../../src/inspector/page/logic/sad-paths.ts'

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

it('keeps the other overrides', () => {
  expect(withSadPath({ delay: 1, sadPath: 'a' }, 'b')).toEqual({ delay: 1, sadPath: 'b' })
  expect(withSadPath({ delay: 1, sadPath: 'a' }, undefined)).toEqual({ delay: 1 })
})

it.each([
  ['/orders?a=1#b', 'http://localhost:3000/orders?a=1#b'],
  ['http://localhost:5173/orders', 'http://localhost:5173/orders'],
])('a link with the page %s opens it', (page, opened) => {
  expect(pageToOpen(page, { origin: 'http://localhost:3000', hostname: 'localhost' })).toBe(opened)
})

it.each([
  'http://evil.example/orders',
  '//evil.example/x',
  'http://localhost@evil.example/x',
  'http://evil.example//evil.example/x',
  'javascript:alert(1)',
  'javascript://localhost/%0aalert(1)',
  'data:text/html,x',
  'ftp://localhost/x',
  'http://[',
])('a link with the page %s opens the start', (page) => {
  expect(pageToOpen(page, { origin: 'http://localhost:3000', hostname: 'localhost' })).toBe(
    'http://localhost:3000/',
  )
})
