/* CORS and the host check on servers that have neither. */
import { describe, expect, it } from 'vitest'
import type { OriginOptions } from '../../src/core/options/options.ts'
import type { Fixture } from '../../src/fetch.ts'
import type { Send } from '../contract.ts'
import { fetchRuntimes } from './fetch-runtimes.ts'
import { serve } from './of-test.ts'
import { echo } from './serve.ts'

type Options = OriginOptions & { unmatched?: 'passthrough' }

const routes: Fixture = [
  { path: '/a', response: { body: 'a' } },
  { path: '/a', method: 'PUT', response: { body: 'put' } },
  { path: '/mine', method: 'POST', when: { body: { a: 1 } }, response: { body: 'mine' } },
  { path: '/graphql', response: { body: { data: {} } } },
]
const files = { 'fixtures/a.json': JSON.stringify(routes) }

const ways: [name: string, start: (options?: Options) => Promise<Send>][] = [
  ['a middleware', async (options) => (await serve(files, options)).send],
  ['the fetch handler', async (options) => (await fetchRuntimes[0]!.start(routes, options)).send],
]

const page = 'http://localhost:5173'
const foreign = 'https://app.example.com'
const preflight = (url: string, origin: string, method = 'PUT') => ({
  method: 'OPTIONS',
  url,
  headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'x-a' },
})

describe.each(ways)('%s', (_, start) => {
  it('lets pages of this machine read the answer, and no others', async () => {
    const send = await start()
    const answered = await send({ url: '/a', headers: { origin: page } })
    expect([answered.status, answered.text]).toEqual([200, 'a'])
    expect(answered.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
    expect((await send({ url: '/a' })).headers).not.toHaveProperty('access-control-allow-origin')

    const refused = await send({ url: '/a', headers: { origin: foreign } })
    expect(refused.status).toBe(403)
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
    expect(JSON.parse(refused.text)).toMatchObject({
      error: { code: 'origin-refused', fix: expect.stringContaining(`["${foreign}"]`) as string },
    })
    const graphql = await send({ method: 'POST', url: '/graphql', headers: { origin: foreign }, body: '{}' })
    expect(JSON.parse(graphql.text)).toMatchObject({ errors: [{ extensions: { code: 'origin-refused' } }] })
  })

  it('answers the preflights of those pages, and no other', async () => {
    const send = await start()
    const allowed = await send(preflight('/a', page))
    expect([allowed.status, allowed.text]).toEqual([204, ''])
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-headers': 'x-a',
    })
    expect((await send(preflight('/a', foreign))).status).toBe(403)
    for (const request of [preflight('/other', page), preflight('/a', page, 'DELETE')]) {
      const passedOn = await send(request)
      expect(passedOn.headers).toHaveProperty('x-passed-on')
      expect(passedOn.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('does not touch requests that no route matches', async () => {
    const send = await start()
    const headers = { origin: foreign, host: 'evil.example' }
    const passedOn = await send({ method: 'POST', url: '/other', headers, body: 'x' })
    expect([passedOn.headers['x-passed-on'] !== undefined, passedOn.text]).toEqual([true, 'x'])
    expect(passedOn.headers).not.toHaveProperty('access-control-allow-origin')
    expect(passedOn.headers).not.toHaveProperty('vary')
  })

  it.each<[options: Options, origin: string | undefined]>([
    [{ cors: [foreign], allowedHosts: ['.example'] }, foreign],
    [{ cors: true, allowedHosts: true }, '*'],
    [{ cors: false, allowedHosts: true }, undefined],
  ])('allows other origins and hosts with the option %j', async (options, origin) => {
    const send = await start(options)
    const headers = { origin: foreign, host: 'evil.example' }
    const answered = await send({ url: '/a', headers })
    expect([answered.status, answered.headers['access-control-allow-origin']]).toEqual([200, origin])
  })

  it('with unmatched: passthrough passes on refused and unmatched requests unchanged', async () => {
    const send = await start({ unmatched: 'passthrough' })
    const request = { method: 'POST', url: '/mine', body: '{"a":1}' }
    expect((await send({ ...request, headers: { origin: page } })).text).toBe('mine')
    for (const passedOn of [
      await send({ ...request, headers: { origin: foreign } }),
      await send({ ...request, headers: { host: 'evil.example' } }),
      await send({ ...request, headers: { origin: page }, body: '{"a":2}' }),
    ]) {
      expect(passedOn.text).toMatch(/^\{"a":[12]\}$/)
      expect(passedOn.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })
})

it('keeps the headers of a CORS middleware in front', async () => {
  const { send, log } = await serve(files, {}, (middleware) => (req, res) => {
    res.setHeader('vary', 'Accept')
    if (req.url === '/a') res.setHeader('access-control-allow-origin', foreign)
    middleware(req, res, () => echo(req, res))
  })
  log.length = 0
  const decided = await send({ url: '/a', headers: { origin: foreign } })
  expect([decided.status, decided.headers['access-control-allow-origin']]).toEqual([200, foreign])
  const ours = { method: 'POST', url: '/graphql', body: '{}' }
  expect((await send({ ...ours, headers: { origin: page } })).headers['vary']).toBe('Accept, Origin')
  const told = () => log.filter((line) => !line.includes('inspector:'))
  expect(told()).toEqual([])

  for (let times = 0; times < 2; times++) await send({ ...ours, headers: { origin: foreign } })
  expect(told()).toEqual([expect.stringContaining('[origin-refused]')])
})
