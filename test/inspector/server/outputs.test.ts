/* Whatever shows or writes an exchange has the same redaction: the inspector, its fixtures, recordings and imports. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeFixtures } from '../../../src/writer/write-fixtures.ts'
import { startApiServer, type ApiServer } from './api-server.ts'

let server: ApiServer
const globals = globalThis as { answerOfOutputs?: unknown }

beforeAll(async () => {
  const response = '() => globalThis.answerOfOutputs'
  const routes = ['/a', '/a/**'].map((path) => `{ method: '*', path: '${path}', response: ${response} }`)
  server = await startApiServer({ 'fixtures/a.mjs': `export default [${routes.join(', ')}]` })
})
afterAll(async () => {
  delete globals.answerOfOutputs
  await server.close()
})

const s = 'S3CRETvalue99'
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))

interface Sent {
  path?: string
  init?: RequestInit
  headers?: Record<string, string>
  body?: unknown
}

const exchanges: [what: string, sent: Sent][] = [
  ['JSON as HTML', { headers: { 'content-type': 'text/html' }, body: `{"password":"${s}","a":1}` }],
  ['XML as HTML', { headers: { 'content-type': 'text/html' }, body: `<a><token>${s}</token></a>` }],
  ['JSONP', { headers: { 'content-type': 'text/javascript' }, body: `cb({"accessToken":"${s}"})` }],
  ['JSON in UTF-16', { headers: { 'content-type': 'application/json; charset=utf-16le' }, body: utf16(`{"password":"${s}"}`) }],
  ['JSON with a character that YAML can not have', { body: { a: '\u0001', password: s } }],
  ['JSON with a number that JavaScript can not hold', { headers: { 'content-type': 'application/json' }, body: `{"id":12345678901234567890,"password":"${s}"}` }],
  ['a list of names and values', { body: { headers: [{ value: s, name: 'X-Api-Key' }] } }],
  ['a text', { body: `see https://bob:${s}@example.com/` }],
  ['the fragment of a redirect', { headers: { location: `/a#access_token=${s}` } }],
  ['the path of a redirect', { headers: { location: `/a;jsessionid=${s}?b=1` } }],
  ['the user of a redirect', { headers: { location: `https://bob:${s}@example.com/` } }],
  ['a link', { headers: { link: `</a?token=${s}>; rel="next"` } }],
  ['where the content is', { headers: { 'content-location': `/reset/${s}` } }],
  ['what a refresh leads to', { headers: { refresh: `0; url=/a?access_token=${s}` } }],
  ['JSON in a header', { headers: { 'x-user': `{"token":"${s}"}` } }],
  ['a scheme in a header', { headers: { 'x-next': `Bearer ${s}` } }],
  ['a cookie', { headers: { 'set-cookie': `a=${s}` } }],
  ['the path', { path: `/a/reset/${s}` }],
  ['the path with a parameter', { path: `/a/b;jsessionid=${s}` }],
  ['the query', { path: `/a?user%5Bpassword%5D=${s}` }],
  ['a URL in the query', { path: `/a?next=%2Fb%3Ftoken%3D${s}` }],
  ['a form', { init: { body: `a=1&pinCode=${s}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } } }],
  ['a multipart form', { init: { body: `--x\r\nContent-Disposition: form-data; NAME=password\r\n\r\n${s}\r\n--x--\r\n`, headers: { 'content-type': 'multipart/form-data; boundary=x' } } }],
  ['a text that was sent', { init: { body: `password=${s}`, headers: { 'content-type': 'text/plain' } } }],
  ['XML that was sent', { init: { body: `<a><password>${s}</password></a>`, headers: { 'content-type': 'text/xml' } } }],
  ['JSON that was sent', { init: { body: JSON.stringify({ list: [{ key: 'pin', value: s }], n: 1 }), headers: { 'content-type': 'application/json' } } }],
] // prettier-ignore

describe.each(exchanges)('%s', (_, { path = '/a', init, headers = {}, body }) => {
  const method = init ? 'POST' : 'GET'
  const isBytes = body instanceof Uint8Array || typeof body === 'string'

  it('is hidden in the inspector, and in the fixture that it writes', async () => {
    globals.answerOfOutputs = { headers, ...(body !== undefined && { body }) }
    await (await server.send(path, { method, redirect: 'manual', ...init })).arrayBuffer()
    const details = await server.details()
    expect(details.answeredBy).toBe('route')
    expect(JSON.stringify(details)).not.toContain(s)
    const written = await server.call('POST', 'edit', { request: details.id })
    expect([200, 409]).toContain(written.status)
    expect(JSON.stringify(written.body)).not.toContain(s)
  })

  it('is hidden in recordings and imports', () => {
    const bytes = isBytes ? Buffer.from(body) : Buffer.from(JSON.stringify(body ?? {}))
    const type = isBytes ? [] : [['content-type', 'application/json'] as const]
    const common = { method, url: path, status: 200, responseHeaders: [...type, ...Object.entries(headers)] }
    const sent = (n: number) => ({
      ...common,
      requestHeaders: Object.entries((init?.headers ?? {}) as Record<string, string>),
      requestBody: init && Buffer.from(String(init.body).replace(s, `${s}${n}`)),
      responseBody: n === 1 ? bytes : Buffer.from(`${n}`),
    })
    const { files, omitted } = writeFixtures([1, 2, 3].map(sent))
    const all = files.map(({ path, content }) => `${path} ${Buffer.from(content).toString('latin1')}`)
    expect(all.length).toBeGreaterThan(0)
    expect([...all, JSON.stringify(omitted)].join('\n').replaceAll('\0', '')).not.toContain(s)
  })
})
