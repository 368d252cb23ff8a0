import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixture, half, posted, text } from './fault-fixture.ts'
import { startOnce } from './hosts.ts'
import { tlsHosts } from './tls-hosts.ts'

/* Faults over HTTP/2. One connection carries many answers, and only the stream of the broken one fails. */

/** What a client gets: the status, the part of the body, and the code that the stream was reset with. */
interface Http2Row {
  fault: string
  status: number | undefined
  body: string
  code: number | 'open'
}

describe.each(tlsHosts.filter(({ speaksHttp2 }) => speaksHttp2))('HTTP/2 on $name', (host) => {
  const running = startOnce(host, { 'fixtures/all.json': JSON.stringify(fixture) })
  const { NGHTTP2_INTERNAL_ERROR: internal, NGHTTP2_PROTOCOL_ERROR: protocol } = constants
  let session: ClientHttp2Session
  beforeAll(() => {
    session = connectHttp2(running.origin, { rejectUnauthorized: false })
  })
  afterAll(() => session.destroy())

  function ask(method: string, path: string, row: Http2Row): Promise<Omit<Http2Row, 'fault'>> {
    return new Promise((resolve) => {
      const stream = session.request({ ':method': method, ':path': path }, { endStream: method !== 'POST' })
      let status: number | undefined
      let body = ''
      const check = () => {
        if (row.code !== 'open' || status !== row.status || body.length < row.body.length) return
        resolve({ status, body, code: 'open' })
        stream.close(constants.NGHTTP2_CANCEL)
      }
      stream.on('response', (headers) => {
        status = headers[':status']
        check()
      })
      stream.on('data', (chunk: Buffer) => {
        body += chunk.toString()
        check()
      })
      stream.on('error', () => {})
      stream.on('close', () => resolve({ status, body, code: stream.rstCode }))
      if (method === 'POST') stream.end(posted)
      if (row.status === undefined && row.code === 'open') session.ping(() => session.ping(check))
    })
  }

  const rows: Http2Row[] = [
    { fault: 'reset', status: undefined, body: '', code: internal },
    { fault: 'empty', status: undefined, body: '', code: internal },
    { fault: 'truncated', status: 200, body: half, code: internal },
    { fault: 'malformed', status: 200, body: half, code: protocol },
    { fault: 'stalled', status: 200, body: half, code: 'open' },
    { fault: 'silent', status: undefined, body: '', code: 'open' },
  ]
  const bodiless = rows.map((row) => ({ ...row, status: undefined, body: '' }))

  describe.each([
    { way: 'GET', path: '/', rows },
    { way: 'GET', path: '/late/', rows },
    { way: 'POST', path: '/', rows },
    { way: 'HEAD', path: '/', rows: bodiless },
    { way: 'GET', path: '/bare/', rows: bodiless },
  ])('$way $path', ({ way, path, rows }) => {
    it.each(rows)('$fault', async (row) => {
      const { fault, ...expected } = row
      expect(await ask(way, `${path}${fault}`, row)).toEqual(expected)
      expect(session.closed).toBe(false)
    })
  })

  it('sends a dribbled body in full', async () => {
    const row: Http2Row = { fault: 'dribble', status: 200, body: text, code: 0 }
    expect(await ask('GET', '/dribble', row)).toEqual({ status: 200, body: text, code: 0 })
  })

  it('logs nothing, and ends open streams when the server closes', async () => {
    const stream = session.request({ ':path': '/stalled' })
    await new Promise((resolve) => stream.once('data', resolve))
    const silent = session.request({ ':path': '/silent' })
    const ended = [stream, silent].map(
      (one) => new Promise((resolve) => one.on('error', () => {}).once('close', resolve)),
    )
    await running.close()
    await Promise.all(ended)
    expect(running.log.filter((line) => /error|warn|ECONN|abort|socket/i.test(line))).toEqual([])
  })
})
