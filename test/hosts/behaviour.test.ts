/*
 * What a host can break: where the middleware stands, the base path, bodies on their way in, headers on their way out, closing
 * and reloading. What is the same on every host is tested once, in test/core and test/loader.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Send } from '../contract.ts'
import { exchange, sendTo } from '../http.ts'
import { hosts, type Host, type RunningHost, type Start } from './hosts.ts'
import { closeServer, echo, listen } from './serve.ts'
import { createTestProject, type TestProject } from './test-project.ts'

const orders = `
- path: /orders/:id
  response: { body: { id: 7, state: open } }
- name: the order is gone — née 404
  path: /orders/:id
  when: { params: { id: 404 } }
  response: { status: 404, headers: { x-reason: [gone, twice] }, body: { code: not_found } }
- name: open ones
  method: POST
  path: /orders/search
  when:
    query: { tenant: a }
    headers: { X-Tenant: a }
    body: { filter: { state: open }, filter.tags: [new] }
  response: { body: [] }
- name: by cookie
  method: POST
  path: /orders/search
  when: { cookies: { session: s1 } }
  response: { status: 204 }
- name: no orders
  path: /orders/:id
  scenario: orders down
  response: { status: 503, body: down }
- path: /stock
  scenario: orders down
- path: /slow
  response: { body: late, delay: 30 }
- path: /logo
  response: { file: logo.svg }
- path: /long
  response: { body: ${'long '.repeat(2000)} }
`
const logic = `
import { answer } from '../helper.ts'
export default [
  { path: '/code/fail', response: () => { throw new Error('no luck') } },
  { method: 'POST', path: '/code/echo', response: (request) => ({ body: { answer, got: request.body, q: request.query } }) },
]
`
const files = {
  'fixtures/orders.yaml': orders,
  'fixtures/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'fixtures/logic.ts': logic,
  'helper.ts': 'export const answer: number = 42',
}
const json = { 'content-type': 'application/json' }

interface Started {
  project: TestProject
  running: RunningHost
  send: Send
}

/** Starts the host once for all tests of the block. */
function startOnce(
  host: Host,
  start: Start | (() => Start) = {},
  projectFiles: Record<string, string> = files,
): Started {
  const started = {} as Started
  beforeAll(async () => {
    started.project = createTestProject(projectFiles)
    started.running = await host.start(started.project, typeof start === 'function' ? start() : start)
    started.send = sendTo(started.running.origin)
  })
  afterAll(async () => {
    await started.running.close()
    started.project.close()
  })
  return started
}

