import { describe, expect, it } from 'vitest'
import { explainUnmatched } from '../../../src/core/answer/explain-unmatched.ts'
import {
  hideSecrets,
  isSecret,
  redactSearch,
  writeOperators,
  describeRequest,
} from '../../../src/core/redact/redact.ts'
import type { FixtureRoute } from '../../../src/core/schema/schema.ts'
import { parsedRequest, rawRequest, readResponse, tableOf } from '../send.ts'

const field = (id: string) => {
  const [source, ...path] = id.split('.')
  return { source: source as 'headers', path }
}

it.each([
  ['headers.authorization', true],
  ['headers.proxy-authorization', true],
  ['headers.cookie', true],
  ['headers.x-api-key', true],
  ['headers.apikey', true],
  ['headers.x-amz-security-token', true],
  ['headers.x-csrf-token', true],
  ['headers.x-tenant', false],
  ['headers.accept', false],
  ['cookies.theme', true],
  ['query.access_token', true],
  ['query.api-key', true],
  ['query.client_secret', true],
  ['query.token', true],
  ['query.page', false],
  ['query.pageToken', false],
  ['query.continuation_token', false],
  ['query.assignee', false],
  ...[
    'code',
    'otp',
    'pin',
    'tokens',
    'token[]',
    'private_key',
    'privateKey',
    'access token',
    'user[password]',
  ].map((name): [string, boolean] => [`query.${name}`, true]),
  ['query.codec', false],
  ['query.pinned', false],
  ['query.nextToken', false],
  ['headers.x-otp', true],
  ['headers.x-private-key', true],
  ['headers.x-spinner', false],
  ['params.token', true],
  ['params.resetToken', true],
  ['params.id', false],
  ['params.code', false], // of a country
  ['params.key', false],
  ['body.password', true],
  ['body.user.password.hash', true],
  ['variables.input.apiKey', true],
  ['body.pageToken', false],
  ...[
    'accessKey',
    'encryptionKey',
    'signingKey',
    'masterKey',
    'sessionKey',
    'mfaCode',
    'totpCode',
    'otpCode',
    'currentPwd',
  ].flatMap((name): [string, boolean][] => [
    [`body.${name}`, true],
    [`query.${name}`, true],
    [`headers.x-${name}`, true],
  ]),
  ['headers.x-app-key', true],
  ['headers.x-pass', true],
  ['headers.idempotency-key', false],
  ['headers.sec-websocket-key', false],
  ['body.mapKey', false],
  ['body.compass', false],
  ['body.max_tokens', false],
])('%s is secret: %s', (id, expected) => {
  expect(isSecret(field(id))).toBe(expected)
})

it.each([
  ['', ''],
  ['page=2&per_page=3', 'page=2&per_page=3'],
  ['a=1&access_token=abc&b=2', 'a=1&access_token=…&b=2'],
  ['api_key=', 'api_key=…'],
  ['api%5Fkey=abc', 'api%5Fkey=…'],
  ['%=1&token=a=b', '%=1&token=…'],
  ['token', 'token'],
  ['a+b=1&access+token=abc', 'a+b=1&access+token=…'],
  ['token[]=a&token%5B%5D=b', 'token[]=…&token%5B%5D=…'],
  ['code=a&state=b', 'code=…&state=b'],
  ['variables={"id":1}', 'variables={"id":1}'],
  [
    'variables=%7B%22a%22%3A%7B%22password%22%3A%22abc%22%7D%2C%22id%22%3A1%7D',
    'variables={"a":{"password":"…"},"id":1}',
  ],
  ['variables={"tokens":["a","b"]}&query={a}', 'variables={"tokens":"…"}&query={a}'],
  ['variables={"pin":"12', 'variables={"pin":"…"'],
  ['query=%7B a(password:"x", id: 1) %7D', 'query={%20a(password:"…",%20id:%201)%20}'],
  ['next=/a?token=x%26b=1', 'next=/a?token=…%26b=1'],
])('the query %j is shown as %j', (search, shown) => {
  expect(redactSearch(search)).toBe(shown)
  expect(describeRequest(rawRequest({ path: '/a', search }))).toBe(`GET /a${shown && `?${shown}`}`)
})

it.each<[path: string, params: Record<string, string>, shown: string]>([
  ['/orders/7', { id: '7' }, '/orders/7'],
  ['/reset/abc', { token: 'abc' }, '/reset/…'],
  ['/reset/a%2Fb%20c', { token: 'a/b c' }, '/…'],
  ['/reset/a%20c/7', { token: 'a c', id: '7' }, '/reset/…/7'],
  ['/reset/v1-abc.json', { token: 'abc' }, '/reset/…'],
  ['/reset/', { token: '' }, '/reset/'],
  ['/files/a/b', { secret: 'a/b' }, '/…'],
])('the path %s with %j is shown as %s', (path, params, shown) => {
  expect(describeRequest(rawRequest({ path, params }))).toBe(`GET ${shown}`)
})

