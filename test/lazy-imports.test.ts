/*
 * What a server has loaded when it gives its first answer: the readers of the files that the project has, and no others. The
 * built package, in a process of its own. Needs `npm run build`, which `npm test` does first.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { builtFile } from './built-file.ts'
import { createTestProject } from './hosts/test-project.ts'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))

/** The debugger is told of every script that is loaded. */
const code = (root: string, options: object) => `
  import { once } from 'node:events'
  import { createServer } from 'node:http'
  import { Session } from 'node:inspector'
  const urls = []
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
  session.post('Debugger.enable')
  const { createMiddleware } = await import('unplugin-mock-api/connect')
  const root = ${JSON.stringify(root)}
  const middleware = createMiddleware({ root, watch: false, logLevel: 'silent', ...${JSON.stringify(options)} })
  const server = createServer(middleware).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { status } = await fetch('http://127.0.0.1:' + server.address().port + '/items?page=2')
  server.closeAllConnections()
  server.close()
  await middleware.close()
  session.disconnect()
  console.log(JSON.stringify({ urls, status }))`

/** Everything that one kind of file, selector, option or answer needs alone. */
const parts = [
  'js-yaml',
  'yaml',
  '@humanwhocodes/momoa',
  'jiti',
  're2js',
  'picomatch',
  'chokidar',
  'graphql/index.js',
  'core/schema/schema.ts',
  'loader/read/reader.ts',
  'core/answer/error-response.ts',
  'core/answer/apply-overlay.ts',
  'server/node/graphiql.ts',
  'wire/node/write-fault.ts',
]

async function loadedParts(root: string, options: object): Promise<string[]> {
  const parameters = ['--input-type=module', '-e', code(root, options)]
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: packageRoot })
  const { urls, status } = JSON.parse(stdout) as { urls: string[]; status: number }
  expect(status).toBe(200)
  const loaded = new Set<string>()
  for (const url of urls) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : url
    const [, dependency] = /node_modules[\\/](jiti(?=[\\/])|graphql[\\/]index\.js$)/.exec(path) ?? []
    if (dependency) loaded.add(dependency.replace('\\', '/'))
    else if (/[\\/]dist[\\/][^\\/]+\.js$/.test(path) && existsSync(path))
      for (const part of [builtFile(path).packages, builtFile(path).ours].flat()) loaded.add(part)
  }
  return parts.filter((part) => loaded.has(part))
}

const items = '{ "path": "/items", "response": {} }'
const reader = ['core/schema/schema.ts', 'loader/read/reader.ts']

it.each<[string, files: Record<string, string>, options: object, expected: string[]]>([
  ['no fixture file', {}, {}, []],
  ['YAML', { 'fixtures/a.yaml': `- ${items}` }, {}, ['js-yaml', ...reader]],
  ['YAML with a tag', { 'fixtures/a.yaml': `- !!map ${items}` }, {}, ['js-yaml', 'yaml', ...reader]],
  ['JSON', { 'fixtures/a.json': `[${items}]` }, {}, ['@humanwhocodes/momoa', ...reader]],
  ['TypeScript', { 'fixtures/a.ts': `export default [${items}]` }, {}, ['jiti', ...reader]],
  [
    'a pattern',
    { 'fixtures/a.yaml': `[${items}, { path: /b, when: { query: { b: { $regex: b } } } }]` },
    {},
    ['js-yaml', 're2js', ...reader],
  ],
  ['a wildcard', { 'fixtures/a.yaml': `[${items}, { path: /b/** }]` }, {}, ['js-yaml', ...reader]],
  [
    'a glob',
    { 'fixtures/a.yaml': `- ${items}` },
    { fixtures: 'fixtures/*' },
    ['js-yaml', 'picomatch', ...reader],
  ],
  [
    'a GraphQL schema',
    { 's.graphql': 'type Query { a: Int }' },
    { graphql: { schema: 's.graphql' } },
    ['picomatch', 'graphql/index.js', 'core/answer/error-response.ts'],
  ],
])('%s', async (_, files, options, expected) => {
  const project = createTestProject(files)
  onTestFinished(project.close)
  expect(await loadedParts(project.root, options)).toEqual(expected)
})
