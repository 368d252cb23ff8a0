/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return -- the types of graphql-yoga are not installed */
import { execFileSync } from 'node:child_process'
import { createServer, type RequestListener, type Server } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeServer, listen } from '../../hosts/serve.ts'
import { startApiServer, type ApiServer } from '../../inspector/server/api-server.ts'
import { talk } from '../../websocket.ts'

/*
 * graphql-yoga side by side, frame by frame: server-sent events in distinct connections (its own) and in a single one
 * (@graphql-yoga/plugin-graphql-sse), and graphql-ws. What differs is in the table `differences`, with the reason.
 */

const schema = `
type Query { hero: Hero }
type Mutation { rename(name: String!): Hero }
type Subscription { changed: Hero never: Int }
type Hero { name: String id: ID }
`
const lost = { message: 'Lost.', path: ['changed'] }
const routes = [
  { path: '/graphql', when: { operationName: 'Hero' }, response: { body: { data: { hero: { name: 'R2-D2', id: '1' } } } } },
  { path: '/graphql', when: { operationName: 'Rename' }, response: { body: { data: { rename: { name: { $from: 'variables.name' }, id: '1' } } } } },
  {
    path: '/graphql',
    when: { operationName: 'Changed' },
    response: {
      stream: [{ data: { changed: { name: 'A', id: '1' } } }, { data: { changed: null }, errors: [lost] }, { data: { changed: { name: 'B', id: '1' } } }],
      end: 'complete',
    },
  },
  { path: '/graphql', when: { operationName: 'Never' }, response: { stream: [] } },
] // prettier-ignore

const folder = mkdtempSync(join(tmpdir(), 'yoga-'))
let ours: ApiServer
let yoga: { origin: string; server: Server }
beforeAll(async () => {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
  const packages = [
    'graphql@16',
    'graphql-yoga@5',
    '@graphql-yoga/plugin-graphql-sse@3',
    'graphql-ws@6',
    'ws@8',
  ]
  execFileSync('npm', ['install', ...flags, ...packages], { stdio: 'ignore' })
  const files = { 'fixtures/a.json': JSON.stringify(routes), 'schema.graphql': schema }
  ours = await startApiServer(files, { graphql: { schema: 'schema.graphql' } })
  yoga = await startYoga()
}, 300_000)
afterAll(async () => {
  await Promise.all([ours.close(), closeServer(yoga.server)])
  rmSync(folder, { recursive: true, force: true })
})

async function load(name: string): Promise<Record<string, any>> {
  const path = createRequire(join(folder, 'package.json')).resolve(name)
  const { default: all, ...named } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Record<
    string,
    any
  >
  return { ...all, ...named }
}

async function startYoga() {
  const { createYoga, createSchema } = await load('graphql-yoga')
  const { useGraphQLSSE } = await load('@graphql-yoga/plugin-graphql-sse')
  const { useServer } = await load('graphql-ws/use/ws')
  const { WebSocketServer } = await load('ws')
  const hero = { name: 'R2-D2', id: '1' }
  const resolvers = {
    Query: { hero: () => hero },
    Mutation: { rename: (_: unknown, { name }: { name: string }) => ({ name, id: '1' }) },
    Subscription: {
      changed: {
        subscribe: async function* () { for (const name of ['A', undefined, 'B']) yield { name } }, // eslint-disable-line @typescript-eslint/require-await
        resolve: ({ name }: { name?: string }) => { if (name === undefined) throw new Error('Lost.'); return { name, id: '1' } },
      },
      never: { subscribe: waitForever },
    },
  } // prettier-ignore
  const handler = createYoga({
    schema: createSchema({ typeDefs: schema, resolvers }),
    logging: false,
    maskedErrors: false,
    plugins: [useGraphQLSSE({ endpoint: '/stream' })],
  })
  const server = createServer(handler as RequestListener)
  const wsServer = new WebSocketServer({ server, path: '/graphql' })
  useServer(
    {
      execute: (args: any) => args.rootValue.execute(args),
      subscribe: (args: any) => args.rootValue.subscribe(args),
      onSubscribe: async (ctx: any, _id: string, params: any) => {
        const { schema, execute, subscribe, contextFactory, parse, validate } = handler.getEnveloped({
          ...ctx,
          params,
        })
        const args = { schema, operationName: params.operationName, document: parse(params.query), variableValues: params.variables, contextValue: await contextFactory(), rootValue: { execute, subscribe } } // prettier-ignore
        const errors = validate(args.schema, args.document)
        return errors.length ? errors : args
      },
    },
    wsServer,
  )
  return { origin: await listen(server), server }
}

