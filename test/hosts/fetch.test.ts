import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Fixture } from '../../src/fetch.ts'
import { contract, testContract, type ContractRequest, type Send } from '../contract.ts'
import { exchange } from '../http.ts'
import { talk } from '../websocket.ts'
import { bundleWorker, fetchRuntimes, starterRoutes, startWorkerd } from './fetch-runtimes.ts'
import { serve } from './of-test.ts'
import { sendRaw } from './raw.ts'
import { toBytes } from './requests/row.ts'

// That workerd answers as Node, also when the handler is made at once, is below: workers send the bytes of a middleware.
describe.each(fetchRuntimes.filter(({ name }) => name !== 'workerd'))(
  'the contract in $name',
  ({ start }) => {
    let running: { send: Send; close: () => Promise<void> }
    beforeAll(async () => {
      running = await start(starterRoutes)
    })
    afterAll(() => running.close())

    testContract((request) => running.send(request))

    it('leaves what is not ours to the caller, with its body', async () => {
      for (const request of [
        { url: '/other' },
        { url: '/items', method: 'POST', body: 'née'.repeat(30_000) },
      ]) {
        const response = await running.send(request)
        expect([response.status, response.headers['x-passed-on']]).toEqual([404, 'yes'])
        expect(response.text).toBe(request.body ?? '')
      }
    })
  },
)

const startedAtOnce = fetchRuntimes.filter(({ name }) => !name.includes('made while it answers'))

it.each(startedAtOnce)(
  'unmatched: passthrough in $name leaves every byte to the caller',
  async ({ start }) => {
    const route = { path: '/graphql', when: { operationName: 'Mine' }, response: { body: 'mine' } }
    const { send, close } = await start([route], { unmatched: 'passthrough', bodyLimit: 1_000_000 })
    onTestFinished(close)
    const post = (body: string) => send({ method: 'POST', url: '/graphql', body })
    expect((await post('{"operationName":"Mine"}')).text).toBe('mine')
    const wasRead = `{"operationName":"Theirs","pad":"${'é'.repeat(200_000)}"}`
    for (const body of [wasRead, 'x'.repeat(1_000_001)]) {
      const { status, headers, text } = await post(body)
      expect([status, headers['x-passed-on'], text === body]).toEqual([404, 'yes', true])
    }
  },
)

// Headers are ASCII only: other characters are UTF-8 in workerd and Latin-1 in Node.
const own: Fixture = [
  {
    name: 'the order is gone — 404',
    path: '/orders/:id',
    when: { params: { id: 404 } },
    response: {
      status: 404,
      headers: {
        'x-reason': ['gone', 'twice'],
        'set-cookie': ['a=1', 'b=2; Path=/'],
        'content-type': 'text/x',
      },
      body: 'gone for good: née ☃',
    },
  },
  { path: '/orders/:id', response: { body: { id: 7, state: 'öffen' }, delay: 20 } },
  { path: '/nothing', response: { status: 204 } },
  { path: '/unchanged', response: { status: 304 } },
  { path: '/empty', response: {} },
  {
    path: '/page',
    response: { headers: { 'content-type': 'text/html', 'cache-control': 'max-age=60' }, body: '<p>' },
  },
  { method: 'POST', path: '/search', when: { body: { a: { b: [1] } } }, response: { body: [] } },
  {
    method: 'POST',
    path: '/search',
    when: { body: { a: { $in: [7, 8] }, b: { $regex: '^x+$' } } },
    response: {},
  },
  { method: 'POST', path: '/search', when: { cookies: { s: '1' } }, response: { status: 201 } },
]
const json = { 'content-type': 'application/json' }
const requests: ContractRequest[] = [
  ...contract.map(({ request }) => request),
  ...['/orders/404', '/orders/7', '/nothing', '/unchanged', '/empty', '/page'].flatMap((url) => [
    { url },
    { url, method: 'HEAD' },
  ]),
  { method: 'POST', url: '/search', headers: json, body: '{"a":{"b":[1],"c":2}}' },
  { method: 'POST', url: '/search', headers: json, body: '{"a":8,"b":"xxx"}' },
  { method: 'POST', url: '/search', headers: { cookie: 'r=0; s=1' } },
  { method: 'POST', url: '/search', headers: json, body: '{"a":' },
  { method: 'POST', url: '/search', headers: json, body: `"${'x'.repeat(1_048_576)}"` },
]
/** Headers that differ between servers: the date, and how connections are kept. */
const transport = ['connection', 'date', 'keep-alive', 'transfer-encoding']

