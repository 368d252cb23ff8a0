/* What a backend answers must not end the dev server, nor reach the client half: it is a 502 in JSON. */
import { createServer as createHttp2 } from 'node:http2'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { projectOfTest, serve } from '../hosts/of-test.ts'
import { openHttp2 } from '../hosts/raw-http2.ts'
import { listen, recorder } from '../hosts/serve.ts'

const files = { 'fixtures/a.yaml': '- { path: /changed, response: { from: backend, patch: { a: 2 } } }' }
const text = '{"a":1}'
const ok = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, 'content-type: application/json', `content-length: ${text.length}`, ...headers, '', text].join('\r\n') // prettier-ignore

/** Answers each connection with bytes, and ends it. */
async function backendOf(answer: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer, 'latin1'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

it.each<[what: string, answer: string, reason: RegExp]>([
  ['a location that is no URL', ok('302 Found', 'location: http://[::bad'), /location/],
  ['a location with a port that there is not', ok('201 Created', 'location: http://a:99999/'), /location/],
  ['the status 000', ok('000 Zero'), /status is 0/],
  ['control characters in the reason', ok('200 \x1b[31mOK'), /reason phrase|parse/i],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    /101/,
  ],
  ['nothing', '', /hang up/],
  ['a head alone', 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n', /broken off/],
])('%s', async (_, answer, reason) => {
  const record = { target: await backendOf(answer), include: '/recorded' }
  const { send, log } = await serve(files, { record })
  for (const url of ['/changed', '/recorded']) {
    const { status, text } = await send({ url })
    expect([status, JSON.parse(text)]).toMatchObject([502, { error: { code: 'backend-unreachable', message: expect.stringMatching(reason) as string } }]) // prettier-ignore
  }
  expect(log.join('\n')).not.toContain('recorded fixtures')
})

it('an answer that is broken off in its middle is not changed', async () => {
  const record = { target: await backendOf(ok('200 OK').replace('length: 7', 'length: 70')), enabled: false }
  const { send } = await serve(files, { record })
  const { status, text } = await send({ url: '/changed' })
  expect([status, text]).toEqual([502, expect.stringContaining('broken off')])
})

it('an answer that is broken off is not recorded, which is said once', async () => {
  const record = { target: await backendOf(ok('200 OK').replace('length: 7', 'length: 70')), include: '/x' }
  const { send, log } = await serve({}, { record })
  await expect(send({ url: '/x' })).rejects.toThrow()
  await expect(send({ url: '/x' })).rejects.toThrow()
  expect(log.filter((line) => line.includes('because it was broken off: the answer to GET /x'))).toHaveLength(
    1,
  )
})

it.each<[what: string, body: () => string, reason: string]>([
  ['too large', () => `"${'x'.repeat(34_000_000)}"`, 'larger than 32 MiB'],
  ['of a million values', () => `[${'0,'.repeat(1_000_001)}0]`, 'more than 1000000 values'],
  ['of many levels', () => `${'{"a":['.repeat(600)}"]"`, 'more than 1000 levels'],
])('of an answer that is %s, nothing is sent', async (_, body, reason) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n'
  const record = { target: await backendOf(head + body()), enabled: false }
  const { send } = await serve(files, { record })
  const { status, text } = await send({ url: '/changed' })
  expect([status, JSON.parse(text)]).toMatchObject([502, { error: { code: 'backend-answer-unreadable', message: expect.stringContaining(reason) as string } }]) // prettier-ignore
  expect((await send({ url: '/changed' })).status).toBe(502) // on the same connection
})

it('no request is lost on a connection that the backend closes when it is used again', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    // The next request on it would find it closed.
    socket.once('data', () => socket.write(ok('200 OK', 'keep-alive: timeout=60'), () => socket.once('data', () => socket.destroy()))) // prettier-ignore
  })
  const record = { target: await listen(server as never), enabled: false }
  onTestFinished(() => void server.close())
  const { send } = await serve(files, { record })
  for (let i = 0; i < 3; i++) expect((await send({ url: '/changed' })).status).toBe(200)
})

it('a handler behind the plugin that answers with the status 0', async () => {
  const { send } = await serve(files, { record: { enabled: false } }, (middleware) => (req, res) => {
    middleware(req, res, () => {
      res.statusCode = 0
      res.end('{}')
    })
  })
  expect((await send({ url: '/changed' })).status).toBe(502)
})

it('a recording of the server itself asks it once', async () => {
  const { send, origin, log } = await serve({}, { record: { enabled: false, include: '/x' } })
  const headers = { 'content-type': 'application/json', 'x-mock-api': '1' }
  const switchTo = async (recording: boolean) =>
    JSON.parse((await send({ method: 'PUT', url: '/__mock-api/api/record', headers, body: JSON.stringify({ recording, target: origin }) })).text) as object // prettier-ignore
  await switchTo(true)
  const { status, text } = await send({ url: '/x' })
  expect([status, text]).toEqual([502, expect.stringContaining('it is this server itself')])
  expect(await switchTo(false)).toMatchObject({ answers: 0, files: [] })
  expect(log.filter((line) => line.includes('itself'))).toHaveLength(2)
})

it.each<[what: string, html: string, accept: string, isRecorded: boolean]>([
  ['the page of an application', '<!doctype html><script src="/main.js"></script>', '*/*', false],
  ['a page that was asked for', '<!doctype html><script src="/main.js"></script>', 'text/html', true],
  ['a page without a script', '<html><body>ok', '*/*', true],
  ['a part of a page', '<tr><td><script>1</script>', '*/*', true],
])('a recording and %s', async (_, html, accept, isRecorded) => {
  const answer = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${html.length}\r\n\r\n${html}`
  const record = { target: await backendOf(answer), include: '/x' }
  const { send } = await serve({}, { record })
  expect((await send({ url: '/x', headers: { accept } })).text).toBe(html)
  const headers = { 'content-type': 'application/json', 'x-mock-api': '1' }
  const { text: state } = await send({ method: 'PUT', url: '/__mock-api/api/record', headers, body: '{"recording":false}' }) // prettier-ignore
  expect(JSON.parse(state)).toMatchObject({ answers: isRecorded ? 1 : 0, omitted: isRecorded ? [] : [{ why: 'it is a page of an application' }] }) // prettier-ignore
})

it('headers of its HTTP/1.1 connection, as Apache sends them, stay out of an answer over HTTP/2', async () => {
  const ofConnection = ['connection: Upgrade, close', 'upgrade: h2,h2c', 'keep-alive: timeout=5']
  const record = { target: await backendOf(ok('200 OK', ...ofConnection)), include: '/recorded' }
  const { root } = projectOfTest(files)
  const middleware = createMiddleware({ root, record, logger: recorder().logger, watch: false })
  onTestFinished(() => middleware.close())
  await middleware.ready
  const server = createHttp2((req, res) => void middleware(req, res, () => res.end()))
  onTestFinished(() => void server.close())
  const connection = openHttp2(await listen(server as never))
  for (const [target, text] of Object.entries({ '/changed': '{"a":2}', '/recorded': '{"a":1}' }))
    expect(await connection.send({ target })).toMatchObject({ status: 200, text })
  await connection.close()
})
