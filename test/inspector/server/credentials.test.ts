import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { writeFixtures } from '../../../src/writer/write-fixtures.ts'
import { isThorough, sampling } from '../../sampling.ts'
import { exchange } from '../../writer/exchanges.ts'
import { startApiServer, type ApiServer } from './api-server.ts'

/*
 * Whatever the key of a credential is spelled like, and wherever it stands, its value is neither shown nor written: the inspector, its
 * fixtures, recordings and imports redact alike.
 */

const words = [
  'access token', 'refresh token', 'id token', 'auth token', 'bearer token', 'csrf token', 'session token', 'api token',
  'client secret', 'password', 'session id', 'api key', 'private key', 'secret key', 'jwt', 'my access token',
] // prettier-ignore
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const spellings: ((parts: string[]) => string)[] = [
  (parts) => parts.join('_'),
  (parts) => parts.join('-'),
  ([first = '', ...rest]) => first + rest.map(capitalised).join(''),
  (parts) => parts.map(capitalised).join(''),
  (parts) => parts.join('_').toUpperCase(),
]
/** Each word in one spelling; in the slow run, in all of them. */
const spellingsOf = (at: number) => (isThorough ? spellings : [spellings[at % spellings.length]!])
const names = [
  ...new Set(words.flatMap((word, at) => spellingsOf(at).map((spell) => spell(word.split(' '))))),
]
const ofGraphQL = names.filter((name) => !name.includes('-'))
const ofHeaders = [...new Set(names.map((name) => `x-${name.toLowerCase()}`))]

/** Short, and without a digit: it does not look like a secret. */
const valueOf = (name: string) => {
  const index = [...names, ...ofHeaders].indexOf(name)
  return `REAL-${String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26))}`
}
const each = (write: (name: string, value: string) => string, list = names) =>
  list.map((name) => write(name, valueOf(name)))
const object = (list = names) => Object.fromEntries(list.map((name) => [name, valueOf(name)]))
const pairs = (start = '', end = '') => each((name, value) => `${start}${name}${end}=${value}`).join('&')

interface Place {
  /** What the path of the place has at its end. Default: nothing. */
  path?: string
  /** With one, the request is a GraphQL request. */
  operation?: string
  query?: string
  sent?: string | Record<string, unknown> | unknown[]
  sentType?: string
  sentHeaders?: Record<string, string>
  status?: number
  headers?: Record<string, string>
  body?: unknown
  type?: string
}

