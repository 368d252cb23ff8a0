/* The provider of examples/sign-in over HTTP. sign-in.slow.test.ts (test/e2e) has the clients that people use. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import inject from 'light-my-request'
import { afterAll, expect, it } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'

const logger = { info() {}, warn() {}, error() {} }
const middleware = createMiddleware({ root: 'examples/sign-in', logger })
afterAll(() => middleware.close())

const origin = 'http://localhost:5173'
interface Sent {
  body?: Record<string, string>
  token?: string
  headers?: Record<string, string>
  remoteAddress?: string
}
async function ask(path: string, { body, token, headers, remoteAddress }: Sent = {}) {
  await middleware.ready
  const {
    statusCode,
    headers: received,
    payload,
  } = await inject((req, res) => void middleware(req, res), {
    url: `/oidc${path}`,
    headers: {
      host: 'localhost:5173',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(body && { method: 'POST', payload: new URLSearchParams(body).toString() }),
    ...(remoteAddress && { remoteAddress }),
  })
  const location = received.location === undefined ? undefined : new URL(received.location)
  const json = payload.startsWith('{') ? (JSON.parse(payload) as Record<string, string>) : {}
  return { status: statusCode, json, location, text: payload, cookie: String(received['set-cookie'] ?? '') }
}

const verifier = 'a verifier of this test, which is long enough'
const client = { client_id: 'spa', redirect_uri: `${origin}/callback` }
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
const userinfo = async (token = '') => (await ask('/userinfo', { token })).status

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
  [{ redirect_uri: `${origin}/other` }, {}, 'invalid_grant'],
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
  [{ login_hint: '', state: '"><script>' }, {}, /state=%22%3E%3Cscript%3E/],
])('authorize with %j and %j: %s', async (more, sent, seen) => {
  const { location, text } = await authorize(more, sent)
  expect(location?.href ?? text).toMatch(seen)
  expect(text).not.toContain('<script>')
})

it('the end of a session', async () => {
  const path = `/logout?${new URLSearchParams({ post_logout_redirect_uri: origin, state: 'x' }).toString()}`
  const { location, cookie } = await ask(path)
  expect([location?.href, cookie]).toEqual([`${origin}/?state=x`, expect.stringMatching(/^oidc-user=;.*Max-Age=0/)])
  expect((await ask('/logout')).text).toContain('You are signed out')
}) // prettier-ignore

it.each([
  [{}, 200],
  [{ headers: { host: 'app.localhost' } }, 200],
  [{ headers: { host: '192.168.1.5:5173' } }, 403],
  [{ remoteAddress: '192.0.2.1' }, 403],
])('only this machine may sign in: %j', async (sent, status) => {
  const answers = [await ask('/jwks', sent), await ask('/.well-known/openid-configuration', sent)]
  expect(answers.map((answer) => answer.status)).toEqual([status, status])
})
