/*
 * What a project without a schema pays for GraphQL at start: the bundled parser, and nothing of graphql-js. The built package,
 * in a process of its own. Needs `npm run build`, which `npm test` does first.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

const root = mkdtempSync(join(tmpdir(), 'lazy-graphql-'))
writeFileSync(join(root, 'schema.graphql'), 'type Query { hero: Hero } type Hero { name: String! }')
afterAll(() => rmSync(root, { recursive: true }))

/** The debugger is told of every script that is loaded, whether by `import` or by `require`. */
const listen = `
  const { once } = await import('node:events')
  const { createServer } = await import('node:http')
  const { Session } = await import('node:inspector')
  const { createRequire } = await import('node:module')
  const urls = []
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
  session.post('Debugger.enable')
  const require = createRequire(process.cwd() + '/')`
const report = `
  session.disconnect()
  console.log(JSON.stringify({ urls, status, body }))`

const body = JSON.stringify({ query: 'query Hero { hero { name } }' })

function ask(load: string, options: object): string {
  return `${listen}
    const { createMiddleware } = ${load}
    const middleware = createMiddleware(${JSON.stringify({ root, watch: false, logLevel: 'error', ...options })})
    const server = createServer((req, res) => middleware(req, res, () => res.end())).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = 'http://127.0.0.1:' + server.address().port + '/graphql'
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: ${JSON.stringify(body)} })
    const { status } = answer
    const body = await answer.json()
    server.closeAllConnections()
    server.close()
    ${report}`
}

interface Loaded {
  status: number
  body: unknown
  /** Files of the package graphql, from its root. */
  graphql: string[]
  /** Files of our own. */
  ours: string[]
}

async function runChild(code: string): Promise<Loaded> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: packageRoot })
  const { urls, ...answer } = JSON.parse(stdout) as { urls: string[] } & Omit<Loaded, 'graphql' | 'ours'>
  const below = (folder: string) =>
    [...new Set(urls)].flatMap((url) => new RegExp(`/${folder}/(.+)$`).exec(url)?.[1] ?? [])
  return { ...answer, graphql: below('node_modules/graphql'), ours: below('dist') }
}

const loads = [
  { way: 'import', load: `await import('unplugin-mock-api/connect')` },
  { way: 'require', load: `require('unplugin-mock-api/connect')` },
]

it.each([
  ...loads.map(({ way, load }) => ({ title: `without options, by ${way}`, load, options: {} })),
  { title: 'with shaped answers', load: loads[0]!.load, options: { graphql: { shape: true } } },
])('$title, a GraphQL request is answered without the package graphql', async ({ load, options }) => {
  const { status, body, graphql } = await runChild(ask(load, options))
  expect(status).toBe(200)
  expect(body).toMatchObject({ data: { hero: { name: 'R2-D2' } } })
  expect(graphql).toEqual([])
})

it.each(loads)('with a schema, by $way, the whole of graphql-js is loaded', async ({ load }) => {
  const options = { fixtures: 'none', graphql: { schema: 'schema.graphql' } }
  const { status, body, graphql } = await runChild(ask(load, options))
  expect(status).toBe(200)
  expect(body).toMatchObject({ data: { hero: { name: expect.any(String) as string } } })
  const some = ['index.js', 'execution/execute.js', 'validation/validate.js', 'type/schema.js']
  expect(graphql).toEqual(expect.arrayContaining(some))
})

it.each(['vite', 'webpack', 'rspack', 'rsbuild'])(
  'a config that adds the %s plugin loads nothing of graphql-js',
  async (host) => {
    const code = `${listen}
    const { mockApi } = await import('unplugin-mock-api/${host}')
    mockApi({ graphql: { schema: 'schema.graphql' } })
    const status = 0, body = ''
    ${report}`
    const { graphql, ours } = await runChild(code)
    expect(ours).toContain(`${host}.js`)
    expect(graphql).toEqual([])
  },
)