const form = 'application/x-www-form-urlencoded'
const multipart = (start = '', end = '') => ({
  sentType: 'multipart/form-data; boundary=b',
  sent: `${each((name, value) => `--b\r\ncontent-disposition: form-data; name="${start}${name}${end}"\r\n\r\n${value}\r\n`).join('')}--b--\r\n`,
})
/** It looks like a secret, for places where a name alone says too little. */
const one = 'S3CRETvalue99'
const places: Record<string, Place> = {
  'query parameter': { query: pairs() },
  'query parameter, nested': { query: pairs('user[', ']') },
  'URL in a query parameter': { query: each((name, value) => `${name}-of=${encodeURIComponent(`/a?${name}=${value}`)}`).join('&') },
  'variables in a query': { query: `variables=${encodeURIComponent(JSON.stringify(object()))}` },
  'form field': { sent: pairs(), sentType: form },
  'form field, nested': { sent: pairs('user[', ']'), sentType: form },
  'multipart field': multipart(),
  'multipart field, nested': multipart('user[', ']'),
  'sent key': { sent: object() },
  'sent key, deep': { sent: { a: { b: { c: object() } } } },
  'sent key, in a list': { sent: { a: [[{ b: object() }]] } },
  'name beside a sent value': { sent: Object.fromEntries(each((name) => name).map((name, index) => [`f${index}`, { name, value: valueOf(name) }])) },
  'path of a JSON Patch': { sent: each((name) => name).map((name) => ({ op: 'replace', path: `/user/${name}`, value: valueOf(name) })) },
  'sent text': { sent: each((name, value) => `${name}: ${value}`).join('\n'), sentType: 'text/plain' },
  'request header': { sentHeaders: object(ofHeaders) },
  cookie: { sentHeaders: { cookie: each((name, value) => `${name}=${value}`).join('; ') } },
  referer: { sentHeaders: { referer: `http://localhost/a?${pairs()}` } },
  variable: { operation: 'Flat', sent: { query: 'mutation Flat { a }', variables: object(ofGraphQL) } },
  'variable, deep': { operation: 'Deep', sent: { query: 'mutation Deep { a }', variables: { input: { user: object(ofGraphQL) } } } },
  'variable, in a list': { operation: 'List', sent: { query: 'mutation List { a }', variables: { input: [object(ofGraphQL)] } } },
  'argument in a document': { operation: 'Literal', sent: { query: `mutation Literal { a(${each((name, value) => `${name}: "${value}"`, ofGraphQL).join(', ')}) }` } },
  key: { body: object() },
  'key, deep': { body: { data: { login: [{ user: object() }] } } },
  'key with a dot': { body: Object.fromEntries(each((name) => name).map((name) => [`user.${name}`, valueOf(name)])) },
  'key with brackets': { body: Object.fromEntries(each((name) => name).map((name) => [`user[${name}]`, valueOf(name)])) },
  'list below a key': { body: Object.fromEntries(each((name) => name).map((name) => [name, [valueOf(name)]])) },
  'object below a key': { body: Object.fromEntries(each((name) => name).map((name) => [name, { value: valueOf(name) }])) },
  'name beside a value': { body: each((name) => name).map((name) => ({ name, value: valueOf(name) })) },
  'item of a page': { query: 'page=1', body: { page: 1, per_page: 1, total: 2, total_pages: 2, data: [{ id: 1, ...object() }] } },
  'JSON in a string': { body: { log: JSON.stringify(object()) } },
  'JSON with a long number': { body: `{"n":12345678901234567890,${JSON.stringify(object()).slice(1)}`, type: 'application/json' },
  'lines of JSON': { body: each((name, value) => JSON.stringify({ [name]: value })).join('\n'), type: 'application/x-ndjson' },
  'answered form': { body: pairs(), type: form },
  element: { body: `<a>${each((name, value) => `<${name}>${value}</${name}>`).join('')}</a>`, type: 'application/xml' },
  attribute: { body: `<a>${each((name, value) => `<b ${name}="${value}"/>`).join('')}</a>`, type: 'application/xml' },
  'field of a page of HTML': { body: `<form>${each((name, value) => `<input name="${name}" value="${value}">`).join('')}</form>`, type: 'text/html' },
  'script of a page of HTML': { body: `<p>a</p><script>window.a = ${JSON.stringify(object())}</script>`, type: 'text/html' },
  'bare name in a script': { body: `f({ ${each((name, value) => `${name}: '${value}'`, ofGraphQL).join(', ')} })`, type: 'text/javascript' },
  'block of YAML': { body: each((name, value) => `${name}: |\n  ${value}\n  ${value}\n`).join(''), type: 'application/yaml' },
  JSONP: { body: `f(${JSON.stringify(object())})`, type: 'text/javascript' },
  'answered text': { body: each((name, value) => `${name}=${value}`).join('\n') },
  'link in a body': { body: each((name, value) => `https://a.example/b?c=1&${name}=${value}`).map((next) => ({ next })) },
  'response header': { headers: object(ofHeaders), body: {} },
  'redirect, in its query': { status: 302, headers: { location: `/a?${pairs()}` } },
  'redirect, in its fragment': { status: 302, headers: { location: `/a#${pairs()}` } },
  'set-cookie': { headers: { 'set-cookie': `access_token=${valueOf('access_token')}` }, body: {} },
  event: { body: each((name, value) => `data: ${JSON.stringify({ a: { [name]: value } })}\n\n`).join(''), type: 'text/event-stream' },
  'text of an event': { body: each((name, value) => `data: ${name}=${value}\n\n`).join(''), type: 'text/event-stream' },
  'JSON as HTML': { body: `{"password":"${one}","a":1}`, type: 'text/html' },
  'XML as HTML': { body: `<a><token>${one}</token></a>`, type: 'text/html' },
  'JSON with a character that YAML can not have': { body: { a: '\u0001', password: one } },
  'JSON in UTF-16': { body: new Uint8Array(Buffer.from(`{"password":"${one}"}`, 'utf16le')), type: 'application/json; charset=utf-16le' },
  'names behind values': { body: { headers: [{ value: one, name: 'X-Api-Key' }] } },
  'user in a text': { body: `see https://bob:${one}@example.com/` },
  'user of a redirect': { status: 302, headers: { location: `https://bob:${one}@example.com/` } },
  'redirect, in its path': { status: 302, headers: { location: `/a;jsessionid=${one}?b=1` } },
  'link in a header': { headers: { link: `</a?token=${one}>; rel="next"` }, body: {} },
  'content-location': { headers: { 'content-location': `/reset/${one}` }, body: {} },
  refresh: { headers: { refresh: `0; url=/a?access_token=${one}` }, body: {} },
  'JSON in a header': { headers: { 'x-user': `{"token":"${one}"}` }, body: {} },
  'scheme in a header': { headers: { 'x-next': `Bearer ${one}` }, body: {} },
  'cookie that is set': { headers: { 'set-cookie': `a=${one}` }, body: {} },
  path: { path: `/reset/${one}` },
  'session in a path': { path: `;jsessionid=${one}` },
  'part with a name in capitals': { sentType: 'multipart/form-data; boundary=x', sent: `--x\r\nContent-Disposition: form-data; NAME=password\r\n\r\n${one}\r\n--x--\r\n` },
  'sent XML': { sent: `<a><password>${one}</password></a>`, sentType: 'text/xml' },
  'sent value behind its key': { sent: { list: [{ key: 'pin', value: one }], n: 1 } },
} // prettier-ignore

