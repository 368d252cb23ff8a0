import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TimeLimitError, type Limits } from '../../../src/core/answer/rules.ts'
import type { Fixture, Predicate, ResponseFunction } from '../../../src/core/schema/schema.ts'
import { openEvents } from '../../../src/core/stream/open-events.ts'
import { bodyAsText, type PreparedResponse } from '../../../src/core/response/prepare-response.ts'
import { decideAbout, file, send, tableOf } from '../send.ts'

/* What a function of a fixture can do wrong: it must harm nothing but its own answer. */

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => void process.on('unhandledRejection', note))
afterEach(async () => {
  await new Promise(setImmediate) // where Node would report them
  process.off('unhandledRejection', note)
  expect(unhandled.splice(0)).toEqual([])
})

const no = (): never => { throw new Error('no') } // prettier-ignore
const hostile = new Proxy(
  {},
  { get: no, getPrototypeOf: no, has: no, ownKeys: no, getOwnPropertyDescriptor: no },
)
const reject = () => Promise.reject(new Error('rejected inside'))
const circle: unknown[] = []
circle.push(circle)

class Order {
  id = 7
  #price = 1
  get price() {
    return this.#price
  }
}
class Answer {
  get body() {
    return { a: 1 }
  }
}

interface Failure {
  error: { code: string; message: string; fix: string; place: string }
}

async function failureOf(response: unknown, limits?: Limits) {
  const table = tableOf([{ name: 'r', path: '/a', response: response as ResponseFunction }])
  const sent = await send(table, 'GET /a', { ...(limits && { limits }) })
  const { message, ...error } = (sent.body as Failure).error
  expect(sent.diagnostic).toMatchObject({
    code: error.code,
    severity: 'error',
    file: file.file,
    line: 1,
    column: 1,
  })
  return {
    status: sent.status,
    error,
    reason: message.replace(/^The response function of route "r" (failed )?/, ''),
  }
}

