import { expect, it } from 'vitest'
import type { EndpointMatch } from '../../src/core/table/match.ts'
import { RequestHeads, type RequestHead } from '../../src/inspector/request-heads.ts'

const endpoint = {}
const match = { endpoint, params: {}, path: '/items', search: '' } as EndpointMatch
const head: RequestHead = { method: 'GET', url: '/items', headers: { host: 'a', accept: '*/*' }, match }

/** The first request for a URL is not remembered, so each URL comes once before. */
function keep(heads: RequestHeads, { method, url, headers, match }: RequestHead): RequestHead {
  heads.keep('OPTIONS', url, {}, match)
  return heads.keep(method, url, headers, match)
}

it('gives requests with equal heads the same object', () => {
  const heads = new RequestHeads()
  const first = keep(heads, head)
  expect(first).toMatchObject(head)
  expect(keep(heads, { ...head, headers: { ...head.headers }, match: { ...match } })).toBe(first)
})

it.each<[string, Partial<RequestHead>]>([
  ['method', { method: 'POST' }],
  ['URL', { url: '/items?page=2' }],
  ['value of a header', { headers: { host: 'a', accept: 'text/html' } }],
  ['name of a header', { headers: { host: 'a', range: '*/*' } }],
  ['additional header', { headers: { ...head.headers, cookie: 'id=1' } }],
  ['missing header', { headers: { host: 'a' } }],
  ['endpoint', { match: { ...match, endpoint: { ...endpoint } as never } }],
  ['path below another base', { match: { ...match, path: '/api/items' } }],
  ['request without an endpoint', { match: undefined }],
])('keeps heads apart that differ in one part: %s', (_, part) => {
  const heads = new RequestHeads()
  const first = keep(heads, head)
  const other = keep(heads, { ...head, ...part })
  expect(other).toMatchObject({ ...head, ...part })
  expect(first).toMatchObject(head)
  expect(first.headers).toEqual(head.headers)
})

it.each(['/items', `/items?${'x'.repeat(3000)}`])(
  'keeps the headers when the next middleware changes its own: %.6s',
  (url) => {
    const heads = new RequestHeads()
    const headers: Record<string, string> = { host: 'a', authorization: 'secret' }
    const kept = keep(heads, { ...head, url, headers })
    delete headers['authorization']
    expect(kept.headers).toEqual({ host: 'a', authorization: 'secret' })
  },
)
