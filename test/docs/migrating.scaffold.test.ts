/*
 * The pages about migrating: docs/migrating/json-server.md, msw.md, vite-plugin-mock.md and vite-plugin-mock-dev-server.md.
 * The project of "Before" runs with the other program, installed from the registry, and the project of "After" with Vite and
 * the built plugin. Both get the same requests, and give the same answers. Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../hosts/command.ts'
import { freePort } from '../hosts/serve.ts'
import { createProjectInPackage, createTestProject, type TestProject } from '../hosts/test-project.ts'
import { exchange } from '../http.ts'
import { npm } from '../installed/install.ts'
import { blocksOf, packageRoot, readPage } from './pages.ts'

const execute = promisify(execFile)

interface Asked {
  method?: string
  url: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: object
  /** What our answer has, where a page says that it is another one. */
  differs?: (theirs: never) => unknown
}

interface Migration {
  page: string
  packages: readonly string[]
  /** The script of the other program and its arguments; PORT stands for a port that is free. */
  start: string
  /** Files that only the test needs. */
  files?: Record<string, string>
  asked: readonly Asked[]
}

const vite = 'vite@8'
const startVite = 'node_modules/vite/bin/vite.js --host 127.0.0.1 --port PORT'

/** Answers with the handlers, as a worker or a test would get them. Node 20 runs this part of MSW 3, but not its interception. */
const serveHandlers = `
import { createServer } from 'node:http'
import { getResponse } from 'msw/utils/get-response'
import { handlers } from './src/mocks/handlers.ts'

createServer(async (req, res) => {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined
  const request = new Request('http://localhost' + req.url, { method: req.method, headers: req.headers, body })
  const response = (await getResponse(handlers, request)) ?? new Response('no handler', { status: 404 })
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(Buffer.from(await response.arrayBuffer()))
}).listen(Number(process.argv[2]), '127.0.0.1')
`

const graphql = (query: string, operationName: string): Asked => ({
  method: 'POST',
  url: '/graphql',
  body: { query, operationName },
})
const renameHero = 'mutation RenameHero {\n  renameHero(id: 1, name: "C-3PO") { name }\n}'

const migrations: Migration[] = [
  {
    page: 'vite-plugin-mock-dev-server.md',
    packages: [vite, 'vite-plugin-mock-dev-server@2.3.0'],
    start: startVite,
    asked: [
      { url: '/api/orders/7' },
      { url: '/api/orders/404' },
      { method: 'POST', url: '/api/orders/search', body: { state: 'open', page: 1 } },
      { method: 'POST', url: '/api/payment', body: {} },
      { method: 'POST', url: '/api/payment', body: {}, headers: { 'x-mock-scene': 'payment-down', 'x-mock-scenario': 'payment-down' } }, // prettier-ignore
      { url: '/api/greeting/Ada' },
      { url: '/api/greeting/Ada?word=Ciao' },
    ],
  },
  {
    page: 'vite-plugin-mock.md',
    packages: [vite, 'vite-plugin-mock@3.0.2', 'mockjs@1.1.0', 'esbuild'],
    start: startVite,
    asked: [
      { url: '/api/orders/7' },
      { method: 'POST', url: '/api/payment', body: {} },
      { method: 'POST', url: '/api/login', body: { name: 'ada', password: 'right' } },
      { method: 'POST', url: '/api/login', body: { name: 'ada', password: 'wrong' } },
      { url: '/api/greeting/Ada' },
    ],
  },
  {
    page: 'json-server.md',
    packages: ['json-server@0.17.4'],
    start: 'node_modules/json-server/lib/cli/bin.js db.json --host 127.0.0.1 --port PORT',
    asked: [
      { url: '/posts' },
      { url: '/posts/1' },
      { url: '/posts?_page=1&_limit=1' },
      { url: '/posts?_page=2&_limit=1' },
      { url: '/posts?_page=3&_limit=1' },
      { url: '/posts?_page=1' },
      { url: '/posts?author=ada' },
      { url: '/posts?author=nobody' },
      { url: '/posts/1/comments' },
      { url: '/posts/2/comments' },
      { url: '/comments' },
      { url: '/comments/1' },
      { url: '/profile' },
    ],
  },
  {
    page: 'msw.md',
    packages: ['msw@3.0.5', 'graphql@16', 'jiti@2'],
    start: 'node_modules/jiti/lib/jiti-cli.mjs serve.ts PORT',
    files: { 'serve.ts': serveHandlers },
    asked: [
      { url: '/orders/7' },
      { url: '/orders/404' },
      { method: 'POST', url: '/orders', body: { total: 20 } },
      { url: '/greeting/Ada' },
      { url: '/greeting/Ada?word=Ciao' },
      graphql('query Hero { hero { name } }', 'Hero'),
      {
        ...graphql(renameHero, 'RenameHero'),
        differs: ({ errors: [error], ...rest }: { errors: [object] }) => ({
          ...rest,
          errors: [{ ...error, locations: [{ line: 2, column: 3 }] }],
        }),
      },
    ],
  },
]

