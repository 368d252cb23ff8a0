import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixture, half, posted, text, type FaultName } from './fault-fixture.ts'
import { hostsNamed, startOnce, type Host } from './hosts.ts'
import { tlsHosts } from './tls-hosts.ts'
import { inThisRun } from './this-run.ts'
import { isThorough } from '../sampling.ts'
import { openWire, parts, requestText, type Wire } from './wire.ts'

/* Faults on the wire, on every host that has its own server or middleware between the package and the socket. */

/** The beginning of a head. Where an answer has no body, the fault is in its head. */
const cutHead = (status: string) => [`http/1.1 ${status}`, 'cache-con']

interface Row {
  fault: FaultName
  head: string[] | undefined
  /** A line that a complete head must have. */
  header?: string
  body: string
  end: 'closed' | 'reset' | 'open'
}

const withBody: Row[] = [
  { fault: 'reset', head: [''], body: '', end: 'reset' },
  { fault: 'empty', head: [''], body: '', end: 'closed' },
  { fault: 'truncated', head: undefined, header: 'content-length: 4000', body: half, end: 'closed' },
  {
    fault: 'malformed',
    head: undefined,
    header: 'transfer-encoding: chunked',
    body: `7d0\r\n${half}\r\nthis is no chunk\r\n`,
    end: 'closed',
  },
  { fault: 'stalled', head: undefined, header: 'content-length: 4000', body: half, end: 'open' },
  { fault: 'silent', head: [''], body: '', end: 'open' },
]
const withoutBody = (status: string): Row[] => [
  { fault: 'reset', head: [''], body: '', end: 'reset' },
  { fault: 'empty', head: [''], body: '', end: 'closed' },
  { fault: 'truncated', head: cutHead(status), body: '', end: 'closed' },
  { fault: 'malformed', head: [`http/1.1 ${status}`, 'this is no header'], body: '', end: 'closed' },
  { fault: 'stalled', head: cutHead(status), body: '', end: 'open' },
  { fault: 'silent', head: [''], body: '', end: 'open' },
]
const ways = [
  { way: 'GET', request: (fault: FaultName) => requestText('GET', `/${fault}`), rows: withBody },
  {
    way: 'HEAD',
    request: (fault: FaultName) => requestText('HEAD', `/${fault}`),
    rows: withoutBody('200 ok'),
  },
  {
    way: 'GET after a delay',
    request: (fault: FaultName) => requestText('GET', `/late/${fault}`),
    rows: withBody,
  },
  { way: 'GET of 204', request: (fault: FaultName) => requestText('GET', `/bare/${fault}`), rows: withoutBody('204 no content') }, // prettier-ignore
  { way: 'POST with a body', request: (fault: FaultName) => postText(`/${fault}`), rows: withBody },
]

function postText(path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${posted.length}\r\n\r\n${posted}`
}

/** The answer as it is when it has ended, or has stalled. */
async function look(wire: Wire, { head, header, body, end }: Row) {
  if (end !== 'open') return { end: await wire.ended, ...parts(wire.received()) }
  const last = body || head?.at(-1)
  if (header ?? last) await wire.seen(last!)
  const seen = { end: 'open', ...parts(wire.received()) }
  wire.socket.destroy()
  return seen
}

async function testRow(origin: string, request: string, row: Row): Promise<void> {
  const { head, ...seen } = await look(openWire(origin, request), row)
  expect(seen).toEqual({ body: row.body, end: row.end })
  if (row.head) expect(head).toEqual(row.head)
  else expect(head).toEqual(expect.arrayContaining(['http/1.1 200 ok', row.header]))
  expect(head.join()).not.toMatch(/content-encoding/)
}

const testedHosts: Host[] = inThisRun({
  quick: [
    ...hostsNamed('node:http', 'Express 5', 'Vite 8 dev', 'Vite 8 preview'),
    ...hostsNamed('webpack-dev-server 6, Node API', 'Rspack dev', 'Rsbuild dev', 'Rsbuild preview'),
    ...tlsHosts,
  ],
  slow: hostsNamed('webpack-dev-server 5, Node API'),
})

describe.each(testedHosts)('$name', (host) => {
  const running = startOnce(host, { 'fixtures/all.json': JSON.stringify(fixture) })
  let bystander: Wire
  const warnings: Error[] = []
  const onWarning = (warning: Error) => void warnings.push(warning)

  beforeAll(async () => {
    process.on('warning', onWarning)
    // An idle connection would be closed by the server after five seconds.
    bystander = openWire(running.origin, requestText('GET', '/stalled'))
    await bystander.seen(half)
  })
  afterAll(() => void process.off('warning', onWarning))

  // The way of a request differs on the wire, not between hosts.
  const isInFull =
    ['node:http', 'Vite 8 dev over HTTPS'].includes(host.name) || (isThorough && host.name.endsWith('HTTPS'))
  describe.each(isInFull ? ways : ways.slice(0, 2))('$way', ({ request, rows }) => {
    it.each(rows)('$fault', (row) => testRow(running.origin, request(row.fault), row))
  })

  it('sends a dribbled body in full, and keeps the connection', async () => {
    const started = performance.now()
    const wire = openWire(running.origin, requestText('GET', '/dribble'), requestText('GET', '/whole'))
    let pieces = 0
    wire.socket.on('data', () => pieces++)
    await wire.seen('whole')
    expect(performance.now() - started).toBeGreaterThan(190)
    expect(pieces).toBeGreaterThan(3)
    expect(parts(wire.received()).body.slice(0, 4000)).toBe(text)
    wire.socket.destroy()
  })

  it.each([
    ['HEAD', '/dribble', 'http/1.1 200 ok'],
    ['GET', '/bare/dribble', 'http/1.1 204 no content'],
  ])('sends %s %s without a body after the delay of the fault', async (method, path, status) => {
    const started = performance.now()
    const wire = openWire(running.origin, requestText(method, path))
    await wire.seen('\r\n\r\n')
    expect(performance.now() - started).toBeGreaterThan(90)
    expect(parts(wire.received())).toMatchObject({
      head: expect.arrayContaining([status]) as string[],
      body: '',
    })
    wire.socket.destroy()
  })

  it('answers pipelined requests in order until the fault', async () => {
    const wire = openWire(
      running.origin,
      ...['/whole', '/late/reset', '/whole'].map((path) => requestText('GET', path)),
    )
    await wire.seen('whole')
    expect(await wire.ended).toBe('reset')
    expect(wire.received().split('HTTP/1.1 200 OK')).toHaveLength(2)
  })

  it('leaves every other connection open, and logs nothing', () => {
    expect(bystander.socket.readyState).toBe('open')
    bystander.socket.destroy()
    const told = running.log.filter((line) => /error|warn|ECONN|abort|socket/i.test(line))
    expect(told).toEqual([])
    expect(warnings).toEqual([])
  })

  it('ends every open answer when the server closes', async () => {
    const unheard = ['/silent', '/delayed'].map((path) =>
      openWire(running.origin, requestText('GET', '/whole'), requestText('GET', path)),
    )
    const half = ['/stalled', '/slowly'].map((path) => openWire(running.origin, requestText('GET', path)))
    await Promise.all([
      ...unheard.map((wire) => wire.seen('whole')),
      ...half.map((wire) => wire.seen('\r\n\r\n')),
    ])
    await running.close()
    await Promise.all([...unheard, ...half].map((wire) => wire.ended))
  })
})
