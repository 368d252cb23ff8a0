import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFetchHandler, type Fixture } from '../../../src/fetch.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { routesOf } from '../send.ts'
import { sampling } from '../../sampling.ts'

const add = (scenario: string | string[]) => ({ scenario: { add: scenario } })
const remove = (scenario: string) => ({ scenario: { remove: scenario } })

const login: Fixture = [
  {
    method: 'POST',
    path: '/login',
    when: { body: { password: 'hunter2' } },
    then: add('in'),
    response: { headers: { 'set-cookie': 'sid=1' }, body: 'welcome' },
  },
  { method: 'POST', path: '/login', response: { status: 401, body: 'wrong' } },
  { method: 'POST', path: '/logout', then: remove('in'), response: { status: 204 } },
  { path: '/me', response: { status: 401, body: 'nobody' } },
  { path: '/me', scenario: 'in', response: { body: 'Ada' } },
]

interface Asked {
  client?: string
  headers?: Record<string, string>
  body?: unknown
}

function start(fixture: Fixture) {
  const handler = createFetchHandler(fixture, { logLevel: 'silent' })
  const fetch = async (target: string, { client, headers = {}, body }: Asked = {}) => {
    const [method, path] = target.split(' ') as [string, string]
    return (await handler(
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...headers, ...(client && { 'x-mock-client': client }), 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    ))!
  }
  const ask = async (target: string, asked?: Asked) => {
    const answer = await fetch(target, asked)
    return (await answer.text()) || answer.status
  }
  return { handler, fetch, ask, logIn: (asked?: Asked) => ask('POST /login', { body: { password: 'hunter2' }, ...asked }) }
} // prettier-ignore

describe('login and logout', () => {
  it('change what follows', async () => {
    const { ask, logIn } = start(login)
    expect(await ask('GET /me')).toBe('nobody')
    expect(await ask('POST /login', { body: { password: 'x' } })).toBe('wrong')
    expect(await ask('GET /me')).toBe('nobody')
    expect(await logIn()).toBe('welcome')
    expect(await ask('GET /me')).toBe('Ada')
    expect(await ask('POST /logout')).toBe(204)
    expect(await ask('GET /me')).toBe('nobody')
  })

  it('change nothing for other clients, also not for those without a name', async () => {
    const { ask, logIn } = start(login)
    const names = Array.from({ length: 500 }, (_, index) => `client ${index}`)
    await Promise.all(
      names.map(async (client, index) => {
        const isIn = index % 2 === 0
        if (isIn) await logIn({ client })
        expect(await ask('GET /me', { client })).toBe(isIn ? 'Ada' : 'nobody')
      }),
    )
    expect(await ask('GET /me')).toBe('nobody')
    await logIn()
    expect(await ask('GET /me', { client: 'client 1' })).toBe('nobody')
    expect(await ask('GET /me', { headers: { cookie: 'mock-client=client%201' } })).toBe('nobody')
  })

  it.each<[who: string, headers: Record<string, string>]>([
    ['a header', { 'x-mock-scenario': 'other' }],
    ['a cookie', { cookie: 'mock-scenario=other' }],
  ])('come on top of the scenarios that %s names', async (_, headers) => {
    const { ask, logIn } = start([
      ...login,
      { path: '/other', scenario: 'other', response: { body: 'other' } },
    ])
    await logIn({ headers })
    expect(await ask('GET /me', { headers })).toBe('Ada')
    expect(await ask('GET /other', { headers })).toBe('other')
    await ask('POST /logout', { headers: { 'x-mock-scenario': 'in' } })
    expect(await ask('GET /me', { headers: { 'x-mock-scenario': 'in' } })).toBe('nobody')
  })

  const visit = { 'sec-fetch-mode': 'navigate', accept: 'text/html' }
  it.each<[what: string, ...Parameters<ReturnType<typeof start>['ask']>]>([
    ['a page that names other scenarios', 'GET /me?mock-scenario=other', { headers: visit }],
    ['a request of a script', 'GET /me?mock-scenario='],
  ])('stay after %s', async (_, ...asked) => {
    const { ask, logIn } = start([...login, { path: '/other', scenario: 'other' }])
    await logIn()
    await ask(...asked)
    expect(await ask('GET /me')).toBe('Ada')
  })

  it.each<[what: string, undo: (given: ReturnType<typeof start>) => unknown]>([
    ['a reset', ({ handler }) => handler.reset()],
    ['a reset of the client', ({ handler }) => handler.reset({ client: 'a' })],
    ['scenarios that are set for the client', ({ handler }) => handler.setScenario([], { client: 'a' })],
    ['a page that names none', ({ ask }) => ask('GET /me?mock-scenario=', { client: 'a', headers: visit })],
  ])('are undone by %s', async (_, undo) => {
    const started = start(login)
    await started.logIn({ client: 'a' })
    await undo(started)
    expect(await started.ask('GET /me', { client: 'a' })).toBe('nobody')
  })

  it('a page that names the scenario is in it again after a logout', async () => {
    const { ask } = start(login)
    await ask('POST /logout')
    await ask('GET /me?mock-scenario=in', { headers: visit })
    expect(await ask('GET /me', { headers: { cookie: 'mock-scenario=in' } })).toBe('Ada')
  })

  it('are saved and restored', async () => {
    const first = start(login)
    await first.logIn({ client: 'a' })
    const second = start(login)
    second.handler.restore(JSON.parse(JSON.stringify(first.handler.save())) as never)
    expect(await second.ask('GET /me', { client: 'a' })).toBe('Ada')
    expect(await second.ask('GET /me')).toBe('nobody')
    await second.ask('POST /logout', { client: 'a' })
    expect(second.handler.save()).toBeDefined()
  })
})

