/* The provider of examples/sign-in over HTTP. sign-in.slow.test.ts (test/e2e) has the clients that people use. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { closeServer, listen } from '../hosts/serve.ts'

const logger = { info() {}, warn() {}, error() {} }
const middleware = createMiddleware({ root: 'examples/sign-in', logger, allowedHosts: true })
/** Requests say where they come from, and which host they ask. */
const server = createServer((req, res) => {
  const { 'x-from': value, 'x-host': host = req.headers.host } = req.headers
  if (value) Object.defineProperty(req.socket, 'remoteAddress', { value, configurable: true })
  req.headers.host = String(host)
  middleware(req, res)
})
let origin: string
beforeAll(async () => {
  origin = (await listen(server)).replace('127.0.0.1', 'localhost')
  await middleware.ready
})
afterAll(async () => {
  await middleware.close()
  await closeServer(server)
})

interface Sent {
  body?: Record<string, string>
  headers?: Record<string, string>
}
async function ask(path: string, { body, headers }: Sent = {}) {
  const sent = body && { method: 'POST', body: new URLSearchParams(body) }
  const options = { redirect: 'manual', headers: { connection: 'close', ...headers }, ...sent } as const
  const answer = await fetch(`${origin}/oidc${path}`, options)
  const text = await answer.text()
  const to = answer.headers.get('location')
  return {
    status: answer.status,
    location: to === null ? undefined : new URL(to),
    cookie: answer.headers.get('set-cookie'),
    text,
    json: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, string>,
  }
}

const verifier = 'a verifier of this test, which is long enough'
const client = { client_id: 'spa', redirect_uri: 'http://localhost:9/callback' }
const asked = {
  ...client,
  response_type: 'code',
  state: 'x',
  nonce: 'n',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  login_hint: 'ada',
}
const authorize = (more: Record<string, string> = {}, sent: Sent = {}) =>
  ask(`/authorize?${new URLSearchParams({ ...asked, ...more }).toString()}`, sent)
async function redeem(more: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const code = (await authorize()).location!.searchParams.get('code')!
  const body = { grant_type: 'authorization_code', code, code_verifier: verifier, ...client, ...more }
  return ask('/token', { body, headers })
}
const refresh = (refresh_token = '', headers = {}, client_id = 'spa') =>
  ask('/token', { body: { grant_type: 'refresh_token', refresh_token, client_id }, headers })
const userinfo = async (token = '') =>
  (await ask('/userinfo', { headers: { authorization: `Bearer ${token}` } })).status

it('tokens are signed with the published key, and their claims are those of the user', async () => {
  const { keys } = (await ask('/jwks')).json as unknown as { keys: (JsonWebKey & { kid: string })[] }
  const { json } = await redeem()
  for (const [name, more] of [['id_token', { nonce: 'n' }], ['access_token', { client_id: 'spa' }]] as const) {
    const [head, claims, signature] = json[name]!.split('.') as [string, string, string]
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
    expect(read(head)).toEqual({ alg: 'RS256', typ: 'JWT', kid: keys[0]!.kid })
    const user = { sub: 'ada', roles: ['admin'], iss: `${origin}/oidc`, aud: 'spa' }
    expect(read(claims)).toMatchObject({ ...user, ...more })
    expect(Number(read(claims)['exp']) - Number(read(claims)['iat'])).toBe(300)
    const key = createPublicKey({ key: keys[0] as never, format: 'jwk' })
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
  }
  expect(keys).toEqual([{ kty: 'RSA', n: expect.any(String) as string, e: 'AQAB', kid: keys[0]!.kid, alg: 'RS256', use: 'sig' }])
}) // prettier-ignore

