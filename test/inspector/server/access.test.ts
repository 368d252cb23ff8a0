import { createServer } from 'node:http'
import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { endpoints } from '../../../src/inspector/api/endpoints.ts'
import { serve, serveFiles } from '../../hosts/of-test.ts'
import { closeServer, listen } from '../../hosts/serve.ts'
import { exchange } from '../../http.ts'

const files = { 'fixtures/a.yaml': '- { path: /a, scenario: dark, response: {} }\n- path: /b\n' }
const headers = { 'content-type': 'application/json', 'x-mock-api': '1' }

/** A server whose requests come from another machine of the network. */
const fromNetwork = (options: object = {}) =>
  serve(files, options, (middleware) => (req, res) => {
    Object.defineProperty(req.socket, 'remoteAddress', { value: '192.0.2.1', configurable: true })
    middleware(req, res, () => res.end())
  })

it.each<[change: string, body: object, status: number]>([
  ['PUT record', { recording: true, target: 'http://192.0.2.2' }, 403],
  ['PUT record', { recording: false }, 403],
  ['POST fixture', { request: 1 }, 403],
  ['POST edit', { request: 1, file: 'fixtures/a.yaml' }, 403],
  ['PUT edit', { file: 'fixtures/b.yaml', text: '[]', version: '' }, 403],
  ['DELETE edit', {}, 403],
  ['POST open', { file: 'fixtures/a.yaml' }, 403],
  ['PUT scenario', { scenario: ['dark'] }, 200],
  ['PUT overrides', { delay: 10 }, 200],
  ['POST reset', {}, 200],
])('%s %j from the network: %i', async (change, body, status) => {
  const { send, project } = await fromNetwork()
  await send({ url: '/b' })
  const [method, path] = change.split(' ') as [string, string]
  const url = `/__mock-api/api/${path}`
  const answer = await send({ method, url, headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(status)
  if (status === 403) expect(answer.text).toContain('api-machine-refused')
  expect(readdirSync(`${project.root}/fixtures`)).toEqual(['a.yaml'])
})

it('other machines can take half of the event streams', async () => {
  const { origin } = await fromNetwork()
  const leaving = new AbortController()
  const listen = () => fetch(`${origin}/__mock-api/api/requests/stream`, { signal: leaving.signal })
  for (let count = 0; count < 50; count++) expect((await listen()).status).toBe(200)
  expect((await listen()).status).toBe(409)
  leaving.abort()
})

it.each<[where: string, path: string, isSent: boolean]>([
  ['the target of the option', '', true],
  ['another path of it', '/v2', true],
  ['another server', 'elsewhere', false],
])('headers of the option and a recording of %s', async (_, path, isSent) => {
  const seen: unknown[] = []
  const backends = [0, 1].map(() =>
    createServer((req, res) => (seen.push(req.headers['x-secret']), res.end())),
  )
  onTestFinished(async () => void (await Promise.all(backends.map(closeServer))))
  const [target, other] = await Promise.all(backends.map(listen))
  const record = { target: target!, headers: { 'x-secret': 'one' }, enabled: false, include: '/x' }
  const { send, log } = await serve(files, { record })
  const to = path === 'elsewhere' ? other : `${target}${path}`
  await send({ method: 'PUT', url: '/__mock-api/api/record', headers, body: JSON.stringify({ recording: true, target: to }) }) // prettier-ignore
  await send({ url: '/x' })
  expect(seen).toEqual([isSent ? 'one' : undefined])
  expect(log.some((line) => line.includes('without the "headers"'))).toBe(!isSent)
})

it.each([
  'http://a\n- path: /steal\n  response: { file: ../../.env }',
  'http://a/\x1b[31m',
  'http://:secret@a',
  'http://a/?b',
  'file:///a',
])('%j is no target', async (target) => {
  const { send } = await serve(files)
  const body = JSON.stringify({ recording: true, target })
  const { status } = await send({ method: 'PUT', url: '/__mock-api/api/record', headers, body })
  expect(status).toBe(400)
})

describe('a page that is not of the dev server, but has its address', () => {
  let origin: string
  beforeAll(async () => {
    const served = await serveFiles(files)
    origin = served.origin
    return served.close
  })
  const sameOrigin = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
  const foreign = '/__mock-api/origin/https://evil.example/'
  const asked = [...Object.keys(endpoints).map((name) => name.replace(' /', ' /__mock-api/api/')), 'POST /__mock-api/mcp', 'GET /__mock-api/']
  const asks = asked.map((name) => name.replace(/\{\w+\}/g, '1').split(' ') as [string, string])

  it.each<[who: string, more: (own: string) => Record<string, string>]>([
    ['one below the path of other origins', (own) => ({ ...sameOrigin, origin: own, referer: `${own}${foreign}` })],
    ['one that leaves cookies out', (own) => ({ ...sameOrigin, referer: `${own}/__mock-api/origin/omit/https://evil.example/` })],
    ['one below the base of the host', (own) => ({ ...sameOrigin, referer: `${own}/app${foreign}` })],
    ['one of an old browser', (own) => ({ origin: own, referer: `${own}${foreign}` })],
    ['one in a sandbox', () => ({ 'sec-fetch-site': 'cross-site', origin: 'null' })],
    ['one in a sandbox, in an old browser', () => ({ origin: 'null' })],
    ['one in a sandbox, whatever else is said of it', () => ({ ...sameOrigin, origin: 'null' })],
  ])('%s gets nothing from any endpoint', async (_, more) => {
    for (const [method, url] of asks) {
      const all = { ...headers, ...more(origin) }
      const { response, bytes } = await exchange(origin, { method, url, headers: all })
      expect([url, response.statusCode, bytes.toString()]).toEqual([url, 403, expect.stringContaining('"api-origin-refused"')])
    }
    expect(asks.length).toBeGreaterThan(20)
  })

  it.each<[who: string, more: (own: string) => Record<string, string>]>([
    ['the inspector', (own) => ({ ...sameOrigin, origin: own, referer: `${own}/__mock-api/` })],
    ['the client in a page of the application', (own) => ({ ...sameOrigin, origin: own, referer: `${own}/a?b=${foreign}` })],
    ['a page that hides where it is', (own) => ({ ...sameOrigin, origin: own })],
    ['a program', () => ({})],
  ])('%s may change the scenario', async (_, more) => {
    const body = JSON.stringify({ scenario: ['dark'] })
    const all = { ...headers, ...more(origin) }
    const { response } = await exchange(origin, { method: 'PUT', url: '/__mock-api/api/scenario', headers: all, body })
    expect(response.statusCode).toBe(200)
  })
}) // prettier-ignore