const me: Fixture = [
  { path: '/me', response: { body: 'nobody' } },
  { path: '/me', scenario: 'in', response: { body: 'Ada' } },
]

describe('who is signed in after', () => {
  it.each<[what: string, route: Fixture[0], who: unknown, method?: string]>([
    ['an answer', { path: '/a', then: add('in') }, 'Ada'],
    ['a failure that is written so', { path: '/a', then: add('in'), response: { status: 500 } }, 'Ada'],
    ['an answer with a delay', { path: '/a', then: add('in'), response: { delay: 20 } }, 'Ada'],
    ['the first of several', { path: '/a', then: { scenario: { add: ['in', 'other'] } } }, 'Ada'],
    ['one that is removed, too', { path: '/a', then: { scenario: { add: 'in', remove: ['in'] } } }, 'Ada'],
    ['a response of its own', { path: '/a', then: add('other'), response: { then: add('in') } }, 'Ada'],
    ['an own response that changes nothing', { path: '/a', then: add('in'), response: { then: {} } }, 'nobody'],
    ['a response with values', { path: '/a', then: add('in'), response: { body: { $from: 'query.a' } } }, 'Ada'],
    ['a page of a list', { path: '/a', then: add('in'), paginate: { items: [1] } }, 'Ada'],
    ['a collection', { path: '/a', then: add('in'), collection: { items: [{ id: 1 }] } }, 'Ada'],
    ['an item that is not there', { path: '/b', then: add('in'), collection: { items: [{ id: 1 }] } }, 'nobody'],
    ['a function', { path: '/a', then: add('in'), response: () => ({ body: 1 }) }, 'Ada'],
    ['a function that says so', { path: '/a', response: () => Promise.resolve({ then: add('in') }) }, 'Ada'],
    ['a function that refuses', { path: '/a', then: add('in'), response: () => ({ status: 401 }) }, 'nobody'],
    ['a function that throws', { path: '/a', then: add('in'), response: () => { throw new Error() } }, 'nobody'],
    ['a Response', { path: '/a', then: add('in'), response: () => new Response('a') }, 'Ada'],
    ['HEAD', { path: '/a', then: add('in') }, 'nobody', 'HEAD'],
    ['a stream', { path: '/a', then: add('in'), response: { stream: [], end: 'complete' } }, 'Ada'],
    ['an event', { path: '/a', response: { stream: [{ data: 1, then: add('in') }], end: 'complete' } }, 'Ada'],
    ['an event of a generator', { path: '/a', *response() { yield { data: 1, then: add('in') } } }, 'Ada'],
    ['a fault that sends nothing', { path: '/a', then: add('in'), response: { fault: 'empty' } }, 'nobody'],
    ['a fault that sends a part', { path: '/a', then: add('in'), response: { body: 'a', fault: { dribble: 1 } } }, 'Ada'],
  ])('%s: %s', async (_, route, who, method = 'GET') => {
    const { fetch, ask } = start([...me, { path: '/other', scenario: 'other' }, route])
    const answer = await fetch(`${method} ${route.path === '/b' ? '/b/2' : route.path}`)
    try {
      for await (const piece of answer.body ?? []) if (new TextDecoder().decode(piece).includes('data')) break
    } catch {} // a fault
    expect(await ask('GET /me')).toBe(who)
  }) // prettier-ignore

  it.each(['reset', 'silent'] as const)('the fault %s: nobody', async (fault) => {
    const { handler, ask } = start([...me, { path: '/a', then: add('in'), response: { fault } }])
    const left = new AbortController()
    const answer = handler(new Request('http://localhost/a', { signal: left.signal }))
    left.abort()
    await answer.then((one) => one?.text()).catch(() => {})
    expect(await ask('GET /me')).toBe('nobody')
  })

  it('a request over the limit: nobody', async () => {
    const rateLimit = { requests: 1, per: 100_000 }
    const { handler, ask } = start([...me, { path: '/a', then: add('in'), rateLimit }])
    expect(await ask('GET /a')).toBe(200)
    handler.setScenario([])
    await ask('GET /a')
    expect(await ask('GET /me')).toBe('nobody')
  })

  it('the third response of a sequence', async () => {
    const { ask } = start([
      ...me,
      { path: '/job', response: [{ body: 'wait' }, { body: 'wait' }, { body: 'done', then: add('in') }] },
    ])
    const got = []
    for (let turn = 0; turn < 3; turn++) got.push(await ask('GET /job'), await ask('GET /me'))
    expect(got).toEqual(['wait', 'nobody', 'wait', 'nobody', 'done', 'Ada'])
  })

  it('a delay is over, and not before', async () => {
    const { ask } = start([...me, { path: '/a', then: add('in'), response: { delay: 300 } }])
    const slow = ask('GET /a')
    expect(await ask('GET /me')).toBe('nobody')
    await slow
    expect(await ask('GET /me')).toBe('Ada')
  })
})