/** What has similar names, and is data of an application: it stays. */
const ordinary = {
  token: 'USD',
  session: 'keynote',
  tokenType: 'Bearer',
  passwordPolicy: 'strict',
  nextPageToken: 'abc',
}

const shown = new Map<string, Record<'inspector' | 'POST fixture', string>>()
let written: Record<'recording' | 'POST import', Map<string, string>>
const ways = {
  inspector: (place: string) => shown.get(place)!.inspector,
  'POST fixture': (place: string) => shown.get(place)!['POST fixture'],
  recording: (place: string) => written.recording.get(place)!,
  'POST import': (place: string) => written['POST import'].get(place)!,
}
let mock: ApiServer
let recorder: ApiServer

/** Each place has a path of its own, so that its files are known. */
const pathOf = (name: string) => `/${name.replace(/\W+/g, '-').toLowerCase()}/x`
const all = Object.entries({ ...places, ordinary: { body: ordinary } } as typeof places)
const exchanges = all.map(([name, place]) => {
  const { operation, query, path: rest = '', sent, sentType = 'application/json', sentHeaders = {}, ...answer } = place
  const path = operation === undefined ? pathOf(name) : '/graphql'
  const headers = { accept: '*/*', ...(sent !== undefined && { 'content-type': sentType }), ...sentHeaders }
  const body = typeof sent === 'object' ? JSON.stringify(sent) : sent
  const target = `${body === undefined ? 'GET' : 'POST'} ${path}${rest}${query ? `?${query}` : ''}`
  const route = rest === '' ? path : path.replace(/x$/, '**')
  return { name, path, route, ...exchange(target, { body: { data: { a: 1 } }, ...answer, sentHeaders: headers, ...(body !== undefined && { sent: body }) }) }
}) // prettier-ignore

