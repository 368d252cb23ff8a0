import { createServer, type RequestListener } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import connect, { type NextHandleFunction } from 'connect'
import inject from 'light-my-request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMiddleware } from '../../../src/connect.ts'
import { openHttp2 } from '../../hosts/raw-http2.ts'
import { closeServer, echo, listen } from '../../hosts/serve.ts'
import { beforeHead } from '../../../src/wire/node/write-response.ts'
import { createTestProject } from '../../hosts/test-project.ts'
import { openWire, parts, requestText } from '../../hosts/wire.ts'
import { isThorough } from '../../sampling.ts'
import { checkHeaderNames, decode, exchange } from '../../http.ts'

/*
 * Middlewares of the field replace `writeHead`, `write`, `end`, `setHeader` and `on` of a response. What a browser gets
 * through each of them must be what the fixture says.
 */

const require = createRequire(import.meta.url)
type Factory = (options?: object) => NextHandleFunction
const middleware = (factory: unknown, options?: object) => (factory as Factory)(options)
const session = { secret: 's', resave: false, saveUninitialized: true }

/** A logger that replaces nothing, and looks once the answer has been sent. */
const looked: (string | undefined)[] = []
const logger =
  (event: 'finish' | 'close'): NextHandleFunction =>
  (_req, res, next) => {
    res.on(event, () => looked.push(res.getHeader('content-type') as string | undefined))
    next()
  }
const logLine = () => middleware(require('morgan'), () => undefined)

const withOldHeaders: Record<string, () => NextHandleFunction> = {
  'morgan 1.10.0, on-headers 1.0.2': () => middleware(require('morgan-1.10.0'), () => undefined),
  'express-session 1.17.3, on-headers 1.0.2': () => middleware(require('express-session-1.17.3'), session),
}
const middlewares: Record<string, () => NextHandleFunction> = {
  ...(isThorough && withOldHeaders),
  'nothing else': () => (_req, _res, next) => next(),
  'compression 1.8': () => middleware(require('compression'), { threshold: 0 }),
  'compression 1.7.4, on-headers 1.0.2': () => middleware(require('compression-1.7.4'), { threshold: 0 }),
  'http-compression': () => middleware(require('http-compression')),
  'http-compression of everything': () => middleware(require('http-compression'), { threshold: 0 }),
  '@polka/compression': () => middleware(require('@polka/compression'), { brotli: true }),
  helmet: () => middleware(require('helmet')),
  'morgan 1.12': logLine,
  'response-time': () => middleware(require('response-time')),
  'express-session 1.19': () => middleware(require('express-session'), session),
  'connect-livereload': () => middleware(require('connect-livereload')),
  'a logger on finish': () => logger('finish'),
  'a logger on close': () => logger('close'),
  'headers set before': () => (_req, res, next) => {
    res.setHeader('vary', 'Origin')
    res.setHeader('set-cookie', 'before=1')
    res.setHeader('content-type', 'text/plain')
    next()
  },
}

const items = Array.from({ length: 400 }, (_, id) => ({ id, name: `Item ${id}, größer` }))
const page = `<!doctype html><html><body><p>${'ä'.repeat(2000)}</p></body></html>`

const fixtures = {
  'fixtures/a.json': JSON.stringify([
    { path: '/static', response: { body: { id: 7 } } },
    { path: '/bytes', response: { body: { name: 'größer' } } },
    { path: '/large', response: { body: items } },
    { path: '/page', response: { body: page, headers: { 'content-type': 'text/html; charset=utf-8' } } },
    { path: '/cookies', response: { body: {}, headers: { 'set-cookie': ['a=1', 'b=2'], vary: 'Cookie' } } },
    { path: '/empty', response: { status: 204 } },
    { path: '/posted', method: 'POST', when: { body: { name: 'größer' } }, response: { status: 201 } },
    { path: '/cached', response: { status: 304 } },
    { path: '/moved', response: { status: 302, headers: { location: '/static' } } },
    { path: '/selected', when: { query: { a: 1 } }, response: { body: {} } },
    { path: '/slow', response: { body: { slow: true }, delay: 5 } },
    { path: '/dribbled', response: { body: { dribbled: true }, fault: { dribble: 40 } } },
    { path: '/stream', response: { stream: [{ data: 1 }], end: 'complete' } },
    { path: '/truncated', response: { body: items, fault: 'truncated' } },
  ]),
  'fixtures/b.mjs': `export default [
    { path: '/function', response: ({ query }) => ({ body: { page: query.page ?? 'none' } }) },
    { path: '/async', response: async () => ({ status: 201, body: 'fertig: ä' }) },
    { path: '/throws', response: () => { throw new Error('on purpose') } },
  ]`,
}

