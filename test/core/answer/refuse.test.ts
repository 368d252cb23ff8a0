import { expect, it } from 'vitest'
import type { UnreadableBody } from '../../../src/core/http/body.ts'
import { send, tableOf } from '../send.ts'

const plain = tableOf([{ method: 'POST', path: '/a', when: { body: 1 } }])
const graphql = tableOf([{ path: '/graphql' }])
const headers = { 'content-encoding': 'compress', accept: '*/*' }

// The texts are those of docs/diagnostics.md.
it.each<[body: UnreadableBody, status: number, code: string]>([
  [{ kind: 'too-large', limit: 9 }, 413, 'request-body-too-large'],
  [{ kind: 'encoding-unknown', accepted: ['gzip', 'br'] }, 415, 'request-encoding-unknown'],
  [{ kind: 'encoding-corrupt', reason: 'unexpected end of file' }, 400, 'request-encoding-corrupt'],
  [{ kind: 'charset-unknown', charset: 'klingon' }, 415, 'request-charset-unknown'],
  [{ kind: 'parsed-by-others', reason: 'no BigInt' }, 400, 'request-body-malformed'],
])('%j is answered with %i', async (unreadable, status, code) => {
  const sent = await send(plain, 'POST /a', { headers, unreadable })
  expect(sent).toMatchObject({ kind: 'unmatched', status, diagnostic: { code, severity: 'error' } })
  const { message, fix } = sent.diagnostic!
  expect(sent.body).toEqual({ error: { code, message, fix } })
  expect(message).toContain('reason' in unreadable ? unreadable.reason : 'The body of POST /a')
  expect(sent.headers['accept-encoding']).toBe(code === 'request-encoding-unknown' ? 'gzip, br' : undefined)
  const onGraphQL = await send(graphql, 'POST /graphql', { headers, unreadable })
  const errors = [{ message: message.replace('/a', '/graphql'), extensions: { code, fix } }]
  expect([onGraphQL.status, onGraphQL.body]).toEqual([status, { errors }])
})

it('where nothing can be decoded, says that as well', async () => {
  const sent = await send(plain, 'POST /a', {
    headers,
    unreadable: { kind: 'encoding-unknown', accepted: [] },
  })
  expect(sent.headers['accept-encoding']).toBe('identity')
  expect(sent.body).toMatchObject({ error: { fix: 'Send it as it is.' } })
})