describe('on the GraphQL endpoint', () => {
  const data = (value: unknown) => ({ body: { data: { value } } })
  const fixture: Fixture = [
    { path: '/graphql', when: { operationName: 'LogIn' }, then: add('in'), response: data('welcome') },
    { path: '/graphql', when: { operationName: 'LogOut' }, then: remove('in'), response: data('bye') },
    { path: '/graphql', when: { operationName: 'Me' }, response: data('nobody') },
    { path: '/graphql', when: { operationName: 'Me' }, scenario: 'in', response: data('Ada') },
    {
      path: '/graphql',
      when: { operationType: 'subscription' },
      response: { stream: [{ data: { value: 1 }, then: add('in') }] },
    },
  ]
  const payload = (name: string, type = 'mutation') => ({ query: `${type} ${name} { value }` })
  const value = async (ask: ReturnType<typeof start>['ask'], body: unknown) => {
    const answer = JSON.parse(String(await ask('POST /graphql', { body }))) as { data: { value: unknown } }
    return Array.isArray(answer) ? (answer as (typeof answer)[]).map((one) => one.data.value) : answer.data.value
  } // prettier-ignore

  it('a mutation changes what follows, and each operation of a batch does', async () => {
    const { ask } = start(fixture)
    expect(await value(ask, payload('LogIn'))).toBe('welcome')
    expect(await value(ask, payload('Me', 'query'))).toBe('Ada')
    await value(ask, [payload('LogOut')])
    expect(await value(ask, payload('Me', 'query'))).toBe('nobody')
    await value(ask, [payload('LogOut'), payload('LogIn')])
    expect(await value(ask, payload('Me', 'query'))).toBe('Ada')
  })

  it('a result of a subscription does, over server-sent events', async () => {
    const { fetch, ask } = start(fixture)
    const answer = await fetch('POST /graphql', {
      body: payload('Payments', 'subscription'),
      headers: { accept: 'text/event-stream' },
    })
    for await (const piece of answer.body!) if (new TextDecoder().decode(piece).includes('value')) break
    expect(await value(ask, payload('Me', 'query'))).toBe('Ada')
  })

  it('a mutation whose client takes server-sent events only does', async () => {
    const { ask } = start(fixture)
    await ask('POST /graphql', { body: payload('LogIn'), headers: { accept: 'text/event-stream' } })
    expect(await value(ask, payload('Me', 'query'))).toBe('Ada')
  })
})

