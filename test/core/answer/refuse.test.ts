import { describe, expect, it } from 'vitest'
import type { UnreadableBody } from '../../../src/core/http/body.ts'
import { send, tableOf } from '../send.ts'

const plain = tableOf([{ method: 'POST', path: '/a', when: { body: 1 } }])
const graphql = tableOf([{ path: '/graphql' }])
const headers = { 'content-encoding': 'compress', accept: '*/*' }

const cases: [body: UnreadableBody, status: number, code: string, message: string, fix: string][] = [
  [
    { kind: 'too-large', limit: 9 },
    413,
    'request-body-too-large',
    'The body of POST /a is larger than 9 bytes.',
    'Send less, or raise the option "bodyLimit".',
  ],
  [
    { kind: 'encoding-unknown', accepted: ['gzip', 'br'] },
    415,
    'request-encoding-unknown',
    'The body of POST /a is encoded as "compress", which can\'t be decoded here.',
    'Send it as it is, or encoded as gzip, br.',
  ],
  [
    { kind: 'encoding-corrupt', reason: 'unexpected end of file' },
    400,
    'request-encoding-corrupt',
    'The body of POST /a is not encoded as "compress": unexpected end of file.',
    'Send what the header "content-encoding" says, or leave the header out.',
  ],
  [
    { kind: 'charset-unknown', charset: 'klingon' },
    415,
    'request-charset-unknown',
    'The body of POST /a uses the charset "klingon", which can\'t be read here.',
    'Send it in UTF-8, and leave "charset" out of the header "content-type".',
  ],
  [
    { kind: 'parsed-by-others', reason: 'Do not know how to serialize a BigInt' },
    400,
    'request-body-malformed',
    "The body of POST /a can't be read: Do not know how to serialize a BigInt.",
    'Correct the body, or its content type. It is read because a route of this endpoint selects by it, or calls a function.',
  ],
]

describe.each(cases)('%j', (body, status, code, message, fix) => {
  it('on a plain endpoint', async () => {
    const sent = await send(plain, 'POST /a', { headers, unreadable: body })
    expect([sent.kind, sent.status, sent.body]).toEqual([
      'unmatched',
      status,
      { error: { code, message, fix } },
    ])
    expect(sent.diagnostic).toMatchObject({ code, severity: 'error' })
    expect(sent.headers['accept-encoding']).toBe(code === 'request-encoding-unknown' ? 'gzip, br' : undefined)
  })

  it('on a GraphQL endpoint', async () => {
    const sent = await send(graphql, 'POST /graphql', { headers, unreadable: body })
    const errors = [{ message: message.replace('/a', '/graphql'), extensions: { code, fix } }]
    expect([sent.status, sent.body]).toEqual([status, { errors }])
  })
})

it('where nothing can be decoded, says that as well', async () => {
  const sent = await send(plain, 'POST /a', {
    headers,
    unreadable: { kind: 'encoding-unknown', accepted: [] },
  })
  expect(sent.headers['accept-encoding']).toBe('identity')
  expect(sent.body).toMatchObject({ error: { fix: 'Send it as it is.' } })
})
