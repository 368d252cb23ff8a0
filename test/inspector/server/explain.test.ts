import { describe, expect, it } from 'vitest'
import type { MiddlewareOptions } from '../../../src/core/options/options.ts'
import { apiServer } from './api-server.ts'

const fixture = `
- path: /only
  when: { query: { page: 2 } }
- path: /about
  navigation: passthrough
  response: { body: about }
- path: /limited
  rateLimit: { requests: 1, per: 60000 }
- path: /steps
  response: [{ body: one }, { body: two }]
- path: /search
  method: POST
  when: { body: { a: 1 } }
- path: /graphql
  response: { body: { data: { hero: 1 } } }
`

async function serve(options: MiddlewareOptions = {}) {
  const server = await apiServer({ 'fixtures/a.yaml': fixture }, options)
  const explain = async (asked: object) => (await server.call('POST', 'explain', asked)).body
  return { ...server, explain }
}

const html = { accept: 'text/html' }
const hash = { extensions: { persistedQuery: { version: 1, sha256Hash: 'a' } } }

describe('an explanation is made by the code that answers', () => {
  it.each<[what: string, options: MiddlewareOptions, asked: object, expected: object]>([
    ['no route matches', {}, { url: '/only' }, { answeredBy: 'nothing' }],
    ['it is passed on', { unmatched: 'passthrough' }, { url: '/only' }, { answeredBy: 'passed-on' }],
    ['a page is opened', {}, { url: '/about', headers: html }, { answeredBy: 'passed-on' }],
    [
      'a page is opened that no route has, with the option',
      { navigation: 'passthrough' },
      { url: '/only', headers: html },
      { answeredBy: 'passed-on' },
    ],
    ['a script asks', {}, { url: '/about' }, { answeredBy: 'route' }],
    [
      'only a hash is sent',
      { graphql: { shape: true } },
      { method: 'POST', url: '/graphql', body: hash },
      { answeredBy: 'plugin' },
    ],
    [
      'another site asks',
      {},
      { url: '/only?page=2', headers: { origin: 'https://elsewhere.example' } },
      { answeredBy: 'refused', summary: expect.stringContaining('elsewhere.example') as string },
    ],
    [
      'the body is too large',
      { bodyLimit: 5 },
      { method: 'POST', url: '/search', body: { a: 1 } },
      { answeredBy: 'refused', summary: 'Refused before routing: the body exceeds 5 B.' },
    ],
  ])('%s', async (_, options, asked, expected) => {
    const { explain } = await serve(options)
    expect(await explain(asked)).toMatchObject(expected)
  })

  it('says that a rate limit is used up, and uses nothing of it', async () => {
    const { explain, send } = await serve()
    const ask = async () => (await explain({ url: '/limited' }))['summary']
    expect([await ask(), await ask()]).toEqual(Array(2).fill('"GET /limited #1" (fixtures/a.yaml:7:3) is the only route of GET /limited.')) // prettier-ignore
    expect((await send('/limited')).status).toBe(200)
    expect(await ask()).toBe('The rate limit of "GET /limited #1" (fixtures/a.yaml:7:3) is used up.')
  })
})

it('calls no function, and asks no backend', async () => {
  const code = `export default [
    { path: '/code', response() { globalThis.wasCalled = true; return {} } },
    { path: '/real', response: { from: 'backend' } },
  ]`
  const server = await apiServer({ 'fixtures/a.ts': code })
  for (const url of ['/code', '/real'])
    expect((await server.call('POST', 'explain', { url })).body).toMatchObject({ answeredBy: 'route' })
  expect(globalThis).not.toHaveProperty('wasCalled')
})

it('a GraphQL operation that is refused with 200 is recorded as refused, with the reason', async () => {
  const { post, details } = await serve()
  const query = '{ ...A } fragment A on Query { ...A }'
  expect((await post('/graphql', { query })).status).toBe(200)
  expect(await details()).toMatchObject({
    status: 200,
    answeredBy: 'refused',
    decision: { answeredBy: 'refused', summary: expect.stringContaining('fragment') as string },
  })
})
