/* The provider of examples/sign-in with the clients that people use: in a page, in a server, and in both (Auth.js). */
import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostsNamed, type RunningHost } from '../hosts/hosts.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { useBrowser } from './use-browser.ts'

/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return -- the clients are installed by the test */

const browser = useBrowser()
const [vite] = hostsNamed('Vite 8 dev')

const project = createTestProject({
  'main.js': `import { UserManager } from 'oidc-client-ts'
const { origin, search } = location
globalThis.manager = new UserManager({
  authority: origin + '/oidc', client_id: 'spa', redirect_uri: origin + '/', post_logout_redirect_uri: origin + '/',
  silent_redirect_uri: origin + '/', popup_redirect_uri: origin + '/?popup', automaticSilentRenew: false,
})
globalThis.returned = /[?&](code|error|state)=/.test(search) ? manager.signinCallback().catch((error) => error) : undefined
`,
})
const load = async (name: string): Promise<any> => {
  const path = createRequire(join(project.root, 'package.json')).resolve(name)
  return import(/* @vite-ignore */ pathToFileURL(path).href)
}

let running: RunningHost
let origin: string
beforeAll(async () => {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', project.root]
  execFileSync('npm', ['install', ...flags, 'oidc-client-ts', 'openid-client', '@auth/core'], {
    stdio: 'ignore',
  })
  cpSync('examples/sign-in/fixtures', join(project.root, 'fixtures'), { recursive: true })
  running = await vite!.start(project)
  ;({ origin } = running)
}, 300_000)
afterAll(async () => {
  await running.close()
  project.close()
})

describe('oidc-client-ts, in a page', () => {
  async function openPage(): Promise<Page> {
    const page = await (await browser().newContext()).newPage()
    await page.goto(origin)
    await page.waitForFunction('globalThis.manager')
    return page
  }
  /** Leaves the page: the next one lacks the mark. The address may be the same as before. */
  const leave = (page: Page, call: string) => page.evaluate(`globalThis.isLeft = true; void manager.${call}`)
  const arrive = (page: Page) => page.waitForFunction('globalThis.manager && !globalThis.isLeft')
  /** Waits for the way back from the provider. */
  const back = async (page: Page) => {
    await arrive(page)
    return page.evaluate<object>('returned.then((user) => user.profile ?? { error: user.error })')
  }
  const redirect = (page: Page, settings = '') =>
    Promise.all([page.waitForURL('**/oidc/**'), leave(page, `signinRedirect(${settings})`)])
  const signIn = async (page: Page) => {
    await redirect(page)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    return back(page)
  }
  const askLoans = `manager.getUser().then(async (user) => {
    const answer = await fetch('/api/loans', { headers: { authorization: 'Bearer ' + user?.access_token } })
    return [answer.status, answer.ok && (await answer.json()).length]
  })`

  it('a user is chosen, and what follows depends on it, until the end of the session', async () => {
    const page = await openPage()
    expect(await page.evaluate(askLoans)).toEqual([401, false])
    expect(await signIn(page)).toMatchObject({
      sub: 'ada',
      name: 'Ada Lovelace',
      iss: `${origin}/oidc`,
      aud: 'spa',
    })
    expect(await page.evaluate(askLoans)).toEqual([200, 2])
    await leave(page, `signinRedirect({ prompt: 'none' })`) // the session of the browser
    expect(await back(page)).toMatchObject({ sub: 'ada' })

    await leave(page, 'signoutRedirect()')
    await arrive(page)
    expect(await page.evaluate('manager.getUser()')).toBeNull()
    await leave(page, `signinRedirect({ prompt: 'none' })`)
    expect(await back(page)).toEqual({ error: 'login_required' })
    await redirect(page)
    await page.getByRole('link', { name: 'Cancel' }).click()
    expect(await back(page)).toEqual({ error: 'access_denied' })
    await leave(page, `signinRedirect({ login_hint: 'bob' })`) // at once
    expect(await back(page)).toMatchObject({ sub: 'bob' })
  })

  it('tokens that expire, with a refresh token and with a frame', async () => {
    const page = await openPage()
    await signIn(page)
    const renew = () =>
      page.evaluate(`manager.signinSilent().then((user) => user.profile.sub, (error) => error.error)`)
    const expire = () => page.request.post(`${origin}/oidc/expire`)
    await expire()
    expect(await page.evaluate(askLoans)).toEqual([401, false])
    expect([await renew(), await page.evaluate(askLoans)]).toEqual(['ada', [200, 2]])
    await expire()
    await page.evaluate(
      'manager.getUser().then((user) => manager.storeUser(Object.assign(user, { refresh_token: undefined })))',
    )
    expect([await renew(), await page.evaluate(askLoans)]).toEqual(['ada', [200, 2]])

    const switchOn = (scenario: string) =>
      page.context().addCookies([{ name: 'mock-scenario', value: scenario, url: origin }])
    await switchOn('short-tokens')
    await renew()
    expect(await page.evaluate('manager.getUser().then((user) => user.expires_in)')).toBeLessThanOrEqual(5)
    await expect.poll(() => page.evaluate(askLoans)).toEqual([401, false])
    await switchOn('session-over')
    expect(await renew()).toBe('invalid_grant')
  })
})