describe('a response function that', () => {
  const invalid = 'what it returned is not a response: '
  const misfit = (what: string) => `it returned what can\'t be sent as JSON: ${what}.`

  it.each<[does: string, response: () => unknown, reason: string]>([
    ['returns a Set', () => new Set(), 'it returned a Set, not a response'],
    ['returns a promise of a promise of nothing', () => Promise.resolve(Promise.resolve(undefined)), 'it returned nothing, not a response'],
    ['returns rejecting promises in a list', () => [reject(), [reject()]], 'it returned a list, not a response'],
    ['has a Map for its body', () => ({ body: new Map() }), misfit('body is a Map')],
    ['has promises in its body', () => ({ body: { a: reject(), b: [reject()] } }), misfit('body.a is a promise (an "await" is missing)')],
    ['has a function in its body', () => ({ body: { save() {} } }), misfit('body.save is a function')],
    ['has a body that was not found', () => ({ body: [].find(() => true) }), 'the body that it returned is undefined.'],
    ['has a BigInt in its body', () => ({ body: { a: 1n } }), 'Do not know how to serialize a BigInt'],
    ['has a circle in its body', () => ({ body: circle }), 'Converting circular structure to JSON'],
    ['has a body with a toJSON that throws', () => ({ body: { toJSON: no } }), 'Error: no'],
    ['has a body with a getter that throws', () => ({ body: { get a() { return no() } } }), 'Error: no'],
    ['has a body that is a hostile proxy', () => ({ body: hostile }), 'Error: no'],
    ['is a hostile proxy', () => hostile, 'Error: no'],
    ['has a getter that throws', () => ({ get body() { return no() } }), 'Error: no'],
    ['throws a hostile proxy', () => { throw hostile }, 'it threw something that throws when it is looked at'], // eslint-disable-line @typescript-eslint/only-throw-error
    ['rejects with a hostile proxy', () => Promise.reject(hostile), 'it threw something that throws when it is looked at'], // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors
    ['throws an error with a hostile stack', () => { throw Object.defineProperty(new Error('oh'), 'stack', { get: no }) }, 'Error: oh'],
    ['returns a thenable whose then throws', () => ({ then: no }), 'Error: no'],
    ['returns a thenable that rejects twice', () => ({ then: (_: unknown, fail: (error: Error) => void) => { fail(new Error('one')); fail(new Error('two')) } }), 'Error: one'],
    ['has a status that is text', () => ({ status: '200' }), `${invalid}"status" must be a number`],
    ['has a header with a line break', () => ({ headers: { a: 'x\r\nset-cookie: b=c' } }), `${invalid}"a" must be`],
    ['has a header with a bad name', () => ({ headers: { 'a\r\nb': 'x' } }), `${invalid}the header "a\\r\\nb" can't be sent`],
    ['has a promise for a header', () => ({ headers: { a: reject() } }), `${invalid}"a" must be`],
    ['has a Headers object', () => ({ headers: new Headers({ a: 'b' }) }), `${invalid}"headers" must be an object, not a Headers`],
    ['nests too deep', () => ({ body: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown }), 'Maximum call stack'],
  ])('%s', async (_, response, reason) => {
    const failure = await failureOf(response)
    expect(failure.status).toBe(500)
    expect(failure.error).toEqual({
      code: 'function-failed',
      fix: expect.stringMatching(/^[A-Z].*\.$/) as string,
      place: 'fixtures/a.ts:1:1',
    })
    expect(failure.reason).toMatch(/^on GET \/a: /)
    expect(failure.reason).toContain(reason)
  }) // prettier-ignore

  it('returns a Response answers with its status, its headers and its body', async () => {
    const headers = new Headers({ 'x-a': 'b', 'content-type': 'text/plain' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    const table = tableOf([
      { name: 'r', path: '/a', response: () => new Response('é', { status: 201, headers }) },
      { path: '/json', response: () => Promise.resolve(Response.json({ id: 7 })) },
      { path: '/none', response: () => new Response(null, { status: 204 }) },
      { path: '/error', response: () => Response.error() },
      { path: '/static', response: Response.json([1]) },
    ])
    const { response } = (await decideAbout(table, 'GET /a')) as { response: PreparedResponse }
    expect([response.status, bodyAsText(response.body)]).toEqual([201, 'é'])
    const { headers: sent } = response
    const sentAs = (name: string) => sent.filter((_, index) => index % 2 === 1 && sent[index - 1] === name)
    expect(['content-type', 'x-a', 'set-cookie', 'content-length', 'x-mock-route'].map(sentAs)).toEqual([
      ['text/plain'],
      ['b'],
      ['a=1', 'b=2'],
      ['2'],
      ['r'],
    ])
    expect(await send(table, 'GET /json')).toMatchObject({ status: 200, body: { id: 7 } })
    expect(await send(table, 'GET /none')).toMatchObject({ status: 204, body: '' })
    expect(await send(table, 'GET /error')).toMatchObject({ fault: 'reset' })
    for (const path of ['/static', '/static'])
      expect(await send(table, `GET ${path}`)).toMatchObject({ status: 200, body: [1] })
  })

  it.each<[path: string, sent: string[], isCancelled: boolean]>([
    ['/waits', ['a', 'b'], false],
    ['/breaks', ['a', 'truncated'], false],
    ['/endless', ['a'], true],
  ])(
    'returns a Response whose body is still made is sent as it comes: %s',
    async (path, sent, isCancelled) => {
      let cancelled = false
      const turn = () => new Promise((resolve) => setImmediate(resolve))
      const bodyOf = (then: (controller: ReadableStreamDefaultController) => unknown) =>
      new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from('a')),
        pull: async (controller) => void (await turn().then(() => then(controller))),
        cancel: () => void (cancelled = true),
      }, { highWaterMark: 2 }) // prettier-ignore
      const headers = { 'content-type': 'text/plain', etag: '"x"' }
      const table = tableOf([
      { path: '/waits', response: () => new Response(bodyOf((to) => (to.enqueue(Buffer.from('b')), to.close())), { headers }) },
      { path: '/breaks', response: () => new Response(bodyOf((to) => to.error(new Error('oh'))), { headers }) },
      { path: '/endless', response: () => new Response(bodyOf(() => new Promise(() => {})), { headers }) },
    ]) // prettier-ignore
      const { response, stream } = (await decideAbout(table, `GET ${path}`))!
      expect(response!.headers).toEqual(expect.arrayContaining(['text/plain', '"x"']))
      expect(response!.headers).not.toContain('content-length')
      const seen: string[] = []
      const left = new AbortController()
      const context = { signal: left.signal, wait: async () => {}, report: () => {}, cut: () => {} }
      for await (const event of openEvents(stream!, context)) {
        const piece = stream!.framing.frame(event)
        seen.push(event.fault ?? (typeof piece === 'string' ? piece : new TextDecoder().decode(piece)))
        if (isCancelled) left.abort()
      }
      expect([seen, cancelled]).toEqual([sent, isCancelled])
    },
  )

  it('returns a Response whose body was read gives 500', async () => {
    const response = new Response('x')
    await response.text()
    expect(await failureOf(() => response)).toMatchObject({
      status: 500,
      reason: 'on GET /a: TypeError: the body of the Response it returned has been read before.',
    })
  })

  it.each<[does: string, response: () => unknown, body: unknown]>([
    ['returns an instance of a class', () => ({ body: new Order() }), { id: 7 }],
    ['answers by accessors', () => new Answer(), { a: 1 }],
    ['returns an object of no class', () => Object.assign(Object.create(null) as object, { body: 1 }), 1],
    ['has dates, undefined and NaN in its body', () => ({ body: { a: [NaN], b: new Date(0), c: undefined } }), { a: [null], b: '1970-01-01T00:00:00.000Z' }],
    ['returns a Buffer', () => ({ body: Buffer.from('bytes') }), 'bytes'],
    ['returns a part of a buffer', () => ({ body: new Uint8Array(Buffer.from('bytes').buffer, Buffer.from('').byteOffset, 0) }), ''],
    ['returns no body', () => ({}), ''],
    ['returns no body with a status that has none', () => ({ status: 204, body: undefined }), ''],
    ['resolves twice', () => ({ then: (done: (value: object) => void) => { done({ body: 1 }); done({ body: 2 }) } }), 1],
    ['resolves, then rejects', () => ({ then: (done: (value: object) => void, fail: (error: Error) => void) => { done({ body: 1 }); fail(new Error('late')) } }), 1],
  ])('%s answers', async (_, response, body) => {
    const table = tableOf([{ path: '/a', response: response as ResponseFunction }])
    const sent = await send(table, 'GET /a')
    expect([sent.status < 300, sent.body, sent.diagnostic]).toEqual([true, body, undefined])
  }) // prettier-ignore

  it.each<[response: () => unknown, isWarned: boolean]>([
    [() => ({ status: 204, body: { id: 7 } }), true],
    [() => Promise.resolve({ status: 205, body: 'text' }), true],
    [() => ({ status: 304, body: new Uint8Array(1) }), true],
    [() => ({ status: 204 }), false],
    [() => ({ status: 204, body: null }), false],
    [() => ({ status: 205, body: '' }), false],
    [() => ({ status: 200, body: 'text' }), false],
    [() => new Response(null, { status: 204 }), false],
  ])('case %#: a body that is not sent is warned of', async (response, isWarned) => {
    const table = tableOf([{ name: 'save', path: '/a', response: response as ResponseFunction }])
    const { status, headers, body, diagnostic } = await send(table, 'GET /a')
    if (!isWarned) return expect(diagnostic).toBeUndefined()
    expect([headers['content-type'], body]).toEqual([undefined, ''])
    expect(diagnostic).toMatchObject({
      code: 'body-not-sent',
      severity: 'warning',
      file: file.file,
      message: `The function of route "save" returned a body. "body" has no effect: an answer with the status ${status} has no body.`,
    })
  })

  it('sends bytes as they are, whatever is written to them later', async () => {
    const bytes = new Uint8Array([0, 128, 255])
    const table = tableOf([{ path: '/a', response: () => ({ body: bytes }) }])
    const first = send(table, 'GET /a')
    await first
    bytes.fill(65)
    const { headers, body } = await first
    expect([headers['content-type'], headers['content-length'], body]).toEqual(['application/octet-stream', '3', '\0\uFFFD\uFFFD']) // prettier-ignore
  })

  it('that returns different values on each read is read once', async () => {
    let reads = 0
    const response = () => ({
      get headers() {
        return { a: reads++ === 0 ? 'fine' : 'x\r\nb: c' }
      },
    })
    const sent = await send(tableOf([{ path: '/a', response }]), 'GET /a')
    expect([sent.status, sent.headers['a']]).toEqual([200, 'fine'])
  })

  it('that does not settle in time gives 504; a later result is ignored', async () => {
    let rejectLate: (error: Error) => void = () => {}
    const late = new Promise((_, fail) => (rejectLate = fail))
    const limits: Limits = {
      now: () => 0,
      countRequest: () => 0,
      inTime: (work) => Promise.race([work, Promise.reject(new TimeLimitError(50))]),
    }
    expect(await failureOf(() => late, limits)).toEqual({
      status: 504,
      reason: 'did not settle within 50 ms on GET /a.',
      error: {
        code: 'function-timeout',
        fix: 'Let its promise resolve or reject, or raise the option "functionTimeout" (0 waits forever).',
        place: 'fixtures/a.ts:1:1',
      },
    })
    rejectLate(new Error('late'))
  })
})