it('every page is tested', () => {
  const names = readdirSync(join(packageRoot, 'docs/migrating'))
  expect(migrations.map(({ page }) => page).sort()).toEqual(names.sort())
})

describe.each(migrations)('docs/migrating/$page', ({ page, packages, start, files, asked }) => {
  const text = readPage(`docs/migrating/${page}`)
  const after = text.split('\n').indexOf('## After') + 1
  const blocks = blocksOf(`docs/migrating/${page}`, text)
  const shown = (isPart: (line: number) => boolean) =>
    blocks.flatMap((block) => (block.file && isPart(block.line) ? [[block.file, block.text] as const] : []))
  const importing = blocks.find((block) => block.language === 'sh' && block.text.includes(' import '))
  const ends: (() => unknown)[] = []
  const origins = { theirs: '', ours: '' }
  let before: TestProject
  let own: TestProject

  beforeAll(async () => {
    before = createTestProject({ ...Object.fromEntries(shown((line) => line < after)), ...files })
    ends.push(() => before.close())
    await npm.add(before.root, ...packages)
    own = createProjectInPackage(Object.fromEntries(shown((line) => line > after)))
    ends.push(() => own.close())
    if (importing) await importMocks(importing.text.trim())
    origins.theirs = await run(before.root, start)
    origins.ours = await run(own.root, join(packageRoot, startVite))
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  /** Runs the command of the page, and adds the files that the page does not show. */
  async function importMocks(command: string): Promise<void> {
    const args = command.replace('npx unplugin-mock-api ', '').split(' ')
    await execute(process.execPath, [join(packageRoot, 'dist/cli.js'), ...args], { cwd: before.root })
    const known = readdirSync(join(own.root, 'fixtures'))
    for (const name of readdirSync(join(before.root, 'fixtures')))
      if (!known.includes(name))
        own.write(`fixtures/${name}`, readFileSync(join(before.root, 'fixtures', name)))
    // An example of a response function reads the data of json-server.
    const data = shown((line) => line < after).find(([file]) => file === 'db.json')
    if (data) own.write(...data)
  }

  async function run(root: string, command: string): Promise<string> {
    const port = await freePort()
    const [script, ...args] = command.replace('PORT', String(port)).split(' ')
    const running = runCommand(root, script!, ...args)
    ends.push(() => running.stop())
    const origin = `http://127.0.0.1:${port}`
    const ended = running.ended.then(() => expect.fail(running.output()))
    await Promise.race([vi.waitFor(() => exchange(origin, { url: '/' }), 120_000), ended])
    return origin
  }

  it.runIf(importing)('the command writes the files that the page shows', () => {
    const yaml = shown((line) => line > after).filter(([file]) => file.endsWith('.yaml'))
    expect(yaml).not.toEqual([])
    // The first line of a block names its file.
    for (const [file, content] of yaml)
      expect(`# ${file}\n${readFileSync(join(before.root, file), 'utf8')}`).toBe(content)
  })

  const named = asked.map((each) => ({ method: 'GET', ...each }))
  it.each(named)('$method $url $body', async ({ method, url, headers, body, differs }) => {
    const request = {
      method,
      url,
      headers: { accept: '*/*', ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }
    const theirs = await answer(origins.theirs, request)
    const ours = await answer(origins.ours, request)
    expect(ours).toEqual(differs ? { ...theirs, body: differs(theirs.body as never) } : theirs)
  })
})

async function answer(origin: string, request: Parameters<typeof exchange>[1]) {
  const { response, bytes } = await exchange(origin, request)
  const body = JSON.parse(bytes.toString()) as unknown
  return { status: response.statusCode, type: response.headers['content-type']?.split(';', 1)[0], body }
}
