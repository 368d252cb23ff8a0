import { randomBytes } from 'node:crypto'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { connect as connectSocket, type AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sendTo } from '../http.ts'
import { hosts, type RunningHost, type Start } from './hosts.ts'
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
- path: /slow
  response: { body: late, delay: 30 }
- path: /logo
  response: { file: logo.svg }
`
const logic = `
import { answer } from '../helper.ts'
export default [
  { path: '/code/fail', response: () => { throw new Error('no luck') } },
  { path: '/code/reject', response: async () => { throw new TypeError('later') } },
  { path: '/code/nonsense', response: () => new Map() },
  { path: '/code/predicate', when: () => { throw new Error('undecided') }, response: { body: 'never' } },
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

describe.each(hosts)('$name', (host) => {
  let project: TestProject
  let running: RunningHost
  let upstream: Server
  let upstreamOrigin: string

  async function restart(start: Start = {}, projectFiles: Record<string, string> = files) {
    await running?.close()
    project?.close()
    project = createTestProject(projectFiles)
    running = await host.start(project, { upstream: upstreamOrigin, ...start })
    return sendTo(running.origin)
  }

  beforeAll(async () => {
    upstream = createServer((req, res) => {
      res.setHeader('x-passed-on', req.method ?? '')
      req.pipe(res)
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    upstreamOrigin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await running.close()
    project.close()
    await new Promise((resolve) => upstream.close(resolve))
  })

  describe('with fixture files of the user', () => {
    let send: ReturnType<typeof sendTo>
    beforeAll(async () => {
      send = await restart()
    })

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
      expect([response.status, response.text, response.headers['content-length']]).toEqual([
        204,
        '',
        undefined,
      ])
    })

    it('explains an unmatched request', async () => {
      const headers = { ...json, 'x-tenant': 'b' }
      const response = await send({ method: 'POST', url: '/orders/search?tenant=a', headers, body: '{}' })
      expect(response.status).toBe(404)
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(JSON.parse(response.text)).toMatchObject({
        error: {
          code: 'route-unmatched',
          message: expect.stringContaining('POST /orders/search?tenant=a') as string,
          routes: [
            { route: 'by cookie', selector: 'cookies.session', received: 'nothing' },
            {
              route: 'open ones',
              place: 'fixtures/orders.yaml:8:3',
              selector: 'headers.x-tenant',
              expected: 'the string "a"',
              received: 'the string "b"',
            },
          ],
        },
      })
      expect(running.log.join('\n')).toContain('No route fits POST /orders/search?tenant=a')
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

    it('calls a response function with the request', async () => {
      const response = await send({
        method: 'POST',
        url: '/code/echo?a=1&a=2',
        headers: json,
        body: '{"__proto__":1}',
      })
      expect(response.text).toBe('{"answer":42,"got":{"__proto__":1},"q":{"a":"1"}}')
    })

    it.each([
      { url: '/code/fail', reason: 'Error: no luck', place: 'fixtures/logic.ts:4:' },
      { url: '/code/reject', reason: 'TypeError: later', place: 'fixtures/logic.ts:5:' },
      { url: '/code/nonsense', reason: 'it returned a Map, not a response', place: 'fixtures/logic.ts:3:1' },
      { url: '/code/predicate', reason: 'Error: undecided', place: 'fixtures/logic.ts:7:' },
    ])('answers 500 when a function of the fixture fails: $url', async ({ url, reason, place }) => {
      const response = await send({ url })
      expect(response.status).toBe(500)
      const { error } = JSON.parse(response.text) as { error: Record<string, string> }
      expect(error.code).toBe('function-failed')
      expect(error.message).toContain(reason)
      expect(error.place).toContain(place)
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
  })

  describe('requests that are not ours', () => {
    const sizes = [0, 1, 65_536, 3_000_000]
    it.each(sizes)('reach the next middleware with all %i bytes of their body', async (size) => {
      const send = size === sizes[0] ? await restart() : sendTo(running.origin)
      const bytes = randomBytes(size)
      expect(bytes.equals(await post(running.origin, '/upstream/path', bytes))).toBe(true)
      expect((await send({ method: 'POST', url: '/upstream', body: 'x' })).headers['x-passed-on']).toBe(
        'POST',
      )
    })

    // Vite's preview proxies as its dev server does; both are asked below the path of an endpoint of ours.
    it.each([2, 65_537, 900_000, 1_500_000])(
      'with unmatched: passthrough keep all %i bytes of their body, although it was read',
      async (size) => {
        const send = await restart(
          { options: { unmatched: 'passthrough' } },
          {
            'fixtures/a.yaml':
              '- { path: /graphql, when: { operationName: Mine }, response: { body: mine } }',
          },
        )
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
    it('base: puts all routes below a path', async () => {
      const send = await restart({ options: { base: '/api/' } }, {})
      expect((await send({ url: '/api/items?page=2' })).headers['x-mock-route']).toBe('items, page 2')
      expect((await send({ method: 'POST', url: '/api/graphql' })).headers['x-mock-route']).toBe('hero')
      for (const url of ['/items', '/apis/items', '/api', '/api/']) {
        expect((await send({ url })).headers['x-mock-route']).toBeUndefined()
      }
    })

    it('graphql.path: moves the GraphQL endpoint', async () => {
      const fixture = '- { path: /query, response: { body: { data: 1 } } }'
      const send = await restart({ options: { graphql: { path: '/query' } } }, { 'fixtures/a.yaml': fixture })
      expect((await send({ method: 'POST', url: '/query', body: '{}' })).text).toBe('{"data":1}')
    })

    it('bodyLimit: refuses what is larger, chunked too', async () => {
      await restart({ options: { bodyLimit: 10 } }, {})
      const ok = await post(running.origin, '/graphql', Buffer.from('{"a":1   }'))
      expect(JSON.parse(ok.toString())).toHaveProperty('data')
      for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
        const refused = await post(running.origin, '/graphql', Buffer.from('{"a":1    }'), headers)
        expect(JSON.parse(refused.toString())).toMatchObject({
          errors: [{ extensions: { code: 'request-body-too-large' } }],
        })
      }
    })

    it('enabled: false answers nothing', async () => {
      const send = await restart({ options: { enabled: false } }, {})
      expect((await send({ url: '/items' })).headers['x-mock-route']).toBeUndefined()
    })

    it('logLevel: silent logs nothing', async () => {
      const send = await restart({ options: { logLevel: 'silent' } }, { 'fixtures/a.yaml': '- pth: /x' })
      await send({ url: '/items' })
      expect(running.log.filter((line) => /mock/i.test(line))).toEqual([])
    })

    it('an unknown one stops the start and names the nearest', async () => {
      const wrong = host.start(project, { options: { fixture: 'mocks' } as never })
      await expect(wrong).rejects.toThrow('Unknown option "fixture".\n  Fix: Did you mean "fixtures"?')
    })

    if (host.hasBase) {
      it("the host's own base: answers with and without it", async () => {
        const send = await restart({ hostBase: '/app/' }, {})
        for (const url of ['/app/items?page=3', '/items?page=3']) {
          expect((await send({ url })).headers['x-mock-route']).toBe('items, page 3')
        }
        const page = await send({ url: '/app/', headers: { accept: 'text/html' } })
        expect(page.text).toContain('the page of the project')
      })
    }
  })

  describe('reload', () => {
    afterEach(() => project.close())

    it('follows edit, break, mend, add, rename and delete', async () => {
      const route = (text: string) => `- { path: /a, response: { body: { text: ${text} } } }`
      const send = await restart({}, { 'fixtures/a.yaml': route('one') })
      const text = async (url = '/a') => (await send({ url })).text
      const becomes = (expected: string, url = '/a') =>
        vi.waitFor(async () => expect(await text(url)).toContain(expected), 5000)
      const logs = (line: string) => vi.waitFor(() => expect(running.log.join('\n')).toContain(line), 5000)

      expect(await text()).toBe('{"text":"one"}')
      project.write('fixtures/a.yaml', route('two'))
      await becomes('{"text":"two"}')

      project.write('fixtures/a.yaml', '- path: /a\n  respnse: {}\n')
      await logs('fixtures/a.yaml:2:3 Unknown key "respnse".')
      await logs('Did you mean "response"?')
      expect(await text()).toBe('{"text":"two"}')
      project.write('fixtures/a.yaml', route('three'))
      await becomes('{"text":"three"}')

      project.write('fixtures/b.json5', "[{ path: '/b', response: { body: [1], }, }] // five")
      await becomes('[1]', '/b')
      project.remove('fixtures/b.json5')
      project.write('fixtures/c.json', '[{ "path": "/b", "response": { "body": [2] } }]')
      await becomes('[2]', '/b')
      project.remove('fixtures/c.json')
      await vi.waitFor(
        async () => expect((await send({ url: '/b' })).headers['x-mock-route']).toBeUndefined(),
        5000,
      )
    })

    it('follows a helper module of a TypeScript fixture', async () => {
      const send = await restart()
      const answer = async () => (await send({ method: 'POST', url: '/code/echo' })).text
      expect(await answer()).toContain('"answer":42')
      project.write('helper.ts', 'export const answer: number = 43')
      await vi.waitFor(async () => expect(await answer()).toContain('"answer":43'), 5000)
    })
  })
})

/** Posts bytes and gives back the bytes of the answer. */
function post(
  origin: string,
  path: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const length = headers['transfer-encoding'] ? {} : { 'content-length': bytes.length }
    const sent = httpRequest(
      `${origin}${path}`,
      { method: 'POST', agent: false, headers: { ...length, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
        response.on('end', () => resolve(Buffer.concat(chunks)))
      },
    )
    sent.on('error', reject)
    sent.end(bytes)
  })
}