const json = 'application/json; charset=utf-8'
interface Answer {
  method?: string
  path: string
  status: number
  type?: string
  body?: string | RegExp
}
const answers: Answer[] = [
  { path: '/static', status: 200, type: json, body: '{"id":7}' },
  { path: '/bytes', status: 200, type: json, body: '{"name":"größer"}' },
  { path: '/large', status: 200, type: json, body: JSON.stringify(items) },
  { path: '/cookies', status: 200, type: json, body: '{}' },
  { path: '/function?page=2', status: 200, type: json, body: '{"page":"2"}' },
  { path: '/async', status: 201, type: 'text/plain; charset=utf-8', body: 'fertig: ä' },
  { path: '/slow', status: 200, type: json, body: '{"slow":true}' },
  { path: '/dribbled', status: 200, type: json, body: '{"dribbled":true}' },
  { path: '/empty', status: 204, body: '' },
  { path: '/cached', status: 304, body: '' },
  { path: '/moved', status: 302, body: '' },
  { path: '/throws', status: 500, type: json, body: /on purpose/ },
  { path: '/selected', status: 404, type: json, body: /"code":"route-unmatched"/ },
  { method: 'HEAD', path: '/static', status: 200, type: json, body: '' },
  { method: 'HEAD', path: '/large', status: 200, type: json, body: '' },
  { method: 'POST', path: '/graphql', status: 200, body: '{"operationName":"X"}' }, // not ours: echoed
]

const heard = answers.filter(({ path }) => /static|large|dribbled|empty|throws/.test(path))

type Received = Awaited<ReturnType<typeof ask>>

/** Asks as `fetch` does in a page of the same origin: without `Origin`, so no header is set before the answer. */
const asFetch: Record<string, string> = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-dest': 'empty',
}

/** The answer with its headers in lower case, repeated ones too. */
async function ask(origin: string, { method = 'GET', path }: Pick<Answer, 'method' | 'path'>, more = {}) {
  const body = method === 'POST' ? { body: '{"operationName":"X"}' } : {}
  const headers = { ...asFetch, ...more }
  const { response, bytes } = await exchange(origin, { method, url: path, headers, ...body })
  return { status: response.statusCode!, headers: pairs(response.rawHeaders), body: bytes }
}

const pairs = (raw: readonly string[]) =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1]!] as const] : []))

const all = ({ headers }: Received, name: string) =>
  headers.filter(([key]) => key === name).map(([, value]) => value)

function checkAnswer(received: Received, { method, path, status, type, body }: Answer): void {
  expect(received.status, path).toBe(status)
  checkHeaderNames(received.headers.map(([name]) => name))
  if (type !== undefined) expect(all(received, 'content-type'), path).toEqual([type])
  const length = all(received, 'content-length')
  if (method === 'HEAD') expect(received.body.length).toBe(0)
  else if (length.length > 0) expect(length, path).toEqual([String(received.body.length)])
  const isEmpty = received.body.length === 0
  const text = isEmpty ? '' : decode(received.body, all(received, 'content-encoding')[0]).toString()
  if (typeof body === 'string') expect(text, path).toBe(body)
  else if (body) expect(text, path).toMatch(body)
}

const listening: NextHandleFunction = (req, res, next) => {
  let count = 0
  if (req.headers['x-listen']) beforeHead(res, () => res.setHeader('x-mock-route', `last ${++count}`))
  next()
}

const project = createTestProject(fixtures)
const mock = createMiddleware({ root: project.root, logLevel: 'silent', watch: false })
const origins = new Map<string, string>()
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  await mock.ready
  for (const [name, create] of Object.entries(middlewares)) {
    for (const order of ['in front', 'behind']) {
      const app = connect()
      if (order === 'in front') app.use(create())
      app.use(listening)
      app.use(mock)
      if (order === 'behind') app.use(create())
      app.use(echo)
      const server = createServer(app)
      origins.set(`${name}, ${order}`, await listen(server))
      closers.push(() => closeServer(server))
    }
  }
})
afterAll(async () => {
  await Promise.all(closers.map((close) => close()))
  await mock.close()
  project.close()
})