it.each<[route: Fixture[0], pointers: string[]]>([
  [{ path: '/a', then: add('inn') }, ['/0/then/scenario/add']],
  [{ path: '/a', then: { scenario: { add: 'in', remove: ['out', 'in'] } } }, ['/0/then/scenario/remove']],
  [{ path: '/a', response: [{}, { then: add('inn') }] }, ['/0/response/1/then/scenario/add']],
  [{ path: '/a', response: { stream: [{ then: add('inn') }] } }, ['/0/response/stream/0/then/scenario/add']],
  [{ path: '/a', response: { stream: { events: [{ then: add('inn') }] } } }, ['/0/response/stream/events/0/then/scenario/add']],
  [{ path: '/a', websocket: { open: add('inn') } }, ['/0/websocket/open/scenario/add']],
  [{ path: '/a', websocket: { messages: [{ ...add('inn'), then: [{ send: 1 }, remove('out')] }] } }, ['/0/websocket/messages/0/scenario/add', '/0/websocket/messages/0/then/1/scenario/remove']],
  [{ path: '/a', then: add('in'), response: { body: { then: add('x'), scenario: { add: 'y' } } } }, []],
])('%j: scenarios that no route has', (route, pointers) => {
  const { diagnostics } = compileRoutes(routesOf([route, ...me]), { graphql: defaultGraphQL })
  expect(diagnostics).toMatchObject(
    pointers.map((pointer) => ({ code: 'then-scenario-unknown', severity: 'warning', pointer })),
  )
}) // prettier-ignore

it('a function that changes a scenario that no route has is told so, once', async () => {
  const warned: string[] = []
  const logger = { info() {}, error() {}, warn: (text: string) => void warned.push(text) }
  const handler = createFetchHandler([...me, { path: '/a', response: () => ({ then: add('inn') }) }], {
    logger,
  })
  for (let turn = 0; turn < 2; turn++) await handler(new Request('http://localhost/a'))
  expect(warned).toEqual([
    expect.stringContaining('The key "then" names the scenario "inn", which no route has.'),
  ])
})

it('answers as a model of the scenarios of each client says', async () => {
  const names = ['a', 'b', 'c']
  const fixture: Fixture = names.flatMap((name) => [
    { path: `/add/${name}`, then: add(name) },
    { path: `/remove/${name}`, then: remove(name) },
    { path: `/is/${name}`, response: { body: 'no' } },
    { path: `/is/${name}`, scenario: name, response: { body: 'yes' } },
  ])
  const step = fc.record({
    does: fc.constantFrom('add', 'remove', 'set', 'reset'),
    name: fc.constantFrom(...names),
    client: fc.constantFrom('', 'one', 'two'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { handler, ask } = start(fixture)
      let everyone: string[] = []
      const set = new Map<string, string[]>()
      const changed = new Map<string, Map<string, boolean>>()
      for (const { does, name, client } of steps) {
        const who = { ...(client && { client }) }
        if (does === 'add' || does === 'remove') {
          await ask(`GET /${does}/${name}`, who)
          changed.set(client, new Map([...(changed.get(client) ?? []), [name, does === 'add']]))
        } else {
          if (does === 'set') handler.setScenario([name], who)
          else handler.reset(who)
          if (client === '') everyone = does === 'set' ? [name] : []
          if (does === 'reset' && client === '') [set, changed].forEach((map) => map.clear())
          changed.delete(client)
          if (client !== '' && does === 'set') set.set(client, [name])
          else set.delete(client)
        }
      }
      for (const client of ['', 'one', 'two'])
        for (const name of names) {
          const isSet = (set.get(client) ?? everyone).includes(name)
          const isActive = changed.get(client)?.get(name) ?? isSet
          expect(await ask(`GET /is/${name}`, { ...(client && { client }) })).toBe(isActive ? 'yes' : 'no')
        }
    }),
    sampling(20),
  )
})