it.each([
  [{}, {}, 200],
  [{ code_verifier: 'another' }, {}, 'invalid_grant'],
  [{ code_verifier: '' }, {}, 'invalid_grant'],
  [{ redirect_uri: 'http://localhost:9/other' }, {}, 'invalid_grant'],
  [{ client_id: 'other' }, {}, 'invalid_grant'],
  [{ code: 'unknown' }, {}, 'invalid_grant'],
  [{ grant_type: 'password' }, {}, 'unsupported_grant_type'],
  [{}, { 'x-mock-client': 'another' }, 200], // as from a server
])('a code with %j and %j: %s', async (more, headers, result) => {
  const { status, json } = await redeem(more, headers)
  expect(status === 200 ? status : json['error']).toBe(result)
})

it('a token expires, and is renewed once', async () => {
  const { json } = await redeem()
  expect(await userinfo(json['access_token'])).toBe(200)
  await ask('/expire', { body: {} })
  expect(await userinfo(json['access_token'])).toBe(401)
  expect((await refresh(json['refresh_token'], {}, 'other')).json['error']).toBe('invalid_grant')
  expect((await refresh(json['refresh_token'], { 'x-mock-scenario': 'session-over' })).status).toBe(400)
  const renewed = await refresh(json['refresh_token'], { 'x-mock-scenario': 'short-tokens' })
  expect(renewed.json['expires_in']).toBe(5)
  expect(await userinfo(renewed.json['access_token'])).toBe(200)
  expect((await refresh(json['refresh_token'])).status).toBe(400)
  for (const name of ['access_token', 'refresh_token'])
    await ask('/revoke', { body: { token: renewed.json[name]! } })
  expect(await userinfo(renewed.json['access_token'])).toBe(401)
  expect((await refresh(renewed.json['refresh_token'])).status).toBe(400)
})

const session = { headers: { cookie: 'oidc-user=bob' } }
it.each<[more: Record<string, string>, sent: Sent, seen: RegExp]>([
  [{}, {}, /code=[\w-]{36}&state=x$/],
  [{ login_hint: '' }, {}, /Ada Lovelace/],
  [{ login_hint: '' }, session, /code=/],
  [{ login_hint: '', prompt: 'login' }, session, /Ada Lovelace/],
  [
    { login_hint: '' },
    { headers: { ...session.headers, 'x-mock-scenario': 'session-over' } },
    /Ada Lovelace/,
  ],
  [{ prompt: 'none' }, {}, /error=login_required&state=x/],
  [{ response_type: 'token' }, {}, /error=unsupported_response_type/],
  [{ code_challenge_method: 'plain' }, {}, /error=invalid_request/],
  [{ redirect_uri: '/relative' }, {}, /It needs a client_id and a redirect_uri/],
  [{ redirect_uri: 'javascript:alert(1)//' }, {}, /It needs a client_id and a redirect_uri/],
  [{ redirect_uri: 'com.example.app:/signed-in', response_type: 'token' }, {}, /^com\.example\.app:.*error=/],
  [{ login_hint: '', state: '"><script>' }, {}, /state=%22%3E%3Cscript%3E/],
])('authorize with %j and %j: %s', async (more, sent, seen) => {
  const { location, text } = await authorize(more, sent)
  expect(location?.href ?? text).toMatch(seen)
  expect(text).not.toContain('<script>')
})

it('the end of a session', async () => {
  const path = `/logout?${new URLSearchParams({ post_logout_redirect_uri: 'http://localhost:9', state: 'x' }).toString()}`
  const { location, cookie } = await ask(path)
  expect([location?.href, cookie]).toEqual([
    'http://localhost:9/?state=x',
    expect.stringMatching(/^oidc-user=;.*Max-Age=0/),
  ])
  expect((await ask('/logout')).text).toContain('You are signed out')
})

it.each<[headers: Record<string, string>, status: number]>([
  [{}, 200],
  [{ 'x-host': 'app.localhost' }, 200],
  [{ 'x-host': '192.168.1.5:5173' }, 403],
  [{ 'x-host': 'app.example' }, 403],
  [{ 'x-from': '192.0.2.1' }, 403],
])('only this machine may sign in: %j', async (headers, status) => {
  const answers = [
    await ask('/jwks', { headers }),
    await ask('/.well-known/openid-configuration', { headers }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([status, status])
})
