import { describe, expect, it } from 'vitest'
import { findPathProblem } from '../../../src/core/http/path-problem.ts'
import { canonicalPath } from '../../../src/core/http/path.ts'
import { send, tableOf } from '../send.ts'

it.each([
  '/',
  '/a',
  '/a/:id',
  '/a/:id.json',
  '/a/**',
  '/a/**:rest',
  '/a/list[0]',
  '/a/[0]',
  '/a/:id?',
  '/a/:path*',
  '/book{s}?',
  '/blog/:year-:month',
  '/café',
  '/a\\(b\\)',
  '/a%28b%29',
  '/a\\?b=1',
  '/:user\\-id',
  '/a%23b',
  '/:a?/:b?/:c?/:d?',
])('%j can be matched', (path) => {
  expect(findPathProblem(canonicalPath(path))).toBeUndefined()
})

it.each<[path: string, reason: RegExp, fix: RegExp | undefined]>([
  ['/items?page=2', /no query/, /^Write "path: \/items" and "when: { query: { page: 2 } }"\.$/],
  ['/items/:id?page=02&q=a%20b', /no query/, /\/items\/:id" and "when: { query: { page: '02', q: 'a b' } }"/],
  ['/items?filter[a]=1', /no query/, /{ query: { 'filter\[a\]': 1 } }/],
  ['/#/items', /after "#"/, /without it: \/$/],
  ['/items#top', /after "#"/, /without it: \/items$/],
  ['/items/{id}', /braces/, /^Write "\/items\/:id"\.$/],
  ['/a/{user-id}/b/{b}', /braces/, /^Write "\/a\/:userId\/b\/:b"\.$/],
  ['/a/[id]/b/[user-id]', /brackets/, /^Write "\/a\/:id\/b\/:userId"\.$/],
  ['/a/[...rest]', /brackets/, /^Write "\/a\/\*\*:rest"\.$/],
  ['/a/<id>/<int:page>', /brackets/, /^Write "\/a\/:id\/:page"\.$/],
  ['/files/*splat', /wildcard/, /^Write "\/files\/\*\*:splat"\.$/],
  ['/a/:user-id', /"user" followed by the text "-id"/, /^Write ":userId" for one parameter, or ":user\\-id"/],
  ['/a/:id(\\d+)', /parentheses/, /when: { params: { id: { \$regex: '\^\(\\d\+\)\$' } } }/],
  ['/x/:a((?:a+)+b)', /parentheses/, /^Write "\/x\/:a", and select by "when: .*\$regex/],
  ['/any/(.*)', /parentheses/, /^Write "\/any\/\*\*"\.$/],
  ['/any/:rest(.*)', /parentheses/, /^Write "\/any\/\*\*:rest"\.$/],
  ['/wiki/Foo_(bar)', /parentheses/, /^Write "\\\(" and "\\\)" for the characters themselves/],
  ['/a(', /parentheses/, /select by/],
  ['/:a?/:b?/:c?/:d?/:e?', /5 optional parts, and 4 are the limit/, /several routes/],
  [`/x${'{/a}?'.repeat(24)}`, /24 optional parts/, /several routes/],
  ['/a/:id/:id', /duplicate param name "id"/, undefined],
  ['/a/:1', /invalid param name/, undefined],
  ['/**/a/**', /a route can have only one/, undefined],
])('%j cannot be matched', (path, reason, fix) => {
  const problem = findPathProblem(canonicalPath(path))
  expect(problem?.reason).toMatch(reason)
  if (fix) expect(problem?.fix).toMatch(fix)
  else expect(problem?.fix).toBeUndefined()
})

describe('what a fix says', () => {
  it('is taken', () => {
    const suggested = ['/items/:id', '/a/:userId/b/:b', '/a/:user\\-id', '/wiki/Foo_\\(bar\\)']
    for (const path of suggested) expect(findPathProblem(path)).toBeUndefined()
  })

  it('escaped characters are the characters themselves', async () => {
    const table = tableOf([
      { path: '/wiki/Foo_\\(bar\\)', response: { body: 'parentheses' } },
      { path: '/a/:user\\-id', response: ({ params }) => ({ body: params.user! }) },
    ])
    expect((await send(table, 'GET /wiki/Foo_(bar)')).body).toBe('parentheses')
    expect((await send(table, 'GET /a/7-id')).body).toBe('7')
  })
})
