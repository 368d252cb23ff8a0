/*
 * The packed package, installed from the registry as a project does it: that every file that it imports is there, and that it
 * starts. Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testContract, type ContractRequest } from '../contract.ts'
import { sendTo } from '../http.ts'
import { createPnpm, folderOf, npm, pack, start, type Running } from './install.ts'

// Outside this repository, whose node_modules would stand in for what is not installed.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'installed-')))
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 3 }))

let tarball: string
beforeAll(async () => {
  tarball = await pack(folder)
})

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  name: string
  bin: string
  exports: Record<string, string | Record<string, Record<'types' | 'default', string>>>
  main: string
  module: string
  types: string
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  devDependencies: Record<string, string>
}

describe.each([npm, createPnpm(join(folder, 'pnpm'))])('installed with $name', (installer) => {
  const project = join(folder, `with-${installer.name}`)

  beforeAll(async () => {
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "private": true }')
    await installer.add(project, tarball)
  })

  it('is at most 12 packages and 8 MB', () => {
    expect(installer.installed(project).length).toBeLessThanOrEqual(12)
    expect(sizeOf(join(project, 'node_modules'))).toBeLessThanOrEqual(8_000_000)
  })

  it('tells a project without a bundler what to install', async () => {
    const command = join(project, 'node_modules/.bin/unplugin-mock-api')
    const shell = process.platform === 'win32'
    const failed = promisify(execFile)(command, ['bundle'], { cwd: project, shell })
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm install --save-dev vite') as string,
    })
  })

  it('has every file that another imports, and no file that none imports', () => {
    const root = folderOf(project)
    const { reached, outside } = importedFrom(root, [...entries, manifest.bin, ...loadedByPath])
    const fixed = [
      ...page.map((name) => `dist/inspector/${name}`),
      'LICENSE',
      'README.md',
      'dist/third-party-licenses.md',
      ...loadedByName,
      'fixtures/graphql.yaml',
      'fixtures/items.yaml',
    ]
    const packed = filesIn(root).filter((name) => !name.startsWith('node_modules/')) // pnpm's link to jiti
    expect(packed).toEqual([...new Set([...reached, ...fixed])].sort())
    const known = [manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })]
    expect([...outside].filter((name) => !known.includes(name))).toEqual([])
  })

  describe.each(['esm', 'cjs'] as const)('as %s', (system) => {
    const templates = join(project, `templates-${system}`)
    const own = join(project, `own-${system}`)
    let running: Running
    beforeAll(async () => {
      writeProject(templates, { 'options.json': '{}' })
      writeProject(own, ownFiles)
      await installer.add(project, `vite@${manifest.devDependencies['vite']}`)
      running = await start(project, system, [templates, own])
    })
    afterAll(() => running.stop())

    it('every entry can be loaded', () => {
      // Types alone, and entries that need a peer, as in main.mjs.
      const left = ['./hot', './virtual', './msw', './vitest', './playwright']
      const paths = Object.keys(manifest.exports).filter((path) => !left.includes(path))
      expect(Object.keys(running.entries)).toEqual(paths.map((path) => `unplugin-mock-api${path.slice(1)}`))
      expect(Object.entries(running.entries).filter(([, names]) => names.length === 0)).toEqual([])
    })

    describe.each(['connect', 'vite'] as const)('%s', (host) => {
      const send = (request: ContractRequest) => sendTo(running.origins[0]![host])(request)
      const ask = async (url: string, body?: object) => {
        const request = body && { method: 'POST', headers: json, body: JSON.stringify(body) }
        const { status, text } = await sendTo(running.origins[1]![host])({ url, ...request })
        return [status, JSON.parse(text) as unknown]
      }

      testContract(send)

      it.each<[what: string, url: string, answer: unknown]>([
        ['YAML', '/yaml', { from: 'yaml' }],
        ['YAML with a directive', '/directive', { from: 'directive' }],
        ['TypeScript', '/typescript/7', { id: '7' }],
        ['an operator with a pattern', '/search?text=aab', { from: 'pattern' }],
        ['a fault', '/dribbled', { from: 'fault' }],
        ['a file', '/text', { from: 'file' }],
      ])('%s', async (_, url, answer) => {
        expect(await ask(url)).toEqual([200, answer])
      })

      it('a schema', async () => {
        expect(await ask('/graphql', { query: '{ a __typename }' })).toEqual([
          200,
          { data: { a: 1, __typename: 'Query' } },
        ])
      })

      it('what GraphiQL needs', async () => {
        const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
        const { status, text } = await sendTo(running.origins[1]![host])({ url: '/graphql', headers })
        expect([status, text]).toEqual([501, expect.stringContaining('@graphql-yoga/render-graphiql')])
      })

      it('a selector with a document', async () => {
        expect(await ask('/graphql', { query: 'query { b }' })).toEqual([200, { data: { b: 2 } }])
      })

      it('an error in JSON, explained', () => {
        expect(running.output()).toContain('fixtures/broken.json:2:1')
        expect(running.output()).toContain('JSON allows no comma in front of "]".')
      })

      it.each(page)("the inspector's %s", async (name) => {
        const { status, text } = await sendTo(running.origins[0]![host])({ url: `/__mock-api/${name}` })
        expect([status, text]).toEqual([
          200,
          readFileSync(join(folderOf(project), 'dist/inspector', name), 'utf8'),
        ])
      })

      it('opens a file in an editor', async () => {
        const opened = { opened: expect.stringMatching(/fixtures\/data\.yaml:2:1$/) as string }
        expect(await ask('/__mock-api/api/open', { file: 'fixtures/data.yaml', line: 2 })).toEqual([
          200,
          opened,
        ])
      })

      it('an edit', async () => {
        const path = `/edited/${host}`
        writeProject(own, { 'fixtures/edited.json5': `[{ path: '${path}', response: { body: 1 } }]` })
        await expect.poll(async () => (await ask(path).catch(() => [])).at(1)).toBe(1)
      })
    })
  })

  it('has a command that finds its own version', async () => {
    const { version } = JSON.parse(readFileSync(join(folderOf(project), 'package.json'), 'utf8')) as {
      version: string
    }
    const command = join(project, 'node_modules/.bin/unplugin-mock-api')
    const { stdout } = await promisify(execFile)(command, ['--version'], {
      shell: process.platform === 'win32',
    })
    expect(stdout).toBe(`${version}\n`)
  })
})

/** What is loaded by its name: by the entry for Vitest in Node, and by demo builds, as text. */
const loadedByName = ['dist/vitest-node.js', 'dist/service-worker-page/start.global.js']

