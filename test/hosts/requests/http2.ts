import { expect } from 'vitest'
import { answerOf, cancelled, type Http2Connection } from '../raw-http2.ts'
import { echo, stride, type Group, type Row, type TestedServer } from './row.ts'

const text = '{"text":"Zoë 🦊"}'
const whole = Buffer.from(text)

/** A row that only applies to HTTP/2. */
export interface Http2Row extends Row {
  runHttp2: (open: () => Http2Connection, server: TestedServer) => Promise<void>
}

const rows: Http2Row[] = [
  {
    request: 'A body in two frames, split at any byte',
    answer: 'It is read as if it had arrived in one piece',
    async runHttp2(open) {
      const connection = open()
      for (let at = 0; at <= whole.length; at += stride) {
        const stream = connection.start(echo(whole))
        const answer = answerOf(stream)
        stream.write(whole.subarray(0, at))
        stream.end(whole.subarray(at))
        expect(JSON.parse((await answer)!.text)).toMatchObject({ read: JSON.parse(text) as object })
      }
      await connection.close()
    },
  },
  {
    request: 'A client that resets its stream or disconnects after any byte of the body',
    answer: 'Nothing is logged, and the next request is answered',
    async runHttp2(open, server) {
      for (let at = 0; at < whole.length; at += stride) {
        for (const leave of ['reset', 'destroy'] as const) {
          const connection = open()
          const stream = connection.start(echo(whole))
          const answer = answerOf(stream)
          stream.write(whole.subarray(0, at))
          expect(await server.isAlive()).toBe(true)
          if (leave === 'reset') stream.close(cancelled)
          else connection.destroy()
          expect(await answer).toBeUndefined()
          if (leave === 'reset') {
            expect((await connection.send({ target: '/plain' }))?.text).toBe('plain')
            await connection.close()
          }
        }
      }
      expect(server.logged()).toEqual([])
    },
  },
  {
    request: '`content-length` that differs from the length of the body',
    answer: 'The stream is reset, or from Node 22 on its connection; others continue',
    by: 'Node',
    async runHttp2(open) {
      const connection = open()
      const stream = connection.start(echo(whole, { 'content-length': '3' }))
      const answer = answerOf(stream)
      stream.end(whole)
      expect(await answer).toBeUndefined()
      await connection.close()
      const next = open()
      expect((await next.send({ target: '/plain' }))?.text).toBe('plain')
      await next.close()
    },
  },
  {
    request:
      'A request for an answer, at once or in a stream, with headers of an HTTP/1.1 connection (`connection`, `keep-alive`)',
    answer: 'It gets the answer without these headers',
    async runHttp2(open) {
      const connection = open()
      for (const target of ['/kept-alive', '/kept-alive/stream']) {
        const { status, headers } = (await connection.send({ target }))!
        expect(status).toBe(200)
        expect(Object.keys(headers)).toContain('x-route')
        expect(Object.keys(headers)).not.toContain('keep-alive')
      }
      await connection.close()
    },
  },
]

export const http2: Group & { rows: Http2Row[] } = { title: 'Over HTTP/2', rows }
