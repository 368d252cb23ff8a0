/* The inspector's control API on every host: there, and closed to pages of other sites. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hosts, type RunningHost } from './hosts.ts'
import { createTestProject, type TestProject } from './test-project.ts'

interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
}

function send(origin: string, method: string, path: string, headers: Record<string, string>, body?: string) {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
    })
    sent.on('error', reject).end(body)
  })
}

const api = '/__mock-api/api'
const own = { 'x-mock-api': '1', 'content-type': 'application/json' }

describe.each(hosts)('$name', ({ name, start, hasBase }) => {
  const isPreview = name.includes('preview')
  let project: TestProject
  let host: RunningHost
  let port: string
  const ask = (method: string, path: string, headers = {}, body?: string) =>
    send(host.origin, method, path, headers, body)

  beforeAll(async () => {
    project = createTestProject({ 'fixtures/a.yaml': '- { path: /a, response: { body: a } }\n' })
    host = await start(project, {
      options: { inspector: { preview: true } },
      ...(hasBase && { hostBase: '/app/' }),
    })
    port = new URL(host.origin).port
  })
  afterAll(async () => {
    await host.close()
    project.close()
  })

  it('serves the control API at the root and below its base', async () => {
    for (const path of [`${api}/routes`, ...(hasBase ? [`/app${api}/routes`] : [])]) {
      const { status, headers, text } = await ask('GET', path)
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'application/json; charset=utf-8'])
      expect(text).toContain('"GET /a #1"')
    }
    expect((await ask('GET', `${api}/nothing`)).text).toContain('"api-path-unknown"')
    expect((await ask('DELETE', `${api}/scenario`, own)).text).toContain('"api-method-unknown"')
  })

  it('streams events at once', async () => {
    const first = await new Promise<string>((resolve, reject) => {
      const headers = { 'accept-encoding': 'gzip, br' }
      const sent = request(`${host.origin}${api}/requests/stream`, { headers, agent: false }, (response) => {
        response.once('data', (chunk: Buffer) => {
          resolve(chunk.toString())
          sent.destroy()
        })
      })
      sent.on('error', reject).end()
    })
    expect(first).toContain('retry: 1000')
  })

  it.each<[what: string, headers: (port: string) => Record<string, string>]>([
    ['a foreign host name', () => ({ host: 'evil.example' })],
    ['a page of another site', () => ({ origin: 'https://evil.example' })],
    ['a page of another port', () => ({ origin: 'http://localhost:1' })],
    ['a page without an origin', () => ({ origin: 'null' })],
    ['a script tag of another site', () => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })],
    [
      'a page of another port of this machine',
      () => ({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }),
    ],
  ])('refuses %s', async (_, headersFor) => {
    const headers = headersFor(port)
    for (const [method, path, body] of [
      ['GET', `${api}/requests`],
      ['PUT', `${api}/scenario`, '{"scenario":["a"]}'],
    ] as const) {
      const answer = await ask(method, path, { ...own, ...headers }, body)
      expect([method, answer.status]).toEqual([method, 403])
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      expect(answer.text).not.toContain('"requests"')
    }
    expect(JSON.parse((await ask('GET', `${api}/scenario`)).text)).toMatchObject({ scenario: [] })
  })

  it('changes nothing without its header, and lets its own pages in', async () => {
    const body = '{ "offline": true }'
    const page = { origin: host.origin, 'sec-fetch-site': 'same-origin' }
    const refused = await ask('PUT', `${api}/overrides`, { 'content-type': 'text/plain' }, body)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('api-header-missing')])
    const answer = await ask('PUT', `${api}/overrides`, { ...own, ...page }, body)
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { offline: true }])
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    await ask('POST', `${api}/reset`, { ...own, ...page })
  })

  it.runIf(isPreview)('has it in preview only when asked', async () => {
    const plain = await start(project)
    const { text } = await send(plain.origin, 'GET', `${api}/routes`, {})
    await plain.close()
    expect(text).not.toContain('"GET /a #1"')
  })
})

it('is not there with inspector: false, and nothing is recorded', async () => {
  const [node] = hosts
  const project = createTestProject({ 'fixtures/a.yaml': '- { path: /a, response: { body: a } }\n' })
  const host = await node!.start(project, { options: { inspector: false } })
  for (const path of ['/__mock-api/', `${api}/routes`]) {
    expect((await send(host.origin, 'GET', path, {})).headers).toHaveProperty('x-passed-on')
  }
  await host.close()
  project.close()
})
