import { describe, expect, it } from 'vitest'
import { answerRequests, type WorkerScope } from '../../src/service-worker/worker.ts'

/** A worker below `https://shop.example/demo/`. @returns the response to a request, and the cookies that it has set */
async function ask(setCookie: string, path = '/demo/api/login') {
  const set: unknown[] = []
  const listeners: Record<string, (event: never) => void> = {}
  const scope = {
    location: new URL('https://shop.example/demo/sw.js'),
    registration: {
      scope: 'https://shop.example/demo/',
      active: null,
      unregister: () => Promise.resolve(true),
    },
    clients: { claim: () => Promise.resolve() },
    cookieStore: {
      getAll: () => Promise.resolve([]),
      set: (cookie: { domain?: string }) => {
        if (cookie.domain === 'other.example') return Promise.reject(new TypeError('not this host'))
        set.push(cookie)
        return Promise.resolve()
      },
    },
    skipWaiting: () => Promise.resolve(),
    addEventListener: (type: string, listener: (event: never) => void) => (listeners[type] = listener),
  }
  const routes = [{ path: '/api/login', response: { status: 204, headers: { 'set-cookie': setCookie } } }]
  answerRequests(scope as unknown as WorkerScope, routes, {}, { version: '', file: '' })
  const response = await new Promise<Response>((resolve) =>
    listeners['fetch']!({
      request: new Request(`https://shop.example${path}`),
      stopImmediatePropagation() {},
      respondWith: resolve,
    } as never),
  )
  return { status: response.status, set }
}

describe('a cookie that a response sets', () => {
  const session = { name: 'session', value: 'a%20b', path: '/demo/api', sameSite: 'lax' }

  it.each<[header: string, cookie: object | undefined]>([
    ['session=a%20b', session],
    ['session=a%20b; Path=/; SameSite=None', { ...session, path: '/', sameSite: 'none' }],
    ['session=a%20b; Expires=Wed, 01 Jan 2031 00:00:00 GMT', { ...session, expires: Date.UTC(2031, 0, 1) }],
    ['session=a%20b; Domain=shop.example', { ...session, domain: 'shop.example' }],
    ['session=a%20b; Domain=.shop.example', { ...session, domain: 'shop.example' }],
    ['session=a%20b; Partitioned; Secure', { ...session, partitioned: true }],
    ['session=a%20b; HttpOnly', session], // a login of a demo has to work
    ['session=a%20b; Domain=other.example', undefined], // as in a browser
  ])('%s', async (header, cookie) => {
    expect(await ask(header)).toEqual({ status: 204, set: cookie ? [cookie] : [] })
  })
})