it.each<[id: string, operators: unknown, shown: string]>([
  ['headers.x-tenant', { $in: ['a', 'b'] }, '{"$in":["a","b"]}'],
  ['headers.x-tenant', { $regex: /^a/i }, '{"$regex":"/^a/i"}'],
  ['headers.authorization', { $in: ['a', 'b'] }, '{"$in":["…","…"]}'],
  ['headers.authorization', { $regex: /^Bearer a/ }, '{"$regex":"…"}'],
  ['headers.authorization', { $exists: false }, '{"$exists":false}'],
  ['cookies.s', { $not: { $eq: 1 } }, '{"$not":{"$eq":"…"}}'],
  [
    'headers',
    { $or: [{ Authorization: 'a' }, { 'x-a': 'b' }] },
    '{"$or":[{"Authorization":"…"},{"x-a":"b"}]}',
  ],
  ['query', { $nor: [{ token: { $in: ['a'] } }] }, '{"$nor":[{"token":{"$in":["…"]}}]}'],
])('%s: %j is shown as %s', (id, operators, shown) => {
  expect(writeOperators(operators, field(id))).toBe(shown)
})

it('shows values that are not JSON', () => {
  expect(writeOperators({ $eq: 10n }, field('body.a'))).toBe('{"$eq":"10"}')
  expect(writeOperators(() => 1, field('body.a'))).toBe('a function')
})

describe('what matches no route is explained without secrets', () => {
  const secrets = ['abc-sent', 'abc-wanted']
  const when: FixtureRoute['when'][] = [
    { headers: { Authorization: 'Bearer abc-wanted' } },
    { headers: { authorization: { $in: ['Bearer abc-wanted'] } } },
    { headers: { $or: [{ authorization: 'Bearer abc-wanted' }] } },
    { headers: { 'proxy-authorization': 'Basic abc-wanted' } },
    { headers: { cookie: { $regex: 'abc-wanted' } } },
    { headers: { 'x-api-key': 'abc-wanted' } },
    { cookies: { session: 'abc-wanted' } },
    { cookies: { session: { $ne: 'abc-sent' } } },
    { query: { access_token: 'abc-wanted' } },
  ]
  const request = parsedRequest({
    path: '/a',
    search: 'access_token=abc-sent',
    headers: {
      authorization: 'Bearer abc-sent',
      'proxy-authorization': 'Basic abc-sent',
      cookie: 'session=abc-sent',
      'x-api-key': 'abc-sent',
    },
  })

  it.each(when.map((selector) => ({ selector })))('$selector', ({ selector }) => {
    const [endpoint] = tableOf([{ path: '/a', when: selector }]).endpoints
    const { response, diagnostic } = explainUnmatched(endpoint!, request)
    const told = JSON.stringify([readResponse(response), diagnostic])
    for (const secret of secrets) expect(told).not.toContain(secret)
    expect(told).toContain('…')
  })

  it.each<[when: FixtureRoute['when'], said: string]>([
    [
      { headers: { authorization: 'abc-wanted' } },
      'headers.authorization to be … (redacted), not another value (redacted)',
    ],
    [
      { cookies: { session: { $in: ['abc-wanted'] } } },
      'cookies.session to be {"$in":["…"]}, not the value that was sent (redacted)',
    ],
  ])('%j says that the value is another one', (selector, said) => {
    const [endpoint] = tableOf([{ path: '/a', when: selector }]).endpoints
    expect(explainUnmatched(endpoint!, request).diagnostic!.message).toContain(`wants ${said}.`)
  })

  it('hints at a part of a secret without its value', () => {
    const [endpoint] = tableOf([{ path: '/a', when: { headers: { authorization: 'Bearer' } } }]).endpoints
    const { fix } = explainUnmatched(endpoint!, request).diagnostic!
    expect(fix).toContain('write headers: { authorization: { $regex: "^…" } }. Or correct the request,')
    expect(fix).not.toContain('Bearer')
  })

  it('reports a secret that is missing', () => {
    const [endpoint] = tableOf([{ path: '/a', when: { headers: { authorization: 'abc' } } }]).endpoints
    const { diagnostic } = explainUnmatched(endpoint!, parsedRequest({ path: '/a' }))
    expect(diagnostic!.message).toMatch(/wants headers\.authorization to be … \(redacted\), not nothing\.$/)
  })
})

it('hides all that stands below a secret name', () => {
  const value = { password: { value: 's', n: 5 }, credentials: [{ u: 's' }], a: { b: 's' } }
  const paths: string[] = []
  const shown = hideSecrets(value, (path) => paths.push(path))
  expect(shown).toEqual({
    password: { value: 'redacted', n: 0 },
    credentials: [{ u: 'redacted' }],
    a: { b: 's' },
  })
  expect(paths).toEqual(['password.value', 'password.n', 'credentials[].u'])
})
