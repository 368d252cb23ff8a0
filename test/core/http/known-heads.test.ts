import { expect, it } from 'vitest'
import { KnownHeads, type KeptHeaders } from '../../../src/core/http/known-heads.ts'
import type { Headers } from '../../../src/core/http/raw-request.ts'

/** A request as a caller receives it. Returns whether an equal one is known; if not, it is added. */
function meet(heads: KnownHeads<{ headers: KeptHeaders }>, url: string, headers: Headers = { host: 'a' }) {
  if (heads.of(url)?.some((one) => one.headers.equal(headers))) return true
  const copy = heads.noteUrl(url, headers)
  if (copy) heads.add(url, { headers: copy })
  return false
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

it('notes the URL of the first request, and remembers the second one for the third', () => {
  const heads = new KnownHeads<{ headers: KeptHeaders }>()
  expect(heads.noteUrl('/a', { host: 'a' })).toBeUndefined()
  expect(heads.of('/a')).toBeUndefined()
  expect(meet(heads, '/a')).toBe(false)
  expect(meet(heads, '/a')).toBe(true)
  heads.clear()
  expect([meet(heads, '/a'), meet(heads, '/a'), meet(heads, '/a')]).toEqual([false, false, true])
})

const x = (length: number) => 'x'.repeat(length)

it.each<[what: string, url: string, headers: Headers, isKept: boolean]>([
  ['a long URL', x(2000), { host: 'a' }, true],
  ['a longer URL', x(2001), { host: 'a' }, false],
  ['a large header', '/', { cookie: x(5994) }, true],
  ['a larger header', '/', { cookie: x(5995) }, false],
  ['a header with a long name', '/', { [x(6000)]: '' }, true],
  ['a header with a longer name', '/', { [x(6000)]: '1' }, false],
  ['several headers', '/', { a: x(2999), b: x(2999) }, true],
  ['several larger headers', '/', { a: x(2999), b: x(3000) }, false],
  ['a list of large values', '/', { 'set-cookie': [x(3000), x(3000)] }, false],
  ['many small headers', '/', Object.fromEntries(numbers(1000).map((n) => [`x-${n}`, `${n}`])), false],
])('remembers what is not large: %s', (_, url, headers, isKept) => {
  const heads = new KnownHeads<{ headers: KeptHeaders }>()
  for (let request = 0; request < 3; request++) meet(heads, url, headers)
  expect(heads.of(url)?.length ?? 0).toBe(isKept ? 1 : 0)
})

it.each<[what: string, requests: (meet: (url: string, host?: string) => void) => void, isKept: boolean]>([
  ['URLs that come once', (meet) => numbers(500).forEach((n) => meet(`/?t=${n}`)), true],
  ['15 other heads for the URL', (meet) => numbers(15).forEach((n) => meet('/', `${n}`)), true],
  ['16 other heads for the URL', (meet) => numbers(16).forEach((n) => meet('/', `${n}`)), false],
  ['199 other heads', (meet) => numbers(398).forEach((n) => meet(`/${n >> 1}`)), true],
  ['200 other heads', (meet) => numbers(400).forEach((n) => meet(`/${n >> 1}`)), false],
])('still knows a request after others: %s', (_, requests, isKept) => {
  const heads = new KnownHeads<{ headers: KeptHeaders }>()
  for (let request = 0; request < 3; request++) meet(heads, '/')
  requests((url, host = 'a') => void meet(heads, url, { host }))
  expect(meet(heads, '/')).toBe(isKept)
})

it.each<[between: number, isKept: boolean]>([
  [99, true],
  [100, false],
])('notes 100 URLs: after %i others, a second request is remembered: %s', (between, isKept) => {
  const heads = new KnownHeads<{ headers: KeptHeaders }>()
  meet(heads, '/')
  for (const n of numbers(between)) meet(heads, `/?t=${n}`)
  meet(heads, '/')
  expect(heads.of('/') !== undefined).toBe(isKept)
})

it('is not affected when the next middleware changes the headers', () => {
  const heads = new KnownHeads<{ headers: KeptHeaders }>()
  const headers: Record<string, string> = { host: 'a', authorization: 'secret' }
  meet(heads, '/', headers)
  meet(heads, '/', headers)
  delete headers['authorization']
  expect(meet(heads, '/', headers)).toBe(false)
  expect(meet(heads, '/', { host: 'a', authorization: 'secret' })).toBe(true)
})