/** The files of each place, and what was said. */
function filesBelow({ project }: ApiServer, folder: string, said: unknown): Map<string, string> {
  const files = readdirSync(join(project.root, folder), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => ({
      name,
      text: readFileSync(join(parentPath, name), 'utf8').replaceAll('\0', ''),
    })) // of UTF-16
  const textsOf = (stem: string) => files.filter(({ name }) => name.startsWith(stem)).map(({ text }) => text)
  const stemOf = ({ name, path }: (typeof exchanges)[number]) =>
    path === '/graphql'
      ? `graphql-${places[name]!.operation!.toLowerCase()}`
      : path.slice(1).replace('/', '-')
  return new Map(exchanges.map((one) => [one.name, textsOf(stemOf(one)).join('\n') + JSON.stringify(said)]))
}

beforeAll(async () => {
  const routes = exchanges
    .filter(({ path }) => path !== '/graphql')
    .flatMap(({ name, method, route: path, status, responseHeaders, responseBody: body }) => [
      {
        ...{ method, path },
        response: {
          ...{ status, headers: Object.fromEntries(responseHeaders) },
          body: places[name]?.body instanceof Uint8Array ? [...body] : new TextDecoder().decode(body),
        },
      },
      // The endpoint reads the body, so a fixture may select by it.
      ...(method === 'POST' ? [{ method, path, when: { body: { nothing: 1 } }, response: {} }] : []),
    ])
  const bytes = "(key, value) => (key === 'body' && Array.isArray(value) ? Uint8Array.from(value) : value)"
  mock = await startApiServer({
    'fixtures/all.mjs': `export default [...JSON.parse(${JSON.stringify(JSON.stringify(routes))}, ${bytes})]`,
    'fixtures/graphql.json': '[{ "path": "/graphql", "response": { "body": {} } }]',
  })
  recorder = await startApiServer({}, {}, (req, res) => {
    const { status, responseHeaders, responseBody } = exchanges.find(({ path }) => req.url!.startsWith(path))!
    req.resume()
    res.writeHead(status, Object.fromEntries(responseHeaders)).end(responseBody)
  })
  await recorder.call('PUT', 'record', { recording: true })
  const entries: object[] = []
  for (const one of exchanges) {
    const { name, method, url, requestHeaders, requestBody, status, responseHeaders, responseBody } = one
    const init = { method, redirect: 'manual' as const, headers: Object.fromEntries(requestHeaders), body: requestBody as BodyInit } // prettier-ignore
    await (await mock.send(url, init)).text()
    await (await recorder.send(url, init)).text()
    const summary = await mock.last()
    expect([name, summary.answeredBy]).toEqual([name, 'route'])
    const details = await mock.call('GET', `requests/${summary.id}`)
    const fixture = await mock.call('POST', 'fixture', { request: summary.id, dryRun: true })
    shown.set(name, {
      inspector: JSON.stringify([summary, details.body]).replaceAll('\\u0000', ''), // of UTF-16
      'POST fixture': JSON.stringify(fixture.body),
    })
    const headersOf = (list: typeof requestHeaders) => list.map(([name, value]) => ({ name, value }))
    const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
    entries.push({
      ...{ startedDateTime: '2026-01-01T00:00:00Z', _resourceType: 'fetch' },
      request: { method, url: `http://localhost${url}`, headers: headersOf(requestHeaders), postData: requestBody && { text: text(requestBody) } },
      response: { status, headers: headersOf(responseHeaders), content: { text: Buffer.from(responseBody).toString('base64'), encoding: 'base64' } },
    }) // prettier-ignore
  }
  const recorded = await recorder.call('PUT', 'record', { recording: false })
  const imported = await mock.call('POST', 'import', {
    name: 'a.har',
    text: JSON.stringify({ log: { entries } }),
  })
  expect([recorded.status, imported.status]).toEqual([200, 200])
  written = {
    recording: filesBelow(recorder, 'fixtures/recorded', recorded.body),
    'POST import': filesBelow(mock, 'fixtures/imported', imported.body),
  }
})
afterAll(async () => {
  await mock.close()
  await recorder.close()
})