/** Unlike that of a generator, its `return` ends what is waited for. */
function waitForever() {
  let resolve: (result: IteratorResult<number>) => void
  const promise = new Promise<IteratorResult<number>>((ended) => (resolve = ended))
  return {
    next: () => promise,
    return() {
      resolve({ done: true, value: undefined })
      return promise
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const changed = { query: 'subscription Changed { changed { name } }' }
const operations: Record<string, object> = {
  'a subscription with an error': changed,
  'a query': { query: 'query Hero { hero { called: name } }' },
  'a mutation': {
    query: 'mutation Rename($name: String!) { rename(name: $name) { name } }',
    variables: { name: 'C' },
  },
  'one of two': { query: `${changed.query} query Hero { hero { id } }`, operationName: 'Hero' },
  'an unknown field': { query: 'subscription Changed { change { name } }' },
  'an unknown name': { ...changed, operationName: 'Other' },
  'a missing variable': { query: 'mutation Rename($name: String!) { rename(name: $name) { name } }' },
  'what does not parse': { query: 'subscription Changed {' },
  'no query': {},
}

/** Comments are left out, and the order of keys does not count. */
const frames = (text: string) =>
  text.split('\n\n').filter((frame) => frame !== '' && frame !== ':').map((frame) => {
    const [, event, data] = /^event: (\w+)\ndata: ?(.*)$/.exec(frame) ?? []
    return event === undefined ? frame : [event, data === '' ? '' : (JSON.parse(data!) as unknown)]
  }) // prettier-ignore

/** What differs stays as it is for a reason. */
const emptyBody = 'An empty body gets the answer of a route, unless graphql.strict is on.'
const unread =
  'Clients of graphql-sse throw away the body of an answer that is not 200, and with it what is wrong.'
const crash = 'Yoga fails with an internal error.'
const differences: Record<string, string> = {
  'distinct: an unknown name': unread,
  'distinct: a missing variable': unread,
  'distinct: no query': emptyBody,
  'distinct: accept: application/json':
    'Yoga sends a 406 without a body: here, it says which types there are.',
  'distinct: accept: multipart/mixed': 'Subscriptions of Apollo Client, which Yoga does not serve.',
  'single: an unknown name': crash,
  'single: what does not parse': crash,
  'single: no query': emptyBody,
  'websocket: an unknown name': 'The text is that of GraphQL.js 16.',
  'websocket: a missing variable':
    'Errors without data are an `error`, the message for what is not executed.',
  'websocket: what does not parse': crash,
}

/** Codes that Yoga adds to errors, and texts of refusals in the single connection mode, are its own. */
const compared = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, one: unknown) =>
      key === 'extensions' || key === 'text' ? undefined
      : typeof one === 'string' && one.startsWith('{"') ? compared(JSON.parse(one))
      : one,
    ),
  ) // prettier-ignore

async function both(name: string, run: (origin: string, isYoga: boolean) => Promise<unknown>): Promise<void> {
  const [mine, theirs] = [await run(ours.origin, false), await run(yoga.origin, true)].map(compared)
  if (differences[name] === undefined) expect(mine).toEqual(theirs)
  else expect(mine, 'equal by now: remove it from the table').not.toEqual(theirs)
}

describe('server-sent events, in distinct connections', () => {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  it.each(Object.entries(operations))('%s', async (name, operation) => {
    await both(`distinct: ${name}`, async (origin) => {
      const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body: JSON.stringify(operation) })
      return { status: response.status, type: response.headers.get('content-type')?.split(';')[0], frames: frames(await response.text()) }
    })
  }) // prettier-ignore

  it.each(['text/event-stream', 'text/event-stream, application/json', 'application/json', '*/*', 'multipart/mixed'])('accept: %s', async (accept) => {
    await both(`distinct: accept: ${accept}`, async (origin) => {
      const response = await fetch(`${origin}/graphql`, { method: 'POST', headers: { ...headers, accept }, body: JSON.stringify(changed) })
      return { status: response.status, type: response.headers.get('content-type')?.split(';')[0], frames: frames(await response.text()) }
    })
  }) // prettier-ignore

  it('by GET', async () => {
    await both('distinct: by GET', async (origin) => {
      const response = await fetch(`${origin}/graphql?query=${encodeURIComponent(changed.query)}`, {
        headers,
      })
      return { status: response.status, frames: frames(await response.text()) }
    })
  })
})

