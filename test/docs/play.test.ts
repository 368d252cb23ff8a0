/* What /play of the docs does, without its page: play.slow.test.ts opens it in a browser. */
import { describe, expect, it } from 'vitest'
import { exampleRequests } from '../../docs/.vitepress/play/example-requests.ts'
import { importText } from '../../docs/.vitepress/play/import.ts'
import { openApi } from './pets.ts'
import { readHash, writeHash } from '../../docs/.vitepress/play/link.ts'
import { createPlayServer } from '../../docs/.vitepress/play/play-server.ts'
import { startingPoints } from '../../docs/.vitepress/play/starting-points.ts'
import { parseHeaders } from '../../src/inspector/page/logic/send.ts'
import { readFixtureText } from '../../src/reader/read-fixture-text.ts'

it('there are twelve starting points, each with a name of its own', () => {
  expect(new Set(startingPoints.map(({ id }) => id)).size).toBe(12)
})

it.each(startingPoints)(
  '$title: each request gets the status that it names',
  async ({ requests, ...file }) => {
    const server = createPlayServer()
    await server.load(file)
    expect(server.shown().diagnostics).toEqual([])
    const answered = []
    for (const request of requests) {
      const stop = new AbortController()
      // A stream that stays open ends after its events.
      server.journal.listen((entry) => file.id === 'events' && entry.stream?.count === 2 && stop.abort())
      const { headers } = parseHeaders(request.headers) as { headers: Record<string, string> }
      const id = await server.ask({ ...request, headers }, stop.signal)
      answered.push(server.detailsOf(id).status ?? 'broken')
    }
    expect(answered).toEqual(requests.map(({ status }) => status))
  },
)

describe('a link', () => {
  const kept = {
    file: 'fixtures/größe.json',
    text: '[{ "path": "/größe" }]',
    requests: [{ name: 'One', method: 'POST', url: '/größe?a=1', headers: 'x-a: b', body: '{}' }],
  }

  it('keeps file, text and requests, and nothing else', async () => {
    expect(await readHash(await writeHash({ ...kept, id: 'other' } as typeof kept))).toEqual(kept)
  })

  it.each(['', '#', '#events', '#play=', '#play=AAAA', '#play=äöü', `#play=${'A'.repeat(999)}`])(
    '%s is none',
    async (hash) => {
      expect(await readHash(hash)).toBeUndefined()
    },
  )

  it('does not unpack without end', async () => {
    const bomb = await writeHash({ ...kept, text: 'a'.repeat(3_000_000) })
    expect(bomb.length).toBeLessThan(10_000)
    expect(await readHash(bomb)).toBeUndefined()
  })
})

describe('nothing leaves the page', () => {
  it.each([
    ['an answer of the backend', '- path: /a\n  response: { from: backend }\n', 502],
    ['a file', '- path: /a\n  response: { file: a.json }\n', 500],
  ])('%s is an error that says what it needs', async (_, text, status) => {
    const server = createPlayServer()
    await server.load({ file: 'fixtures/a.yaml', text })
    const id = await server.ask(
      { method: 'GET', url: '/a', headers: {}, body: '' },
      new AbortController().signal,
    )
    const { status: answered, decision } = server.detailsOf(id)
    expect([answered, decision.reason?.fix]).toEqual([status, expect.stringMatching(/\w/)])
  })
})

it('a text that cannot be read leaves the routes before', async () => {
  const server = createPlayServer()
  await server.load({ file: 'a.yaml', text: '- path: /a\n' })
  await server.load({ file: 'a.yaml', text: '- path: /b\n  when: {\n' })
  const { routes, isBroken, diagnostics } = server.shown()
  expect([routes.map(({ path }) => path), isBroken]).toEqual([['/a'], true])
  expect(diagnostics[0]).toMatchObject({ code: 'fixture-syntax', line: 3 })
})

it('a fixture without requests gets one for each of its routes', async () => {
  const text = `- path: /orders/:id
  when: { query: { state: open } }
- method: POST
  path: /login
  when: { body: { name: ada } }
- path: /events
  response: { stream: [{ data: 1 }] }
`
  const { routes } = await readFixtureText(text, 'a.yaml')
  expect(
    exampleRequests(routes).map(({ name, body }) => [name, body && (JSON.parse(body) as unknown)]),
  ).toEqual([
    ['GET /orders/1?state=open', ''],
    ['POST /login', { name: 'ada' }],
    ['GET /events', ''],
  ])
})

describe('an import', () => {
  it.each([
    [
      'curl http://localhost:3000/items?page=2',
      { method: 'GET', url: '/items?page=2', headers: '', body: '' },
    ],
    [
      `curl 'https://api.example/orders' \\\n  -H 'content-type: application/json' --data-raw '{"a":"it'\\''s"}' --compressed`,
      { method: 'POST', url: '/orders', headers: 'content-type: application/json', body: `{"a":"it's"}` },
    ],
    [
      'curl -X DELETE -u ada:secret "http://localhost/orders/7"',
      { method: 'DELETE', url: '/orders/7', headers: '', body: '' },
    ],
  ])('%s', async (command, request) => {
    expect(await importText(command)).toMatchObject({ request })
  })

  it('of a HAR file has its answers, without credentials', async () => {
    const entry = {
      _resourceType: 'fetch',
      startedDateTime: '2026-01-01T00:00:00Z',
      request: {
        method: 'GET',
        url: 'http://localhost/me',
        headers: [{ name: 'authorization', value: 'Bearer abc' }],
      },
      response: {
        status: 200,
        headers: [{ name: 'content-type', value: 'application/json' }],
        content: { mimeType: 'application/json', text: '{"name":"Ada","password":"hunter22"}' },
      },
    }
    const { text, ...others } = (await importText(JSON.stringify({ log: { entries: [entry] } }))) as {
      text: string
    }
    expect(others).toBeDefined()
    expect(text).toContain('name: Ada')
    expect(text).not.toMatch(/hunter22|abc/)
    expect((await readFixtureText(text, 'a.yaml')).routes).toHaveLength(1)
  })

  it('of an OpenAPI document has its operations, and says what is left out', async () => {
    const missing = `  /gone: { get: { responses: { 200: { $ref: 'other.yaml#/a' } } } }\n`
    const { text, notes } = (await importText(openApi + missing)) as { text: string; notes: string[] }
    const { routes } = await readFixtureText(text, 'a.yaml')
    expect(routes.map(({ path }) => path)).toEqual(['/pets/:petId'])
    expect(text).toContain('name: Rex')
    expect(notes.join()).toContain('other.yaml')
  })
})
