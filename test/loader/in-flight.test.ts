/* Fixture files change while requests are on their way: each is answered wholly from one state of the files. */
import { createServer, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMiddleware, type MockMiddleware } from '../../src/connect.ts'
import { closeServer, echo, listen } from '../hosts/serve.ts'
import { sendTo } from '../http.ts'
import { Project } from './project.ts'

/** Every route of a version says which it is, in its status, its header and its body. */
function fixture(version: number): string {
  const answer = (more: object = {}) => ({
    status: 400 + (version % 100),
    headers: { 'x-version': String(version) },
    body: { version },
    ...more,
  })
  return JSON.stringify([
    { path: '/a', response: answer() },
    { path: '/b/:id', when: { params: { id: version } }, response: answer() },
    { path: '/b/:id', response: answer() },
    { path: '/slow', response: answer({ delay: 20 }) },
    { path: '/search', method: 'POST', when: { body: { q: 'x' } }, response: answer() },
    {
      path: '/list',
      paginate: { perPage: version, items: Array.from({ length: version }, () => ({ version })) },
    },
    {
      path: '/graphql',
      response: {
        ...answer(),
        status: 200,
        body: { data: { version }, errors: [{ message: 'm', path: ['version'] }] },
      },
    },
  ])
}

interface Answer {
  version: number
  /** What the parts of the answer say the version is; all the same, unless it was put together from two. */
  said: number[]
}

let project: Project
let logged: string[]
let middleware: MockMiddleware
let server: ReturnType<typeof createServer>
let send: ReturnType<typeof sendTo>
let origin: string

beforeEach(async () => {
  project = new Project({ 'fixtures/a.json': fixture(1), 'fixtures/b.ts': module(1) })
  logged = []
  const log = (message: string) => void logged.push(message)
  middleware = createMiddleware({ root: project.root, logger: { info: log, warn: log, error: log } })
  server = createServer((req, res) => middleware(req, res, () => echo(req, res)))
  origin = await listen(server)
  send = sendTo(origin)
  await middleware.ready
})

afterEach(async () => {
  await closeServer(server)
  await middleware.close()
})

const reloads = () => logged.filter((message) => message.includes('reloaded')).length

function module(version: number): string {
  return `export default [{ path: '/function', response: async () => {
  await null
  return { status: ${400 + (version % 100)}, headers: { 'x-version': '${version}' }, body: { version: ${version} } }
} }]\n`
}

async function ask(target: string, body?: string): Promise<Answer> {
  const [method, url] = target.split(' ') as [string, string]
  const { status, headers, text } = await send({
    method,
    url,
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  })
  expect(headers['x-passed-on'], target).toBeUndefined()
  const value = JSON.parse(text) as Record<string, unknown>
  if (url.startsWith('/list')) {
    const { data, per_page, total } = value as {
      data: { version: number }[]
      per_page: number
      total: number
    }
    return { version: total, said: [per_page, data.length, ...data.map(({ version }) => version)] }
  }
  const content = (url === '/graphql' ? value['data'] : value) as { version: number }
  const said = [content.version, Number(headers['x-version'])]
  return { version: content.version, said: url === '/graphql' ? said : [...said, status - 400] }
}

const targets: [target: string, body?: string][] = [
  ['GET /a'],
  ['GET /b/1'],
  ['GET /b/12'],
  ['GET /slow'],
  ['GET /function'],
  ['GET /list'],
  ['POST /search', '{"q":"x"}'],
  ['POST /graphql', '{"query":"{ version }"}'],
]
const last = 12

describe('while the fixture files change', () => {
  it('each request is answered from one state of the files', { timeout: 60_000 }, async () => {
    let done = false
    let asked = 0
    const clients = targets.map(async ([target, body]) => {
      let newest = 0
      while (!done) {
        const { version, said } = await ask(target, body)
        expect(said, target).toEqual(said.map(() => version))
        expect(version, target).toBeGreaterThanOrEqual(newest)
        newest = version
        asked++
      }
    })
    const storm = async () => {
      for (let version = 2; version <= last; version++) {
        const before = { asked, reloads: reloads() }
        project.writeByRename('fixtures/a.json', fixture(version))
        project.writeByRename('fixtures/b.ts', module(version))
        // Some changes are seen each for itself, others come while the one before is being read.
        const isSeen = () =>
          asked >= before.asked + targets.length && (version % 3 > 0 || reloads() > before.reloads)
        await vi.waitUntil(isSeen, { timeout: 30_000, interval: 1 })
      }
    }
    try {
      await Promise.race([storm(), ...clients])
    } finally {
      done = true
    }
    await Promise.all(clients)
    expect(reloads()).toBeGreaterThanOrEqual(last / 3)
    for (const [target, body] of targets) {
      const isLast = async () => expect((await ask(target, body)).version, target).toBe(last)
      await vi.waitFor(isLast, { timeout: 30_000 })
    }
    expect(logged.filter((line) => !/reloaded|routes from|inspector:/.test(line))).toEqual([])
  })

  it.each<[what: string, change: (project: Project) => void]>([
    ['are edited', (project) => project.write('fixtures/a.json', fixture(2))],
    ['break', (project) => project.write('fixtures/a.json', '[{')],
    ['are deleted', (project) => project.remove('fixtures/a.json')],
  ])(
    'a request whose body is on its way when they %s gets what was there when it began',
    async (_, change) => {
      const { hostname, port } = new URL(origin)
      const headers = { 'content-type': 'application/json', 'content-length': 9 }
      const sent = request({ hostname, port, method: 'POST', path: '/search', headers })
      const arrived = new Promise((resolve) => server.once('request', resolve))
      const answered = new Promise<[number | undefined, string]>((resolve, reject) => {
        sent.on('error', reject)
        sent.on('response', (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () => resolve([response.statusCode, text]))
        })
      })
      sent.write('{"q"')
      await arrived
      const before = logged.length
      change(project)
      await vi.waitUntil(() => logged.length > before, { timeout: 30_000 })
      sent.end(':"x"}')
      expect(await answered).toEqual([401, '{"version":1}'])
    },
  )
})
