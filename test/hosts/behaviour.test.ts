/*
 * What a host can break: where the middleware stands, the base path, bodies on their way in, headers on their way out, closing
 * and reloading. What is the same on every host is tested once, in test/core, test/server and test/loader.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange } from '../http.ts'
import { hosts, startFor, startOnce } from './hosts.ts'
import { closeServer, echo, listen } from './serve.ts'
import { readUntil } from '../server/live/read-stream.ts'
import { openWire } from './wire.ts'

const files = {
  'fixtures/orders.yaml': `
- path: /orders/:id
  response: { body: { id: 7, state: open } }
- name: the order is gone — née 404
  path: /orders/:id
  when: { params: { id: 404 } }
  response: { status: 404, headers: { x-reason: [gone, twice] }, body: { code: not_found } }
- method: POST
  path: /orders/search
  when: { body: { filter: { state: open } } }
  response: { status: 204 }
- name: no orders
  path: /orders/:id
  scenario: orders down
  response: { status: 503, body: down }
- path: /logo
  response: { file: logo.svg }
- path: /tickets
  collection: { items: { file: tickets.json } }
- path: /feed
  response: { stream: [{ data: one }] }
- path: /graphql
  when: { operationName: InParts }
  response: { body: { data: { a: 1, b: 2 } } }
- method: OPTIONS
  path: /allowed
  response: { headers: { allow: 'POST, OPTIONS' }, body: options }
- path: /long
  response: { body: ${'long '.repeat(2000)} }
`,
  'fixtures/tickets.json': '[{"id":1,"state":"open"}]',
  'fixtures/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}
/** Long enough for an event of the file system on a busy machine. */
const patience = { timeout: 30_000 }