/** The answer with every header line. */
async function ask(origin: string, { method = 'GET', body = '', ...request }: ContractRequest) {
  const asked = { ...request, method, ...(method === 'POST' && { body }) }
  const { response, bytes } = await exchange(origin, asked)
  const { statusCode: status, rawHeaders } = response
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name.toLowerCase()}: ${rawHeaders[index + 1]}`] : [],
  )
  const headers = lines.filter((line) => !transport.includes(line.split(':', 1)[0]!)).sort()
  return { status, headers, body: bytes.toString('latin1') }
}

describe('workers that run the same script', () => {
  const mine = { path: '/graphql', when: { operationName: 'Mine' }, response: { body: 'mine' } }
  const live: Fixture = [
    {
      path: '/chat/:room',
      websocket: {
        protocol: ['v2', 'v1'],
        open: [{ send: { room: { $from: 'params.room' } } }, { bytes: 'AQID' }],
        messages: [
          { when: { type: 'ping' }, send: { type: 'pong' } },
          { when: { bytes: 'BAUG' }, send: 'bytes' },
          { when: 'quit', close: { code: 4001, reason: 'You left.' } },
          { when: 'break', fault: 'reset' },
        ],
      },
    },
    { path: '/refused', websocket: { status: 401 } },
    {
      path: '/graphql',
      when: { operationType: 'subscription', operationName: 'Ticks' },
      response: { stream: [{ data: { tick: 1 } }], end: 'complete' },
    },
  ]
  const routes: Fixture = [...starterRoutes, ...own, mine, ...live]
  let workers: Awaited<ReturnType<typeof startWorkerd>>[]
  beforeAll(async () => {
    const script = await bundleWorker(routes)
    workers = await Promise.all([1, 2].map(() => startWorkerd(script)))
  })
  afterAll(() => Promise.all(workers.map((worker) => worker.close())))

  it('send the same bytes, which are those of a middleware over node:http', async () => {
    const { origin } = await serve({ 'fixtures/all.json': JSON.stringify(routes) })
    for (const request of requests) {
      const expected = await ask(origin, request)
      const answers = await Promise.all(workers.map((worker) => ask(worker.origin, request)))
      for (const answer of answers) expect(answer, JSON.stringify(request).slice(0, 200)).toEqual(expected)
    }
    const unmatched = { method: 'POST', url: '/search', headers: json, body: '{}' }
    const [first, ...others] = await Promise.all(workers.map((worker) => ask(worker.origin, unmatched)))
    expect(JSON.parse(first!.body)).toMatchObject({ error: { code: 'route-unmatched' } })
    for (const other of others) expect(other).toEqual(first)
  })

  const opened = ['open v2', '{"room":"7"}', 'bytes AQID']
  it.each<[path: string, say: (string | Uint8Array)[], seen: string[]]>([
    ['/chat/7', ['{"type":"ping"}'], [...opened, '{"type":"pong"}']],
    ['/chat/7', [Uint8Array.of(4, 5, 6)], [...opened, 'bytes']],
    ['/chat/7', ['quit'], [...opened, 'close 4001 You left.']],
    ['/chat/7', ['break'], [...opened, `close 1011 The fixture's fault "reset"`]],
    ['/refused', [], ['refused 401']],
    ['/orders/7', [], ['refused 501']],
    ['/nowhere', [], ['refused 404']],
  ])('open WebSockets: %s %j', async (path, say, seen) => {
    const talked = await talk(workers[0]!.origin, path, { protocols: ['v1', 'v2'], say }, seen.length)
    expect(talked.toSorted()).toEqual(seen.toSorted())
  })

  it('answer graphql-transport-ws', async () => {
    const payload = { query: 'subscription Ticks { tick }' }
    const say = ['{"type":"connection_init"}', JSON.stringify({ id: '1', type: 'subscribe', payload })]
    const protocols = ['graphql-transport-ws']
    expect(await talk(workers[0]!.origin, '/graphql', { protocols, say, waits: true }, 4)).toEqual([
      'open graphql-transport-ws',
      '{"type":"connection_ack"}',
      '{"id":"1","type":"next","payload":{"data":{"tick":1}}}',
      '{"id":"1","type":"complete"}',
    ])
  })

  it('decode the content encodings that workerd supports', async () => {
    const text = '{"operationName":"Mine"}'
    const answerTo = async (encoding: string, body: Buffer) => {
      const headers = { 'Content-Encoding': encoding }
      const request = toBytes({ method: 'POST', target: '/graphql', headers, body })
      const [answer] = await sendRaw(workers[0]!.origin, request)
      return answer!
    }
    expect((await answerTo('gzip', gzipSync(text))).text).toBe('mine')
    expect((await answerTo('gzip, deflate', deflateRawSync(gzipSync(text)))).text).toBe('mine')
    expect((await answerTo('gzip', Buffer.from(text))).status).toBe(400)
    expect((await answerTo('gzip', gzipSync(Buffer.alloc(20_000_000)))).status).toBe(413)
    const unknown = await answerTo('compress', Buffer.from(text))
    expect([unknown.status, unknown.headers['accept-encoding']]).toEqual([
      415,
      expect.stringMatching(/^gzip, deflate/),
    ])
  })
})
