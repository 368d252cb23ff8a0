import { join } from 'node:path'
import { createJiti } from 'jiti'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createFetchHandler, type FetchOptions, type Fixture } from '../../src/fetch.ts'
import { sendThrough } from './fetch-runtimes.ts'
import { serve, serveFiles, type Served } from './of-test.ts'
import { recorder } from './serve.ts'
import { createTestProject, type TestProject } from './test-project.ts'

/* Fixture functions that fail, through the middleware and the fetch handler: only their own answer fails. */

const fixture = `
export const exported = [
  { path: '/ok', response: { body: 'ok' } },
  { path: '/throws', response: () => { throw new RangeError('oh') } },
  { path: '/rejects', response: async () => { throw new RangeError('oh') } },
  { path: '/hangs', response: () => new Promise((_, reject) => { globalThis.rejectLate = () => reject(new Error('late')) }) },
  { path: '/async', when: async () => { throw new Error('late') }, response: { body: 'never' } },
  { path: '/bytes', response: () => ({ body: new Uint8Array([104, 105]), fault: { dribble: 5 }, delay: { min: 1, max: 2 } }) },
  { path: '/limited', rateLimit: { requests: 2, per: 600000 }, response: () => ({ body: 'fine' }) },
]
export default exported
`

type Running = Pick<Served, 'send' | 'log'> & {
  project: TestProject | undefined
  close: () => Promise<unknown>
}
const ways: Record<string, (options: FetchOptions) => Promise<Running>> = {
  'a middleware': (options) => serveFiles({ 'fixtures/a.ts': fixture }, { watch: true, ...options }),
  async createFetchHandler(options) {
    const { log, logger } = recorder()
    const project = createTestProject({ 'fixtures/a.ts': fixture })
    const jiti = createJiti(import.meta.url, { moduleCache: false })
    const { exported } = await jiti.import<{ exported: Fixture }>(join(project.root, 'fixtures/a.ts'))
    project.close()
    const handler = createFetchHandler(exported, { logger, ...options })
    const send = sendThrough(
      async (request) => (await handler(request)) ?? new Response(null, { status: 404 }),
    )
    return { project: undefined, send, log, close: () => Promise.resolve() }
  },
}

describe.each(Object.entries(ways))('%s', (_, start) => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  let running: Running
  beforeAll(async () => {
    process.on('unhandledRejection', note)
    running = await start({ functionTimeout: 60 })
  })
  afterAll(async () => {
    process.off('unhandledRejection', note)
    await running.close()
  })

  it.each<[path: string, status: number, code: string, reason: string, line: number]>([
    ['/throws', 500, 'function-failed', 'RangeError: oh', 4],
    ['/rejects', 500, 'function-failed', 'RangeError: oh', 5],
    ['/hangs', 504, 'function-timeout', 'did not settle within 60 ms', 6],
    ['/async', 500, 'function-failed', 'not a promise', 7],
  ])('%s: %i %s', async (url, status, code, reason, line) => {
    const response = await running.send({ url })
    const { error } = JSON.parse(response.text) as { error: Record<string, string> }
    expect([response.status, error['code']]).toEqual([status, code])
    expect(error['message']).toContain(reason)
    if (running.project) expect(error['place']).toMatch(new RegExp(`^fixtures/a\\.ts:${line}\\b`))
    expect(running.log.filter((text) => text.includes(code) && text.includes(url))).toHaveLength(1)
  })

  it('ignores a promise that settles after the time limit', async () => {
    ;(globalThis as { rejectLate?: () => void }).rejectLate!()
    await new Promise(setImmediate)
    expect((await running.send({ url: '/ok' })).status).toBe(200)
    expect(unhandled).toEqual([])
  })

  it('sends bytes after a delay, in pieces', async () => {
    const { status, headers, text } = await running.send({ url: '/bytes' })
    expect([status, headers['content-type'], text]).toEqual([200, 'application/octet-stream', 'hi'])
  })

  it('limits the rate', async () => {
    const answers = [await running.send({ url: '/limited' }), await running.send({ url: '/limited' })]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { status, headers, text } = await running.send({ url: '/limited' })
    expect([status, headers['content-type'], headers['x-mock-route']]).toEqual([
      429,
      'application/json; charset=utf-8',
      'GET /limited #1',
    ])
    expect(Number(headers['retry-after'])).toBeGreaterThan(590)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(600)
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'rate-limited' } })
    expect(running.log.join()).not.toContain('rate-limited')
  })

  it('starts counting again when its own file is saved', async ({ skip }) => {
    if (!running.project) return skip('it has no files')
    running.project.write('fixtures/a.ts', `${fixture}\n// saved`)
    await expect.poll(() => running.log.join(), { timeout: 30_000 }).toContain('reloaded')
    expect((await running.send({ url: '/limited' })).status).toBe(200)
  })
})

it.each(Object.entries(ways))('with routeHeader: false no answer of %s names its route', async (_, start) => {
  const { send, close } = await start({ routeHeader: false })
  onTestFinished(async () => void (await close()))
  for (const url of ['/ok', '/bytes', '/limited', '/limited', '/limited', '/throws']) {
    const { headers } = await send({ url })
    expect(headers).toHaveProperty('content-length')
    expect(headers).not.toHaveProperty('x-mock-route')
  }
})

it('a function that changes the headers of its request does not change those that a later middleware reads', async () => {
  const spoil = `export default [{ path: '/a', when: ({ headers }) => { for (const name in headers) delete headers[name]; headers.x = '1'; return false } }]`
  const files = { 'fixtures/a.ts': spoil }
  const { send } = await serve(
    files,
    { unmatched: 'passthrough' },
    (middleware) => (req, res) => middleware(req, res, () => res.end(JSON.stringify(req.headers))),
  )
  const { text } = await send({ url: '/a', headers: { cookie: 'a=1', 'x-mine': '2' } })
  expect(JSON.parse(text)).toMatchObject({ cookie: 'a=1', 'x-mine': '2' })
  expect(JSON.parse(text)).not.toHaveProperty('x')
})