describe('a predicate that', () => {
  it.each<[does: string, when: () => unknown, reason: string]>([
    ['throws a hostile proxy', () => { throw hostile }, 'it threw something that throws when it is looked at'], // eslint-disable-line @typescript-eslint/only-throw-error
    ['is async', () => reject(), 'TypeError: a predicate must return true or false, not a promise'],
    ['returns a thenable', () => ({ then: (_: unknown, fail: (error: Error) => void) => fail(new Error('oh')) }), 'TypeError: a predicate must return true or false, not a promise'],
    ['returns a hostile proxy', () => hostile, 'Error: no'],
  ])('%s gives 500', async (_, when, reason) => {
    const sent = await send(tableOf([{ name: 'r', path: '/a', when: when as Predicate, response: { body: 1 } }]), 'GET /a')
    expect([sent.kind, sent.status, sent.diagnostic?.code]).toEqual(['answered', 500, 'function-failed'])
    const message = `The predicate function of route "r" failed on GET /a: ${reason}.`
    expect((sent.body as Failure).error).toMatchObject({ code: 'function-failed', message, place: 'fixtures/a.ts:1:1' })
  }) // prettier-ignore
})

describe('changes that a function makes to its request', () => {
  /** Everything that can be changed, changed. */
  const spoil = (request: Record<string, unknown>) => {
    for (const part of ['params', 'query', 'headers', 'cookies', 'body', 'variables', 'extensions']) {
      const value = request[part] as Record<string, unknown> | undefined
      if (!value) continue
      for (const key of Object.keys(value)) delete value[key]
      value['spoiled'] = true
    }
  }
  const echo: ResponseFunction = ({ params, query, headers, cookies, body }) => ({
    body: { params, query, headers, cookies, body },
  })
  const headers = Object.freeze({
    'content-type': 'application/json',
    cookie: 'c=1',
    'x-a': ['1', '2'] as const,
  })
  const request = { headers, body: '{"a":{"b":1}}' }
  const all = { params: { id: '7' }, query: { q: '1' }, headers, cookies: { c: '1' }, body: { a: { b: 1 } } }
  const spoiled = (when: Predicate): Fixture => [
    { method: 'POST', path: '/a/:id', when },
    { method: 'POST', path: '/a/:id', when: { body: { a: { b: 1 } }, query: { q: 1 }, params: { id: 7 } }, response: { body: 'selected' } }, // prettier-ignore
  ]

  it('are not seen by later selectors', async () => {
    const when: Predicate = (seen) => {
      spoil(seen as unknown as Record<string, unknown>)
      return false
    }
    expect(await send(tableOf(spoiled(when)), 'POST /a/7?q=1', request)).toMatchObject({ body: 'selected' })
  })

  it('are not seen by other requests or the host', async () => {
    const response: ResponseFunction = (seen) => {
      const before = echo(seen)
      const text = JSON.stringify(before)
      spoil(seen as unknown as Record<string, unknown>)
      return JSON.parse(text) as object
    }
    const table = tableOf([{ method: 'POST', path: '/a/:id', response }])
    for (let i = 0; i < 3; i++) {
      expect((await send(table, 'POST /a/7?q=1', request)).body).toEqual(all)
    }
    expect(headers).toEqual({ 'content-type': 'application/json', cookie: 'c=1', 'x-a': ['1', '2'] })
  })

  it('are not seen by other entries of a batch', async () => {
    const response: ResponseFunction = (seen) => {
      const text = JSON.stringify({ data: { variables: seen.variables, headers: seen.headers } })
      spoil(seen as unknown as Record<string, unknown>)
      return { body: JSON.parse(text) as object }
    }
    const entries = [1, 2, 3].map((id) => ({ operationName: 'A', variables: { id } }))
    const json = { 'content-type': 'application/json' }
    const table = tableOf([{ path: '/graphql', response }])
    const sent = await send(table, 'POST /graphql', { headers: json, body: JSON.stringify(entries) })
    expect(sent.body).toEqual([1, 2, 3].map((id) => ({ data: { variables: { id }, headers: json } })))
  })

  it('can be used in the response: a body is echoed with an id', async () => {
    const response: ResponseFunction = ({ body }) => ({
      status: 201,
      body: Object.assign(body as object, { id: 7 }),
    })
    const table = tableOf([{ method: 'POST', path: '/a', response }])
    expect(await send(table, 'POST /a', request)).toMatchObject({ status: 201, body: { a: { b: 1 }, id: 7 } })
  })

  it('all functions get the same request object, which is complete when it is copied or printed', async () => {
    const seen: object[] = []
    const when: Predicate = (one) => {
      seen.push(one)
      return true
    }
    const response: ResponseFunction = (one) => {
      seen.push(one)
      return { body: { ...one } }
    }
    const sent = await send(
      tableOf([{ method: 'POST', path: '/a/:id', when, response }]),
      'POST /a/7?q=1',
      request,
    )
    expect(seen[0]).toBe(seen[1])
    expect(sent.body).toEqual({ method: 'POST', path: '/a/7', ...all })
  })
})

it('an object that is sent twice is sent in its current state each time', async () => {
  const kept = { body: { count: 0 } }
  const table = tableOf([{ path: '/a', response: () => { kept.body.count++; return kept } }]) // prettier-ignore
  const sent = [await send(table, 'GET /a'), await send(table, 'GET /a')]
  kept.body.count = 99
  expect(sent.map(({ body }) => body)).toEqual([{ count: 1 }, { count: 2 }])
})
