import { expect, it } from 'vitest'
import { choose, isHiddenField } from '../../src/explore/choose.ts'
import type { SadPath } from '../../src/inspector/api/api.ts'

const pathOf = (id: string) => {
  const [, request = '', kind = ''] = /^(.+) #(\w+)/.exec(id) ?? []
  return { id, request, kind, title: id, method: 'GET', path: '/' } as unknown as SadPath
}

it('the most telling sad paths of each request come first, and hidden fields last', () => {
  const names = ['connection reset', 'long a', 'null secret', 'slow late', 'body html', 'null a', 'null b', 'null c', 'null d', 'status 500', 'status 401', 'list empty'] // prettier-ignore
  const all = ['GET /b', 'GET /a'].flatMap((request) => names.map((name) => pathOf(`${request} #${name}`)))
  const hidden = new Set(['GET /a #null secret', 'GET /b #null secret'])
  const { sadPaths, more } = choose(all, { max: 22 }, hidden)
  const ofA = sadPaths.filter(({ request }) => request === 'GET /a').map(({ id }) => id.slice(8))
  expect(ofA).toEqual(['status 500', 'null a', 'null b', 'null c', 'list empty', 'body html', 'slow late', 'status 401', 'null d', 'connection reset', 'long a']) // prettier-ignore
  expect(sadPaths.slice(0, 2).map(({ id }) => id)).toEqual(['GET /a #status 500', 'GET /b #status 500'])
  expect(more).toBe(2)
  expect(choose(all, { ids: new Set(['GET /b #long a']) }).sadPaths).toHaveLength(1)
  expect(choose(all, { only: ['slow', 'status 401'] }).sadPaths).toHaveLength(4)
})

const answer = JSON.stringify({ id: 7, total: 12, items: [{ title: 'Oranges', sku: 'x-1' }], isNew: true, 'odd key': 'Lemons' }) // prettier-ignore

it.each([
  ['null items[].title last', false],
  ['null items[].sku', true],
  ['missing items', false],
  ['empty id', false],
  ['null total', true],
  ['null isNew', false],
  ['long ["odd key"]', true],
  ['status 500', false],
])('whether a page hides the field of %s: %s', (name, isHidden) => {
  expect(isHiddenField(pathOf(`GET /orders #${name}`), answer, ['Oranges', 'Order 7', '1200'])).toBe(isHidden) // prettier-ignore
  const ofGraphql = JSON.stringify({ data: JSON.parse(answer) as unknown })
  expect(isHiddenField(pathOf(`POST /graphql Shop #${name}`), ofGraphql, ['Oranges', 'Order 7'])).toBe(isHidden) // prettier-ignore
})
