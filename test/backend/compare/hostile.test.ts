import { createServer, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { projectOfTest } from '../../hosts/of-test.ts'
import { closeServer, listen } from '../../hosts/serve.ts'
import { checkIn } from './check-in.ts'

const people = {
  'fixtures/people.yaml': `- path: /people
  response: { body: [{ id: 1, name: Ada L }] }
- path: /me
  response: { body: { id: 1, name: Ada L } }
- path: /status
  response: { body: { ok: true } }
`,
}

type Hostile = (path: string, res: ServerResponse) => void
const json = { 'content-type': 'application/json' }
const bodies: Record<string, unknown> = {
  '/people': [{ id: 2, name: 'Bob B' }],
  '/me': { id: 3, name: 'Cleo C' },
  '/status': { ok: false },
}
const textOf = (path: string) => JSON.stringify(bodies[path])
const always =
  (status: number, headers: Record<string, string>, body: string | Buffer = '{}'): Hostile =>
  (_, res) =>
    res.writeHead(status, headers).end(body)

/** Answers that hold something up, or that say nothing about the API: one line, or no finding. */
const hostile: [what: string, answer: Hostile, wanted: string | string[]][] = [
  [
    'an endless list',
    (_, res) => {
      res.writeHead(200, json).write('[')
      const more = () => {
        while (!res.destroyed && res.write('{"id":1,"name":"Ada L"},'.repeat(1000)));
        if (!res.destroyed) res.once('drain', more)
      }
      more()
    },
    ['type'],
  ],
  ['a long object', always(200, json, JSON.stringify({ id: 'x'.repeat(2e6) })), []],
  ['a deep value', always(200, json, '['.repeat(1e5) + ']'.repeat(1e5)), []],
  [
    'gzip',
    (path, res) => res.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(textOf(path))),
    [],
  ],
  ['broken gzip', always(200, { ...json, 'content-encoding': 'gzip' }, 'not gzip'), 'gave no answer'],
  ['a byte order mark', (path, res) => res.writeHead(200, json).end(`\ufeff${textOf(path)}`), []],
  [
    'UTF-16',
    (path, res) => res.writeHead(200, json).end(Buffer.from(textOf(path), 'utf16le')),
    Array<string>(3).fill('content-type'),
  ],
  ['broken JSON', always(200, json, '{"id":'), Array<string>(3).fill('content-type')],
  ['no body', always(200, json, ''), Array<string>(3).fill('content-type')],
  ['a text without a type', always(200, {}, 'Hello'), Array<string>(3).fill('content-type')],
  ['JSON without a type', (path, res) => res.writeHead(200).end(textOf(path)), []],
  [
    'names that the prototype has',
    (path, res) => res.writeHead(200, json).end(textOf(path).replace('{', '{"__proto__":1,')),
    ['key-new'],
  ],
  ['a reset', (_, res) => void res.socket!.resetAndDestroy(), 'gave no answer'],
  ['another protocol', (_, res) => void res.socket!.end('SSH-2.0\r\n'), 'gave no answer'],
  ['too many requests', always(429, { ...json, 'retry-after': '86400' }), 'answers 429'],
  ['a redirect to sign-in', always(302, { location: '/login' }), 'with a page'],
  ['pages', always(200, { 'content-type': 'text/html' }, '<p>'), 'with a page'],
  ['no credentials', always(401, json), '--header'],
  ['an error of its own', always(500, json), 'an error of its own'],
  ['another address', always(404, json), 'answers every request with 404'],
]

it.each(hostile)('hostile: %s', async (_, answer, wanted) => {
  const server = createServer((req, res) => answer(req.url!, res))
  const origin = await listen(server)
  onTestFinished(() => closeServer(server))
  const checked = checkIn(projectOfTest(people).root, origin)
  if (typeof wanted === 'string') return expect(checked).rejects.toThrow(wanted)
  const { findings } = await checked
  expect(findings.map(({ code }) => code.replace('against-', ''))).toEqual(wanted)
})

/** What the backend says of requests that the fixtures do not describe well enough. */
const vague: [what: string, answer: Hostile, wanted: string[]][] = [
  [
    'parameters that no fixture names',
    (path, res) =>
      void (path === '/me' ? res.writeHead(422, json).end('{}') : res.writeHead(200, json).end(textOf(path))),
    ['warning status'],
  ],
  [
    'sign-in at one endpoint',
    (path, res) =>
      void (path === '/me' && !isSignedIn(res)
        ? res.writeHead(401, json).end('{}')
        : res.writeHead(200, json).end(textOf(path))),
    ['error needs-sign-in'],
  ],
  [
    'sign-in at all endpoints',
    (path, res) =>
      void (isSignedIn(res)
        ? res.writeHead(200, json).end(textOf(path))
        : res.writeHead(401, json).end('{}')),
    ['note needs-sign-in'],
  ],
]

function isSignedIn({ req }: ServerResponse): boolean {
  return req.headers.authorization !== undefined
}

it.each(vague)('vague: %s', async (_, answer, wanted) => {
  const server = createServer((req, res) => answer(req.url!, res))
  const origin = await listen(server)
  onTestFinished(() => closeServer(server))
  const { findings } = await checkIn(projectOfTest(people).root, origin, {
    header: ['authorization: Bearer x'],
  })
  expect(findings.map(({ severity, code }) => `${severity} ${code.replace('against-', '')}`)).toEqual(wanted)
})

it.each([
  ['the fixture has', '/people/1', ['/people', '/people/1'], []],
  ['only the list has', '/people/2', ['/people', '/people/2'], []],
])('asks for an id that %s', async (_, real, sent, wanted) => {
  const asked: string[] = []
  const withList = real === '/people/2'
  const server = createServer((req, res) => {
    asked.push(req.url!)
    const body =
      req.url === '/people' ? (withList ? [{ id: 2, name: 'Bob B' }] : []) : { id: 1, name: 'Cleo C' }
    if (req.url === '/people' || req.url === real) res.writeHead(200, json).end(JSON.stringify(body))
    else res.writeHead(404, json).end('{}')
  })
  const origin = await listen(server)
  onTestFinished(() => closeServer(server))
  const one = `- path: /people
  response: { body: [{ id: 1, name: Ada L }] }
- path: /people/:id
  response: { body: { id: 1, name: Ada L } }
`
  const { findings } = await checkIn(projectOfTest({ 'fixtures/people.yaml': one }).root, origin)
  expect([asked, findings]).toEqual([sent, wanted])
})