describe.each(Object.entries(ways))('%s', (way, textOf) => {
  it.each(Object.keys(places))('%s', (place) => {
    const text = textOf(place)
    expect(text).toMatch(new RegExp(way === 'POST fixture' ? '"yaml":|not text|No fixture can be written' : (places[place]!.operation ?? pathOf(place).slice(0, -1))))
    const leaked = [one, ...[...names, ...ofHeaders].map(valueOf)].filter((value) => text.includes(value))
    expect(leaked).toEqual([])
  })

  it('what has a similar name stays', () => {
    // The inspector hides these two: what it hides does no harm.
    const rest = Object.entries(ordinary).slice(way === 'inspector' ? 2 : 0)
    for (const [name, value] of rest) expect(textOf('ordinary')).toMatch(new RegExp(`${name}\\W+${value}`))
  })
}) // prettier-ignore

it('messages of a WebSocket, in both directions', async () => {
  const message = JSON.stringify({ type: 'connection_init', payload: object() })
  mock.project.write('fixtures/ws.json', JSON.stringify([{ path: '/ws', websocket: { open: { send: object() } } }])) // prettier-ignore
  await expect.poll(async () => JSON.stringify((await mock.call('GET', 'routes')).body)).toContain('"/ws"')
  const socket = new WebSocket(`${mock.origin.replace('http', 'ws')}/ws?${pairs()}`)
  await new Promise((opened) => socket.once('message', opened))
  socket.send(message)
  await expect.poll(async () => (await mock.last()).stream?.frames).toBe(2)
  const text = JSON.stringify(await mock.details())
  socket.terminate()
  expect(text).toContain('connection_init')
  expect(each((_, value) => value).filter((value) => text.includes(value))).toEqual([])
})

it('no credential is in what is written of any exchange', () => {
  const separator = fc.constantFrom('_', '-', '', ' ')
  const name = fc
    .tuple(fc.constantFrom(...words), separator, fc.constantFrom<(text: string) => string>(String, capitalised, (text) => text.toUpperCase()))
    .map(([word, between, cased]) => word.split(' ').map(cased).join(between)) // prettier-ignore
  const secret = fc.stringMatching(/^[A-Z]{3,9}-[A-Z]{3,5}$/).map((text) => `Q${text}`)
  const wrap = fc.constantFrom<(name: string, value: unknown) => unknown>(
    (name, value) => ({ [name]: value }),
    (name, value) => [{ id: 1, [name]: value }],
    (name, value) => ({ name, value }),
    (name, value) => ({ [name]: [value, value] }),
    (name, value) => ({ [name]: { a: { b: value } } }),
    (name, value) => ({ text: JSON.stringify({ [name]: value }) }),
    (name, value) => ({ next: `/a?b=1&${new URLSearchParams([[name, String(value)]])}` }),
  )
  const inside = fc.array(fc.constantFrom<(value: unknown) => unknown>((value) => ({ a: value }), (value) => [1, value], (value) => ({ id: 7, items: [value] })), { maxLength: 4 }) // prettier-ignore
  const value = fc
    .tuple(name, secret, wrap, inside)
    .map(([key, text, around, outer]) => outer.reduce((inner, one) => one(inner), around(key, text)))
  fc.assert(
    fc.property(value, value, name, secret, (sent, body, parameter, text) => {
      const query = new URLSearchParams([[parameter, text]])
      const made = [
        exchange(`POST /a?${query}`, { sent, body }),
        exchange('POST /a?c=1', { sent: [sent], body: { b: body } }),
      ]
      const { files, omitted } = writeFixtures(made)
      expect(files.length).toBeGreaterThan(0)
      expect(JSON.stringify([files, omitted])).not.toMatch(/Q[A-Z]{3,9}-[A-Z]{3}/)
    }),
    sampling(20),
  )
})
