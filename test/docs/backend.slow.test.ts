/*
 * The examples of docs/record.md and docs/backend.md, run in Vite with a backend that answers as the pages suppose. A recording
 * writes the files that docs/record.md shows, and the routes of docs/backend.md change what comes back.
 * Needs `npm run build`.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommand } from '../hosts/command.ts'
import { serve } from '../hosts/of-test.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import { createProjectInPackage, type TestProject } from '../hosts/test-project.ts'
import { ownCertificate } from '../hosts/certificate.ts'
import { exchange } from '../http.ts'
import { filesOf, packageRoot } from './pages.ts'

const recording = filesOf('docs/record.md')
const json = { 'content-type': 'application/json' }
const friends = [
  { id: '1', name: 'Han' },
  { id: '2', name: 'Leia' },
]

/** The backend of the pages: a list with pages, an order and a GraphQL endpoint. */
function backend(req: IncomingMessage, res: ServerResponse): void {
  const { pathname, searchParams } = new URL(req.url!, 'http://localhost')
  const send = (body: object) => {
    res.writeHead(200, json)
    res.end(JSON.stringify(body))
  }
  if (pathname === '/orders/7')
    return send({ id: 7, lines: [{ sku: 'x' }], customer: { name: 'Ada', email: 'ada@example' }, total: 20 })
  if (pathname === '/items') {
    const page = Number(searchParams.get('page'))
    const data = [{ id: page * 2 - 1 }, { id: page * 2 }]
    return send({ page, per_page: 2, total: 4, total_pages: 2, has_more: page < 2, data })
  }
  let text = ''
  req.on('data', (chunk) => (text += chunk))
  req.on('end', () => {
    const { operationName, variables } = JSON.parse(text) as {
      operationName: string
      variables?: { id: string }
    }
    const name = variables?.id === '2' ? 'Leia' : 'Luke'
    send({ data: { hero: operationName === 'Hero' ? { name } : { friends } } })
  })
}

describe('in Vite', () => {
  let upstream: Server
  let project: TestProject
  let vite: ReturnType<typeof runCommand>
  let origin: string
  beforeEach(async () => {
    upstream = createServer(backend)
    const target = await listen(upstream)
    const config = recording['vite.config.ts']!
    expect(config).toContain('https://staging.example')
    project = createProjectInPackage({
      'vite.config.ts': config.replace('https://staging.example', target),
      'fixtures/staging.yaml': filesOf('docs/backend.md')['fixtures/staging.yaml']!,
    })
  })
  afterEach(async () => {
    await vite.stop()
    await closeServer(upstream)
    project.close()
    vi.unstubAllEnvs()
  })

  async function start(): Promise<void> {
    vite = runCommand(project.root, join(packageRoot, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1', '--port', '0') // prettier-ignore
    const [, address] = await vite.seen(/Local: +(http:\S+?)\/\s/)
    origin = address!
  }
  const get = (url: string) => exchange(origin, { url, headers: { accept: '*/*' } })
  const query = (body: object) =>
    exchange(origin, { method: 'POST', url: '/graphql', headers: json, body: JSON.stringify(body) })

  it('a recording writes the files of docs/record.md', async () => {
    vi.stubEnv('RECORD', '1')
    await start()
    await get('/items?page=1')
    await get('/items?page=2')
    const hero = 'query Hero($id: ID!) { hero(id: $id) { name } }'
    for (const id of ['1', '2']) await query({ operationName: 'Hero', variables: { id }, query: hero })
    const shown = Object.entries(recording).filter(([file]) => file.startsWith('fixtures/'))
    expect(shown).toHaveLength(2)
    for (const [file, text] of shown)
      await vi.waitFor(() => {
        const [first, ...rest] = readFileSync(join(project.root, file), 'utf8').split('\n')
        expect(first).toMatch(/^# Recorded from /)
        // The first line of a block names its file.
        expect(rest.join('\n')).toBe(text.replace(/^.*\n/, ''))
      }, 30_000)
  })

  it('the routes of docs/backend.md change the answers of the backend', async () => {
    await start()
    const asked = performance.now()
    const order = await get('/orders/7')
    expect(performance.now() - asked).toBeGreaterThanOrEqual(1990)
    expect(order.response).toMatchObject({ statusCode: 200, headers: { 'x-changed': 'yes' } })
    expect(JSON.parse(order.bytes.toString())).toEqual({
      id: 7,
      lines: [],
      customer: { name: 'Ada' },
      total: 0,
    })

    const text = '{\n  hero { friends { id name } }\n}'
    const hero = await query({ operationName: 'HeroFriends', query: `query HeroFriends ${text}` })
    expect(hero.response.statusCode).toBe(200)
    expect(JSON.parse(hero.bytes.toString())).toEqual({
      data: { hero: { friends: [friends[0], { id: '2', name: null }] } },
      errors: [
        {
          message: 'Name is secret.',
          path: ['hero', 'friends', 1, 'name'],
          locations: [{ line: 2, column: 23 }],
        },
      ],
    })
  })
})

it.each([
  { secure: true, status: 502, text: 'self-signed certificate' },
  { secure: true, status: 502, text: 'set `secure: false` in the option \\"record\\"' },
  { secure: false, status: 200, text: '"name":"Ada"' },
])('a certificate that is self-signed, with secure: $secure: $text', async ({ secure, status, text }) => {
  const upstream = createSecureServer(await ownCertificate(), backend)
  const target = (await listen(upstream)).replace('http:', 'https:')
  onTestFinished(() => closeServer(upstream))
  const files = { 'fixtures/a.yaml': '- { path: /orders/7, response: { from: backend, patch: { id: 7 } } }' }
  const { send } = await serve(files, { record: { target, secure, enabled: false } })
  expect(await send({ url: '/orders/7' })).toMatchObject({
    status,
    text: expect.stringContaining(text) as string,
  })
})
