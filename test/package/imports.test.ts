/*
 * What the entries of the built package load at once, and what only when it is needed. A config is loaded by each build, each test
 * run and each edit of it, and what is large is rare. Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { describe, expect, it } from 'vitest'
import { builtFile, builtFiles } from '../built-file.ts'
import { readPage } from '../docs/pages.ts'
import { projectOfTest } from '../hosts/of-test.ts'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

/** Sources and packages that a built file and its static imports hold, and what they import from outside. */
function loadedBy(entry: string) {
  const files = new Set([entry])
  const outside: string[] = []
  for (const file of files)
    for (const path of builtFile(file).imports)
      if (/^(?:dist|\.)\//.test(path)) files.add(path.slice(path.indexOf('/') + 1))
      else outside.push(path)
  const held = [...files].map(builtFile)
  return {
    bytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
    modules: [...new Set(held.flatMap(({ ours, packages }) => [...ours, ...packages]))],
    outside,
  }
}

/** What is large, or rarely needed, by its sources and packages. */
const parts = {
  server: /^server\/mock-server\.ts$/,
  loader: /^loader\//,
  schema: /^valibot$/,
  router: /^rou3$/,
  'RE2 patterns': /^re2js$/,
  inspector: /^inspector\/server\//,
  recorder: /^(?:writer\/(?!har\/har-filter|endpoint-path)|backend\/recording\.ts$)/,
  'a GraphQL schema': /^core\/graphql-schema\//,
  commands: /^cli\/commands\//,
}
type Part = keyof typeof parts

it('the package has every part that is loaded later', () => {
  const all = builtFiles().flatMap((name) => [...builtFile(name).ours, ...builtFile(name).packages])
  for (const part of Object.values(parts)) expect(all.filter((module) => part.test(module))).not.toEqual([])
})

it('no module needs graphql, an optional peer, before it has looked whether that is installed', () => {
  const all = builtFiles().flatMap((name) => builtFile(name).imports)
  expect(all.filter((path) => /^graphql(?:\/|$)/.test(path))).toEqual([])
})

const plugins = ['index', 'vite', 'webpack', 'rspack', 'rsbuild']
const rare: Part[] = ['inspector', 'recorder', 'a GraphQL schema', 'commands']
const inNode = /^node:|^(?:fs|module|path|url|util)$|^picomatch$/

it.each<[entry: string, later: Part[], bytes: number, outside: RegExp]>([
  ...plugins.map((entry): [string, Part[], number, RegExp] => [
    entry,
    Object.keys(parts) as Part[],
    // 86 519 of Rsbuild: messages about options show URLs without their user.
    entry === 'index' ? 164_500 : 88_000,
    inNode,
  ]),
  ['connect', rare, 1_285_000, inNode],
  ['fetch', rare, 900_000, /^$/],
  ['service-worker', rare, 900_000, /^$/],
  ['msw', rare, 900_000, /^msw$/],
  ['load', ['server', ...rare], 5000, /^$/],
  ['fixture', ['loader', 'schema'], 3000, /^$/],
  ['client', ['server', 'loader'], 20_000, /^$/],
  ['cli', ['server', 'loader', ...rare], 60_000, /^(?:node:|commander$)/],
])('%s', (entry, later, limit, allowed) => {
  const { modules, bytes, outside } = loadedBy(`${entry}.js`)
  for (const part of later) expect(modules.filter((module) => parts[part].test(module))).toEqual([])
  expect(outside.filter((name) => !allowed.test(name))).toEqual([])
  expect(bytes).toBeLessThan(limit)
})

it.each(['fetch', 'msw'])('%s uses nothing of Node, nor does what it loads later', (entry) => {
  const files = new Set([`${entry}.js`])
  for (const file of files) {
    const code = readFileSync(`${packageRoot}/dist/${file}`, 'utf8').replaceAll(/^\s*(?:\*|\/\/).*$/gm, '') // without comments
    for (const [, name] of code.matchAll(/(?:from|import)\s*\(?\s*"\.\/([\w./-]+)"/g)) files.add(name!)
    expect(code, file).not.toMatch(/\b(?:Buffer|process|__dirname|global|setImmediate)\b\s*[.([]|["']node:/)
  }
  expect(files.size).toBeGreaterThan(3)
})

describe('while it answers', () => {
  /** Asks a server in a process of its own. The debugger is told of every script that is loaded, in either module system. */
  const code = (root: string, options: object, load: string) => `
    import { once } from 'node:events'
    import { createServer } from 'node:http'
    import { Session } from 'node:inspector'
    import { createRequire } from 'node:module'
    const urls = []
    const session = new Session()
    session.connect()
    session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
    session.post('Debugger.enable')
    const require = createRequire(process.cwd() + '/')
    const { createMiddleware } = ${load}
    const middleware = createMiddleware(${JSON.stringify({ root, watch: false, logLevel: 'silent', ...options })})
    const server = createServer(middleware).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = 'http://127.0.0.1:' + server.address().port + '/graphql'
    const body = JSON.stringify({ query: 'query Hero { hero { name } }' })
    const { status } = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    server.closeAllConnections()
    server.close()
    await middleware.close()
    session.disconnect()
    console.log(JSON.stringify({ urls, status }))`

  const imported = `await import('unplugin-mock-api/connect')`
  const required = `require('unplugin-mock-api/connect')`
  const schema = { 'schema.graphql': 'type Query { hero: Hero } type Hero { name: String! }' }
  const module = { 'fixtures/a.ts': `export default [{ path: '/graphql', response: { body: {} } }]` }

  it.each<[string, files: Record<string, string>, options: object, load: string, expected: string[]]>([
    ['the templates', {}, {}, imported, []],
    ['the templates, shaped, by require', {}, { graphql: { shape: true } }, required, []],
    ['a schema', schema, { graphql: { schema: 'schema.graphql' } }, imported, ['graphql']],
    ['a module', module, {}, imported, ['jiti']],
  ])('%s', async (_, files, options, load, expected) => {
    const project = projectOfTest(files)
    const args = ['--input-type=module', '-e', code(project.root, options, load)]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packageRoot })
    const { urls, status } = JSON.parse(stdout) as { urls: string[]; status: number }
    expect(status).toBe(200)
    const packages = urls.flatMap((url) => /node_modules[\\/](graphql|jiti)[\\/]/.exec(url)?.[1] ?? [])
    expect([...new Set(packages)]).toEqual(expected)
  })
})

it('createFetchHandler adds to a bundle what the pages say', async () => {
  interface Chunk {
    fileName: string
    code: string
    isEntry: boolean
    imports: string[]
  }
  const { output } = (await build({
    root: packageRoot,
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: 'dist/fetch.js', preserveEntrySignatures: 'strict' },
    },
  })) as unknown as { output: Chunk[] }
  // What is loaded at once: neither RE2 nor the whole of graphql-js.
  const loaded = new Set(output.filter(({ isEntry }) => isEntry))
  for (const { imports } of loaded)
    for (const name of imports) loaded.add(output.find(({ fileName }) => fileName === name)!)
  const size = [...loaded].reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0) / 1024
  for (const page of ['README.md', 'docs/hosts/fetch.md']) {
    const [, stated] = /adds (\d+) KiB \(gzipped\) to a\s+bundle/.exec(readPage(page)) ?? []
    expect(Math.abs(size - Number(stated)), `${size} KiB, other than ${page} says`).toBeLessThan(5)
  }
})
