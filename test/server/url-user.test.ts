import { createServer } from 'node:http'
import { beforeAll, afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../src/client.ts'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import { describeValue } from '../../src/core/values/describe-value.ts'
import { hideUsers, splitLogin } from '../../src/core/values/url-user.ts'
import { exchange } from '../http.ts'
import { serveFiles, type Served } from '../hosts/of-test.ts'
import { closeServer, listen } from '../hosts/serve.ts'

/* The user and the password of a URL are in no answer, no log and no message. */

const urls = [
  'http://user:zqzpw@a.example',
  "https://user:z'zqz@a.example/b",
  'https://user:z"zqz@a.example/b',
  'https://user:a/zqz@a.example',
  'https://user:a@zqz@a.example/?c=1',
  'https://zqzuser@a.example/b',
  'https://:zqz@a.example/b',
  'http:user:zqz@a.example',
  'redis://:zqz@a.example:6379',
  'HTTPS://User:ZQZ@a.example',
]

it.each(urls)('%s is shown without them', (url) => {
  for (const text of [hideUsers(url), describeValue(url), hideUsers(`see ${url}`), hideUsers(`"${url}"`)])
    expect(text).toMatch(/a\.example/)
  expect(hideUsers(url)).not.toMatch(/zqz/i)
  expect(describeValue(url)).not.toMatch(/zqz/i)
})

it.each([
  'http://a.example/@bob',
  'ssh://git@github.com/a/b',
  'mailto:bob@a.example',
  'npm:react@18',
  'mail bob@a.example // see //a.example/@bob',
  '@scope/name',
  'https://a.example/?q=a:b@c',
  'C:\\a@b\\c',
])('%s is shown as it is', (text) => {
  expect(hideUsers(text)).toBe(text)
})

describe('an option', () => {
  const options = urls.flatMap((url): [option: string, options: object][] => [
    ['record.target', { record: { target: url } }],
    ['record', { record: url }],
    ['outgoing', { outgoing: url }],
    ['base', { base: url }],
    ['graphql.path', { graphql: { path: url } }],
    ['graphql.path, in a list', { graphql: { path: ['/a', url] } }],
    ['unmatched', { unmatched: url }],
  ])
  it.each(options)('%s: %j', (_, given) => {
    const use = () => resolveOptions(given, { root: '/', logger: console })
    expect(use).toThrow(/must be/)
    expect(use).not.toThrow(/zqz/i)
  })
})

let served: Served
beforeAll(async () => {
  // A frame shows lines of the file, in which quotes end a URL.
  const routes = urls
    .filter((url) => !/['"]|a\/z/.test(url))
    .flatMap((url) => [
      { url },
      { url, response: { body: 1 }, delay: 'x' },
      { path: '/a', response: { file: url.replace('redis', 'http') } },
    ])
  served = await serveFiles({
    'fixtures/routes.json': JSON.stringify(routes, null, 1),
    'fixtures/origin.yaml': 'origin: https://user:zqz@a.example\nroutes:\n  - path: /x\n',
    'fixtures/good.yaml':
      '- { url: https://good.invalid/a }\n- { path: /items/:id, when: { query: { a: 1 } } }\n',
  })
})
afterAll(() => served.close())

it('diagnostics of fixture files, in the log and in the control API', async () => {
  const { text } = await served.send({ url: '/__mock-api/api/diagnostics' })
  expect(served.log.join('\n')).toContain('[url-invalid]')
  expect(text).toContain('"url-invalid"')
  expect(served.log.join('\n')).not.toMatch(/zqz/i)
  expect(text).not.toMatch(/zqz/i)
})

describe.each(['PUT record, target', 'PUT record, origin', 'POST explain'])('%s', (way) => {
  it.each(urls)('%s', async (url) => {
    const [method, path, key] = { 'PUT record, target': ['PUT', 'record', 'target'], 'PUT record, origin': ['PUT', 'record', 'origin'], 'POST explain': ['POST', 'explain', 'url'] }[way]! // prettier-ignore
    const { response, bytes } = await exchange(served.origin, {
      method: method!,
      url: `/__mock-api/api/${path}`,
      headers: { 'x-mock-api': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ ...(way.startsWith('PUT') && { recording: true }), [key!]: url }),
    })
    expect(response.statusCode).toBe(400)
    expect(bytes.toString()).not.toMatch(/zqz/i)
  })
})

describe('a request', () => {
  const targets = ['http://user:zqz@good.invalid/b', 'http://:zqz@good.invalid/b', 'https://user:zqz@good.invalid/a'].flatMap((url) => [
    `/__mock-api/origin/${url}`,
    `/__mock-api/origin/omit/${url}`,
    url,
    `/items/7?next=${url}`,
    `/items/7?next=${encodeURIComponent(url)}`,
  ]) // prettier-ignore
  it.each(targets)('%s', async (url) => {
    const { bytes } = await exchange(served.origin, { url, headers: { referer: 'http://user:zqz@a.example/', 'x-forwarded-url': 'https://user:zqz@a.example/' } }) // prettier-ignore
    const requests = (await served.send({ url: '/__mock-api/api/requests' })).text
    const [last] = (JSON.parse(requests) as { requests: { id: number }[] }).requests
    const details = last && (await served.send({ url: `/__mock-api/api/requests/${last.id}` })).text
    for (const text of [bytes.toString(), served.log.join('\n'), requests, details ?? '']) expect(text).not.toMatch(/zqz/i)
  }) // prettier-ignore
})

describe('the client of the control API', () => {
  it.each(urls)('%s in a message', async (url) => {
    const send = () => Promise.reject(new Error('down'))
    const error = await createClient(url, { fetch: send }).requests().catch(String)
    expect(error).toMatch(/No server answers at/)
    expect(error).not.toMatch(/zqz/i)
  })

  it.each([
    ['user', 'zqz'],
    ['us@er', "z'q/z:1 %"],
    ['', 'zqz'],
    ['zqz', ''],
    ['ü', 'ß€'],
    ['%ff', 'zqz'],
  ])('%j and %j are sent as a header', async (user, password) => {
    const asked: (string | undefined)[] = []
    const server = createServer((req, res) => {
      asked.push(req.url, req.headers.authorization)
      res.setHeader('content-type', 'application/json').end('{"requests":[]}')
    })
    const origin = await listen(server)
    onTestFinished(() => closeServer(server))
    const url = new URL(`${origin}/base`)
    Object.assign(url, { username: user, password })
    expect(await createClient(url.href).requests()).toEqual([])
    const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    expect(asked).toEqual(['/base/__mock-api/api/requests', basic])
    expect(splitLogin(url.href)).toEqual({ url: `${origin}/base`, login: { origin, username: user, password }, headers: { authorization: basic } }) // prettier-ignore
  })
})