describe.each(hosts)('$name', (host) => {
  describe('with fixture files of the user', () => {
    const started = startOnce(host)
    const send: Send = (request) => started.send(request)

    it.each([
      { url: '/orders/7', status: 200, body: { id: 7, state: 'open' }, route: 'GET /orders/:id #1' },
      {
        url: '/orders/404',
        status: 404,
        body: { code: 'not_found' },
        route: 'the order is gone %E2%80%94 née 404',
      },
    ])('answers GET $url', async ({ url, status, body, route }) => {
      const response = await send({ url })
      expect(response.status).toBe(status)
      expect(JSON.parse(response.text)).toEqual(body)
      expect(response.headers['x-mock-route']).toBe(route)
    })

    it('lets a page of this machine read its answers, and no other page', async () => {
      for (const origin of ['http://localhost:9', 'http://127.0.0.1:9']) {
        const { headers } = await send({ url: '/orders/7', headers: { origin } })
        expect(headers['access-control-allow-origin']).toBe(origin)
      }
      const { headers } = await send({ url: '/orders/7', headers: { origin: 'https://other.example' } })
      expect(headers['access-control-allow-origin']).toBeUndefined()
    })

    it('refuses what a form of another site sends, and follows its links', async () => {
      const form = {
        origin: 'https://other.example',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
      }
      const sent = await send({ method: 'POST', url: '/code/echo', headers: form, body: 'a=1' })
      expect([sent.status, sent.text]).toEqual([403, expect.stringContaining('origin-refused')])
      const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
      expect((await send({ url: '/orders/7', headers: link })).status).toBe(200)
    })

    it('sends repeated headers as often as the fixture lists them', async () => {
      expect((await send({ url: '/orders/404' })).headers['x-reason']).toBe('gone, twice')
    })

    it('selects by query, header and body together', async () => {
      const url = '/orders/search?tenant=a'
      const body = JSON.stringify({ filter: { state: 'open', tags: ['new'], more: 1 } })
      const response = await send({ method: 'POST', url, headers: { ...json, 'x-tenant': 'a' }, body })
      expect([response.status, response.text]).toEqual([200, '[]'])
    })

    it('answers 204 without a body', async () => {
      const headers = { cookie: 'a=b; session=s1' }
      const response = await send({ method: 'POST', url: '/orders/search', headers })
      const { status, text } = response
      expect([status, text, response.headers['content-length']]).toEqual([204, '', undefined])
    })

    it('explains an unmatched request, in the terminal too', async () => {
      const headers = { ...json, 'x-tenant': 'b' }
      const response = await send({ method: 'POST', url: '/orders/search?tenant=a', headers, body: '{}' })
      expect([response.status, response.headers['content-type']]).toEqual([
        404,
        'application/json; charset=utf-8',
      ])
      expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'route-unmatched' } })
      expect(started.running.log.join('\n')).toContain('No route fits POST /orders/search?tenant=a')
    })

    it('a scenario is chosen by a header, or by a cookie that any page sets', async () => {
      const byHeader = await send({ url: '/orders/7', headers: { 'x-mock-scenario': 'orders down' } })
      expect([byHeader.status, byHeader.headers['x-mock-route']]).toEqual([503, 'no orders'])

      for (const [url, cookie] of [
        ['/?a=1&mock-scenario=orders+down&b=2', 'mock-scenario=orders%20down; Path=/; SameSite=Lax'],
        ['/?mock-scenario=', 'mock-scenario=; Path=/; SameSite=Lax; Max-Age=0'],
        ['/orders/404?mock-scenario=a%0d%0ax-b:1', 'mock-scenario=a%0D%0Ax-b%3A1; Path=/; SameSite=Lax'],
      ] as const) {
        const page = await send({ url, headers: { accept: 'text/html' } })
        expect(page.headers['set-cookie'], url).toBe(cookie)
        if (url.startsWith('/?') && host.hasHtmlFallback)
          expect([page.status, page.text]).toEqual([200, expect.stringContaining('the page of the project')])
      }
      const cookie = 'a=1; mock-scenario=orders%20down'
      const byCookie = await send({ url: '/orders/7', headers: { cookie } })
      expect([byCookie.status, byCookie.headers['set-cookie']]).toEqual([503, undefined])
      const script = await send({ url: '/orders/7?mock-scenario=orders+down' })
      expect([script.status, script.headers['set-cookie']]).toEqual([200, undefined])
    })

    it('a path whose routes are in an inactive scenario is passed to the host', async () => {
      expect((await send({ url: '/stock' })).headers['x-mock-route']).toBeUndefined()
      const active = await send({ url: '/stock', headers: { cookie: 'mock-scenario=orders%20down' } })
      expect(active.headers['x-mock-route']).toBe('GET /stock #1')
    })

    it('a scenario that no route has is reported once, though the request is passed to the host', async () => {
      for (const url of ['/stock', '/stock', '/nothing'])
        await send({ url, headers: { 'x-mock-scenario': 'orders dwn' } })
      expect(started.running.log.filter((line) => line.includes('"orders dwn"'))).toEqual([
        expect.stringMatching(
          /names the scenario "orders dwn", which no route has\.\n.*Fix: Did you mean "orders down"\?/,
        ),
      ])
    })

    it('a page of this machine may send the headers of scenarios and clients', async () => {
      const asked = 'content-type,x-mock-client,x-mock-scenario'
      const { status, headers } = await send({
        method: 'OPTIONS',
        url: '/orders/search',
        headers: {
          origin: 'http://localhost:9',
          'access-control-request-method': 'POST',
          'access-control-request-headers': asked,
        },
      })
      expect(status).toBeLessThan(300)
      expect(headers['access-control-allow-headers']?.replaceAll(' ', '')).toBe(asked)
    })

    it('waits as long as the fixture says', async () => {
      const start = performance.now()
      expect((await send({ url: '/slow' })).text).toBe('late')
      expect(performance.now() - start).toBeGreaterThan(28)
    })

    it('sends a file', async () => {
      const response = await send({ url: '/logo' })
      expect(response.text).toBe(files['fixtures/logo.svg'])
      expect(response.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    })

    it.each([
      ['bytes=0-3', 206, 'bytes 0-3/'],
      ['bytes=-4', 206, /^bytes \d+-\d+\//],
      ['bytes=999999-', 416, 'bytes */'],
    ])('sends the part of a file that Range asks for: %s', async (range, status, contentRange) => {
      const response = await send({ url: '/logo', headers: { range } })
      const whole = files['fixtures/logo.svg']
      const part = status === 416 ? '' : range === 'bytes=-4' ? whole.slice(-4) : whole.slice(0, 4)
      expect([response.status, response.text]).toEqual([status, part])
      expect(response.headers['content-length']).toBe(String(part.length))
      expect(response.headers['content-range']).toMatch(contentRange)
      expect(response.headers['content-range']).toMatch(new RegExp(`/${whole.length}$`))
    })

    it('sends what is long enough for every middleware that compresses', async () => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, text } = await send({ url: '/long', method })
        expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
        expect(text).toBe(method === 'GET' ? 'long '.repeat(2000).trimEnd() : '')
      }
    })

    it('calls a response function with the request', async () => {
      const url = '/code/echo?a=1&a=2'
      const response = await send({ method: 'POST', url, headers: json, body: '{"__proto__":1}' })
      expect(response.text).toBe('{"answer":42,"got":{"__proto__":1},"q":{"a":"1"}}')
    })

    it('answers 500 when a function of the fixture throws', async () => {
      const response = await send({ url: '/code/fail' })
      expect(response.status).toBe(500)
      const { error } = JSON.parse(response.text) as { error: Record<string, string> }
      expect(error['code']).toBe('function-failed')
      expect(error['message']).toContain('Error: no luck')
      expect(error['place']).toContain('fixtures/logic.ts:4')
    })

    it.each([
      { name: 'malformed JSON', body: '{"filter":', status: 400, code: 'request-body-malformed' },
      {
        name: 'a body over the limit',
        body: `"${'x'.repeat(1_048_576)}"`,
        status: 413,
        code: 'request-body-too-large',
      },
    ])('refuses $name', async ({ body, status, code }) => {
      const response = await send({ method: 'POST', url: '/orders/search', headers: json, body })
      expect(response.status).toBe(status)
      expect(JSON.parse(response.text)).toMatchObject({ error: { code } })
    })

    it.each([
      '/items',
      '/graphql?query=%7Ba%7D',
      '/orders',
      '/orders/7/8',
      '/ordersets/7',
      '/orders/%',
      '/orders/%E0%A4%A',
    ])('leaves %s to the host', async (url) => {
      const response = await send({ url, headers: { accept: 'text/html' } })
      expect(response.headers['x-mock-route']).toBeUndefined()
      if (host.hasHtmlFallback && !url.includes('%'))
        expect(response.text).toContain('the page of the project')
    })

    it('leaves a method that no route of the path has to the host', async () => {
      const response = await send({ method: 'DELETE', url: '/orders/7' })
      expect(response.headers['x-mock-route']).toBeUndefined()
    })

    it('survives a client that leaves in the middle of its upload', async () => {
      const { running } = started
      const { port } = new URL(running.origin)
      const socket = connectSocket(Number(port), '127.0.0.1')
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.write('POST /orders/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n')
      socket.write('content-length: 1000\r\n\r\n{"filter":')
      await send({ url: '/orders/7' }) // by now the server has read what was sent
      const logged = running.log.length
      socket.destroy()
      await new Promise((resolve) => socket.once('close', resolve))
      expect((await send({ url: '/orders/7' })).status).toBe(200)
      expect(running.log.slice(logged)).toEqual([])
    })

    // The last one: it leaves no file as it was.
    it('follows edit, break, repair, add, rename and delete, and a helper module', async () => {
      const { project, running } = started
      const route = (text: string) => `- { path: /a, response: { body: { text: ${text} } } }`
      const request = { method: 'POST', url: '/code/echo' }
      const becomes = (expected: string, asked: Parameters<Send>[0] = { url: '/a' }) =>
        expect.poll(async () => (await send(asked)).text, patience).toContain(expected)
      const logs = (line: string) => expect.poll(() => running.log.join('\n'), patience).toContain(line)

      project.write('fixtures/a.yaml', route('one'))
      await becomes('{"text":"one"}')
      project.write('fixtures/a.yaml', route('two'))
      await becomes('{"text":"two"}')

      project.write('fixtures/a.yaml', '- path: /a\n  respnse: {}\n')
      await logs('fixtures/a.yaml:2:3 Unknown key "respnse".')
      await logs('Did you mean "response"?')
      expect((await send({ url: '/a' })).text).toBe('{"text":"two"}')
      project.write('fixtures/a.yaml', route('three'))
      await becomes('{"text":"three"}')

      project.write('helper.ts', 'export const answer: number = 43')
      await becomes('"answer":43', request)

      project.write('fixtures/b.json5', "[{ path: '/b', response: { body: [1], }, }] // five")
      await becomes('[1]', { url: '/b' })
      project.remove('fixtures/b.json5')
      project.write('fixtures/c.json', '[{ "path": "/b", "response": { "body": [2] } }]')
      await becomes('[2]', { url: '/b' })
      project.remove('fixtures/c.json')
      await expect
        .poll(async () => (await send({ url: '/b' })).headers['x-mock-route'], patience)
        .toBeUndefined()
    })
  })

  describe('with unmatched: passthrough', () => {
    const upstream = createServer(echo)
    let upstreamOrigin: string
    beforeAll(async () => {
      upstreamOrigin = await listen(upstream)
    })
    afterAll(() => closeServer(upstream))
    const started = startOnce(
      host,
      () => ({ options: { unmatched: 'passthrough', bodyLimit: 1_000_000 }, upstream: upstreamOrigin }),
      { 'fixtures/a.yaml': '- { path: /graphql, when: { operationName: Mine }, response: { body: mine } }' },
    )

    it.each([0, 1, 65_536, 3_000_000])('what is not ours keeps all %i bytes of its body', async (size) => {
      const bytes = randomBytes(size)
      expect(bytes.equals(await post(started.running.origin, '/upstream/path', bytes))).toBe(true)
      const { headers } = await started.send({ method: 'POST', url: '/upstream', body: 'x' })
      expect(headers['x-passed-on']).toBe('POST')
    })

    // Vite's preview proxies as its dev server does; both are asked below the path of an endpoint of ours.
    it.each([2, 65_537, 900_000, 1_500_000])(
      'what no route fits keeps all %i bytes of its body, although it was read',
      async (size) => {
        const { running, send } = started
        const body = Buffer.from(`{"operationName":"Theirs","pad":"${'é'.repeat(size / 2)}"}`)
        expect(body.equals(await post(running.origin, '/graphql', body))).toBe(true)
        const chunked = await post(running.origin, '/graphql', body, { 'transfer-encoding': 'chunked' })
        expect(body.equals(chunked)).toBe(true)
        const ours = await send({ method: 'POST', url: '/graphql', body: '{"operationName":"Mine"}' })
        expect(ours.text).toBe('mine')
      },
    )
  })

  describe('options', () => {
    const hostBase = host.hasBase ? { hostBase: '/app/' } : {}
    const options = { base: '/api/', graphql: { path: '/query' }, bodyLimit: 10 }
    const fixture =
      '- { path: /query, response: { body: { data: 1 } } }\n- { path: /items, name: mine, response: { body: [1] } }'
    const started = startOnce(host, { options, ...hostBase }, { 'fixtures/a.yaml': fixture })

    it('base: puts all routes below a path', async () => {
      const { send } = started
      expect((await send({ url: '/api/items?page=2' })).headers['x-mock-route']).toBe('mine')
      for (const url of ['/items', '/apis/items', '/api', '/api/'])
        expect((await send({ url })).headers['x-mock-route']).toBeUndefined()
    })

    it("graphql.path: moves the GraphQL endpoint, below the plugin's base and the host's own", async () => {
      for (const url of ['/api/query', ...(host.hasBase ? ['/app/api/query'] : [])])
        expect((await started.send({ method: 'POST', url, body: '{}' })).text).toBe('{"data":1}')
      for (const url of ['/query', '/app/query', '/api/graphql'])
        expect((await started.send({ method: 'POST', url, body: '{}' })).text).not.toContain('"data"')
    })

    it('bodyLimit: refuses what is larger, chunked too', async () => {
      const { origin } = started.running
      const ok = await post(origin, '/api/query', Buffer.from('{"a":1   }'))
      expect(JSON.parse(ok.toString())).toHaveProperty('data')
      for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
        const refused = await post(origin, '/api/query', Buffer.from('{"a":1    }'), headers)
        expect(JSON.parse(refused.toString())).toMatchObject({
          errors: [{ extensions: { code: 'request-body-too-large' } }],
        })
      }
    })

    it.runIf(host.hasBase)("the host's own base: answers with and without it", async () => {
      const { send } = started
      for (const url of ['/app/api/items?page=3', '/api/items?page=3'])
        expect((await send({ url })).headers['x-mock-route']).toBe('mine')
      const page = await send({ url: '/app/?mock-scenario=a', headers: { accept: 'text/html' } })
      expect(page.text).toContain('the page of the project')
      expect(page.headers['set-cookie']).toBe('mock-scenario=a; Path=/; SameSite=Lax')
    })

    it('an unknown option stops the start, and the message suggests the nearest one', async () => {
      const wrong = host.start(started.project, { options: { fixture: 'mocks' } as never })
      await expect(wrong).rejects.toThrow('Unknown option "fixture".\n  Fix: Did you mean "fixtures"?')
    })
  })

  it('enabled: false answers nothing, and logs nothing', async () => {
    const project = createTestProject({ 'fixtures/a.yaml': '- pth: /x' })
    const running = await host.start(project, { options: { enabled: false } })
    expect((await sendTo(running.origin)({ url: '/items' })).headers['x-mock-route']).toBeUndefined()
    expect(running.log.filter((line) => /mock/i.test(line))).toEqual([])
    await running.close()
    project.close()
  })
})

/** Long enough for an event of the file system on a busy machine. */
const patience = { timeout: 30_000 }

/** Posts bytes, and gives the bytes of the answer. */
async function post(origin: string, url: string, body: Buffer, headers = {}): Promise<Buffer> {
  return (await exchange(origin, { method: 'POST', url, headers, body })).bytes
}
