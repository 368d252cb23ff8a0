import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { packageRoot } from '../../docs/pages.ts'

/* `createFetchHandler` in Deno: events, lines, subscriptions in each format, and WebSockets. Needs `npm run build`. */

const folder = mkdtempSync(join(tmpdir(), 'deno-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const script = `
import { createFetchHandler } from '${pathToFileURL(join(packageRoot, 'dist/fetch.js')).href}'
const stream = [{ data: { changed: 1 } }, { data: { changed: 2 } }]
const mockApi = createFetchHandler([
  { path: '/events', response: { stream: [{ event: 'tick', id: 1, data: { n: 1 } }, { delay: 5, data: { n: 2 } }], end: 'complete' } },
  { path: '/lines', response: { stream: { as: 'ndjson', events: [{ data: { id: 1 } }, { data: { id: 2 } }] } } },
  { path: '/stay', response: { stream: [{ data: 'x' }], on: { push: 'news' } } },
  { path: '/graphql', when: { operationName: 'Changed' }, response: { stream, end: 'complete' } },
  { path: '/chat', websocket: { open: { send: 'hello' }, messages: [{ when: { type: 'ping' }, send: { type: 'pong' } }] } },
], { allowedHosts: true })
const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, async (request) => (await mockApi(request)) ?? new Response('none', { status: 404 }))
const at = '127.0.0.1:' + server.addr.port
const text = async (path, init) => (await fetch('http://' + at + path, init)).text()
const query = 'subscription Changed { changed }'
const headers = { 'content-type': 'application/json' }
const seen = { events: await text('/events'), lines: await text('/lines') }
seen.sse = await text('/graphql', { method: 'POST', headers: { ...headers, accept: 'text/event-stream' }, body: JSON.stringify({ query }) })
seen.multipart = await text('/graphql', { method: 'POST', headers: { ...headers, accept: 'multipart/mixed' }, body: JSON.stringify({ query }) })

const leave = new AbortController()
const stay = (await fetch('http://' + at + '/stay', { signal: leave.signal })).body.getReader()
await stay.read()
seen.pushed = [mockApi.push('news', 1)]
leave.abort()
while (mockApi.push('news', 2) > 0) await new Promise((resolve) => setTimeout(resolve, 10))
seen.pushed.push(0)

const token = await text('/graphql', { method: 'PUT' })
const shared = (await fetch('http://' + at + '/graphql?token=' + token)).body.getReader()
await text('/graphql', { method: 'POST', headers: { ...headers, 'x-graphql-event-stream-token': token }, body: JSON.stringify({ query, extensions: { operationId: 'a' } }) })
seen.shared = ''
while (!seen.shared.includes('complete')) seen.shared += new TextDecoder().decode((await shared.read()).value)
await shared.cancel()

const talk = (path, protocol, say, last) => new Promise((resolve) => {
  const socket = new WebSocket('ws://' + at + path, protocol)
  const messages = []
  socket.onmessage = ({ data }) => {
    messages.push(data)
    if (data.includes(last)) resolve(messages)
  }
  socket.onopen = () => say.forEach((message) => socket.send(JSON.stringify(message)))
})
seen.chat = await talk('/chat', [], [{ type: 'ping' }], 'pong')
seen.socket = await talk('/graphql', 'graphql-transport-ws', [{ type: 'connection_init' }, { id: '1', type: 'subscribe', payload: { query } }], 'complete')
console.log(JSON.stringify(seen))
Deno.exit()
`

it('streams, subscriptions and WebSockets in Deno', () => {
  const flags = ['--no-audit', '--no-fund', '--prefix', folder]
  execFileSync('npm', ['install', ...flags, 'deno@2'], { stdio: 'ignore' })
  writeFileSync(join(folder, 'serve.mjs'), script)
  const deno = join(folder, 'node_modules/.bin/deno')
  const printed = execFileSync(deno, ['run', '-A', join(folder, 'serve.mjs')], { encoding: 'utf8' })
  const next = (payload: object) => JSON.stringify({ id: '1', type: 'next', payload })
  const [one, two] = [1, 2].map((changed) => ({ data: { changed } })) as [object, object]
  const part = (payload: object) =>
    `\r\ncontent-type: application/json; charset=utf-8\r\n\r\n${JSON.stringify({ payload })}\r\n--graphql`
  expect(JSON.parse(printed)).toEqual({
    events: ':\n\nevent: tick\nid: 1\ndata: {"n":1}\n\ndata: {"n":2}\n\n',
    lines: '{"id":1}\n{"id":2}\n',
    sse: `:\n\n${[one, two].map((result) => `event: next\ndata: ${JSON.stringify(result)}\n\n`).join('')}event: complete\ndata:\n\n`,
    multipart: `\r\n--graphql${part(one)}${part(two)}--\r\n`,
    pushed: [1, 0],
    shared: `:\n\n${[one, two].map((payload) => `event: next\ndata: ${JSON.stringify({ id: 'a', payload })}\n\n`).join('')}event: complete\ndata: {"id":"a"}\n\n`,
    chat: ['hello', '{"type":"pong"}'],
    socket: ['{"type":"connection_ack"}', next(one), next(two), '{"id":"1","type":"complete"}'],
  })
})