describe.each(Object.keys(middlewares).flatMap((name) => [`${name}, in front`, `${name}, behind`]))(
  '%s',
  (name) => {
    it('answers as the fixture says', async () => {
      for (const answer of answers) checkAnswer(await ask(origins.get(name)!, answer), answer)
    })

    it('calls a listener once before the head, also of streams', async () => {
      for (const answer of [...heard, { path: '/stream', status: 200 }]) {
        const received = await ask(origins.get(name)!, answer, { 'x-listen': '1' })
        expect([answer.path, all(received, 'x-mock-route')]).toEqual([answer.path, ['last 1']])
      }
    })

    it('answers a page of another origin', async () => {
      const page = { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' }
      const received = await ask(origins.get(name)!, answers[2]!, page)
      checkAnswer(received, answers[2]!)
      expect(all(received, 'access-control-allow-origin')).toEqual([page.origin])
    })

    it('keeps both cookies of a fixture and what it varies by, beside those of others', async () => {
      const received = await ask(origins.get(name)!, { path: '/cookies' })
      const cookies = all(received, 'set-cookie')
      expect(cookies).toEqual(expect.arrayContaining(['a=1', 'b=2']))
      expect(cookies.length - 2).toBe(/(session|set before).*front/.test(name) ? 1 : 0)
      const vary = all(received, 'vary').join(', ')
      expect(vary).toContain('Cookie')
      if (/set before.*front/.test(name)) expect(vary).toContain('Origin')
    })

    it('sends a page to a navigation', async () => {
      const navigation = {
        accept: 'text/html,*/*;q=0.8',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      }
      const received = await ask(origins.get(name)!, { path: '/page' }, navigation)
      const body = /livereload.*front/.test(name) ? /livereload\.js.*<\/script>/s : page
      checkAnswer(received, { path: '/page', status: 200, type: 'text/html; charset=utf-8', body })
      expect(received.body.length).toBeGreaterThan(0)
    })

    it('truncates the response where the fixture says so', async () => {
      const wire = openWire(origins.get(name)!, requestText('GET', '/truncated'))
      await wire.ended
      const sent = Buffer.from(parts(wire.received()).body, 'latin1').toString()
      expect(sent.length).toBeLessThan(JSON.stringify(items).length)
      expect(JSON.stringify(items)).toContain(sent.slice(0, 1000))
    })
  },
)

it('compresses where a middleware in front does', async () => {
  const compressing = [...origins].filter(([name]) => /compression.*front/.test(name))
  const codings = await Promise.all(
    compressing.map(async ([, origin]) => all(await ask(origin, { path: '/large' }), 'content-encoding')),
  )
  expect(codings.flat()).toHaveLength(compressing.length)
})

it.each(['a logger on finish, in front', 'a logger on close, in front'])(
  'tells %s what was sent',
  async (name) => {
    looked.length = 0
    await ask(origins.get(name)!, { path: '/static' }, { connection: 'close' })
    await expect.poll(() => looked).toEqual([json])
  },
)

describe('HTTP/2', () => {
  const supported = ['nothing else', 'compression 1.8', 'response-time', 'helmet', 'a logger on finish']

  it.each(supported)('behind %s', async (name) => {
    const app = connect()
    app.use(middlewares[name]!())
    app.use(mock)
    app.use(echo)
    const server = createHttp2Server(app as never)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const connection = openHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    try {
      for (const answer of answers.filter(({ method }) => method !== 'POST')) {
        const { method = 'GET', path } = answer
        const received = await connection.send({ method, target: path, headers: asFetch })
        const { status, headers, bytes } = received!
        checkAnswer({ status, headers: Object.entries(headers), body: bytes }, answer)
        if (path === '/cookies') expect(headers['set-cookie']).toBe('a=1, b=2')
      }
    } finally {
      await connection.close()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})

describe('light-my-request', () => {
  const dispatch: RequestListener = (req, res) => mock(req, res, () => echo(req, res))

  it.each(answers.filter(({ path }) => path !== '/dribbled'))('$method $path', async (answer) => {
    const { method = 'GET', path, status, type, body } = answer
    const payload = method === 'POST' ? '{"operationName":"X"}' : undefined
    const response = await inject(dispatch, {
      method: method as 'GET',
      url: path,
      headers: asFetch,
      ...(payload && { payload }),
    })
    expect(response.statusCode).toBe(status)
    if (type) expect(response.headers['content-type']).toBe(type)
    if (typeof body === 'string') expect(response.payload).toBe(body)
    else if (body) expect(response.payload).toMatch(body)
  })

  it('reads a body', async () => {
    const response = await inject(dispatch, { method: 'POST', url: '/posted', payload: { name: 'größer' } })
    expect(response.statusCode).toBe(201)
  })

  it('keeps both cookies', async () => {
    const response = await inject(dispatch, '/cookies')
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2'])
  })
})
