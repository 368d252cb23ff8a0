/* Runs every example of README.md: commands, configs, the fixture file, and the answers and messages that it shows. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { createServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { MockMiddleware } from '../src/connect.ts'
import { parseCurl } from './docs/curl.ts'
import { blocksOf, packageRoot, readPage } from './docs/pages.ts'
import { projectOfTest, type Served } from './hosts/of-test.ts'
import { serveExample } from './docs/serve-example.ts'
import { createProjectInPackage } from './hosts/test-project.ts'
import { originOf } from './hosts/vite-hosts.ts'
import { exchange } from './http.ts'

const readme = readPage('README.md')
const blocks = blocksOf('README.md', readme)
const block = (file: string) => blocks.find((candidate) => candidate.file === file)!.text

it('is a front door: at most 200 lines', () => expect(readme.split('\n').length).toBeLessThanOrEqual(201))

it('the commands for a clone are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const command of ['npm ci && npm run dev', 'npm ci && npm test']) {
    expect(blocks.map(({ text }) => text.trim())).toContain(command)
    expect(scripts).toHaveProperty(command.split(' ').at(-1)!)
  }
})

it('the answer is what Vite gives with the config', async () => {
  const { root } = projectOfTest({ 'vite.config.ts': block('vite.config.ts') }, createProjectInPackage)
  const server = await createServer({ root, logLevel: 'silent', server: { host: '127.0.0.1', port: 0 } })
  onTestFinished(() => server.close())
  await server.listen()
  const curl = blocks.findIndex(({ text }) => text.startsWith('curl '))
  const { response, bytes } = await exchange(originOf(server), parseCurl(blocks[curl]!.text.trim()))
  expect(response.statusCode).toBe(200)
  expect(JSON.parse(bytes.toString())).toEqual(JSON.parse(blocks[curl + 1]!.text))
})

describe('each host', () => {
  const rows = [...readme.matchAll(/^\| \[(\w+)\].*?\| `(unplugin-mock-api\/\w+)` +\| `(.*?)` +\|$/gm)]
  const hosts = rows.map(([, host, entry, line]) => ({ host: host!, entry: entry!, line: line! }))

  it('is in the table', () =>
    expect(hosts.map(({ host }) => host)).toEqual([
      'Vite',
      'webpack',
      'Rspack',
      'Rsbuild',
      'Express',
      'Workers',
    ]))

  it.each(hosts)('$host: the entry has what the line uses', async ({ entry, line }) => {
    const exports = (await import(entry)) as Record<string, unknown>
    const name = /\b(mockApi|createMiddleware|createFetchHandler)\(/.exec(line)![1]!
    const imported = name === 'mockApi' ? exports['default'] : exports[name]
    expect(imported).toBeTypeOf('function')
    const app = { use: vi.fn() }
    // The line, as it would be in a config or in a module.
    const code = line.startsWith('plugins') ? `({ ${line} })` : line
    const config = runInNewContext(code, { [name]: imported, app, routes: [] }) as { plugins: unknown[] }
    if (name === 'mockApi') expect(config.plugins).toEqual([expect.any(Object)])
    if (name === 'createMiddleware') expect(app.use).toHaveBeenCalledWith(expect.any(Function))
    for (const [middleware] of app.use.mock.calls as [MockMiddleware][]) await middleware.close()
  })
})

describe('the fixture file', () => {
  let example: Served
  beforeAll(async () => {
    example = await serveExample({ 'fixtures/orders.yaml': block('fixtures/orders.yaml') })
  })
  afterAll(() => example.close())

  const search = { method: 'POST', url: '/orders/search', headers: { 'content-type': 'application/json' } }
  it.each([
    { request: { url: '/orders/7' }, status: 200, body: { id: 7, state: 'open' } },
    { request: { url: '/orders/404' }, status: 404, body: { code: 'not_found' } },
    {
      request: { ...search, body: '{"state":"open","page":1}' },
      status: 200,
      body: [{ id: 7 }],
    },
    {
      request: { url: '/orders' },
      status: 200,
      body: { page: 1, per_page: 2, total: 3, total_pages: 2, has_more: true, data: [{ id: 5 }, { id: 6 }] },
    },
    {
      request: { url: '/orders?page=2' },
      status: 200,
      body: { page: 2, per_page: 2, total: 3, total_pages: 2, has_more: false, data: [{ id: 7 }] },
    },
    {
      request: {
        ...search,
        url: '/graphql',
        body: JSON.stringify({ query: 'mutation RenameOrder {\n  renameOrder(id: 7)\n}' }),
      },
      status: 200,
      body: {
        data: { renameOrder: null },
        errors: [
          { message: 'The name is taken.', path: ['renameOrder'], locations: [{ line: 2, column: 3 }] },
        ],
      },
    },
  ])('$request.method $request.url', async ({ request, status, body }) => {
    const response = await example.send(request)
    expect(response.status).toBe(status)
    expect(JSON.parse(response.text)).toEqual(body)
  })

  it.each([
    { request: { ...search, body: '{"state":"sold"}' }, code: 'route-unmatched' },
    { request: { url: '/order/7' }, code: 'route-similar' },
  ])('a miss: $code', async ({ request, code }) => {
    const before = example.log.length
    const response = await example.send(request)
    expect(response.status).toBe(404)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    await vi.waitFor(() => expect(example.log.length).toBe(before + 1), 30_000)
    // The README wraps long lines.
    const shown = blocks.find(({ language, text }) => language === 'txt' && text.includes(code))!.text
    const inOneLine = (text: string) => text.trim().replace(/\s+/g, ' ')
    expect(inOneLine(example.log.at(-1)!)).toBe(inOneLine(shown))
  })
})