describe.each(hosts)('$name', (host) => {
  describe('with fixture files of the user', () => {
    const started = startOnce(host, files)

    it('sends status, name and repeated headers as the fixture has them', async () => {
      const { status, text, headers } = await started.send({ url: '/orders/404' })
      expect([status, text]).toEqual([404, '{"code":"not_found"}'])
      expect(headers).toMatchObject({
        'x-mock-route': 'the order is gone %E2%80%94 née 404',
        'x-reason': 'gone, twice',
      })
    })

    it('reads the body, and answers 204 without one', async () => {
      const body = '{"filter":{"state":"open","more":1}}'
      const response = await started.send({ method: 'POST', url: '/orders/search', body })
      const { status, text, headers } = response
      expect([status, text, headers['content-length']]).toEqual([204, '', undefined])
    })

    it('remembers what a client has written, for that client', async () => {
      const headers = { 'content-type': 'application/json', 'x-mock-client': 'one' }
      const ask = (method: string, url: string, body?: string) =>
        started.send({ method, url, headers, ...(body && { body }) })
      const created = await ask('POST', '/tickets', '{"state":"new"}')
      expect([created.status, created.headers['location'], created.text]).toEqual([
        201,
        '/tickets/2',
        '{"state":"new","id":2}',
      ])
      const patched = await ask('PATCH', '/tickets/1', '{"state":"paid"}')
      expect([patched.status, patched.text]).toEqual([200, '{"id":1,"state":"paid"}'])
      const { status, text, headers: sent } = await ask('GET', '/tickets?state=paid&_limit=5')
      expect([status, text, sent['x-total-count']]).toEqual([200, '[{"id":1,"state":"paid"}]', '1'])
      const again = { ...headers, 'if-none-match': sent['etag']! }
      const known = await started.send({ url: '/tickets?state=paid&_limit=5', headers: again })
      expect([known.status, known.text]).toEqual([304, ''])
      expect((await ask('DELETE', '/tickets/1')).status).toBe(204)
      expect((await ask('HEAD', '/tickets/1')).status).toBe(404)
      expect((await started.send({ url: '/tickets' })).text).toBe('[{"id":1,"state":"open"}]')
    })

    it('explains an unmatched request, in the terminal too', async () => {
      const asked = { method: 'POST', url: '/orders/search?tenant=a', body: '{}' }
      const { status, headers, text } = await started.send(asked)
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'route-unmatched' } })
      expect(started.log.join('\n')).toContain('No route matched POST /orders/search?tenant=a')
    })

    it('a scenario is chosen by the cookie that any page sets', async () => {
      for (const [url, cookie] of [
        ['/?a=1&mock-scenario=orders+down&b=2', 'mock-scenario=orders%20down; Path=/; SameSite=Lax'],
        ['/?mock-scenario=', 'mock-scenario=; Path=/; SameSite=Lax; Max-Age=0'],
        ['/orders/404?mock-scenario=a%0d%0ax-b:1', 'mock-scenario=a%0D%0Ax-b%3A1; Path=/; SameSite=Lax'],
      ] as const) {
        const page = await started.send({ url, headers: { accept: 'text/html' } })
        expect(page.headers['set-cookie'], url).toBe(cookie)
        if (url.startsWith('/?') && host.hasHtmlFallback)
          expect([page.status, page.text]).toEqual([200, expect.stringContaining('the page of the project')])
      }
      const cookie = 'a=1; mock-scenario=orders%20down'
      const { status, headers } = await started.send({ url: '/orders/7', headers: { cookie } })
      expect([status, headers['x-mock-route'], headers['set-cookie']]).toEqual([503, 'no orders', undefined])
    })

    it('a page of this machine may send the headers of scenarios and clients', async () => {
      const asked = 'content-type,x-mock-client,x-mock-scenario'
      const { status, headers } = await started.send({
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

    it('a route answers OPTIONS that is no preflight', async () => {
      const { status, text, headers } = await started.send({ method: 'OPTIONS', url: '/allowed' })
      // Rsbuild's own CORS answers all of them.
      const isAnswered = !host.name.startsWith('Rsbuild')
      expect([status, text, headers['allow']]).toEqual(
        isAnswered ? [200, 'options', 'POST, OPTIONS'] : [204, '', undefined],
      )
    })

    it('sends a file, and the part of it that Range asks for', async () => {
      const whole = files['fixtures/logo.svg']
      const { text, headers } = await started.send({ url: '/logo' })
      expect([text, headers['content-type']]).toEqual([whole, 'image/svg+xml; charset=utf-8'])
      const part = await started.send({ url: '/logo', headers: { range: 'bytes=0-3' } })
      expect([part.status, part.text]).toEqual([206, whole.slice(0, 4)])
      expect(part.headers).toMatchObject({
        'content-length': '4',
        'content-range': `bytes 0-3/${whole.length}`,
      })
    })

    it('sends what is long enough for every middleware that compresses', async () => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, text } = await started.send({ url: '/long', method })
        expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
        expect(text).toBe(method === 'GET' ? 'long '.repeat(2000).trimEnd() : '')
      }
    })

    it('sends the events of an open stream at once, whatever middleware compresses', async () => {
      const headers = { accept: 'text/event-stream', 'accept-encoding': 'gzip, br' }
      const leave = new AbortController()
      const response = await fetch(`${started.origin}/feed`, { headers, signal: leave.signal })
      expect(await readUntil(response)('one')).toBe(':\n\ndata: one\n\n')
      expect(response.headers.get('content-encoding')).toBeNull()
      leave.abort()
    })

    it('sends the parts of a deferred answer', async () => {
      const query = encodeURIComponent('query InParts { a ... @defer { b } }')
      const headers = { accept: 'multipart/mixed;incrementalSpec=v0.2' }
      const text = await (await fetch(`${started.origin}/graphql?query=${query}`, { headers })).text()
      expect(text.match(/^\{.*\}/gm)?.map((json) => JSON.parse(json) as unknown)).toMatchObject([
        { data: { a: 1 }, hasNext: true },
        { incremental: [{ data: { b: 2 } }], hasNext: false },
      ])
    })

    it.each(['/items', '/orders', '/ordersets/7', '/orders/%'])('leaves %s to the host', async (url) => {
      const response = await started.send({ url, headers: { accept: 'text/html' } })
      expect(response.headers['x-mock-route']).toBeUndefined()
      if (host.hasHtmlFallback && !url.includes('%'))
        expect(response.text).toContain('the page of the project')
    })

    it('survives a client that leaves in the middle of its upload', async () => {
      const wire = openWire(
        started.origin,
        'POST /orders/search HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{"filter":',
      )
      await started.send({ url: '/orders/7' }) // by now the server has read what was sent
      const logged = started.log.length
      wire.reset()
      await wire.ended
      expect((await started.send({ url: '/orders/7' })).status).toBe(200)
      expect(started.log.slice(logged)).toEqual([])
    })

    // The last one: it leaves no file as it was.
    it('follows an edit, keeps the routes of a broken file, and follows the repair', async () => {
      const route = (text: string) => `- { path: /a, response: { body: { text: ${text} } } }`
      const save = (text: string) => started.project.write('fixtures/a.yaml', text)
      const textOf = async () => (await started.send({ url: '/a' })).text
      save(route('one'))
      await expect.poll(textOf, patience).toBe('{"text":"one"}')
      save('- path: /a\n  respnse: {}\n')
      await expect
        .poll(() => started.log.join('\n'), patience)
        .toMatch(/fixtures\/a\.yaml:2:3 [^]*\[fixture-unknown-key\]/)
      expect(await textOf()).toBe('{"text":"one"}')
      save(route('two'))
      await expect.poll(textOf, patience).toBe('{"text":"two"}')
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
      { 'fixtures/a.yaml': '- { path: /graphql, when: { operationName: Mine }, response: { body: mine } }' },
      () => ({ options: { unmatched: 'passthrough', bodyLimit: 1_000_000 }, upstream: upstreamOrigin }),
    )
    async function isEchoed(url: string, body: Buffer, headers = {}): Promise<boolean> {
      const { bytes } = await exchange(started.origin, { method: 'POST', url, headers, body })
      return body.equals(bytes) // toEqual can't print a difference of this size
    }

    it.each([0, 3_000_000])('what is not ours keeps all %i bytes of its body', async (size) => {
      expect(await isEchoed('/upstream/path', randomBytes(size))).toBe(true)
      const { headers } = await started.send({ method: 'POST', url: '/upstream', body: 'x' })
      expect(headers['x-passed-on']).toBe('POST')
    })

    // Vite's preview proxies as its dev server does; both are asked below the path of an endpoint of ours.
    it.each([65_537, 1_500_000])(
      'what no route matches keeps all %i bytes of its body, although it was read',
      async (size) => {
        const body = Buffer.from(`{"operationName":"Theirs","pad":"${'é'.repeat(size / 2)}"}`)
        expect(await isEchoed('/graphql', body)).toBe(true)
        expect(await isEchoed('/graphql', body, { 'transfer-encoding': 'chunked' })).toBe(true)
        const ours = await started.send({ method: 'POST', url: '/graphql', body: '{"operationName":"Mine"}' })
        expect(ours.text).toBe('mine')
      },
    )
  })

  describe('options', () => {
    const files = {
      'fixtures/a.yaml':
        '- { path: /query, response: { body: { data: 1 } } }\n- { path: /items, name: mine, response: { body: [1] } }',
      'fixtures/elsewhere.yaml': '- { url: https://pay.example/charges, response: { body: [ch_1] } }',
    }
    const options = { base: '/api/', graphql: { path: '/query' } }
    const started = startOnce(host, files, { options, ...(host.hasBase && { hostBase: '/app/' }) })
    const routeOf = async (url: string, headers = {}) =>
      (await started.send({ url, headers })).headers['x-mock-route']

    it("base: puts all routes below a path, with and without the host's own base", async () => {
      for (const url of ['/api/items?page=2', ...(host.hasBase ? ['/app/api/items?page=3'] : [])])
        expect(await routeOf(url)).toBe('mine')
      for (const url of ['/items', '/apis/items', '/api', '/api/']) expect(await routeOf(url)).toBeUndefined()
    })

    it("graphql.path: moves the GraphQL endpoint, below the plugin's base and the host's own", async () => {
      for (const url of ['/api/query', ...(host.hasBase ? ['/app/api/query'] : [])])
        expect((await started.send({ method: 'POST', url, body: '{}' })).text).toBe('{"data":1}')
      for (const url of ['/query', '/app/query', '/api/graphql'])
        expect((await started.send({ method: 'POST', url, body: '{}' })).text).not.toContain('"data"')
    })

    it.runIf(host.hasBase)("a page below the host's own base sets the cookie of a scenario", async () => {
      const page = await started.send({ url: '/app/?mock-scenario=a', headers: { accept: 'text/html' } })
      expect(page.text).toContain('the page of the project')
      expect(page.headers['set-cookie']).toBe('mock-scenario=a; Path=/; SameSite=Lax')
    })

    it.runIf(host.hasBase)("a page below the host's own base asks other origins there", async () => {
      const headers = { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }
      const page = await started.send({ url: '/app/', headers })
      const [, script] = /<script src="(\/app\/[^"]*origins\.js)">/.exec(page.text) ?? []
      const { status, text } = await started.send({ url: script! })
      expect([status, text]).toEqual([200, expect.stringContaining('"folder":"/app/__mock-api/origin/"')])
      const answer = await started.send({ url: '/app/__mock-api/origin/https://pay.example/charges' })
      expect([answer.status, answer.text]).toEqual([200, '["ch_1"]'])
      const opened = await started.send({ url: '/__mock-api/origin/https://pay.example/charges', headers })
      expect([opened.status, opened.text]).toEqual([403, expect.stringContaining('origin-page-refused')])
      for (const one of [answer, opened]) expect(one.headers['content-security-policy']).toBe('sandbox')
    })

    it('an unknown option stops the start, and the message suggests the nearest one', async () => {
      const wrong = host.start(started.project, { options: { fixture: 'mocks' } as never })
      await expect(wrong).rejects.toThrow('Did you mean "fixtures"?')
    })
  })

  it('enabled: false answers nothing, and logs nothing', async () => {
    const { send, log } = await startFor(
      host,
      { 'fixtures/a.yaml': '- pth: /x' },
      { options: { enabled: false } },
    )
    expect((await send({ url: '/items' })).headers['x-mock-route']).toBeUndefined()
    expect(log.filter((line) => /mock/i.test(line))).toEqual([])
  })
})