describe('server-sent events, in a single connection', () => {
  const path = (isYoga: boolean) => (isYoga ? '/stream' : '/graphql')
  async function reserve(origin: string, isYoga: boolean) {
    const url = origin + path(isYoga)
    const ask = async (method: string, token: string | undefined, more: { search?: string; body?: unknown } = {}) => {
      const response = await fetch(url + (more.search ?? ''), {
        method,
        headers: { accept: method === 'PUT' ? 'text/plain' : 'application/json', 'content-type': 'application/json', ...(token !== undefined && { 'x-graphql-event-stream-token': token }) },
        ...(more.body !== undefined && { body: JSON.stringify(more.body) }),
      })
      return { status: response.status, text: await response.text() }
    } // prettier-ignore
    const { status, text: token } = await ask('PUT', undefined)
    const open = async () => {
      const response = await fetch(`${url}?token=${token}`, { headers: { accept: 'text/event-stream' } })
      return { response, until: readFrames(response) }
    }
    return { status, token, ask, open }
  }
  function readFrames(response: Response) {
    const reader = response.body!.getReader()
    let all = ''
    return async (count: number) => {
      while (frames(all).length < count) {
        const { done, value } = await reader.read()
        if (done) break
        all += new TextDecoder().decode(value)
      }
      return { seen: frames(all), cancel: () => reader.cancel() }
    }
  }

  it.each(Object.entries(operations))('%s', async (name, operation) => {
    await both(`single: ${name}`, async (origin, isYoga) => {
      const { status, token, ask, open } = await reserve(origin, isYoga)
      const { response, until } = await open()
      const accepted = await ask('POST', token, { body: { ...operation, extensions: { operationId: 'x' } } })
      const isRun = accepted.status === 202
      const { seen, cancel } = await until(isRun ? (name.startsWith('a subscription') ? 4 : 2) : 0)
      await cancel()
      return { status, open: [response.status, response.headers.get('content-type')?.split(';')[0]], accepted: accepted.status, seen }
    })
  }) // prettier-ignore

  it.each<[string, (one: Awaited<ReturnType<typeof reserve>>) => Promise<unknown>]>([
    ['PUT', ({ status, token }) => Promise.resolve([status, token.length])],
    ['GET of an unknown token', ({ ask }) => ask('GET', 'none')],
    ['POST with an unknown token', ({ ask }) => ask('POST', 'none', { body: { ...changed, extensions: { operationId: 'x' } } })],
    ['DELETE of an unknown token', ({ ask }) => ask('DELETE', 'none', { search: '?operationId=x' })],
    ['POST without an operation id', ({ ask, token }) => ask('POST', token, { body: changed })],
    ['POST before GET', ({ ask, token }) => ask('POST', token, { body: { ...operations['a query'], extensions: { operationId: 'x' } } })],
    ['DELETE of an unknown operation', async ({ ask, open, token }) => { await open(); return ask('DELETE', token, { search: '?operationId=x' }) }],
    ['DELETE without an operation', async ({ ask, open, token }) => { await open(); return ask('DELETE', token) }],
    ['a second GET', async ({ open }) => { await open(); const { response } = await open(); return [response.status] }],
    ['the same operation id', async ({ ask, open, token }) => {
      await open()
      const body = { query: 'subscription Never { never }', extensions: { operationId: 'x' } }
      return [await ask('POST', token, { body }), await ask('POST', token, { body })]
    }],
    ['DELETE of an operation', async ({ ask, open, token }) => {
      const { until } = await open()
      await ask('POST', token, { body: { query: 'subscription Never { never }', extensions: { operationId: 'x' } } })
      const gone = await ask('DELETE', token, { search: '?operationId=x' })
      await ask('POST', token, { body: { ...operations['a query'], extensions: { operationId: 'x' } } })
      return [gone, (await until(2)).seen]
    }],
  ])('%s', async (name, run) => {
    await both(`single: ${name}`, async (origin, isYoga) => run(await reserve(origin, isYoga)))
  }) // prettier-ignore
})

describe('graphql-ws', () => {
  const init = '{"type":"connection_init"}'
  const subscribe = (payload: object, id = '1') => JSON.stringify({ id, type: 'subscribe', payload })
  const dialogues: [name: string, say: string[], count: number][] = [
    ...Object.entries(operations).map(([name, operation]): [string, string[], number] => [
      name,
      [init, subscribe(operation)],
      name.startsWith('a subscription') ? 6 : name.startsWith('a ') && !name.endsWith('variable') ? 4 : 3,
    ]),
    ['no init', [subscribe(changed)], 2],
    ['two inits', [init, init], 3],
    ['the same id', [init, subscribe({ query: 'subscription Never { never }' }), subscribe({ query: 'subscription Never { never }' })], 3],
    ['no JSON', ['x'], 2],
    ['an unknown type', ['{"type":"start"}'], 2],
    ['a ping', ['{"type":"ping","payload":{"a":1}}'], 2],
    ['no id', [init, '{"type":"subscribe","payload":{"query":"{a}"}}'], 3],
    ['complete of nothing', [init, '{"id":"9","type":"complete"}', subscribe(operations['a query']!)], 4],
  ] // prettier-ignore
  it.each(dialogues)('%s', async (name, say, count) => {
    await both(`websocket: ${name}`, (origin) =>
      talk(origin, '/graphql', { protocols: ['graphql-transport-ws'], say, waits: true }, count),
    )
  })
})