/** The files that are imported, not run as a command. */
const entries = [
  ...Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? entry : Object.values(entry).flatMap(Object.values<string>),
  ),
  ...[manifest.main, manifest.module, manifest.types],
]

/** The files that others import, directly or not, and the packages that they import. */
function importedFrom(root: string, paths: readonly string[]) {
  const reached = new Set(paths.map((path) => posix.normalize(path)))
  const outside = new Set<string>()
  for (const file of reached) {
    for (const specifier of importsOf(join(root, file))) {
      if (specifier.startsWith('.')) reached.add(target(file, specifier))
      else if (!isBuiltin(specifier)) outside.add(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0])
    }
  }
  return { reached, outside }
}

/** What bundlers load, and what the modules that they get import. */
const loadedByPath = [
  'dist/bundle/entry.js',
  'dist/bundle/module-loader.js',
  'dist/bundle/routes-loader.js',
  'dist/routes-runtime.js',
]

/** The files of the inspector's page, which are served. */
const page = ['index.html', 'inspector.css', 'inspector.js']

const json = { 'content-type': 'application/json', 'x-mock-api': '1' }
const ownFiles = {
  'index.html': '<!doctype html>',
  'options.json': '{ "graphql": { "schema": "schema.graphql", "graphiql": true } }',
  'schema.graphql': 'type Query { a: Int, b: Int }',
  'file.json': '{ "from": "file" }',
  'fixtures/broken.json': '[{ "path": "/broken" },\n]',
  'fixtures/data.yaml': `
- path: /yaml
  response: { body: { from: yaml } }
- path: /search
  when: { query: { text: { $regex: '^a+b' } } }
  response: { body: { from: pattern } }
- path: /text
  response: { file: ../file.json }
- path: /dribbled
  response: { body: { from: fault }, fault: { dribble: 1 } }
- path: /graphql
  response: { body: { data: { a: 1 } } }
- path: /graphql
  when: { query: '{ b }' }
  response: { body: { data: { b: 2 } } }
`,
  'fixtures/directive.yaml': `%YAML 1.2
---
- path: /directive
  response: { body: { from: directive } }
`,
  'fixtures/functions.ts': `
import { defineFixture, type FixtureRequest } from 'unplugin-mock-api/fixture'
const respond = ({ params }: FixtureRequest) => ({ body: { id: params['id'] } })
export default defineFixture([{ path: '/typescript/:id', response: respond }])
`,
}

function writeProject(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

function filesIn(root: string): string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => statSync(join(root, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
}

function sizeOf(root: string): number {
  // Node 22 and later follow links, which pnpm makes many of: each file counts once.
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const paths = new Set(files.map(({ parentPath, name }) => realpathSync(join(parentPath, name))))
  return [...paths].reduce((sum, path) => sum + statSync(path).size, 0)
}

/** What a file imports in any way, its types included. */
function importsOf(path: string): string[] {
  if (!/\.c?[jt]s$/.test(path)) return []
  const specifiers: string[] = []
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier && ts.isStringLiteralLike(specifier)) specifiers.push(specifier.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest))
  return specifiers
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isExternalModuleReference(node)) return node.expression
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
  const isImport =
    ts.isCallExpression(node) &&
    (node.expression.kind === ts.SyntaxKind.ImportKeyword ||
      (ts.isIdentifier(node.expression) && node.expression.text === 'require'))
  return isImport ? node.arguments[0] : undefined
}

/** The file that a relative import means: in types, `./a.js` is `./a.d.ts`. */
function target(file: string, specifier: string): string {
  const path = posix.join(posix.dirname(file), specifier)
  return /\.d\.c?ts$/.test(file) ? path.replace(/\.(c?)js$/, '.d.$1ts') : path
}