it('openid-client, with a secret and without: PKCE, nonce and signatures are checked, codes are used once', async () => {
  const client = await load('openid-client')
  const redirect_uri = 'http://localhost:9/callback' // never asked
  for (const [id, authentication] of [
    ['public', client.None()],
    ['server', client.ClientSecretBasic('secret')],
    ['poster', client.ClientSecretPost('secret')],
  ]) {
    const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks]
    const config = await client.discovery(new URL(`${origin}/oidc`), id, undefined, authentication, {
      execute,
    })
    const expectedNonce = client.randomNonce()
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid offline_access',
      login_hint: 'ada',
      nonce: expectedNonce,
      state: 'x',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const callback = async () => new URL((await fetch(url, { redirect: 'manual' })).headers.get('location')!)
    const checks = { expectedNonce, pkceCodeVerifier, expectedState: 'x' }
    const used = await callback()
    const tokens = await client.authorizationCodeGrant(config, used, checks)
    expect(tokens.claims()).toMatchObject({ sub: 'ada', aud: id, nonce: expectedNonce, roles: ['admin'] })
    const info = await client.fetchUserInfo(config, tokens.access_token, 'ada')
    expect(info).toMatchObject({ email: 'ada@example.com' })

    const errorOf = (work: Promise<unknown>) =>
      work.then(
        () => 'none',
        (error) => error.error ?? error.code,
      )
    const redeem = (at: URL, more: object) =>
      errorOf(client.authorizationCodeGrant(config, at, { ...checks, ...more }))
    expect(await redeem(used, {})).toBe('invalid_grant')
    expect(await redeem(await callback(), { pkceCodeVerifier: client.randomPKCECodeVerifier() })).toBe(
      'invalid_grant',
    )
    expect(await redeem(await callback(), { pkceCodeVerifier: undefined })).toBe('invalid_grant')
    expect(await redeem(await callback(), { expectedNonce: 'another' })).toBe(
      'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
    )

    const next = await client.refreshTokenGrant(config, tokens.refresh_token)
    expect(next.claims()).toMatchObject({ sub: 'ada' })
    expect(await errorOf(client.refreshTokenGrant(config, tokens.refresh_token))).toBe('invalid_grant')
    await client.tokenRevocation(config, next.access_token)
    expect(await errorOf(client.fetchUserInfo(config, next.access_token, 'ada'))).toBe(
      'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
    )
    const end = client.buildEndSessionUrl(config, { post_logout_redirect_uri: redirect_uri, state: 'x' })
    expect((await fetch(end, { redirect: 'manual' })).headers.get('location')).toBe(`${redirect_uri}?state=x`)
  }
})

it('Auth.js: its server redeems the code of a browser', async () => {
  const { Auth } = await load('@auth/core')
  const config = {
    basePath: '/auth',
    secret: 'a secret of the test',
    trustHost: true,
    providers: [
      {
        id: 'mock',
        name: 'Mock',
        type: 'oidc',
        issuer: `${origin}/oidc`,
        clientId: 'web',
        clientSecret: 's',
      },
    ],
  }
  const cookies = new Map<string, string>()
  const ask = async (path: string, body?: Record<string, string>) => {
    const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }
    const sent = body && { method: 'POST', body: new URLSearchParams(body) }
    const answer: Response = await Auth(
      new Request(`http://localhost:9${path}`, { headers, ...sent }),
      config,
    )
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      cookies.set(name!, value!)
    }
    return answer
  }
  const { csrfToken } = (await (await ask('/auth/csrf')).json()) as { csrfToken: string }
  const to = (await ask('/auth/signin/mock', { csrfToken, callbackUrl: 'http://localhost:9/' })).headers.get(
    'location',
  )
  const back = (await fetch(`${to}&login_hint=ada`, { redirect: 'manual' })).headers.get('location')!
  const { pathname, search } = new URL(back)
  expect((await ask(pathname + search)).headers.get('location')).toBe('http://localhost:9/')
  expect(await (await ask('/auth/session')).json()).toMatchObject({
    user: { name: 'Ada Lovelace', email: 'ada@example.com' },
  })
})
